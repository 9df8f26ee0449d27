import { maxJsonDepth } from '../typeGuards';

/** A number or a name; used with `lastIndex`. */
const plain = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** What an entry of a {@link JsonTape} is, in the lowest two bits of its end. */
export const entryKind = { plain: 0, string: 1, encodedString: 2, container: 3 } as const;

/** The hash of a key that is not of plain ASCII characters. */
export const unhashed = 0;

/**
 * The places of the values of a text, in the order of their starts. A value is its start and four times its
 * end plus its kind; the index behind its last entry follows for a list or an object. A member has the start
 * and the hash of its key before its value. One array for a whole file takes less memory than its objects.
 */
export class JsonTape {
  entries: Int32Array;
  length = 0;

  constructor(capacity: number) {
    this.entries = new Int32Array(capacity);
  }

  /** Makes room for `count` more entries. */
  grow(count: number): Int32Array {
    const larger = new Int32Array(Math.max(64, 1.5 * (this.length + count)));
    larger.set(this.entries.subarray(0, this.length));
    this.entries = larger;
    return larger;
  }
}

/** Position of the next character from `at` on that is no white space. */
function skipSpace(text: string, at: number, end: number): number {
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}

/** Four times the end of the string that starts at `start`, plus its kind; -1 when it is damaged. */
export function scanString(text: string, start: number, end: number): number {
  let kind: number = entryKind.string;
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return 4 * (at + 1) + kind;
    if (code === 0x5c) {
      kind = entryKind.encodedString;
      at = escapeEnd(text, at + 1, end);
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
function escapeEnd(text: string, at: number, end: number): number {
  if (at >= end) return -1;
  const code = text.charCodeAt(at);
  // b f n r t " \\ /
  if (code === 0x6e || code === 0x22 || code === 0x5c || code === 0x2f) return at;
  if (code === 0x74 || code === 0x72 || code === 0x62 || code === 0x66) return at;
  if (code !== 0x75 || at + 4 >= end) return -1;
  for (let digit = at + 1; digit <= at + 4; digit++) {
    if (!isHexDigit(text.charCodeAt(digit))) return -1;
  }
  return at + 4;
}

function isHexDigit(code: number): boolean {
  const letter = code | 32;
  return (code >= 48 && code <= 57) || (letter >= 97 && letter <= 102);
}

/** The hash of a key as the tape has it. */
export function keyHash(key: string): number {
  let hash = 0;
  for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
  return hash;
}

function plainEnd(text: string, start: number): number {
  plain.lastIndex = start;
  return plain.test(text) ? plain.lastIndex : -1;
}

/** Checks that the text from `start` to `end` is exactly one JSON value, and adds its places to the tape. */
export function scanJson(
  text: string,
  start: number,
  end: number,
  tape: JsonTape,
  maxDepth = maxJsonDepth,
): boolean {
  /** The entries of the lists and objects that are not closed yet. */
  const open: number[] = [];
  let { entries, length } = tape;
  let isObject = false;
  let at = start;
  for (;;) {
    at = skipSpace(text, at, end);
    if (at >= end) return false;
    // A key and a value take five entries at most.
    if (length + 5 > entries.length) {
      tape.length = length;
      entries = tape.grow(5);
    }
    if (isObject) {
      if (text.charCodeAt(at) !== 0x22) return false;
      let hash = 0;
      let key = at + 1;
      for (; key < end; key++) {
        const code = text.charCodeAt(key);
        if (code === 0x22) break;
        if (code === 0x5c || code < 0x20 || code >= 0x80) {
          hash = unhashed;
          key = (scanString(text, at, end) >> 2) - 1;
          break;
        }
        hash = (Math.imul(hash, 31) + code) | 0;
      }
      if (key < 0) return false;
      entries[length++] = at;
      entries[length++] = hash;
      at = skipSpace(text, key + 1, end);
      if (at >= end || text.charCodeAt(at) !== 0x3a) return false;
      at = skipSpace(text, at + 1, end);
      if (at >= end) return false;
    }
    let code = text.charCodeAt(at);
    entries[length++] = at;
    if (code === 0x7b || code === 0x5b) {
      if (open.length === maxDepth) return false;
      open.push(length - 1);
      length += 2;
      isObject = code === 0x7b;
      at = skipSpace(text, at + 1, end);
      // An empty one is closed below.
      if (at >= end || text.charCodeAt(at) !== code + 2) continue;
    } else if (code === 0x22) {
      const coded = scanString(text, at, end);
      if (coded < 0) return false;
      entries[length++] = coded;
      at = coded >> 2;
    } else {
      at = plainEnd(text, at);
      if (at < 0) return false;
      entries[length++] = 4 * at + entryKind.plain;
    }
    for (;;) {
      const entry = open.at(-1);
      at = skipSpace(text, at, end);
      if (entry === undefined) {
        tape.length = length;
        return at === end;
      }
      if (at >= end) return false;
      code = text.charCodeAt(at++);
      if (code === 0x2c) break;
      if (code !== (isObject ? 0x7d : 0x5d)) return false;
      entries[entry + 1] = 4 * at + entryKind.container;
      entries[entry + 2] = length;
      open.pop();
      const parent = open.at(-1);
      isObject = parent !== undefined && text.charCodeAt(entries[parent] ?? 0) === 0x7b;
    }
  }
}

/**
 * Whether a text is one JSON value, without the error that `JSON.parse` creates for an invalid one: at
 * 5 µs each, a damaged file with one on every line would block the window for seconds.
 */
export function isJson(text: string): boolean {
  return scanJson(text, 0, text.length, new JsonTape(text.length >> 3));
}
