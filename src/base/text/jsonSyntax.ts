import { maxJsonDepth } from '../typeGuards';

/** A number or a name; used with `lastIndex`. */
export const plain = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/**
 * A stretch of a string without escapes. One call of the engine's own code for many characters is several
 * times as fast as a loop that is not compiled yet.
 */
// oxlint-disable-next-line no-control-regex -- JSON allows them in strings only as escapes
const stretch = /[^"\\\u0000-\u001f]*/y;
const escape = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

/** Position of the next character from `at` on that is no white space. */
export function skipSpace(text: string, at: number): number {
  for (; ; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
  }
}

/** The end of the string that starts at `start`; -1 when it is damaged. */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at = escape.lastIndex) {
    stretch.lastIndex = at;
    stretch.test(text);
    if (text.charCodeAt(stretch.lastIndex) === 0x22) return stretch.lastIndex + 1;
    escape.lastIndex = stretch.lastIndex;
    if (!escape.test(text)) return -1;
  }
}

function plainEnd(text: string, start: number): number {
  plain.lastIndex = start;
  return plain.test(text) ? plain.lastIndex : -1;
}

/**
 * Checks that the text from `start` to `end` is exactly one JSON value, without building nodes. Adds two
 * entries to `containers` for each object and list in it, in the order of their starts: its end, and the
 * number of entries up to that end.
 */
export function scanJson(
  text: string,
  start: number,
  end: number,
  containers: number[],
  maxDepth = maxJsonDepth,
): boolean {
  /** The entries of the containers that are not closed yet. */
  const open: number[] = [];
  let isObject = false;
  let at = start;
  for (;;) {
    at = skipSpace(text, at);
    if (at >= end) return false;
    if (isObject) {
      at = text.charCodeAt(at) === 0x22 ? skipSpace(text, stringEnd(text, at)) : -1;
      if (at < 0 || text.charCodeAt(at) !== 0x3a) return false;
      at = skipSpace(text, at + 1);
    }
    let code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) {
      if (open.length === maxDepth) return false;
      open.push(containers.length);
      containers.push(at, 0);
      isObject = code === 0x7b;
      at = skipSpace(text, at + 1);
      // An empty one is closed below.
      if (text.charCodeAt(at) !== code + 2) continue;
    } else {
      at = code === 0x22 ? stringEnd(text, at) : plainEnd(text, at);
      if (at < 0) return false;
    }
    for (;;) {
      const entry = open.at(-1);
      if (entry === undefined) return at <= end && skipSpace(text, at) >= end;
      at = skipSpace(text, at);
      code = text.charCodeAt(at++);
      if (code === 0x2c) break;
      if (code !== (isObject ? 0x7d : 0x5d)) return false;
      containers[entry] = at;
      containers[entry + 1] = containers.length;
      open.pop();
      const parent = open.at(-1);
      isObject = parent !== undefined && text.charCodeAt(containers[parent] ?? 0) === 0x7b;
    }
  }
}

/**
 * Whether a text is one JSON value, without the error that `JSON.parse` creates for an invalid one: at
 * 5 µs each, a damaged file with one on every line would block the window for seconds.
 */
export function isJson(text: string): boolean {
  return scanJson(text, 0, text.length, []);
}
