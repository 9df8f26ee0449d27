/** No chat is nested deeper; a text that is would only exhaust the stack. */
const maxDepth = 1000;

/** A number or a name; used with `lastIndex`. */
export const plain = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// oxlint-disable-next-line no-control-regex -- JSON allows them in strings only as escapes
const control = /[\u0000-\u001f]/g;

/** Position of the next character from `at` on that is no white space. */
export function skipSpace(text: string, at: number): number {
  for (; ; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
  }
}

/** Checks values of a text without building nodes. */
export class JsonScanner {
  /** For each object and list that was found: its end, and the number of these entries up to that end. */
  readonly containers: number[] = [];
  readonly #text: string;
  #at = 0;
  #end = 0;
  /** Positions of the next backslash and control character; found once, however many strings are before. */
  #backslash = -1;
  #control = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether the text from `start` to `end` is exactly one value. */
  scan(start: number, end: number): boolean {
    if (start < this.#at) this.#backslash = this.#control = -1;
    this.#at = start;
    this.#end = end;
    const { length } = this.containers;
    const isValue = this.#value(0) && Number.isNaN(this.#next());
    if (!isValue) {
      this.containers.length = length;
      // The text may be scanned again from before the last backslash, with another end.
      this.#backslash = this.#control = -1;
    }
    return isValue;
  }

  #value(depth: number): boolean {
    const code = this.#next();
    if (code === 0x22) return this.#string();
    if (code !== 0x7b && code !== 0x5b) return this.#plain();
    if (depth === maxDepth) return false;
    const number = this.containers.length;
    this.containers.push(0, 0);
    this.#at++;
    if (!(code === 0x7b ? this.#members(depth + 1) : this.#items(depth + 1))) return false;
    this.containers[number] = ++this.#at;
    this.containers[number + 1] = this.containers.length;
    return true;
  }

  /** The next character that is no white space; NaN at the end. */
  #next(): number {
    this.#at = skipSpace(this.#text, this.#at);
    return this.#at < this.#end ? this.#text.charCodeAt(this.#at) : Number.NaN;
  }

  #members(depth: number): boolean {
    if (this.#next() === 0x7d) return true;
    for (;;) {
      if (this.#next() !== 0x22 || !this.#string() || this.#next() !== 0x3a) return false;
      this.#at++;
      if (!this.#value(depth)) return false;
      const code = this.#next();
      if (code !== 0x2c) return code === 0x7d;
      this.#at++;
    }
  }

  #items(depth: number): boolean {
    if (this.#next() === 0x5d) return true;
    for (;;) {
      if (!this.#value(depth)) return false;
      const code = this.#next();
      if (code !== 0x2c) return code === 0x5d;
      this.#at++;
    }
  }

  #string(): boolean {
    const text = this.#text;
    let at = this.#at + 1;
    if (this.#control < at) this.#control = this.#controlFrom(at);
    for (;;) {
      const quote = text.indexOf('"', at);
      if (quote < 0 || quote > this.#control || quote >= this.#end) return false;
      if (this.#backslash < at) {
        const found = text.indexOf('\\', at);
        this.#backslash = found < 0 ? text.length : found;
      }
      if (quote < this.#backslash) {
        this.#at = quote + 1;
        return true;
      }
      const size = escapeSize(text, this.#backslash);
      if (size === 0) return false;
      at = this.#backslash + size;
    }
  }

  #controlFrom(at: number): number {
    control.lastIndex = at;
    return control.test(this.#text) ? control.lastIndex - 1 : this.#text.length;
  }

  #plain(): boolean {
    plain.lastIndex = this.#at;
    const isPlain = plain.test(this.#text) && plain.lastIndex <= this.#end;
    this.#at = Math.max(this.#at, plain.lastIndex);
    return isPlain;
  }
}

/** Characters of the escape at a backslash; 0 when it is none. */
function escapeSize(text: string, backslash: number): number {
  const code = text.charCodeAt(backslash + 1);
  if (code === 0x75) return hexDigits.test(text.slice(backslash + 2, backslash + 6)) ? 6 : 0;
  return escapes.includes(code) ? 2 : 0;
}

const hexDigits = /^[\da-f]{4}$/i;
const escapes = Array.from('nt"\\/bfr', character => character.charCodeAt(0));
