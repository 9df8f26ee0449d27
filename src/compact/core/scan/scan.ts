import { type Segment, speakerBit } from '../segments/segment';
import { enlargedBytes, enlargedInts, queryMatch, TokenTable, tokenKind } from './tokenTable';
import {
  characterClasses,
  digit,
  digitBlindHash,
  errorWord,
  hashPrime,
  hashSeed,
  joiner,
  lowerCase,
  markedWords,
  queryWord,
  tokenKindOf,
  upperCase,
  wordHash,
  wordMask,
  wordSlot,
} from './words';

/** Properties of a line, as bits. */
export const lineMark = {
  blank: 1,
  /** Opens or closes a fenced block. */
  fence: 2,
  fenced: 4,
  /** Names the speaker of the lines that follow. */
  header: 8,
  error: 16,
  /** The first line of a turn. */
  turn: 32,
} as const;

/**
 * A text as numbers. Tokens are what a later message can only know from this text: paths, names in
 * camelCase or snake_case, versions and numbers. Plain words are tokens only when the query contains them.
 */
export interface Scan {
  /** Number of lines; a final line end starts no further line. */
  count: number;
  /** Offset of each line's first character, and of the end of the text. */
  starts: Int32Array;
  /** Index in `tokens` of the first token of each line, and the end of the last. */
  tokenStarts: Int32Array;
  tokens: Int32Array;
  /** Hash of a line without white space; 0 for a blank one. */
  lineHashes: Int32Array;
  /** The same with each sequence of digits replaced by one digit. */
  shapeHashes: Int32Array;
  /** Bits of {@link lineMark}. */
  marks: Uint8Array;
  /** One of `speakerBit` per line. */
  speakers: Uint8Array;
  /** One of {@link tokenKind} per token, and one of {@link queryMatch}. */
  kinds: Uint8Array;
  queryMatches: Uint8Array;
  tokenCount: number;
  tokenTotal: number;
}

/** Characters of a line that are scanned. A longer line is data, or a log without line ends. */
const maxScannedChars = 20_000;
/** Lines between two calls of `shouldStop`. */
const linesPerCheck = 20_000;
const maxQueryChars = 20_000;
const slashCode = 47;
const backslashCode = 92;
const hyphenCode = 45;

/** `shouldStop` returned true. */
export class CompactionStopped extends Error {
  override readonly name = 'CompactionStopped';
}

/** Whether to stop; `share` is the completed part of the work, from 0 to 1. */
export type ShouldStop = (share: number) => boolean;

/**
 * Reads a text in one pass. `segments` are in the order of the text, and the first starts at 0.
 * @throws {CompactionStopped}
 */
export function scan(
  text: string,
  segments: readonly Segment[],
  query: string,
  shouldStop?: ShouldStop,
): Scan {
  const tokenTable = new TokenTable(text.length);
  if (query === '') return readLines(text, segments, tokenTable, markedWords, shouldStop);
  const asked = query.slice(0, maxQueryChars);
  const words = markedWords.slice();
  // Tokens come first, so that they do not get the kind of a plain word.
  const { tokens, tokenTotal } = readLines(asked, [], tokenTable, markedWords);
  for (let at = 0; at < tokenTotal; at++) {
    tokenTable.addQueryMatch(tokens[at] ?? 0, queryMatch.token);
  }
  for (const [word] of asked.matchAll(/[\w$\u0080-\uffff]{3,}/g)) {
    const hash = wordHash(word);
    const slot = wordSlot(hash);
    words[slot] = (words[slot] ?? 0) | queryWord;
    tokenTable.addQueryMatch(tokenTable.idOf(hash, tokenKind.word), queryMatch.word);
  }
  return readLines(text, segments, tokenTable, words, shouldStop);
}

function readLines(
  text: string,
  segments: readonly Segment[],
  tokenTable: TokenTable,
  words: Uint8Array,
  shouldStop?: ShouldStop,
): Scan {
  const length = text.length;
  let capacity = Math.max(64, Math.ceil(length / 36));
  let starts = new Int32Array(capacity + 1);
  let tokenStarts = new Int32Array(capacity + 1);
  let lineHashes = new Int32Array(capacity);
  let shapeHashes = new Int32Array(capacity);
  let marks = new Uint8Array(capacity);
  let speakers = new Uint8Array(capacity);
  let tokens = new Int32Array(Math.max(256, length >> 4));
  let total = 0;
  let count = 0;
  let speaker: number = speakerBit.assistant;
  let nextSegment = 0;
  let isFenced = false;

  for (let start = 0; start < length; count++) {
    if (count === capacity) {
      capacity = capacityFor(count + 1, start, length);
      starts = enlargedInts(starts, capacity + 1);
      tokenStarts = enlargedInts(tokenStarts, capacity + 1);
      lineHashes = enlargedInts(lineHashes, capacity);
      shapeHashes = enlargedInts(shapeHashes, capacity);
      marks = enlargedBytes(marks, capacity);
      speakers = enlargedBytes(speakers, capacity);
    }
    if (count % linesPerCheck === 0 && shouldStop?.(start / length)) throw new CompactionStopped();
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? length : newline;
    const limit = Math.min(end, start + maxScannedChars);
    // A line of n characters has at most n tokens: words of at least two characters, and their compounds.
    const most = total + (limit - start);
    if (most > tokens.length) {
      tokens = enlargedInts(tokens, Math.max(most, capacityFor(total, start, length)));
    }
    starts[count] = start;
    tokenStarts[count] = total;

    let lineHash = hashSeed;
    let shapeHash = hashSeed;
    let found = 0;
    let first = -1;
    let at = start;
    let code = 0;
    while (at < limit) {
      code = text.charCodeAt(at);
      let type = characterClasses[code] ?? 0;
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
      // Words and joiners without a break: `src/a-b.ts`, `x.y`, `--flag`, `1.2.3`.
      const runStart = at;
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
            code = text.charCodeAt(at);
            type = characterClasses[code] ?? 0;
          } while (type !== 0 && type !== joiner);
          const size = at - wordStart;
          lineHash = Math.imul(lineHash ^ hash, hashPrime);
          const blind = (seen & (1 << digit)) === 0 ? hash : digitBlindHash(text, wordStart, at);
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
        code = text.charCodeAt(at);
        type = characterClasses[code] ?? 0;
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

    let mark = 0;
    const segment = segments[nextSegment];
    if (segment && segment.start <= start) {
      speaker = segment.speaker;
      if (segment.hasHeader) mark |= lineMark.header;
      if (segment.startsTurn) mark |= lineMark.turn;
      // A fenced block that a truncated message left open ends with the message.
      isFenced = false;
      while ((segments[nextSegment]?.start ?? length) <= start) nextSegment++;
    }
    if (first < 0 && limit === end) {
      mark |= lineMark.blank;
      lineHash = 0;
      shapeHash = 0;
    } else {
      if (limit < end) lineHash = shapeHash = longLinePrint(text, lineHash, limit, end);
      if ((found & errorWord) !== 0) mark |= lineMark.error;
      if (text.charCodeAt(first) === 96 && text.startsWith('```', first)) {
        mark |= lineMark.fence;
        isFenced = !isFenced;
      }
    }
    if (isFenced) mark |= lineMark.fenced;
    marks[count] = mark;
    speakers[count] = speaker;
    lineHashes[count] = lineHash;
    shapeHashes[count] = shapeHash;
    start = end + 1;
  }
  starts[count] = length;
  tokenStarts[count] = total;
  return {
    count,
    starts,
    tokenStarts,
    tokens,
    tokenTotal: total,
    lineHashes,
    shapeHashes,
    marks,
    speakers,
    kinds: tokenTable.kinds,
    queryMatches: tokenTable.queryMatches,
    tokenCount: tokenTable.count,
  };
}

/** Capacity for the whole text, extrapolated from `count` entries in the first `read` characters. */
function capacityFor(count: number, read: number, length: number): number {
  const likely = (count / Math.max(1, read)) * length * 1.1;
  return Math.ceil(Math.max(count * 1.25, Math.min(likely, count * 16)));
}

function appendToken(tokens: Int32Array, at: number, token: number): number {
  if (token < 0) return at;
  tokens[at] = token;
  return at + 1;
}

/** Distinguishes long lines with equal beginnings by sampling the rest. */
function longLinePrint(text: string, lineHash: number, limit: number, end: number): number {
  const step = Math.max(1, (end - limit) >> 8);
  let hash = Math.imul(lineHash ^ (end - limit), hashPrime);
  for (let at = limit; at < end; at += step) {
    hash = Math.imul(hash ^ text.charCodeAt(at), hashPrime);
  }
  return hash;
}
