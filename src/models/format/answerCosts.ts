import { LRUCache } from 'lru-cache';
import type { AnswerCost } from '../../contracts/lastAnswer';
import type { Cost, Usage } from '../../service';
import type { Conversation } from './conversation';

/** Chats whose last answer is remembered. */
const maxChats = 200;

/** Sums up the calls for an answer: an agent calls the model again after each of its tools. */
export class AnswerCosts {
  readonly #byChat = new LRUCache<string, AnswerCost>({ max: maxChats });

  /** @returns what the answer has taken so far. */
  add(
    chat: string,
    conversation: Conversation,
    { usage, cost }: { readonly usage: Usage | undefined; readonly cost: Cost | undefined },
  ): AnswerCost {
    const before = isContinued(conversation) ? this.#byChat.get(chat) : undefined;
    const tokens = usage && usage.promptTokens + usage.completionTokens;
    const sum: AnswerCost = {
      calls: (before?.calls ?? 0) + 1,
      tokens: plus(before, before?.tokens, tokens),
      cost: before ? before.cost && cost && sumOf(before.cost, cost) : cost,
    };
    this.#byChat.set(chat, sum);
    return sum;
  }
}

/** Whether the model goes on after a tool; a prompt of the user begins a new answer. */
const isContinued = ({ turns }: Conversation): boolean =>
  turns.at(-1)?.parts.some(({ type }) => type === 'toolResult') === true;

function plus(
  before: AnswerCost | undefined,
  a: number | undefined,
  b: number | undefined,
): number | undefined {
  if (!before) return b;
  return a === undefined || b === undefined ? undefined : a + b;
}

const sumOf = (a: Cost, b: Cost): Cost => ({
  usd: a.usd + b.usd,
  isExact: a.isExact && b.isExact,
});
