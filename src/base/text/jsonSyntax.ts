import { maxJsonDepth } from '../typeGuards';
import { CodeReader } from './codes';

/** What an entry of a {@link JsonPlaces} is, in the lowest two bits of its end. */
export const entryKind = { plain: 0, string: 1, encodedString: 2, container: 3 } as const;

/** The hash of a key that is not of plain ASCII characters. */
export const unhashed = 0;

/**
 * The places of the values of a text, in the order of their starts. A value is its start and four times its
 * end plus its kind. For a list or an object, twice the index behind its last entry follows, plus one for an
 * object. A member has the start and the hash of its key before its value. One array for a whole file takes
 * less memory than its objects.
 */
export class JsonPlaces {
  entries: Int32Array;
  length = 0;

  constructor(capacity: number) {
    this.entries = new Int32Array(capacity);
  }

  /** Makes room for `count` more entries. */
  grow(count: number): Int32Array {
    const larger = new Int32Array(Math.max(16, 1.5 * (this.length + count)));
    larger.set(this.entries.subarray(0, this.length));
    this.entries = larger;
    return larger;
  }
}

/** Characters as numbers: bytes, or UTF-16 units. */
type Codes = Uint8Array | Uint16Array;

/** Position of the next character from `at` on that is no white space. */
function skipSpace(codes: Codes, at: number, end: number): number {
  for (; at < end; at++) {
    const code = codes[at];
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}

/** Four times the end of the string that starts at `start`, plus its kind; -1 when it is damaged. */
function scanString(codes: Codes, start: number, end: number): number {
  let kind: number = entryKind.string;
  for (let at = start + 1; at < end; at++) {
    const code = codes[at] ?? 0;
    if (code === 0x22) return 4 * (at + 1) + kind;
    if (code === 0x5c) {
      kind = entryKind.encodedString;
      at = escapeEnd(codes, at + 1, end);
      if (at < 0) return -1;
    } else if (code >= 0x80) {
      kind = entryKind.encodedString;
    } else if (code < 0x20) {
      return -1;
    }
  }
  return -1;
}

/** The last character of an escape, whose backslash is before `at`; -1 when it is damaged. */
function escapeEnd(codes: Codes, at: number, end: number): number {
  if (at >= end) return -1;
  const code = codes[at] ?? 0;
  // n " \\ / t r b f
  if (code === 0x6e || code === 0x22 || code === 0x5c || code === 0x2f) return at;
  if (code === 0x74 || code === 0x72 || code === 0x62 || code === 0x66) return at;
  if (code !== 0x75 || at + 4 >= end) return -1;
  for (let digit = at + 1; digit <= at + 4; digit++) {
    if (!isHexDigit(codes[digit] ?? 0)) return -1;
  }
  return at + 4;
}

function isHexDigit(code: number): boolean {
  const letter = code | 32;
  return isDigit(code) || (letter >= 97 && letter <= 102);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** The end of a number or a name; -1 when it is damaged. */
function plainEnd(codes: Codes, start: number, end: number): number {
  const code = codes[start] ?? 0;
  const name = code === 0x74 ? 'true' : code === 0x66 ? 'false' : code === 0x6e ? 'null' : '';
  for (let at = 0; at < name.length; at++) {
    if (start + at >= end || codes[start + at] !== name.charCodeAt(at)) return -1;
  }
  if (name !== '') return start + name.length;
  let at = code === 0x2d ? start + 1 : start;
  const first = at < end ? (codes[at] ?? 0) : 0;
  if (!isDigit(first)) return -1;
  at = first === 48 ? at + 1 : digitsEnd(codes, at, end);
  if (at < end && codes[at] === 0x2e) {
    const fraction = digitsEnd(codes, at + 1, end);
    if (fraction === at + 1) return -1;
    at = fraction;
  }
  if (at < end && ((codes[at] ?? 0) | 32) === 0x65) {
    const sign = at + 1 < end ? codes[at + 1] : 0;
    const digits = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
    at = digitsEnd(codes, digits, end);
    if (at === digits) return -1;
  }
  return at;
}

function digitsEnd(codes: Codes, at: number, end: number): number {
  while (at < end && isDigit(codes[at] ?? 0)) at++;
  return at;
}

/** The hash of a key as it stands among the places. */
export function keyHash(key: string): number {
  let hash = 0;
  for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
  return hash;
}

/**
 * Checks that the characters from `start` to `end` are exactly one JSON value, and adds the places of its values.
 * @param base added to the places.
 */
export function scanJson(
  codes: Codes,
  start: number,
  end: number,
  places: JsonPlaces,
  base = 0,
  maxDepth = maxJsonDepth,
): boolean {
  /** The entries of the lists and objects that are not closed yet. */
  const open: number[] = [];
  let { entries, length } = places;
  let isObject = false;
  let at = start;
  for (;;) {
    at = skipSpace(codes, at, end);
    if (at >= end) return false;
    // A key and a value take five entries at most.
    if (length + 5 > entries.length) {
      places.length = length;
      entries = places.grow(5);
    }
    if (isObject) {
      if (codes[at] !== 0x22) return false;
      let hash = 0;
      let key = at + 1;
      for (; key < end; key++) {
        const code = codes[key] ?? 0;
        if (code === 0x22) break;
        if (code === 0x5c || code < 0x20 || code >= 0x80) {
          hash = unhashed;
          key = (scanString(codes, at, end) >> 2) - 1;
          break;
        }
        hash = (Math.imul(hash, 31) + code) | 0;
      }
      if (key < 0) return false;
      entries[length++] = at + base;
      entries[length++] = hash;
      at = skipSpace(codes, key + 1, end);
      if (at >= end || codes[at] !== 0x3a) return false;
      at = skipSpace(codes, at + 1, end);
      if (at >= end) return false;
    }
    let code = codes[at] ?? 0;
    entries[length++] = at + base;
    if (code === 0x7b || code === 0x5b) {
      if (open.length === maxDepth) return false;
      open.push(length - 1);
      isObject = code === 0x7b;
      entries[length + 1] = isObject ? 1 : 0;
      length += 2;
      at = skipSpace(codes, at + 1, end);
      // An empty one is closed below.
      if (at >= end || codes[at] !== code + 2) continue;
    } else if (code === 0x22) {
      const coded = scanString(codes, at, end);
      if (coded < 0) return false;
      entries[length++] = coded + 4 * base;
      at = coded >> 2;
    } else {
      at = plainEnd(codes, at, end);
      if (at < 0) return false;
      entries[length++] = 4 * (at + base) + entryKind.plain;
    }
    for (;;) {
      const entry = open.at(-1);
      at = skipSpace(codes, at, end);
      if (entry === undefined) {
        places.length = length;
        return at === end;
      }
      if (at >= end) return false;
      code = codes[at++] ?? 0;
      if (code === 0x2c) break;
      if (code !== (isObject ? 0x7d : 0x5d)) return false;
      entries[entry + 1] = 4 * (at + base) + entryKind.container;
      entries[entry + 2] = 2 * length + (isObject ? 1 : 0);
      open.pop();
      const parent = open.at(-1);
      isObject = parent !== undefined && entries[parent + 2] === 1;
    }
  }
}

const reader = new CodeReader();

/**
 * Whether a text is one JSON value, without the error that `JSON.parse` creates for an invalid one: at
 * 5 µs each, a damaged file with one on every line would block the window for seconds.
 */
export function isJson(text: string): boolean {
  const codes = reader.read(text, 0, text.length);
  return scanJson(codes, 0, text.length, new JsonPlaces(text.length >> 3));
}
