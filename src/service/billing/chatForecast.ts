import { median } from '../../base/median';
import type { LedgerEntry } from './ledger';

/** What one chat has cost with one model so far, with all calls of an agent. */
export interface ChatCost {
  /** As the service names it. */
  readonly model: string;
  readonly usd: number;
}

/** What the next chat with a model will cost, going by the newest ones, in USD. */
export interface ChatForecast {
  readonly usualUsd: number;
  readonly maxUsd: number;
}

/** The newest chats say what the next one takes. */
const maxChats = 20;
/** Fewer chats say nothing about the next one. */
const minChats = 3;

/** The chats of a ledger, oldest first. A chat counts for each of its models; one with an unknown price for none. */
export function chatCosts(entries: readonly LedgerEntry[]): ChatCost[] {
  const costs = new Map<string, { readonly model: string; usd: number | undefined }>();
  for (const { purpose, chat, model, usd, result } of entries) {
    if (purpose !== 'chat' || chat === undefined || model === undefined) continue;
    // A call that failed was not charged, so that it has no cost.
    if (usd === undefined && result !== 'ok') continue;
    const key = `${chat} ${model}`;
    const before = costs.get(key);
    const sum = before ? before.usd : 0;
    costs.set(key, {
      model,
      usd: sum === undefined || usd === undefined ? undefined : sum + usd,
    });
  }
  return [...costs.values()].flatMap(({ model, usd }) => (usd === undefined ? [] : { model, usd }));
}

/** Undefined where the chats are too few. */
export function chatForecast(costs: readonly ChatCost[], model: string): ChatForecast | undefined {
  const newest = costs.filter(cost => cost.model === model).slice(-maxChats);
  const usualUsd = median(newest.map(({ usd }) => usd));
  if (usualUsd === undefined || newest.length < minChats) return undefined;
  return { usualUsd, maxUsd: Math.max(...newest.map(({ usd }) => usd)) };
}
