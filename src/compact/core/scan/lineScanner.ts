import { type TokenTable, tokenKind } from './tokenTable';
import {
  characterClasses,
  digit,
  digitBlindHash,
  hashPrime,
  hashSeed,
  joiner,
  lowerCase,
  queryWord,
  tokenKindOf,
  upperCase,
  wordMask,
} from './words';

const slashCode = 47;
const backslashCode = 92;
const hyphenCode = 45;

/** Finds the tokens of one line after the other. Small, so that the engine keeps what it needs in registers. */
export class LineScanner {
  tokens: Int32Array<ArrayBuffer>;
  /** Number of tokens so far. */
  total = 0;
  /** Hash of the line without white space. */
  lineHash = 0;
  /** The same with each sequence of digits replaced by one digit. */
  shapeHash = 0;
  /** Bits of the marked words. */
  found = 0;
  /** The first character that is no white space; -1 if there is none. */
  first = -1;
  readonly #tokenTable: TokenTable;
  readonly #words: Uint8Array;

  /** @param length of the whole text. */
  constructor(tokenTable: TokenTable, words: Uint8Array, length: number) {
    this.#tokenTable = tokenTable;
    this.#words = words;
    this.tokens = new Int32Array(Math.max(256, length >> 4));
  }

  /** Reads the line from `start` to `limit`. `tokens` has room for as many tokens as there are characters. */
  scan(codes: Uint16Array, start: number, limit: number): void {
    // In a local, since the bundler makes variables of the constants of a module.
    const classes = characterClasses;
    const words = this.#words;
    const tokens = this.tokens;
    const tokenTable = this.#tokenTable;
    let total = this.total;
    let lineHash = hashSeed;
    let shapeHash = hashSeed;
    let found = 0;
    let first = -1;
    let at = start;
    let code = 0;
    while (at < limit) {
      code = codes[at] ?? 0;
      let type = classes[code] ?? 0;
      if (type === 0) {
        if (code > 32) {
          lineHash = Math.imul(lineHash ^ code, hashPrime);
          shapeHash = Math.imul(shapeHash ^ code, hashPrime);
          if (first < 0) first = at;
        }
        at++;
        continue;
      }
      if (first < 0) first = at;
      const runStart = at;
      // Most runs are one word in lower case, which is no token.
      if (type === lowerCase) {
        let hash = hashSeed;
        do {
          hash = Math.imul(hash ^ code, hashPrime);
          if (++at >= limit) break;
          code = codes[at] ?? 0;
          type = classes[code] ?? 0;
        } while (type === lowerCase);
        if (at >= limit || type === 0) {
          lineHash = Math.imul(lineHash ^ hash, hashPrime);
          shapeHash = Math.imul(shapeHash ^ hash, hashPrime);
          if (at - runStart === 1) continue;
          const word = words[(hash ^ (hash >>> 15)) & wordMask] ?? 0;
          found |= word;
          if ((word & queryWord) !== 0) {
            total = appendToken(tokens, total, tokenTable.idOf(hash, tokenKind.word));
          }
          continue;
        }
        at = runStart;
        code = codes[at] ?? 0;
        type = lowerCase;
      }
      // Words and joiners without a break: `src/a-b.ts`, `x.y`, `--flag`, `1.2.3`.
      let whole = hashSeed;
      let wholeEnd = hashSeed;
      let wholeWords = 0;
      let part = hashSeed;
      let partEnd = hashSeed;
      let partWords = 0;
      let joiners = 0;
      let hasSlash = false;
      let onlyHyphens = true;
      let lastHash = 0;
      let lastLength = 0;
      for (;;) {
        if (type === joiner) {
          lineHash = Math.imul(lineHash ^ code, hashPrime);
          shapeHash = Math.imul(shapeHash ^ code, hashPrime);
          if (code === slashCode || code === backslashCode) {
            if (partWords > 1) {
              total = appendToken(tokens, total, tokenTable.idOf(partEnd, tokenKind.compound));
            }
            part = hashSeed;
            partWords = 0;
            onlyHyphens = true;
            if (wholeWords > 0) hasSlash = true;
          } else {
            if (code !== hyphenCode) {
              if (partWords > 1 && onlyHyphens) {
                total = appendToken(tokens, total, tokenTable.idOf(partEnd, tokenKind.compound));
              }
              onlyHyphens = false;
            }
            if (partWords > 0) part = Math.imul(part ^ code, hashPrime);
          }
          if (wholeWords > 0) whole = Math.imul(whole ^ code, hashPrime);
          else joiners = joiners * 128 + code;
          at++;
        } else {
          const wordStart = at;
          let hash = hashSeed;
          let seen = 0;
          let camel = false;
          let beyondHex = false;
          let last = 0;
          do {
            hash = Math.imul(hash ^ code, hashPrime);
            seen |= 1 << type;
            if (type === lowerCase) {
              if (code > 102) beyondHex = true;
            } else if (type === upperCase && last === lowerCase) {
              camel = true;
            }
            last = type;
            if (++at >= limit) break;
            code = codes[at] ?? 0;
            type = classes[code] ?? 0;
          } while (type !== 0 && type !== joiner);
          const size = at - wordStart;
          lineHash = Math.imul(lineHash ^ hash, hashPrime);
          const blind = (seen & (1 << digit)) === 0 ? hash : digitBlindHash(codes, wordStart, at);
          shapeHash = Math.imul(shapeHash ^ blind, hashPrime);
          whole = wholeEnd = Math.imul(whole ^ hash, hashPrime);
          wholeWords++;
          part = partEnd = Math.imul(part ^ hash, hashPrime);
          partWords++;
          lastHash = hash;
          lastLength = size;
          if (size > 1) {
            const word = words[(hash ^ (hash >>> 15)) & wordMask] ?? 0;
            found |= word;
            const kind = tokenKindOf(seen, size, camel, beyondHex);
            if (kind !== 0) {
              total = appendToken(tokens, total, tokenTable.idOf(hash, kind));
            } else if ((word & queryWord) !== 0) {
              total = appendToken(tokens, total, tokenTable.idOf(hash, tokenKind.word));
            }
          }
        }
        if (at >= limit) break;
        code = codes[at] ?? 0;
        type = classes[code] ?? 0;
        if (type === 0) break;
      }
      const runLength = at - runStart;
      if (runLength < 5 || runLength > 200) continue;
      if (wholeWords > 1) {
        const kind = hasSlash ? tokenKind.path : tokenKind.compound;
        total = appendToken(tokens, total, tokenTable.idOf(wholeEnd, kind));
        if (hasSlash && partWords > 1) {
          total = appendToken(tokens, total, tokenTable.idOf(partEnd, tokenKind.compound));
        }
      } else if (wholeWords === 1 && joiners > 0 && lastLength > 2 && joiners !== hyphenCode) {
        // `/etc`, `./todo` and `--flag` differ from the bare word.
        total = appendToken(
          tokens,
          total,
          tokenTable.idOf(Math.imul(lastHash ^ joiners, hashPrime), tokenKind.path),
        );
      }
    }
    this.total = total;
    this.lineHash = lineHash;
    this.shapeHash = shapeHash;
    this.found = found;
    this.first = first;
  }
}

function appendToken(tokens: Int32Array, at: number, token: number): number {
  if (token < 0) return at;
  tokens[at] = token;
  return at + 1;
}
