/** The lines of the original without white space at their ends; a set of strings is one. */
export interface KnownLines extends Iterable<string> {
  readonly size: number;
  has(trimmed: string): boolean;
}
