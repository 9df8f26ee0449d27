/** No chat is nested deeper; a text that is would only exhaust the stack. */
const maxDepth = 1000;

/** A number or a name; used with `lastIndex`. */
export const plain = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/**
 * A stretch of a string: characters and up to 1000 escapes. One call of the engine's own code for many
 * characters is several times as fast as a loop that is not compiled yet.
 */
const stretch =
  // oxlint-disable-next-line no-control-regex -- JSON allows them in strings only as escapes
  /[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[^"\\\u0000-\u001f]*){0,1000}/y;

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

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether the text from `start` to `end` is exactly one value. */
  scan(start: number, end: number): boolean {
    this.#at = start;
    this.#end = end;
    const { length } = this.containers;
    const isValue = this.#value(0) && Number.isNaN(this.#next());
    if (!isValue) this.containers.length = length;
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
    for (let at = this.#at + 1; ; at = stretch.lastIndex) {
      stretch.lastIndex = at;
      stretch.test(this.#text);
      if (this.#text.charCodeAt(stretch.lastIndex) === 0x22) break;
      if (stretch.lastIndex === at) return false;
    }
    this.#at = stretch.lastIndex + 1;
    return this.#at <= this.#end;
  }

  #plain(): boolean {
    plain.lastIndex = this.#at;
    const isPlain = plain.test(this.#text) && plain.lastIndex <= this.#end;
    this.#at = Math.max(this.#at, plain.lastIndex);
    return isPlain;
  }
}
