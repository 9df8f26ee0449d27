import { runLength } from '../base/scan';

export interface Fence {
  /** The back-quotes or tildes, at least three. */
  readonly marks: string;
  /** What follows them, without the white space before it: the language, say. */
  readonly info: string;
}

const shortestFence = 3;

/** The run of back-quotes or tildes at `start`, and what follows it in the line. */
export function fenceAt(line: string, start: number): Fence | undefined {
  const mark = line.charAt(start);
  if (mark !== '`' && mark !== '~') return undefined;
  const end = start + runLength(line, start);
  if (end - start < shortestFence) return undefined;
  return { marks: line.slice(start, end), info: line.slice(end).trimStart() };
}

/** A fence that can open a block: back-quotes behind it would make it a word in back-quotes. */
export function openingFenceAt(line: string, start: number): Fence | undefined {
  const fence = fenceAt(line, start);
  return fence?.info.includes('`') ? undefined : fence;
}

/** True for a fence that is at least as long as `opening` and of the same character. */
export function fits({ marks }: Fence, opening: string): boolean {
  return marks.length >= opening.length && marks.startsWith(opening.charAt(0));
}

/** Where the white space at the start of a line ends. */
export function indentEnd(line: string): number {
  return line.length - line.trimStart().length;
}
