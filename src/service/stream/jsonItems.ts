import { JsonValues } from '../../base/text/jsonValues';
import { ServiceError } from '../errors';

export interface JsonItemsOptions {
  /** An object with a list under one of these names is an envelope. */
  readonly listNames: readonly string[];
  /** Distinguishes an item from an element of a list inside an item, where both lists have the same name. */
  readonly isItem: (value: unknown) => boolean;
  /** Characters of one item. */
  readonly maxChars: number;
}

/**
 * Extracts the objects of a JSON text as it arrives, so that a long list need not be held as one string:
 * those of a list, of a list in an envelope, or of JSON lines. The text around them is skipped.
 */
export class JsonItems {
  readonly #options: JsonItemsOptions;
  readonly #values = new JsonValues();
  /** The text received, from the first character that is still needed. */
  #text = '';
  #at = 0;
  /** Nesting depth at `#at`. */
  #open = 0;
  #inString = false;
  #isEscaped = false;
  #stringStart = 0;
  /** The last string directly inside the outermost brackets: before a list, its name. */
  #name = '';
  #form: 'unknown' | 'list' | 'lines' = 'unknown';
  /** Nesting depth of the items of the open list; 0 where none is open. */
  #listDepth = 0;
  #hasList = false;
  /** Start of the outermost object while it may be a JSON line. */
  #topStart = -1;
  #itemStart = -1;
  /** An object with an empty list, which is an envelope unless another object follows. */
  #held: unknown;

  constructor(options: JsonItemsOptions) {
    this.#options = options;
  }

  /** True when no value is incomplete. */
  get isWhole(): boolean {
    return this.#open === 0 && !this.#inString;
  }

  /** True once a list or a line has been found. */
  get isFound(): boolean {
    return this.#hasList || this.#form !== 'unknown';
  }

  /**
   * The items that `chunk` completes, parsed; `undefined` for one that is not valid JSON.
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
    if (this.#text.length > this.#options.maxChars) {
      throw new ServiceError('tooLarge', `item above ${this.#options.maxChars} characters`);
    }
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

  /** Handles quotes and brackets by their character codes, because this runs for every character. */
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
