import type { Block } from './block';
import { costs } from './costs';
import type { FileIndex } from './fileIndex';

/** Counts lines of the file by indentation, which shows nesting in all languages. */
export class Nesting {
  readonly #file: FileIndex;
  /** What {@link before} says, by number of columns. */
  readonly #less = new Map<number, number[]>();

  constructor(file: FileIndex) {
    this.#file = file;
  }

  /** The number of lines from `start` to `end` (half-open) that are indented less than `columns`. */
  less(columns: number, start: number, end: number): number {
    const before = this.before(columns);
    return (before[end] ?? 0) - (before[start] ?? 0);
  }

  /** By position: how many lines before it are indented less than `columns`. */
  before(columns: number): readonly number[] {
    let counts = this.#less.get(columns);
    if (!counts) {
      counts = [0];
      let count = 0;
      for (const indent of this.#file.indents) {
        if (indent < columns) count++;
        counts.push(count);
      }
      this.#less.set(columns, counts);
    }
    return counts;
  }
}

/** {@link Nesting.less} for a single question. */
export function countLess(file: FileIndex, columns: number, start: number, end: number): number {
  const { indents } = file;
  let count = 0;
  for (let at = start; at < end; at++) if ((indents[at] ?? 0) < columns) count++;
  return count;
}

/**
 * Lines indented less than this are outside the code that the block shows: if all its lines are indented more than
 * its first or last one, the lines it replaces cannot extend beyond the end of that block of code.
 */
export function floorOf({ indents }: Block): number {
  const first = indents[0] ?? 0;
  const last = indents.at(-1) ?? 0;
  const edge = Math.min(first, last);
  let inner = Infinity;
  for (let row = 1; row < indents.length - 1; row++) inner = Math.min(inner, indents[row] ?? 0);
  const least = inner === Infinity ? Math.max(first, last) : inner;
  return least > edge ? edge + 1 : least;
}

/** What a place costs whose lines are partly outside of the code that the block shows. */
export const escapingCost = (lines: number): number =>
  Math.min(costs.maxEscaping, costs.escapingLine * lines);
