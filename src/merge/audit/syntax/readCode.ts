import {
  isNameCode,
  isWordCode,
  loopWords,
  mayBeKeyword,
  needsOperand,
  neverOperand,
  neverOperandInJava,
  startsElement,
  valueWords,
} from './codeWords';
import type { Language } from './languages';
import { endOfHeredoc, startOfPhp } from './phpText';
import {
  endOfChar,
  endOfComment,
  endOfLine,
  endOfQuoted,
  endOfRaw,
  endOfRegex,
  endOfTriple,
  isTripled,
  startsLine,
} from './quotedText';
import type { SyntaxFault } from './syntaxFault';

/** An open bracket, tag or text with code in it. */
interface Frame {
  readonly kind: 'bracket' | 'template' | 'tag' | 'element';
  /** The closing bracket, or the name of the element. */
  readonly close: string;
  readonly at: number;
  /** The word right before the bracket: `else`, `for`, `return`. */
  readonly word: string;
}

/** What the last sign was, as far as it says what may follow. */
type Last = 'start' | 'value' | 'word' | 'operator' | 'open' | 'separator';

/** Deeper nesting is data, or crafted. */
const maxDepth = 2_000;

/**
 * Finds the first bracket, quote, comment or tag that has no partner; undefined when there is none. Reads each
 * character once.
 */
export function readCode(text: string, language: Language): SyntaxFault | undefined {
  return new CodeReader(text, language).read();
}

class CodeReader {
  readonly #frames: Frame[] = [];
  /** The frames at each open `#if`, to which `#else` returns. */
  readonly #branches: Frame[][] = [];
  #at = 0;
  #last: Last = 'start';
  #lastAt = 0;
  #word = '';
  /** True behind the block of an `else`. */
  #isBehindElse = false;
  #noRegexBefore = 0;
  #fault: SyntaxFault | undefined;

  readonly #never: ReadonlySet<string>;

  constructor(
    readonly text: string,
    readonly language: Language,
  ) {
    this.#never = language.statements === 'js' ? neverOperand : neverOperandInJava;
  }

  read(): SyntaxFault | undefined {
    const { text } = this;
    if (this.language.php) this.#at = startOfPhp(text, 0);
    while (this.#at < text.length && this.#fault === undefined) {
      const top = this.#frames[this.#frames.length - 1];
      if (top === undefined || top.kind === 'bracket' || top.kind === 'template') {
        this.#readSign(text.charCodeAt(this.#at), top);
      } else if (top.kind === 'element') this.#readChildren();
      else this.#readAttributes(top);
      if (this.#frames.length > maxDepth) return undefined;
    }
    const open = this.#frames.at(-1);
    if (this.#fault || !open) return this.#fault;
    return { at: open.at, kind: 'unclosed', sign: signOf(open, text) };
  }

  #readSign(code: number, top: Frame | undefined): void {
    const { text, language } = this;
    if (code <= 32) {
      let at = this.#at + 1;
      while (text.charCodeAt(at) <= 32) at++;
      this.#at = at;
    } else if (isWordCode(code)) {
      this.#readWord();
    } else if (code === 34) {
      this.#readQuoted();
    } else if (code === 39) {
      if (language.single === 'string') this.#readQuoted();
      else this.#value(language.single === 'char' ? endOfChar(text, this.#at) : this.#at + 1);
    } else if (code === 96 && language.backtick !== undefined) {
      if (language.backtick === 'template') this.#readTemplate(this.#at + 1);
      else this.#skipTo(text.indexOf('`', this.#at + 1) + 1 || -1, 'openText', '`');
    } else if (code === 40 || code === 91 || code === 123) {
      this.#open(code === 40 ? ')' : code === 91 ? ']' : '}');
    } else if (code === 41 || code === 93 || code === 125) {
      this.#close(text.charAt(this.#at), top);
    } else if ((code === 47 || code === 35) && this.#skipComment()) {
      return;
    } else if (language.php && this.#skipPhp(code)) {
      return;
    } else if (code === 35 && language.directives && startsLine(text, this.#at)) {
      this.#readDirective();
    } else if (code === 47 && language.regex && this.#needsValue()) {
      this.#readRegex();
    } else if (code === 60 && language.jsx && this.#needsValue() && startsElement(text, this.#at)) {
      this.#openTag();
    } else {
      this.#readOperator(code, top);
    }
  }

  #readWord(): void {
    const { text } = this;
    const start = this.#at;
    let end = start + 1;
    while (end < text.length && isWordCode(text.charCodeAt(end))) end++;
    this.#at = end;
    const word =
      mayBeKeyword(text.charCodeAt(start), end - start) && text.charCodeAt(start - 1) !== 46
        ? text.slice(start, end)
        : '';
    if (word === 'else' && this.#isBehindElse) this.#report(start, 'secondElse', word);
    if (this.#last === 'operator' && this.#never.has(word) && this.#isIncomplete()) {
      this.#report(this.#lastAt, 'incomplete', text.charAt(this.#lastAt));
    }
    this.#set(valueWords.has(word) ? 'operator' : 'word', start);
    if (this.#last === 'operator') this.#lastAt = -1;
    this.#word = word;
  }

  #readQuoted(): void {
    const { text, language } = this;
    const quote = text.charAt(this.#at);
    const raw = quote === '"' ? endOfRaw(text, this.#at, language.raw) : undefined;
    if (raw !== undefined) {
      this.#skipTo(raw, 'openText', quote);
    } else if (language.triple?.includes(quote) && isTripled(text, this.#at)) {
      this.#skipTo(endOfTriple(text, this.#at), 'openText', quote.repeat(3));
    } else {
      const isMultiline = language.multiline?.includes(quote) ?? false;
      const end = endOfQuoted(text, this.#at, isMultiline);
      if (end < 0 && this.#holdsCode(quote)) this.#giveUp();
      else this.#skipTo(end, 'openText', quote);
    }
  }

  /** True when code in the text may go on below the line. */
  #holdsCode(quote: string): boolean {
    const { code } = this.language;
    if (code === undefined || quote !== '"') return false;
    const line = this.text.slice(
      this.#at,
      Math.min(this.#at + maxLine, endOfLine(this.text, this.#at)),
    );
    return line.includes(code);
  }

  #giveUp(): void {
    this.#frames.length = 0;
    this.#at = this.text.length;
  }

  /** Reads the text of a template from `from` to its end, or to code in it. */
  #readTemplate(from: number): void {
    const { text } = this;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 92) at++;
      else if (code === 96) return this.#value(at + 1);
      else if (code === 36 && text.charCodeAt(at + 1) === 123) {
        this.#at = at + 2;
        this.#frames.push({ kind: 'template', close: '}', at, word: '' });
        return this.#set('open', at);
      }
    }
    this.#report(this.#at, 'openText', '`');
  }

  #skipComment(): boolean {
    const { text, language } = this;
    const { blockComment } = language;
    if (blockComment && text.startsWith(blockComment[0], this.#at)) {
      const close = endOfComment(text, this.#at, blockComment, language.nestsComments ?? false);
      if (close < 0) this.#report(this.#at, 'openComment', blockComment[0]);
      else this.#at = close;
      return true;
    }
    const isLine = language.lineComments.some(sign => text.startsWith(sign, this.#at));
    // `#[Attribute]` of PHP is no comment.
    if (!isLine || text.startsWith('#[', this.#at)) return false;
    const end = endOfLine(text, this.#at);
    const island = language.php ? text.slice(this.#at, end).indexOf('?>') : -1;
    this.#at = island < 0 ? end : this.#at + island;
    return true;
  }

  /** Skips the markup between two parts of code, and texts such as `<<<END`. */
  #skipPhp(code: number): boolean {
    const { text } = this;
    if (code === 63 && text.charCodeAt(this.#at + 1) === 62) {
      this.#at = startOfPhp(text, this.#at);
      return true;
    }
    const end = code === 60 ? endOfHeredoc(text, this.#at) : undefined;
    if (end === undefined) return false;
    this.#skipTo(end, 'openText', '<<<');
    return true;
  }

  /** Both branches of an `#if` may open the same block. */
  #readDirective(): void {
    const { text } = this;
    let end = endOfLine(text, this.#at);
    while (text.charCodeAt(end - 1) === 92 && end < text.length) end = endOfLine(text, end + 1);
    const [, name = ''] = /^#\s*(\w+)/.exec(text.slice(this.#at, this.#at + maxDirective)) ?? [];
    if (name.startsWith('if')) this.#branches.push([...this.#frames]);
    else if (name.startsWith('el'))
      this.#frames.splice(0, Infinity, ...(this.#branches.at(-1) ?? []));
    else if (name === 'endif') this.#branches.pop();
    this.#at = end;
    this.#isBehindElse = false;
    if (this.#branches.length > maxBranches) this.#giveUp();
  }

  #readRegex(): void {
    const end = this.#at < this.#noRegexBefore ? -1 : endOfRegex(this.text, this.#at);
    if (end >= 0) return this.#value(end);
    // A division behind something that was not understood; the rest of the line holds no expression either.
    this.#noRegexBefore = Math.max(this.#noRegexBefore, endOfLine(this.text, this.#at));
    this.#set('operator', this.#at);
    this.#at++;
  }

  #readOperator(code: number, top: Frame | undefined): void {
    const { text } = this;
    const start = this.#at++;
    if (code === 59 || code === 44) {
      const isOff = this.language.statements !== undefined && this.#last === 'operator';
      if (isOff && this.#isIncomplete()) {
        this.#report(this.#lastAt, 'incomplete', text.charAt(this.#lastAt));
      } else if (code === 59 && this.#isList(top)) {
        this.#report(start, 'unexpected', ';');
      }
      return this.#set('separator', start);
    }
    const isDouble = text.charCodeAt(start + 1) === code;
    if ((code === 43 || code === 45) && isDouble) {
      this.#at++;
      return;
    }
    // `value!`, `value?.name`
    if (code === 33 && this.#last !== 'operator' && text.charCodeAt(start + 1) !== 61) return;
    this.#set('operator', start);
  }

  /** True where a `;` cannot be: in arguments, and in what is returned. */
  #isList(top: Frame | undefined): boolean {
    if (top?.kind !== 'bracket' || this.language.statements === undefined) return false;
    if (top.close === ')') return !loopWords.has(top.word);
    if (top.close === ']') return true;
    return this.language.statements === 'js' && top.close === '}' && top.word === 'return';
  }

  /** True when the last operator needs a value behind it. */
  #isIncomplete(): boolean {
    const { language, text } = this;
    return language.statements !== undefined && needsOperand(text, this.#lastAt);
  }

  #open(close: string): void {
    this.#frames.push({
      kind: 'bracket',
      close,
      at: this.#at,
      word: this.#last === 'word' || this.#last === 'operator' ? this.#word : '',
    });
    this.#set('open', this.#at);
    this.#at++;
  }

  #close(sign: string, top: Frame | undefined): void {
    if (this.#last === 'operator' && this.#isIncomplete()) {
      return this.#report(this.#lastAt, 'incomplete', this.text.charAt(this.#lastAt));
    }
    if (top?.close !== sign || (top.kind !== 'bracket' && top.kind !== 'template')) {
      return this.#report(this.#at, 'unexpected', sign);
    }
    this.#frames.pop();
    if (top.kind === 'template') return this.#readTemplate(this.#at + 1);
    this.#value(this.#at + 1);
    this.#isBehindElse = sign === '}' && top.word === 'else';
  }

  #needsValue(): boolean {
    return this.#last !== 'value' && this.#last !== 'word';
  }

  #openTag(): void {
    const name = this.#nameAt(this.#at + 1);
    this.#frames.push({ kind: 'tag', close: name, at: this.#at, word: '' });
    this.#at += 1 + name.length;
  }

  #nameAt(from: number): string {
    let end = from;
    while (end < this.text.length && isNameCode(this.text.charCodeAt(end))) end++;
    return this.text.slice(from, end);
  }

  #readAttributes(tag: Frame): void {
    const { text } = this;
    const code = text.charCodeAt(this.#at);
    if (code === 62) {
      this.#frames.pop();
      this.#frames.push({ ...tag, kind: 'element' });
      this.#at++;
    } else if (code === 47 && text.charCodeAt(this.#at + 1) === 62) {
      this.#frames.pop();
      this.#value(this.#at + 2);
    } else if (code === 34 || code === 39) {
      this.#skipTo(text.indexOf(text.charAt(this.#at), this.#at + 1) + 1 || -1, 'openText', '"');
    } else if (code === 123) {
      this.#word = '';
      this.#open('}');
    } else if (code === 60 && this.#at === tag.at + 1 + tag.close.length) {
      // Type arguments of a component.
      const end = text.indexOf('>', this.#at);
      this.#at = end < 0 ? text.length : end + 1;
    } else if (code === 60 || code === 125 || code === 59) {
      this.#report(tag.at, 'unclosed', `<${tag.close}`);
    } else if (code !== 47 || !this.#skipComment()) {
      this.#at++;
    }
  }

  #readChildren(): void {
    const { text } = this;
    const code = text.charCodeAt(this.#at);
    if (code === 123) {
      this.#word = '';
      this.#open('}');
    } else if (code === 60 && text.charCodeAt(this.#at + 1) === 47) {
      const name = this.#nameAt(this.#at + 2);
      const top = this.#frames.pop();
      const end = text.indexOf('>', this.#at);
      if (top?.close !== name || end < 0) this.#report(this.#at, 'unexpected', `</${name}>`);
      else this.#value(end + 1);
    } else if (code === 60) {
      this.#openTag();
    } else if (code === 125) {
      this.#report(this.#at, 'unexpected', '}');
    } else {
      this.#at++;
    }
  }

  #skipTo(end: number, kind: SyntaxFault['kind'], sign: string): void {
    if (end < 0) this.#report(this.#at, kind, sign);
    else this.#value(end);
  }

  #value(end: number): void {
    this.#set('value', this.#at);
    this.#at = end;
  }

  #set(last: Last, at: number): void {
    this.#last = last;
    this.#lastAt = at;
    this.#word = '';
    this.#isBehindElse = false;
  }

  #report(at: number, kind: SyntaxFault['kind'], sign: string): void {
    this.#fault ??= { at, kind, sign };
  }
}

/** Characters of the name of a directive and the blanks before it. */
const maxDirective = 40;
const maxBranches = 50;
/** Characters of a line that is looked at. */
const maxLine = 2_000;

function signOf({ kind, close, at }: Frame, text: string): string {
  if (kind === 'bracket') return text.charAt(at);
  return kind === 'template' ? '${' : `<${close}>`;
}
