import { ServiceError } from './errors';
import { JsonValues } from './jsonValues';

export interface JsonItemsOptions {
  /** An object with a list under one of these names is an envelope. */
  readonly listNames: readonly string[];
  /** Tells an item from an element of a list that stands in an item, where both lists have the same name. */
  readonly isItem: (value: unknown) => boolean;
  /** Characters of one item. */
  readonly maxChars: number;
}

/**
 * Takes the objects out of a JSON text as it comes, so that a long list need not be one string: those
 * of a list, those of a list in an envelope, or those of JSON lines. What stands around them is passed over.
 */
export class JsonItems {
  readonly #options: JsonItemsOptions;
  readonly #values = new JsonValues();
  /** What has come, from the first character that is still needed. */
  #text = '';
  #at = 0;
  /** Brackets that are open at `#at`. */
  #open = 0;
  #inString = false;
  #isEscaped = false;
  #stringStart = 0;
  /** The last string inside the outermost brackets: before a list, that is its name. */
  #name = '';
  #form: 'unknown' | 'list' | 'lines' = 'unknown';
  /** Brackets around an item of the list that is open; 0 where none is. */
  #listDepth = 0;
  #hasList = false;
  /** Start of the outermost object while it may be a line. */
  #topStart = -1;
  #itemStart = -1;
  /** An object with an empty list: an envelope, unless another object follows. */
  #held: unknown;

  constructor(options: JsonItemsOptions) {
    this.#options = options;
  }

  /** Not in the middle of a value. */
  get isWhole(): boolean {
    return this.#open === 0 && !this.#inString;
  }

  /** A list or a line has come; false after a text that is something else. */
  get isFound(): boolean {
    return this.#hasList || this.#form !== 'unknown';
  }

  /**
   * The items that `chunk` completes, parsed; `undefined` for one that is no JSON.
   * @throws {ServiceError} `tooLarge` above `maxChars`.
   */
  feed(chunk: string): unknown[] {
    this.#text += chunk;
    const items: unknown[] = [];
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (this.#inString) this.#string(code);
      else this.#bracket(code, items);
    }
    this.#drop();
    if (this.#text.length > this.#options.maxChars)
      throw new ServiceError('tooLarge', `item above ${this.#options.maxChars} characters`);
    return items;
  }

  #string(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === 0x5c) this.#isEscaped = true;
    else if (code === 0x22) {
      this.#inString = false;
      if (this.#open === 1) this.#name = this.#text.slice(this.#stringStart, this.#at);
    }
  }

  /** Quotes and the four brackets, by their codes: this runs for every character. */
  #bracket(code: number, items: unknown[]): void {
    if (code === 0x22) {
      this.#inString = true;
      this.#stringStart = this.#at + 1;
    } else if (code === 0x7b) {
      if (this.#open === 0) this.#startLine(items);
      else if (this.#open === this.#listDepth) this.#itemStart = this.#at;
      this.#open++;
    } else if (code === 0x5b) {
      this.#openList();
      this.#open++;
    } else if ((code === 0x7d || code === 0x5d) && this.#open > 0) {
      this.#open--;
      if (code === 0x5d) {
        if (this.#open < this.#listDepth) this.#listDepth = 0;
      } else if (this.#itemStart >= 0 && this.#open === this.#listDepth) this.#endItem(items);
      else if (this.#open === 0 && this.#topStart >= 0) this.#endLine(items);
    }
  }

  #startLine(items: unknown[]): void {
    this.#topStart = this.#at;
    if (this.#held === undefined) return;
    this.#form = 'lines';
    items.push(this.#held);
    this.#held = undefined;
  }

  #openList(): void {
    const isOutermost = this.#open === 0;
    const isNamed = this.#open === 1 && this.#options.listNames.includes(this.#name);
    if (this.#form === 'lines' || !(isOutermost || isNamed)) return;
    this.#hasList = true;
    this.#listDepth = this.#open + 1;
    if (isOutermost) this.#form = 'list';
  }

  #endItem(items: unknown[]): void {
    const item = this.#parse(this.#itemStart);
    this.#itemStart = -1;
    if (this.#form === 'unknown') {
      const isEnvelope = this.#options.isItem(item);
      this.#form = isEnvelope ? 'list' : 'lines';
      if (isEnvelope) this.#topStart = -1;
      else {
        this.#listDepth = 0;
        return;
      }
    }
    items.push(item);
  }

  #endLine(items: unknown[]): void {
    const line = this.#parse(this.#topStart);
    this.#topStart = -1;
    if (this.#form === 'unknown' && this.#hasList) this.#held = line;
    else if (this.#form !== 'list') {
      this.#form = 'lines';
      items.push(line);
    }
  }

  #parse(start: number): unknown {
    return this.#values.parse(this.#text.slice(start, this.#at + 1));
  }

  #drop(): void {
    const from = [this.#topStart, this.#itemStart, this.#inString ? this.#stringStart : -1].find(
      start => start >= 0,
    );
    const cut = from ?? this.#at;
    this.#text = this.#text.slice(cut);
    this.#at -= cut;
    this.#stringStart -= cut;
    if (this.#topStart >= 0) this.#topStart -= cut;
    if (this.#itemStart >= 0) this.#itemStart -= cut;
  }
}
