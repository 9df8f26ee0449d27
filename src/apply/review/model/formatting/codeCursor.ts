/** A range of lines; `end` is exclusive. */
export interface CodeSpan {
  readonly lines: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** The borders around blank lines, both inclusive. Border 0 is above the first line; without blank lines both are the same. */
export interface Borders {
  readonly low: number;
  readonly high: number;
}

/** Words after which a parenthesis groups; after any other word it calls. */
const wordsBeforeGroup = new Set(
  (
    'and as assert async await case default del delete elif else except export extends for from if import in ' +
    'instanceof is keyof lambda new not of or raise return satisfies throw typeof void while with yield'
  ).split(' '),
);
const maxWordLength = 10;
const closers = ')]}>';
/** Characters after which the first member of a union of types may have a bar. */
const beforeUnion = '=:(<,[?';

export const isQuote = (char: string | undefined): boolean => char === "'" || char === '"';
const isSpace = (char: string | undefined): boolean => char !== undefined && /\s|\uFEFF/.test(char);
const isWordChar = (char: string | undefined): boolean =>
  char !== undefined && /[\p{L}\p{N}_$]/u.test(char);

/** Walks the characters of lines that are not white space. */
export class CodeCursor {
  readonly #lines: readonly string[];
  #end: number;
  #line: number;
  #column = 0;
  /** The last character that was taken. */
  #last = '';
  /** Line of the last character that was taken. */
  #lastLine: number;
  /** Parentheses that were skipped and whose partner was not skipped yet. */
  #openPairs = 0;

  constructor({ lines, start, end }: CodeSpan) {
    this.#lines = lines;
    this.#line = start;
    this.#lastLine = start - 1;
    this.#end = end;
    this.#toCode();
  }

  /** More lines to walk; the walk goes on where it is. */
  set end(line: number) {
    this.#end = line;
    this.#toCode();
  }

  get isAtEnd(): boolean {
    return this.#line >= this.#end;
  }

  get hasOpenPair(): boolean {
    return this.#openPairs > 0;
  }

  /** The character to take next; '' at the end. */
  get char(): string {
    return this.isAtEnd ? '' : (this.#lines[this.#line]?.[this.#column] ?? '');
  }

  /** The borders of lines between the last character and the next one. */
  get borders(): Borders | undefined {
    const high = Math.min(this.#line, this.#end);
    return this.#lastLine < high ? { low: this.#lastLine + 1, high } : undefined;
  }

  /** Whether the next character is part of a word that begins with a digit. */
  get isInNumber(): boolean {
    const text = this.#text;
    let start = this.#column;
    while (start > 0 && isWordChar(text[start - 1])) start--;
    return /\d/.test(text[start] ?? '');
  }

  take(): void {
    this.#last = this.char;
    this.#lastLine = this.#line;
    this.#column++;
    this.#toCode();
  }

  /** Whether code without the next character may be the same code in another form. */
  get isOptional(): boolean {
    const { char } = this;
    switch (char) {
      case ',': {
        const next = this.#codeAfter();
        return next === undefined || closers.includes(next);
      }
      case ';':
        return (
          this.#isCommentOrEmpty(this.#column + 1) ||
          this.#lastLine < this.#line ||
          this.#codeAfter() === '}'
        );
      case '(':
        return this.#isGroup();
      case ')':
        return this.#openPairs > 0;
      case '|':
        return this.#last !== '' && beforeUnion.includes(this.#last);
      case '\\':
        return isQuote(this.#text[this.#column + 1]) || this.#column + 1 === this.#text.length;
      default:
        return isQuote(char) && this.#isQuoteOfKey();
    }
  }

  /** Takes a character that is optional. */
  skip(): void {
    if (this.char === '(') this.#openPairs++;
    if (this.char === ')') this.#openPairs--;
    this.take();
  }

  get #text(): string {
    return this.#lines[this.#line] ?? '';
  }

  #toCode(): void {
    for (; this.#line < this.#end; this.#line++, this.#column = 0) {
      const { length } = this.#text;
      while (this.#column < length && isSpace(this.#text[this.#column])) this.#column++;
      if (this.#column < length) return;
    }
  }

  #isCommentOrEmpty(from: number): boolean {
    const rest = this.#text.slice(from).trimStart();
    return rest === '' || rest.startsWith('//') || rest.startsWith('#') || rest.startsWith('/*');
  }

  /** The first character of code after the next one, also below the last line of the walk; undefined at the end of the text. */
  #codeAfter(): string | undefined {
    if (!this.#isCommentOrEmpty(this.#column + 1)) {
      return this.#text.slice(this.#column + 1).trimStart()[0];
    }
    for (let line = this.#line + 1; line < this.#lines.length; line++) {
      const text = (this.#lines[line] ?? '').trimStart();
      if (text !== '' && !text.startsWith('//') && !text.startsWith('#')) return text[0];
    }
    return undefined;
  }

  #isGroup(): boolean {
    let end = this.#column;
    while (end > 0 && isSpace(this.#text[end - 1])) end--;
    const last = this.#text[end - 1];
    if (last === ')' || last === ']') return false;
    let start = end;
    while (start > 0 && end - start <= maxWordLength && isWordChar(this.#text[start - 1])) {
      start--;
    }
    return start === end || wordsBeforeGroup.has(this.#text.slice(start, end));
  }

  /** Whether the quote is one of the two around a plain word with a colon behind. */
  #isQuoteOfKey(): boolean {
    const text = this.#text;
    let start = this.#column;
    while (start > 0 && isWordChar(text[start - 1])) start--;
    const isClosing = start < this.#column && isQuote(text[start - 1]);
    let end = this.#column + 1;
    if (!isClosing) {
      while (isWordChar(text[end])) end++;
      if (end === this.#column + 1 || !isQuote(text[end])) return false;
      end++;
    }
    while (isSpace(text[end])) end++;
    return text[end] === ':';
  }
}
