import { randomInt } from 'node:crypto';
import { grown } from '../../base/arrays';
import {
  byteKinds,
  canJoin,
  capital,
  endOfHan,
  endOfPart,
  endOfSign,
  hanBytes,
  maxPart,
  minPart,
  mixed,
  other,
  wide,
} from './wordParts';

/** From so full on, the table grows. */
const maxLoad = 0.6;

/**
 * Parts of words, each with a number: `parseHTML_v2` has parse, html and v2. In lower case, as UTF-8. Of two parts that
 * only a capital divides there is also what {@link joinedParts} makes of both. Kana and han have no spaces
 * between words, so that each two characters are a part.
 */
export class PartTable {
  /** Nobody can make texts whose parts all fall on one slot without it. */
  readonly #seed = randomInt(2 ** 32 - 1);
  /** Part n has the bytes `starts[n]` to `starts[n + 1]`. */
  #bytes = new Uint8Array(1 << 16);
  #starts = new Uint32Array(1 << 12);
  #hashes = new Uint32Array(1 << 12);
  #slots = new Int32Array(1 << 13).fill(-1);
  /** By part: the text that had it last, and how often. */
  #lastText = new Int32Array(1 << 12);
  #counts = new Uint32Array(1 << 12);
  #size = 0;
  #nth = 0;
  readonly #part = new Uint8Array(1 + maxPart);

  get size(): number {
    return this.#size;
  }

  /** How often a part is in the text that was read last. */
  countOf(part: number): number {
    return this.#counts[part] ?? 0;
  }

  bytesOf(part: number): Uint8Array {
    return this.#bytes.subarray(this.#starts[part] ?? 0, this.#starts[part + 1] ?? 0);
  }

  /** The parts of a text in UTF-8, in the order of their first occurrences. */
  read(text: Uint8Array): number[] {
    const found: number[] = [];
    this.#nth++;
    let before = 0;
    let end = -1;
    for (let at = 0; at < text.length; ) {
      const start = at;
      const kind = byteKinds[text[at++] ?? 0] ?? other;
      if (kind === other) continue;
      if (kind === wide) {
        at = endOfHan(text, start);
        this.#countPairs(text, start, at, found);
        continue;
      }
      if (kind === mixed) {
        const past = endOfSign(text, start);
        if (past > start) {
          at = past;
          continue;
        }
      }
      at = endOfPart(text, at, kind);
      const length = at - start;
      if (length >= minPart && length <= maxPart) {
        this.#count(this.#numberOf(text, start, at, 0), found);
      }
      if (kind === capital && end === start && canJoin(text, before, start, at)) {
        this.#count(this.#numberOf(text, before, at, start - before), found);
      }
      before = start;
      end = at;
    }
    return found;
  }

  #countPairs(text: Uint8Array, start: number, end: number, found: number[]): void {
    for (let at = start; at + 2 * hanBytes <= end; at += hanBytes) {
      this.#count(this.#numberOf(text, at, at + 2 * hanBytes, 0), found);
    }
  }

  #count(part: number, found: number[]): void {
    if (this.#lastText[part] === this.#nth) {
      this.#counts[part] = (this.#counts[part] ?? 0) + 1;
    } else {
      this.#lastText[part] = this.#nth;
      this.#counts[part] = 1;
      found.push(part);
    }
  }

  /** @param head bytes of the first of two parts that are joined; 0 for one part */
  #numberOf(text: Uint8Array, start: number, end: number, head: number): number {
    const own = this.#part;
    let length = 0;
    let hash = this.#seed;
    if (head > 0) {
      own[length++] = head;
      hash = Math.imul(hash ^ head, 16777619);
    }
    for (let at = start; at < end; at++) {
      const byte = text[at] ?? 0;
      const letter = byteKinds[byte] === capital ? byte | 32 : byte;
      own[length++] = letter;
      hash = Math.imul(hash ^ letter, 16777619);
    }
    hash >>>= 0;
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const part = this.#slots[slot] ?? -1;
      if (part < 0) return this.#add(length, hash, slot);
      if (this.#hashes[part] === hash && this.#isSame(part, length)) return part;
      slot = (slot + 1) & mask;
    }
  }

  #isSame(part: number, length: number): boolean {
    const from = this.#starts[part] ?? 0;
    if ((this.#starts[part + 1] ?? 0) - from !== length) return false;
    for (let at = 0; at < length; at++) {
      if (this.#part[at] !== this.#bytes[from + at]) return false;
    }
    return true;
  }

  #add(length: number, hash: number, slot: number): number {
    const part = this.#size++;
    if (part + 2 > this.#starts.length) this.#grow();
    const from = this.#starts[part] ?? 0;
    if (from + length > this.#bytes.length) {
      this.#bytes = grown(this.#bytes, new Uint8Array(2 * this.#bytes.length));
    }
    this.#bytes.set(this.#part.subarray(0, length), from);
    this.#starts[part + 1] = from + length;
    this.#hashes[part] = hash;
    this.#slots[slot] = part;
    if (this.#size > maxLoad * this.#slots.length) this.#growSlots();
    return part;
  }

  #grow(): void {
    const length = 2 * this.#starts.length;
    this.#starts = grown(this.#starts, new Uint32Array(length));
    this.#hashes = grown(this.#hashes, new Uint32Array(length));
    this.#counts = grown(this.#counts, new Uint32Array(length));
    this.#lastText = grown(this.#lastText, new Int32Array(length));
  }

  #growSlots(): void {
    const slots = new Int32Array(2 * this.#slots.length).fill(-1);
    const mask = slots.length - 1;
    for (let part = 0; part < this.#size; part++) {
      const hash = this.#hashes[part] ?? 0;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while ((slots[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
      slots[slot] = part;
    }
    this.#slots = slots;
  }
}
