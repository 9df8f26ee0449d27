/** What a byte of a text in UTF-8 is; all bytes of characters beyond ASCII count as small letters. */
export const other = 0;
const small = 1;
export const capital = 2;
const digit = 3;
export const byteKinds = new Uint8Array(256).fill(small, 128);
byteKinds.fill(small, 97, 123);
byteKinds.fill(capital, 65, 91);
byteKinds.fill(digit, 48, 58);

/** The letter s. */
const pluralEnding = 115;

/** A single character is never searched for. In bytes. */
export const minPart = 2;
/** Longer ones are data. In bytes. */
export const maxPart = 64;

/** The end of a part whose first byte is of this kind, and before `at`. */
export function endOfPart(text: Uint8Array, from: number, first: number): number {
  let at = from;
  const skip = (kind: number): void => {
    while (at < text.length && byteKinds[text[at] ?? 0] === kind) at++;
  };
  if (first === capital) {
    skip(capital);
    const isPlural = text[at] === pluralEnding && byteKinds[text[at + 1] ?? 0] !== small;
    // The last capital of HTTPServer begins the next part; that of URLs does not.
    if (byteKinds[text[at] ?? 0] === small && at > from && !isPlural) return at - 1;
  }
  if (first !== digit) skip(small);
  skip(digit);
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
    at = endOfPart(text, at, kind);
    parts.push(text.toString('utf8', start, at));
  }
  return parts;
}
