/*
 * Texts as numbers. Reading the characters of many short strings is about ten times as slow as reading bytes, since each
 * access has to find out how the string is stored.
 */

const encoder = new TextEncoder();

export interface TextCodes {
  /** The character code of each ASCII character, and a number from 128 to 255, equal modulo 128, of all others. */
  readonly codes: Uint8Array;
  /** True when all characters are ASCII, so that equal codes are equal characters. */
  readonly isExact: boolean;
}

export function codesOf(text: string): TextCodes {
  const codes = new Uint8Array(text.length);
  return { codes, isExact: encode(text, codes) };
}

const maxLine = 4096;
const lineCodes = new Uint8Array(maxLine);

/** The codes of a short text, as many as it is long; the next call overwrites them. */
export function codesOfLine(text: string): Uint8Array {
  const codes = text.length > maxLine ? new Uint8Array(text.length) : lineCodes;
  encode(text, codes);
  return codes;
}

/** Writes the codes of a text; true when all its characters are ASCII. */
function encode(text: string, codes: Uint8Array): boolean {
  const { length } = text;
  const { read, written } = encoder.encodeInto(text, codes);
  // Only ASCII characters have one byte each.
  if (read === length && written === length) return true;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    codes[at] = unit < 128 ? unit : 128 | (unit & 127);
  }
  return false;
}

/** A hash of the codes `from` to `to`, half-open. */
export function hashOf(codes: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  let at = from;
  for (; at + 3 < to; at += 4) {
    const low = (codes[at] ?? 0) | ((codes[at + 1] ?? 0) << 8);
    const high = (codes[at + 2] ?? 0) | ((codes[at + 3] ?? 0) << 8);
    hash = mixed(hash, low | (high << 16));
  }
  for (; at < to; at++) hash = mixed(hash, codes[at] ?? 0);
  return hash;
}

/** Mixes four codes into a hash. The product moves bits up only; the shift moves them down. */
function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x5bd1e995);
  return product ^ (product >>> 15);
}
