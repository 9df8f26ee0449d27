/**
 * What a byte of a text in UTF-8 is; bytes of characters beyond ASCII count as small letters, but for kana and han, and
 * for those that {@link endOfSign} finds.
 */
export const other = 0;
const small = 1;
export const capital = 2;
const digit = 3;
/** The first byte of a character from U+3000 to U+9FFF. */
export const wide = 4;
/** The first byte of a character that is a letter or a sign: U+0080 to U+00BF, U+2000 to U+2FFF, from U+F000 on. */
export const mixed = 5;
export const byteKinds = new Uint8Array(256).fill(small, 128);
byteKinds.fill(small, 97, 123);
byteKinds.fill(capital, 65, 91);
byteKinds.fill(digit, 48, 58);
byteKinds.fill(wide, 0xe3, 0xea);
for (const first of [0xc2, 0xe2, 0xef, 0xf0]) byteKinds[first] = mixed;

/** The letter s. */
const pluralEnding = 115;

/** A single character is never searched for. In bytes. */
export const minPart = 2;
/** Longer ones are data. In bytes. */
export const maxPart = 64;
/** Bytes of a character of kana or han. */
export const hanBytes = 3;
/** So that no other part begins with the number of them, in bytes. */
const maxHead = 31;
/** Shorter words are not looked for as two parts, in bytes. */
const minJoined = 3;

/** The end of a part whose first byte is of this kind, and before `at`. */
export function endOfPart(text: Uint8Array, from: number, first: number): number {
  let at = from;
  const skip = (kind: number): void => {
    while (at < text.length && byteKinds[text[at] ?? 0] === kind) at++;
  };
  const skipSmall = (): void => {
    skip(small);
    for (; byteKinds[text[at] ?? 0] === mixed && endOfSign(text, at) === at; skip(small)) at++;
  };
  if (first === capital) {
    skip(capital);
    const isPlural = text[at] === pluralEnding && byteKinds[text[at + 1] ?? 0] !== small;
    // The last capital of HTTPServer begins the next part; that of URLs does not.
    if (byteKinds[text[at] ?? 0] === small && at > from && !isPlural) return at - 1;
  }
  if (first !== digit) skipSmall();
  skip(digit);
  return at;
}

const isContinuation = (byte = 0): boolean => byte >>> 6 === 2;

const signPattern = /[^\p{L}\p{M}\p{N}]/u;

/** The end of the quotation mark, arrow, emoji or the like that begins here with a mixed byte; `start` where none does. */
export function endOfSign(text: Uint8Array, start: number): number {
  const first = text[start] ?? 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  let point = first & (0xff >>> (length + 1));
  for (let at = start + 1; at < start + length; at++) {
    const byte = text[at] ?? 0;
    // The text has another encoding.
    if (!isContinuation(byte)) return start;
    point = (point << 6) | (byte & 63);
  }
  return signPattern.test(String.fromCodePoint(point)) ? start + length : start;
}

/** Whether a character from U+3040 to U+9FFF, or 々, begins here. */
function isHan(text: Uint8Array, at: number): boolean {
  const first = text[at] ?? 0;
  const second = text[at + 1] ?? 0;
  const third = text[at + 2] ?? 0;
  if (byteKinds[first] !== wide || !isContinuation(second) || !isContinuation(third)) return false;
  return first > 0xe3 || second > 0x80 || third === 0x85;
}

/** The end of the kana and han that begin here with a wide byte, or of a sign such as `、`. */
export function endOfHan(text: Uint8Array, start: number): number {
  let at = start;
  while (isHan(text, at)) at += hanBytes;
  if (at > start) return at;
  for (at++; isContinuation(text[at]); ) at++;
  return at;
}

/** The parts that a text has where it has this word, single characters among them. */
export function splitWord(word: string): string[] {
  const text = Buffer.from(word);
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const start = at;
    const kind = byteKinds[text[at++] ?? 0] ?? other;
    if (kind === other) continue;
    if (kind === wide) {
      at = endOfHan(text, start);
      for (let end = start + 2 * hanBytes; end <= at; end += hanBytes) {
        parts.push(text.toString('utf8', end - 2 * hanBytes, end));
      }
      continue;
    }
    if (kind === mixed) {
      const end = endOfSign(text, start);
      if (end > start) {
        at = end;
        continue;
      }
    }
    at = endOfPart(text, at, kind);
    parts.push(text.toString('utf8', start, at));
  }
  return parts;
}

const isCapital = (byte = 0): boolean => byteKinds[byte] === capital;

/** Whether two parts, of which the second begins at `middle` with a capital, are to be found as one word, too. */
export function canJoin(text: Uint8Array, start: number, middle: number, end: number): boolean {
  const head = middle - start;
  if (head > maxHead || end - start > maxPart) return false;
  // S3Backend is looked for as s3 and backend.
  if (byteKinds[text[middle - 1] ?? 0] === digit) return false;
  // Short parts are abbreviations, as in gRPC, DBClient and OpenAI; others, as in isEmpty, are too many.
  const isTail = end - middle > 2 || isCapital(text[middle + 1]);
  return isTail && (head > 2 || isCapital(text[head > 1 ? start + 1 : middle + 1]));
}

/**
 * How the index has two joined parts that this word may be: behind the number of bytes of the first one, which tells
 * them from ordinary parts. It is less than the word has, or the first part alone would be the word.
 */
export function joinedParts(word: Uint8Array): Uint8Array[] {
  const count = word.length < minJoined ? 0 : Math.min(word.length - 1, maxHead);
  return Array.from({ length: count }, (_, at) => Uint8Array.of(at + 1, ...word));
}
