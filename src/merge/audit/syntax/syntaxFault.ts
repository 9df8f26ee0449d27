/** Where a text stops to be well-formed. */
export interface SyntaxFault {
  /** Index of a character. */
  readonly at: number;
  readonly kind:
    | 'unclosed'
    | 'unexpected'
    | 'openText'
    | 'openComment'
    | 'incomplete'
    | 'secondElse'
    | 'indentation'
    | 'noBlock';
  /** The bracket, tag, quote or word in question. */
  readonly sign: string;
}
