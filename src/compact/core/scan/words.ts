import { tokenKind } from './tokenTable';

export const lowerCase = 1;
export const upperCase = 2;
export const digit = 3;
const underscore = 4;
export const joiner = 5;
/** Class of each UTF-16 unit. Letters beyond ASCII count as lower case. */
export const characterClasses = new Uint8Array(0x10000).fill(lowerCase, 128);
characterClasses.fill(lowerCase, 97, 123).fill(upperCase, 65, 91).fill(digit, 48, 58);
characterClasses[95] = characterClasses[36] = underscore;
for (const character of './\\-@+~') characterClasses[character.charCodeAt(0)] = joiner;

export const hashPrime = 0x01000193;
export const hashSeed = 0x811c9dc5 | 0;

export const errorWord = 1;
export const queryWord = 2;
/** One that a line has which tells where an output was saved. */
export const outputWord = 4;
/** The name of the tag around what is kept in any case. */
export const tagName = 'keepContext';
export const tagWord = 8;
export const wordMask = 0xffff;

export function wordHash(word: string): number {
  let hash = hashSeed;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), hashPrime);
  return hash;
}

export function wordSlot(hash: number): number {
  return (hash ^ (hash >>> 15)) & wordMask;
}

/** Bits by word hash. Hashes avoid creating millions of strings for a long text. */
export const markedWords = new Uint8Array(wordMask + 1);
function markWords(bit: number, words: string): void {
  for (const word of words.split(' ')) {
    for (const form of [word, word[0]?.toUpperCase() + word.slice(1), word.toUpperCase()]) {
      const slot = wordSlot(wordHash(form));
      markedWords[slot] = (markedWords[slot] ?? 0) | bit;
    }
  }
}
markWords(
  errorWord,
  'error errors exception traceback failed failure fails fatal panic cannot undefined assertion assertionerror typeerror valueerror keyerror importerror attributeerror segfault denied missing unexpected',
);

markWords(outputWord, 'saved written stored full complete entire');
const tagSlot = wordSlot(wordHash(tagName));
markedWords[tagSlot] = (markedWords[tagSlot] ?? 0) | tagWord;

/** One of {@link tokenKind}, or 0 for a plain word. */
export function tokenKindOf(
  seen: number,
  size: number,
  camel: boolean,
  beyondHex: boolean,
): number {
  if (seen === 1 << digit) return size > 2 ? tokenKind.number : 0;
  const hasDigit = (seen & (1 << digit)) !== 0;
  if (hasDigit && size > 6 && seen === ((1 << digit) | (1 << lowerCase)) && !beyondHex) {
    return tokenKind.hex;
  }
  if (size < 4) return 0;
  if (camel || hasDigit) return tokenKind.name;
  if ((seen & (1 << underscore)) !== 0) return seen === 1 << underscore ? 0 : tokenKind.name;
  return seen === 1 << upperCase && size > 4 ? tokenKind.name : 0;
}

export function digitBlindHash(codes: Uint16Array, start: number, end: number): number {
  let hash = hashSeed;
  let isDigit = false;
  for (let at = start; at < end; at++) {
    const code = codes[at] ?? 0;
    const wasDigit = isDigit;
    isDigit = code >= 48 && code <= 57;
    if (!isDigit) hash = Math.imul(hash ^ code, hashPrime);
    else if (!wasDigit) hash = Math.imul(hash ^ 48, hashPrime);
  }
  return hash;
}
