/** The trimmed lines of the original; a set of strings qualifies. */
export interface KnownLines extends Iterable<string> {
  readonly size: number;
  has(trimmed: string): boolean;
}
