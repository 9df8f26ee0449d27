import { columnsOf } from '../../lines';
import type { Language } from './languages';
import { endOfLine, endOfQuoted, endOfTriple } from './quotedText';
import type { SyntaxFault } from './syntaxFault';

/** A block that is open: the column of its lines, and the first word of the last statement in it. */
interface Block {
  readonly indent: number;
  word: string;
}

/** What may be above a clause of the same depth. */
const clausesAbove: Readonly<Record<string, ReadonlySet<string>>> = {
  elif: new Set(['if', 'elif']),
  else: new Set(['if', 'elif', 'for', 'while', 'except', 'async']),
  except: new Set(['try', 'except']),
  finally: new Set(['try', 'except', 'else']),
};

/** Finds the first place where brackets, quotes or the indentation of Python do not fit. */
export function readPython(text: string, language: Language): SyntaxFault | undefined {
  return new PythonReader(text, language).read();
}

class PythonReader {
  readonly #brackets: number[] = [];
  readonly #blocks: Block[] = [];
  /** The statement that the lines so far belong to; undefined between statements. */
  #isInStatement = false;
  /** True when the last statement ended with a colon. */
  #opensBlock = false;
  /** The last character that is neither blank nor comment. */
  #last = 0;
  #lastAt = 0;
  #at = 0;
  #fault: SyntaxFault | undefined;
  #hasTabs = false;
  #hasSpaces = false;

  constructor(
    readonly text: string,
    readonly language: Language,
  ) {}

  read(): SyntaxFault | undefined {
    const { text } = this;
    while (this.#at < text.length && this.#fault === undefined) {
      if (!this.#isInStatement && !this.#startStatement()) continue;
      this.#readSign(text.charCodeAt(this.#at));
    }
    if (this.#fault) return this.#fault;
    const open = this.#brackets.at(-1);
    if (open !== undefined) return { at: open, kind: 'unclosed', sign: text.charAt(open) };
    if (this.#isInStatement) this.#endStatement();
    if (this.#fault === undefined && this.#opensBlock) this.#report(this.#lastAt, 'noBlock', ':');
    return this.#fault;
  }

  /** Reads the indentation of a line; false when the line is blank or a comment. */
  #startStatement(): boolean {
    const { text } = this;
    const start = this.#at;
    while (isBlank(text.charCodeAt(this.#at))) this.#at++;
    const code = text.charCodeAt(this.#at);
    if (code === 10 || code === 13 || code === 35 || this.#at >= text.length) {
      this.#at = Math.min(text.length, endOfLine(text, this.#at) + 1);
      return false;
    }
    // Tabs beside spaces are as wide as the version of Python says.
    if (this.#at > start) {
      this.#hasTabs ||= text.charCodeAt(start) === 9;
      this.#hasSpaces ||= text.slice(start, this.#at).includes(' ');
    }
    if (this.#hasTabs && this.#hasSpaces) {
      this.#at = text.length;
      this.#opensBlock = false;
      return false;
    }
    this.#isInStatement = true;
    this.#enter(columnsOf(text, start), wordAt(text, this.#at));
    return true;
  }

  #enter(indent: number, word: string): void {
    const top = this.#blocks.at(-1);
    const at = this.#at;
    if (top === undefined) {
      this.#blocks.push({ indent, word });
      if (indent > 0) this.#report(at, 'indentation', '');
      return;
    }
    if (this.#opensBlock !== indent > top.indent) {
      return this.#report(at, this.#opensBlock ? 'noBlock' : 'indentation', word);
    }
    if (indent > top.indent) {
      this.#blocks.push({ indent, word });
      if (Object.hasOwn(clausesAbove, word)) this.#report(at, 'secondElse', word);
      return;
    }
    while ((this.#blocks.at(-1)?.indent ?? 0) > indent) this.#blocks.pop();
    const block = this.#blocks.at(-1);
    if (block?.indent !== indent) return this.#report(at, 'indentation', word);
    const above = Object.hasOwn(clausesAbove, word) ? clausesAbove[word] : undefined;
    if (above && !above.has(block.word)) this.#report(at, 'secondElse', word);
    block.word = word;
  }

  #readSign(code: number): void {
    const { text } = this;
    if (code === 34 || code === 39) {
      this.#readQuoted();
    } else if (code === 35) {
      this.#at = endOfLine(text, this.#at);
    } else if (code === 40 || code === 91 || code === 123) {
      this.#brackets.push(this.#at);
      this.#pass(code);
    } else if (code === 41 || code === 93 || code === 125) {
      const open = text.charCodeAt(this.#brackets.pop() ?? -1);
      // `)` follows `(` in ASCII; the other closing brackets stand two behind.
      if (code - open === (code === 41 ? 1 : 2)) this.#pass(code);
      else this.#report(this.#at, 'unexpected', text.charAt(this.#at));
    } else if (code === 10) {
      this.#at++;
      if (this.#brackets.length === 0) this.#endStatement();
    } else if (code === 92 && /^\\\r?\n/.test(text.slice(this.#at, this.#at + 3))) {
      this.#at = endOfLine(text, this.#at) + 1;
    } else if (isBlank(code) || code === 13) {
      this.#at++;
    } else {
      this.#pass(code);
    }
  }

  #readQuoted(): void {
    const { text } = this;
    const sign = text.charAt(this.#at);
    const isTriple = text.startsWith(sign.repeat(3), this.#at);
    const end = isTriple ? endOfTriple(text, this.#at) : endOfQuoted(text, this.#at, false);
    if (end < 0) return this.#report(this.#at, 'openText', isTriple ? sign.repeat(3) : sign);
    this.#last = 34;
    this.#lastAt = this.#at;
    this.#at = end;
  }

  #pass(code: number): void {
    this.#last = code;
    this.#lastAt = this.#at;
    this.#at++;
  }

  #endStatement(): void {
    this.#isInStatement = false;
    this.#opensBlock = this.#last === 58;
    if (operators.has(this.#last) && !this.#isEllipsis()) {
      this.#report(this.#lastAt, 'incomplete', this.text.charAt(this.#lastAt));
    }
  }

  #isEllipsis(): boolean {
    return this.text.startsWith('..', this.#lastAt - 2);
  }

  #report(at: number, kind: SyntaxFault['kind'], sign: string): void {
    this.#fault ??= { at, kind, sign };
  }
}

/** No statement ends with one of these: `=.+-/&|`, apart from `...`. */
const operators = new Set([61, 46, 43, 45, 47, 38, 124]);

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 12;
}

function wordAt(text: string, at: number): string {
  let end = at;
  while (end < at + maxWord && /\w/.test(text.charAt(end))) end++;
  return text.slice(at, end);
}

/** Characters of the longest clause, and one more. */
const maxWord = 8;
