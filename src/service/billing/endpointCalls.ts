import { JsonValues } from '../../base/text/jsonValues';
import { isRecord } from '../../base/typeGuards';

/** A call to a dedicated endpoint: numbers only, never a prompt, an answer or an address. */
export interface EndpointCall {
  /** When it ended, ms since the epoch. */
  readonly at: number;
  /** Duration of its last attempt. */
  readonly ms: number;
  /** Until the first part of the answer; absent where it came in one piece, or not at all. */
  readonly firstMs?: number | undefined;
  readonly promptTokens: number;
  /** Part of `promptTokens`. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly isOk: boolean;
  /** A test request, not traffic of the user. */
  readonly isProbe: boolean;
}

/** Sums over the calls of the user, without test requests. */
export interface EndpointTotals {
  readonly calls: number;
  readonly failed: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  /** When the first of them ended, ms since the epoch; absent without calls. */
  readonly since?: number | undefined;
}

/** What is known of the calls to an endpoint: the latest ones, and sums over those before. */
export interface EndpointRecord {
  /** Oldest first. */
  readonly calls: readonly EndpointCall[];
  readonly earlier: EndpointTotals;
}

export const noTotals: EndpointTotals = {
  calls: 0,
  failed: 0,
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
};

export function totalsOf(calls: readonly EndpointCall[], before = noTotals): EndpointTotals {
  const totals = { ...before };
  for (const { at, isOk, isProbe, promptTokens, cachedTokens, completionTokens } of calls) {
    if (isProbe) continue;
    totals.calls++;
    if (!isOk) totals.failed++;
    totals.promptTokens += promptTokens;
    totals.cachedTokens += cachedTokens;
    totals.completionTokens += completionTokens;
    totals.since = Math.min(totals.since ?? at, at);
  }
  return totals;
}

/** Moves all but the latest calls into the sums. */
export function boundRecord({ calls, earlier }: EndpointRecord, maxCalls: number): EndpointRecord {
  const cut = Math.max(0, calls.length - maxCalls);
  return { calls: calls.slice(cut), earlier: totalsOf(calls.slice(0, cut), earlier) };
}

/** One line of the file, with its line break. */
export const callLine = (call: EndpointCall): string => `${JSON.stringify(call)}\n`;

/** The file: the sums in its first line, then one line for each call. */
export const recordText = ({ calls, earlier }: EndpointRecord): string =>
  `${JSON.stringify(earlier)}\n${calls.map(callLine).join('')}`;

/** Reads the file; lines that are damaged, cut off by a crash for example, are skipped. */
export function parseRecord(text: string): EndpointRecord {
  const values = new JsonValues();
  const calls: EndpointCall[] = [];
  let earlier = noTotals;
  for (const line of text.split('\n')) {
    const value = line.startsWith('{') ? values.parse(line) : undefined;
    if (!isRecord(value)) continue;
    const tokens = {
      promptTokens: amount(value['promptTokens']) ?? 0,
      cachedTokens: amount(value['cachedTokens']) ?? 0,
      completionTokens: amount(value['completionTokens']) ?? 0,
    };
    const at = amount(value['at']);
    const ms = amount(value['ms']);
    const count = amount(value['calls']);
    if (at !== undefined && ms !== undefined) {
      calls.push({
        at,
        ms,
        firstMs: amount(value['firstMs']),
        ...tokens,
        isOk: value['isOk'] === true,
        isProbe: value['isProbe'] === true,
      });
    } else if (count !== undefined) {
      const [failed, since] = [amount(value['failed']) ?? 0, amount(value['since'])];
      earlier = { calls: count, failed, ...tokens, ...(since === undefined ? {} : { since }) };
    }
  }
  // Two windows append in the order in which their calls were written.
  return { calls: calls.toSorted((a, b) => a.at - b.at), earlier };
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
