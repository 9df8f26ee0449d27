import { type Sentence, sentence, verbatim } from '../../base/sentence';
import { type Boundaries, findKeptSpans, isTagLine } from './keepContext';
import { complementOf, findRangeFlaw, type LineRange, lineStartsOf, linesIn } from './ranges';

/** Which lines of the input an output consists of, or where it first is something else. */
export type Proof =
  | { kind: 'proved'; keptRanges: LineRange[] }
  /** `line` is the 1-based line of the output, or of the input when `reason` is about ranges or a span. */
  | { kind: 'denied'; line: number; reason: Sentence };

export interface OutputRules {
  /** `(filtered 12 lines)` and empty lines may take the place of lines that were left out. */
  allowsFillers?: boolean | undefined;
  /** The line end of the last line may be missing. */
  allowsLostLineEnd?: boolean | undefined;
}

/** What a compaction claims about its result. */
export interface Claim {
  output: string;
  keptRanges?: readonly LineRange[] | undefined;
  removedRanges?: readonly LineRange[] | undefined;
}

const markerLine = /^\(filtered (\d{1,9}) lines?\)\r?\n?$/;
const blankLine = /^\r?\n$/;
/** A single message: a span that is not closed reaches to the end of the text. */
const oneMessage: Boundaries = { starts: [0], areKnown: false };

/**
 * Proves that `output` consists of lines of `input`, byte for byte, in order, and none twice. When the
 * input contains a line several times, the first possible one is taken, or the one that the number in
 * a filler implies.
 */
export function proveOutput(input: string, output: string, rules: OutputRules = {}): Proof {
  const matcher = new Matcher(input, output, rules);
  return matcher.run();
}

/** Proves that the ranges are valid and that the output is exactly the lines that they select. */
export function proveClaim(input: string, { output, keptRanges, removedRanges }: Claim): Proof {
  const starts = lineStartsOf(input);
  const count = starts.length - 1;
  for (const [name, ranges] of [
    ['kept', keptRanges],
    ['removed', removedRanges],
  ] as const) {
    const flaw = ranges && findRangeFlaw(ranges, count);
    if (flaw) return denied(flaw.line, verbatim(`${name} ${flaw.reason}`));
  }
  const kept = keptRanges ?? (removedRanges && complementOf(removedRanges, count));
  if (!kept) return proveOutput(input, output);
  if (keptRanges && removedRanges) {
    const line = firstDifference(complementOf(removedRanges, count), keptRanges);
    if (line !== undefined) return denied(line, verbatim('is neither kept nor removed, or both'));
  }
  const rebuilt = linesIn(input, starts, kept);
  if (rebuilt === output) return { kind: 'proved', keptRanges: joined(kept) };
  const proof = proveOutput(input, output);
  if (proof.kind === 'denied') return proof;
  return denied(
    lineOfDifference(rebuilt, output),
    verbatim('is not the line that the kept ranges say'),
  );
}

/** What remains of `input` without the lines of `removedRanges`. */
export function rebuildOutput(
  input: string,
  removedRanges: readonly LineRange[],
): { kind: 'rebuilt'; output: string; keptRanges: LineRange[] } | (Proof & { kind: 'denied' }) {
  const starts = lineStartsOf(input);
  const flaw = findRangeFlaw(removedRanges, starts.length - 1);
  if (flaw) return denied(flaw.line, verbatim(`removed ${flaw.reason}`));
  const keptRanges = complementOf(removedRanges, starts.length - 1);
  return { kind: 'rebuilt', output: linesIn(input, starts, keptRanges), keptRanges };
}

/** Proves that no line of a `<keepContext>` span was left out, except lines that contain only a tag. */
export function proveKeptSpans(
  input: string,
  keptRanges: readonly LineRange[],
  boundaries: Boundaries = oneMessage,
): Proof {
  const starts = lineStartsOf(input);
  const kept = new Uint8Array(starts.length - 1);
  for (const [start, end] of keptRanges) kept.fill(1, start - 1, end);
  let missing = -1;
  findKeptSpans(input, starts, boundaries, (first, last) => {
    for (let line = first; line <= last && missing < 0; line++) {
      if (kept[line] === 0 && !isTagLine(input.slice(starts[line], starts[line + 1]))) {
        missing = line;
      }
    }
  });
  if (missing >= 0) return denied(missing + 1, sentence('is within keepContext and was left out'));
  return { kind: 'proved', keptRanges: joined(keptRanges) };
}

class Matcher {
  readonly #input: string;
  readonly #output: string;
  readonly #rules: OutputRules;
  readonly #starts: Int32Array;
  readonly #ranges: LineRange[] = [];
  /** 0-based line of the input after the last match. */
  #next = 0;

  constructor(input: string, output: string, rules: OutputRules) {
    this.#input = input;
    this.#output = output;
    this.#rules = rules;
    this.#starts = lineStartsOf(input);
  }

  run(): Proof {
    const output = this.#output;
    const outputStarts = lineStartsOf(output);
    const count = outputStarts.length - 1;
    const total = this.#starts.length - 1;
    /** Minimum number of input lines that the fillers before this line stand for. */
    let gap = 0;
    for (let at = 0; at < count; at++) {
      const line = output.slice(outputStarts[at], outputStarts[at + 1]);
      const isLast = at === count - 1;
      if (gap === 0 && this.#isAt(this.#next, line, isLast)) {
        this.#take(this.#next);
        continue;
      }
      const filled = this.#rules.allowsFillers === true ? filledLines(line) : 0;
      if (filled > 0) {
        // The input may contain a line that looks like a filler; then it is matched as a line.
        if (gap > 0 && this.#isAt(this.#next + gap, line, isLast)) {
          this.#take(this.#next + gap);
          gap = 0;
          continue;
        }
        if (this.#next + gap + filled > total) {
          return denied(at + 1, sentence('stands for more lines than are left'));
        }
        gap += filled;
        continue;
      }
      const found = this.#find(line, this.#next + gap, isLast);
      if (found < 0) return denied(at + 1, this.#reasonFor(line, isLast));
      this.#take(found);
      gap = 0;
    }
    return { kind: 'proved', keptRanges: this.#ranges };
  }

  #isAt(line: number, text: string, isLast: boolean): boolean {
    const start = this.#starts[line];
    const end = this.#starts[line + 1];
    if (start === undefined || end === undefined) return false;
    if (end - start === text.length) return this.#input.startsWith(text, start);
    if (!isLast || this.#rules.allowsLostLineEnd !== true || text === '') return false;
    return (
      /^\r?\n$/.test(this.#input.slice(start + text.length, end)) &&
      this.#input.startsWith(text, start)
    );
  }

  #find(text: string, from: number, isLast: boolean): number {
    for (let line = from; line + 1 < this.#starts.length; line++) {
      if (this.#isAt(line, text, isLast)) return line;
    }
    return -1;
  }

  #take(line: number): void {
    const range = this.#ranges.at(-1);
    if (range?.[1] === line) range[1] = line + 1;
    else this.#ranges.push([line + 1, line + 1]);
    this.#next = line + 1;
  }

  #reasonFor(text: string, isLast: boolean): Sentence {
    const known = this.#find(text, 0, isLast);
    if (known >= 0) {
      const isKept = this.#ranges.some(([start, end]) => known + 1 >= start && known + 1 <= end);
      return isKept
        ? sentence('repeats line {0} of the input, which is in the output already', known + 1)
        : sentence(
            'is line {0} of the input, which stands before a line that comes first in the output',
            known + 1,
          );
    }
    const trimmed = text.trimEnd();
    for (let line = 0; line + 1 < this.#starts.length; line++) {
      if (this.#input.slice(this.#starts[line], this.#starts[line + 1]).trimEnd() === trimmed) {
        return sentence('is line {0} of the input but for white space at its end', line + 1);
      }
    }
    return sentence('is no line of the input');
  }
}

/** Minimum number of lines that a filler stands for; 0 when the line is no filler. */
function filledLines(line: string): number {
  const marker = markerLine.exec(line);
  if (marker) return Number(marker[1]);
  return blankLine.test(line) ? 1 : 0;
}

function denied(line: number, reason: Sentence): Proof & { kind: 'denied' } {
  return { kind: 'denied', line, reason };
}

/** The first line that only one of two lists of ranges contains. */
function firstDifference(
  left: readonly LineRange[],
  right: readonly LineRange[],
): number | undefined {
  const [a, b] = [joined(left).flat(), joined(right).flat()];
  const at = a.findIndex((line, index) => line !== b[index]);
  if (at < 0) return b[a.length];
  return Math.min(a[at] ?? 0, b[at] ?? Number.POSITIVE_INFINITY) + (at % 2);
}

/** Joins ranges that touch. */
function joined(ranges: readonly LineRange[]): LineRange[] {
  const result: LineRange[] = [];
  for (const [start, end] of ranges) {
    const last = result.at(-1);
    if (last?.[1] === start - 1) last[1] = end;
    else result.push([start, end]);
  }
  return result;
}

/** The number of the first line in which two texts differ, from 1. */
export function lineOfDifference(left: string, right: string): number {
  let line = 1;
  let at = 0;
  while (at < right.length && left.charCodeAt(at) === right.charCodeAt(at)) {
    if (right.charCodeAt(at++) === 10) line++;
  }
  return line;
}
