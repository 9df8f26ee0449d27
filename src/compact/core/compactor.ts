import { type Boundaries, findKeptSpans } from './keepContext';
import { complementOf, type LineRange, linesIn, rangesOf } from './ranges';
import { CompactionStopped, type ShouldStop, scan } from './scan/scan';
import { findSegments } from './segments/findSegments';
import { type Segment, speakerBit } from './segments/segment';
import { selectLines } from './selectLines';
import { valuesOf } from './values';

export type { LineRange } from './ranges';
export { CompactionStopped } from './scan/scan';

export interface CompactOptions {
  /** What the next message is about; defaults to the last message of the user. */
  query?: string | undefined;
  /** Share of the characters to keep, from 0 to 1. */
  ratio: number;
  /** Turns at the end to keep whole. A turn is a user message, or an assistant message with the results of its tools. */
  preserveRecent?: number | undefined;
  /** 1 for each line to keep in any case; counts towards the ratio. */
  keep?: Uint8Array | undefined;
  /** Called periodically; true stops the compaction. */
  shouldStop?: ShouldStop | undefined;
}

export interface CompactedText {
  output: string;
  keptRanges: LineRange[];
  removedRanges: LineRange[];
  /** Lines kept because of `<keepContext>`. */
  forcedRanges: LineRange[];
  /** The lines that had to be kept exceed the ratio; no others were kept. */
  isOverBudget: boolean;
}

const defaultRatio = 0.5;

/**
 * Shrinks a chat history to `ratio` of its characters by leaving out whole lines. The other lines stay
 * unchanged and in order. A line includes its `\n`.
 * @throws {CompactionStopped}
 */
export function compactText(input: string, options: CompactOptions): CompactedText {
  const segments = findSegments(input);
  const turns = segments.filter(({ startsTurn }) => startsTurn).map(({ start }) => start);
  const { kept, forced, starts, isOverBudget } = chooseLines(input, segments, options, {
    starts: turns,
    areKnown: false,
  });
  const keptRanges = rangesOf(kept);
  return {
    output: linesIn(input, starts, keptRanges),
    keptRanges,
    removedRanges: complementOf(keptRanges, kept.length),
    forcedRanges: rangesOf(forced),
    isOverBudget,
  };
}

interface Chosen {
  /** One entry per line; 0 for each line that is left out. */
  kept: Uint8Array;
  forced: Uint8Array;
  starts: Int32Array;
  isOverBudget: boolean;
}

function chooseLines(
  text: string,
  segments: readonly Segment[],
  { query, ratio, preserveRecent = 0, keep, shouldStop }: CompactOptions,
  boundaries: Boundaries,
): Chosen {
  const share = Number.isFinite(ratio) ? Math.min(1, Math.max(0, ratio)) : defaultRatio;
  const asked = query?.trim() || lastUserText(text, segments);
  const scanned = scan(text, segments, asked, shouldStop);
  const { count } = scanned;
  const starts = scanned.starts.subarray(0, count + 1);
  const forced = new Uint8Array(count);
  findKeptSpans(text, starts, boundaries, (first, last) => forced.fill(1, first, last + 1));
  const kept = forced.slice();
  if (keep) {
    for (let line = 0; line < count; line++) if (keep[line] === 1) kept[line] = 1;
  }
  if (share === 1) return { kept: kept.fill(1), forced, starts, isOverBudget: false };
  const budget = Math.floor(share * text.length);
  keepWhole(kept, starts, segments, preserveRecent, budget);
  let used = 0;
  for (let line = 0; line < count; line++) {
    if (kept[line] !== 0) used += (starts[line + 1] ?? 0) - (starts[line] ?? 0);
  }
  if (used < budget) {
    const values = valuesOf(scanned);
    if (shouldStop?.(0.8)) throw new CompactionStopped();
    selectLines(scanned, values, kept, budget, share);
  }
  return { kept, forced, starts, isOverBudget: used > budget };
}

function lastUserText(text: string, segments: readonly Segment[]): string {
  const at = segments.findLastIndex(({ speaker }) => speaker === speakerBit.user);
  const segment = segments[at];
  if (!segment) return '';
  const said = text.slice(segment.start, segments[at + 1]?.start);
  return segment.hasHeader ? said.slice(said.indexOf('\n') + 1) : said;
}

/**
 * Keeps the lines of pinned segments and of the last turns. When no turns were found, the end of the text
 * is kept instead, up to half of the budget.
 */
function keepWhole(
  kept: Uint8Array,
  starts: Int32Array,
  segments: readonly Segment[],
  preserveRecent: number,
  budget: number,
): void {
  const length = starts.at(-1) ?? 0;
  const turns = segments.filter(({ startsTurn }) => startsTurn);
  let recent = Number.POSITIVE_INFINITY;
  if (preserveRecent > 0) {
    recent =
      turns.length === 0 ? length - budget / 2 : (turns.at(-Math.ceil(preserveRecent))?.start ?? 0);
  }
  for (let line = kept.length - 1; line >= 0 && (starts[line] ?? 0) >= recent; line--) {
    kept[line] = 1;
  }
  let line = 0;
  for (const [at, { isPinned }] of segments.entries()) {
    const end = segments[at + 1]?.start ?? length;
    for (; line < kept.length && (starts[line] ?? 0) < end; line++) if (isPinned) kept[line] = 1;
  }
}
