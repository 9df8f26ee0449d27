import type { Line } from '../lines';

/** The trimmed lines of the original; a set of strings qualifies. */
export interface KnownLines extends Iterable<string> {
  readonly size: number;
  has(trimmed: string): boolean;
  /** The lines of a text, faster than one by one. Those that are lines of the original have an id. */
  readLines?(text: string): Line[];
}
