import { lowerBound } from '../../base/sorted';
import { estimateTokens } from '../../service';
import type { Patch } from './edit';
import type { Edits, History, HistoryMessage, HistoryPart, PartEdit } from './history';

import type { JsonNode } from './json';

/** What the tool noted as the input of a request, in tokens, at a place of the file. */
export interface NotedSize {
  readonly offset: number;
  readonly tokens: number;
}

/** Real tokens per estimated token, within what tokenizers differ by. */
const minFactor = 0.6;
const maxFactor = 1.8;
/** Two figures further apart than this, in estimated tokens, tell the factor. */
const minSpread = 2000;
/** Instructions and tools of a request take more than this times the usual size only in figures that are not true. */
const maxTimesUsual = 4;

/**
 * How large each request of a session would be with what is left of it. Tools read these figures to show how
 * full the context is, and to decide when to summarize: with the old ones they would do so at once.
 */
export class SessionSizes {
  readonly #before: Sums;
  readonly #after: Sums;
  readonly #overhead: number;
  readonly #factor: number;

  /**
   * @param noted oldest first.
   * @param usualOverhead tokens of the instructions and tools that the tool sends with each request.
   * @param sent what the noted figures are about, where that is not the messages of the history.
   */
  constructor(
    { messages }: Pick<History, 'messages'>,
    edits: Edits,
    noted: readonly NotedSize[],
    usualOverhead: number,
    sent: readonly HistoryMessage[] = messages,
  ) {
    this.#before = new Sums(
      sent.map(({ offset, parts }) => ({
        offset,
        tokens: parts.reduce((sum, { text }) => sum + estimateTokens(text), 0),
      })),
    );
    this.#after = new Sums(
      messages.map(({ offset, parts }, at) => ({
        offset,
        tokens: parts.reduce(
          (sum, part, index) => sum + tokensLeft(part, edits[at]?.[index] ?? null),
          0,
        ),
      })),
    );
    const first = noted[0];
    const last = noted.at(-1);
    const before = (place: NotedSize | undefined) => (place ? this.#before.until(place.offset) : 0);
    this.#factor = factorOf(
      (last?.tokens ?? 0) - (first?.tokens ?? 0),
      before(last) - before(first),
    );
    const overhead = first && first.tokens - before(first) * this.#factor;
    const isTrue =
      overhead !== undefined && overhead >= 0 && overhead <= usualOverhead * maxTimesUsual;
    this.#overhead = isTrue ? overhead : usualOverhead;
  }

  /** Input of the request whose answer is at this place, in tokens. */
  requestAt(offset: number): number {
    return Math.round(this.#overhead + this.#after.until(offset) * this.#factor);
  }

  /** Tokens that are left of the message at this place. */
  answerAt(offset: number): number {
    return Math.round((this.#after.until(offset + 1) - this.#after.until(offset)) * this.#factor);
  }
}

/** Tokens of all messages before a place. */
class Sums {
  readonly #offsets: readonly number[];
  readonly #totals: readonly number[];

  constructor(messages: readonly NotedSize[]) {
    const sorted = messages.toSorted((a, b) => a.offset - b.offset);
    this.#offsets = sorted.map(({ offset }) => offset);
    const totals = [0];
    for (const { tokens } of sorted) totals.push((totals.at(-1) ?? 0) + tokens);
    this.#totals = totals;
  }

  until(offset: number): number {
    return this.#totals[lowerBound(this.#offsets, offset)] ?? 0;
  }
}

function factorOf(noted: number, estimated: number): number {
  const factor = estimated >= minSpread ? noted / estimated : 1;
  return factor >= minFactor && factor <= maxFactor ? factor : 1;
}

/** Sets those of the named members that are numbers. */
export function setNumbers(
  node: JsonNode | undefined,
  values: Readonly<Record<string, number>>,
): Patch[] {
  if (node?.type !== 'object') return [];
  return Object.entries(values).flatMap(([key, value]) => {
    const member = node.members.get(key);
    if (member?.type !== 'plain' || typeof member.value !== 'number') return [];
    return [{ start: member.start, end: member.end, text: String(value) }];
  });
}

/** Empties a list, such as one of figures for each request. */
export function clearList(node: JsonNode | undefined): Patch[] {
  if (node?.type !== 'list' || node.items.length === 0) return [];
  return [{ start: node.start, end: node.end, text: '[]' }];
}

function tokensLeft({ location }: HistoryPart, edit: PartEdit): number {
  if (edit === null || typeof edit === 'string') return estimateTokens(edit ?? '');
  return (location.call?.fields ?? []).reduce((sum, { node }, at) => {
    const old = 'value' in node ? String(node.value) : '';
    return sum + estimateTokens(edit[at] ?? old);
  }, 0);
}
