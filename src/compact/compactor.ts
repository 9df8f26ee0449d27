import { cover } from './coverage';
import { findKeptSpans, type Boundaries } from './keepContext';
import type { CompactedMessages, CompactedPart, Message, MessagePart, Role } from './message';
import { complementOf, linesIn, rangesOf, type LineRange } from './ranges';
import { CompactionStopped, scan, type ShouldStop } from './scan';
import { findSegments, SPEAKER, type Segment, type Speaker } from './turns';
import { valuesOf } from './values';

export { CompactionStopped, type ShouldStop } from './scan';
export type * from './message';
export type { LineRange } from './ranges';

export interface CompactOptions {
  /** What the next message is about; without it, the last message of the user. */
  query?: string | undefined;
  /** Share of the characters to keep, from 0 to 1. */
  ratio: number;
  /** Turns at the end to keep whole: a message of the user, or one of the assistant with what its tools said. */
  preserveRecent?: number | undefined;
  /** Asked now and then whether to give up. */
  shouldStop?: ShouldStop | undefined;
}

export interface CompactedText {
  output: string;
  keptRanges: LineRange[];
  removedRanges: LineRange[];
  /** Lines kept because of `<keepContext>`. */
  forcedRanges: LineRange[];
  /** What had to be kept is more than the ratio allows; nothing else was kept. */
  isOverBudget: boolean;
}

const defaultRatio = 0.5;

/**
 * Shrinks a chat history to `ratio` of its characters by leaving out whole lines; the others stay as
 * they are, in their order. A line is everything up to and including `\n`.
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

/**
 * The same for messages whose roles and parts are known. What the user said last, the texts of the
 * system, and parts that are pinned or cannot be edited stay whole, and count against the ratio.
 * @throws {CompactionStopped}
 */
export function compactMessages(
  messages: readonly Message[],
  options: CompactOptions,
): CompactedMessages {
  const lastOfUser = messages.findLastIndex(isOfUser);
  const segments: Segment[] = [];
  const texts: string[] = [];
  let start = 0;
  for (const [at, message] of messages.entries()) {
    let startsTurn = message.role === 'user' ? isOfUser(message) : message.role === 'assistant';
    for (const part of message.parts) {
      if (part.text === '') continue;
      const text = part.text.endsWith('\n') ? part.text : `${part.text}\n`;
      const speaker = speakerOf(message.role, part);
      const isLastOfUser = at === lastOfUser && speaker === SPEAKER.user;
      const isPinned =
        part.isPinned === true || !part.isEditable || speaker === SPEAKER.system || isLastOfUser;
      segments.push({ start, speaker, startsTurn, hasHeader: false, isPinned });
      texts.push(text);
      startsTurn = false;
      start += text.length;
    }
  }
  const input = texts.join('');
  const boundaries = { starts: segments.map(segment => segment.start), areKnown: true };
  const { kept, forced, starts, isOverBudget } = chooseLines(input, segments, options, boundaries);

  let line = 0;
  let next = 0;
  let inputLength = 0;
  let outputLength = 0;
  const compactPart = ({ text }: MessagePart): CompactedPart => {
    if (text === '') return { text, keptRanges: [], forcedRanges: [] };
    const offset = segments[next++]?.start ?? 0;
    const end = segments[next]?.start ?? input.length;
    const first = line;
    while ((starts[line] ?? end) < end) line++;
    const keptRanges = rangesOf(kept.subarray(first, line));
    const own = starts.subarray(first, line + 1).map(at => at - offset);
    const left = linesIn(text, own, keptRanges);
    inputLength += text.length;
    outputLength += left.length;
    return { text: left, keptRanges, forcedRanges: rangesOf(forced.subarray(first, line)) };
  };
  const compacted = messages.map(({ parts }) => parts.map(compactPart));
  return { messages: compacted, inputLength, outputLength, isOverBudget };
}

/** Tools answer in the user's name in some formats. */
function isOfUser({ role, parts }: Message): boolean {
  return role === 'user' && parts.some(({ kind, text }) => kind !== 'tool_result' && text !== '');
}

function speakerOf(role: Role, { kind }: MessagePart): Speaker {
  return kind === 'tool_result' ? SPEAKER.tool : SPEAKER[role];
}

interface Chosen {
  /** One entry per line; 0 for those that go. */
  kept: Uint8Array;
  forced: Uint8Array;
  starts: Int32Array;
  isOverBudget: boolean;
}

function chooseLines(
  text: string,
  segments: readonly Segment[],
  { query, ratio, preserveRecent = 0, shouldStop }: CompactOptions,
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
  if (share === 1) return { kept: kept.fill(1), forced, starts, isOverBudget: false };
  const budget = Math.floor(share * text.length);
  keepWhole(kept, starts, segments, preserveRecent, budget);
  let used = 0;
  for (let line = 0; line < count; line++)
    if (kept[line] !== 0) used += (starts[line + 1] ?? 0) - (starts[line] ?? 0);
  if (used < budget) {
    const values = valuesOf(scanned);
    if (shouldStop?.(0.8)) throw new CompactionStopped();
    cover(scanned, values, kept, budget, share);
  }
  return { kept, forced, starts, isOverBudget: used > budget };
}

function lastUserText(text: string, segments: readonly Segment[]): string {
  const at = segments.findLastIndex(({ speaker }) => speaker === SPEAKER.user);
  const segment = segments[at];
  if (!segment) return '';
  const said = text.slice(segment.start, segments[at + 1]?.start);
  return segment.hasHeader ? said.slice(said.indexOf('\n') + 1) : said;
}

/**
 * Keeps the lines of pinned segments and of the last turns. Where no turns are found, the end of the
 * text is kept instead, as far as half of the budget reaches.
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
  if (preserveRecent > 0)
    recent =
      turns.length === 0 ? length - budget / 2 : (turns.at(-Math.ceil(preserveRecent))?.start ?? 0);
  for (let line = kept.length - 1; line >= 0 && (starts[line] ?? 0) >= recent; line--)
    kept[line] = 1;
  let line = 0;
  for (const [at, { isPinned }] of segments.entries()) {
    const end = segments[at + 1]?.start ?? length;
    for (; line < kept.length && (starts[line] ?? 0) < end; line++) if (isPinned) kept[line] = 1;
  }
}
