import { runLength } from '../base/text/scan';

export interface Fence {
  /** The back-quotes or tildes, at least three. */
  readonly marks: string;
  /** The info string after them, without leading whitespace, for example the language. */
  readonly info: string;
}

const minFenceLength = 3;

/** The fence at `start` of a line. */
export function fenceAt(line: string, start: number): Fence | undefined {
  const mark = line.charAt(start);
  if (mark !== '`' && mark !== '~') return undefined;
  const end = start + runLength(line, start);
  if (end - start < minFenceLength) return undefined;
  return { marks: line.slice(start, end), info: line.slice(end).trimStart() };
}

/** A fence that can open a block. Back-quotes after it would make it inline code. */
export function openingFenceAt(line: string, start: number): Fence | undefined {
  const fence = fenceAt(line, start);
  return fence?.info.includes('`') ? undefined : fence;
}

/** True for a fence of the same character as `opening` that is at least as long. */
export function canClose({ marks }: Fence, opening: string): boolean {
  return marks.length >= opening.length && marks.startsWith(opening.charAt(0));
}

/** Back-quotes that can fence a text, since no line of it closes them. */
export function fenceFor(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  return '`'.repeat(longest + 1);
}

/** The length of the whitespace at the start of a line. */
export function indentEnd(line: string): number {
  return line.length - line.trimStart().length;
}
