/** Deeper texts are refused, so that the recursion never overflows the stack. */
const maxDepth = 500;

/**
 * Whether a text is one JSON value, without the error that `JSON.parse` creates for an invalid one: at
 * 5 µs each, a damaged file with one on every line would block the window for seconds.
 */
export function isJson(text: string): boolean {
  const end = valueEnd(text, blanksEnd(text, 0), 0);
  return end > 0 && blanksEnd(text, end) === text.length;
}

/** Each of these functions returns the end of the value at `at`, or -1. */
function valueEnd(text: string, at: number, depth: number): number {
  const code = text.charCodeAt(at);
  if (code === 0x22) return stringEnd(text, at);
  if (code === 0x7b) return depth < maxDepth ? objectEnd(text, at, depth + 1) : -1;
  if (code === 0x5b) return depth < maxDepth ? listEnd(text, at, depth + 1) : -1;
  if (code === 0x2d || isDigit(code)) return numberEnd(text, at);
  const word = literals.find(each => text.startsWith(each, at));
  return word === undefined ? -1 : at + word.length;
}

const literals = ['true', 'false', 'null'];

function objectEnd(text: string, start: number, depth: number): number {
  let at = blanksEnd(text, start + 1);
  if (text.charCodeAt(at) === 0x7d) return at + 1;
  for (;;) {
    if (text.charCodeAt(at) !== 0x22) return -1;
    at = stringEnd(text, at);
    if (at < 0) return -1;
    at = blanksEnd(text, at);
    if (text.charCodeAt(at) !== 0x3a) return -1;
    at = valueEnd(text, blanksEnd(text, at + 1), depth);
    if (at < 0) return -1;
    at = blanksEnd(text, at);
    if (text.charCodeAt(at) !== 0x2c) return text.charCodeAt(at) === 0x7d ? at + 1 : -1;
    at = blanksEnd(text, at + 1);
  }
}

function listEnd(text: string, start: number, depth: number): number {
  let at = blanksEnd(text, start + 1);
  if (text.charCodeAt(at) === 0x5d) return at + 1;
  for (;;) {
    at = valueEnd(text, at, depth);
    if (at < 0) return -1;
    at = blanksEnd(text, at);
    if (text.charCodeAt(at) !== 0x2c) return text.charCodeAt(at) === 0x5d ? at + 1 : -1;
    at = blanksEnd(text, at + 1);
  }
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return -1;
    if (code !== 0x5c) continue;
    at++;
    const sign = text.charAt(at);
    if (sign === 'u') {
      for (let digit = 1; digit <= 4; digit++) {
        if (!isHexDigit(text.charCodeAt(at + digit))) return -1;
      }
      at += 4;
    } else if (sign === '' || !'"\\/bfnrt'.includes(sign)) return -1;
  }
  return -1;
}

function numberEnd(text: string, start: number): number {
  const first = text.charCodeAt(start) === 0x2d ? start + 1 : start;
  let at = digitsEnd(text, first);
  if (at === first || (at > first + 1 && text.charCodeAt(first) === 0x30)) return -1;
  if (text.charCodeAt(at) === 0x2e) {
    const fraction = at + 1;
    at = digitsEnd(text, fraction);
    if (at === fraction) return -1;
  }
  if ((text.charCodeAt(at) | 0x20) !== 0x65) return at;
  const sign = text.charCodeAt(at + 1);
  const exponent = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
  at = digitsEnd(text, exponent);
  return at === exponent ? -1 : at;
}

function digitsEnd(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function blanksEnd(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isHexDigit = (code: number): boolean =>
  isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
