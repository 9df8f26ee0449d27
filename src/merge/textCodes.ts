/*
 * Texts as numbers. Reading the characters of many short strings is about ten times as slow as reading bytes, since each
 * access has to find out how the string is stored.
 */

const encoder = new TextEncoder();

export interface TextCodes {
  /** The character code of each ASCII character, and a number from 128 to 255, equal modulo 128, of all others. */
  readonly codes: Uint8Array;
  /** The same codes, from which four can be read at once. */
  readonly view: DataView;
  /** True when all characters are ASCII, so that equal codes are equal characters. */
  readonly isExact: boolean;
}

/** Space for the codes of one text after the other, since making it takes longer than filling it. */
export class CodeBuffer {
  #codes = new Uint8Array();
  #view = new DataView(this.#codes.buffer);

  /** The codes of a text, and any others behind them; the next call overwrites them. */
  read(text: string): TextCodes {
    const { length } = this.#codes;
    if (text.length > length) {
      this.#codes = new Uint8Array(Math.max(text.length, 2 * length));
      this.#view = new DataView(this.#codes.buffer);
    }
    return { codes: this.#codes, view: this.#view, isExact: encode(text, this.#codes) };
  }
}

export const codesOf = (text: string): TextCodes => new CodeBuffer().read(text);

const maxScratch = 1 << 16;
const scratch = new Uint8Array(maxScratch);
const beyondAscii = /[^\0-\x7f]/;

/** True when all characters of a text are ASCII. Encoding it is several times as fast as a search for others. */
export const isAscii = (text: string): boolean =>
  text.length > maxScratch ? !beyondAscii.test(text) : writesAscii(text, scratch);

const maxLine = 4096;
const lineCodes = new Uint8Array(maxLine);
const lineView = new DataView(lineCodes.buffer);

/** The codes of a short text, as many as it is long; the next call overwrites them. */
export function codesOfLine(text: string): Uint8Array {
  const codes = text.length > maxLine ? new Uint8Array(text.length) : lineCodes;
  encode(text, codes);
  return codes;
}

/** The view of what {@link codesOfLine} returned. */
export const viewOfLine = (codes: Uint8Array): DataView =>
  codes === lineCodes ? lineView : new DataView(codes.buffer);

/** Writes the codes of a text; true when all its characters are ASCII. */
function encode(text: string, codes: Uint8Array): boolean {
  if (writesAscii(text, codes)) return true;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    codes[at] = unit < 128 ? unit : 128 | (unit & 127);
  }
  return false;
}

/** Writes the bytes of a text as far as they fit; true when they are as many as its characters, so that all are ASCII. */
function writesAscii(text: string, bytes: Uint8Array): boolean {
  const { read, written } = encoder.encodeInto(text, bytes);
  return read === text.length && written === text.length;
}

/** Where the first newline is among the codes `from` to `length`; `length` without one. */
export function lineEnd(codes: DataView, from: number, length: number): number {
  let at = from;
  // Four at once, which is faster than a search in the text.
  for (; at + 3 < length; at += 4) {
    const word = codes.getInt32(at, true) ^ 0x0a0a0a0a;
    // The highest bit of each byte that is 0, and perhaps of some above it.
    const zeros = (word - 0x01010101) & ~word & 0x80808080;
    if (zeros !== 0) return at + ((31 - Math.clz32(zeros & -zeros)) >>> 3);
  }
  while (at < length && codes.getUint8(at) !== 10) at++;
  return at;
}

/** A hash of the codes `from` to `to`, half-open. */
export function hashOf(codes: DataView, from: number, to: number): number {
  let hash = to - from;
  if (hash < 4) {
    for (let at = from; at < to; at++) hash = mixed(hash, codes.getUint8(at));
    return hash;
  }
  const last = to - 4;
  for (let at = from; at < last; at += 4) hash = mixed(hash, codes.getInt32(at, true));
  return mixed(hash, codes.getInt32(last, true));
}

/** True when `length` codes from `from` on equal those of another view from `other` on. */
export function areEqualCodes(
  codes: DataView,
  from: number,
  others: DataView,
  other: number,
  length: number,
): boolean {
  let at = 0;
  for (; at + 3 < length; at += 4) {
    if (codes.getInt32(from + at, true) !== others.getInt32(other + at, true)) return false;
  }
  for (; at < length; at++) {
    if (codes.getUint8(from + at) !== others.getUint8(other + at)) return false;
  }
  return true;
}

/** Mixes four codes into a hash. The product moves bits up only; the shift moves them down. */
function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x5bd1e995);
  return product ^ (product >>> 15);
}
