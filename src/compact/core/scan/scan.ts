import { CodeReader } from '../../../base/text/codes';
import { type Segment, speakerBit } from '../segments/segment';
import { LineScanner } from './lineScanner';
import { enlargedBytes, enlargedInts, queryMatch, TokenTable, tokenKind } from './tokenTable';
import {
  errorWord,
  hashPrime,
  markedWords,
  outputWord,
  queryWord,
  tagName,
  tagWord,
  wordHash,
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
  /** Has a word of lines that tell where an output was saved. */
  output: 64,
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
  /** False when no line has the tag around what is kept in any case. */
  mayHaveTags: boolean;
}

/** Characters of a line that are scanned. A longer line is data, or a log without line ends. */
const maxScannedChars = 20_000;
/** Characters that are read at a time. */
const windowChars = 1 << 16;
const reader = new CodeReader();
/** Lines between two calls of `shouldStop`. */
const linesPerCheck = 20_000;
const maxQueryChars = 20_000;

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
  const line = new LineScanner(tokenTable, words, length);
  let count = 0;
  let speaker: number = speakerBit.assistant;
  let nextSegment = 0;
  let isFenced = false;
  let mayHaveTags = false;
  let codes = reader.read(text, 0, 0);
  let base = 0;
  let windowEnd = 0;

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
    const scannedEnd = Math.min(end, start + maxScannedChars);
    if (scannedEnd > windowEnd) {
      base = start;
      windowEnd = Math.min(length, start + windowChars);
      codes = reader.read(text, base, windowEnd);
    }
    // Positions in the window from here on.
    const limit = scannedEnd - base;
    // A line of n characters has at most n tokens: words of at least two characters, and their compounds.
    const most = line.total + (scannedEnd - start);
    if (most > line.tokens.length) {
      line.tokens = enlargedInts(
        line.tokens,
        Math.max(most, capacityFor(line.total, start, length)),
      );
    }
    starts[count] = start;
    tokenStarts[count] = line.total;

    line.scan(codes, start - base, limit);
    let { lineHash, shapeHash } = line;
    const { first } = line;

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
    if (first < 0 && scannedEnd === end) {
      mark |= lineMark.blank;
      lineHash = 0;
      shapeHash = 0;
    } else {
      if (scannedEnd < end) {
        lineHash = shapeHash = longLinePrint(text, lineHash, scannedEnd, end);
        mayHaveTags ||= text.slice(scannedEnd - tagName.length, end).includes(tagName);
      }
      if ((line.found & errorWord) !== 0) mark |= lineMark.error;
      if ((line.found & outputWord) !== 0) mark |= lineMark.output;
      mayHaveTags ||= (line.found & tagWord) !== 0;
      if (first >= 0 && isFence(codes, first, limit)) {
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
  tokenStarts[count] = line.total;
  return {
    count,
    starts,
    tokenStarts,
    tokens: line.tokens,
    tokenTotal: line.total,
    lineHashes,
    shapeHashes,
    marks,
    speakers,
    kinds: tokenTable.kinds,
    queryMatches: tokenTable.queryMatches,
    tokenCount: tokenTable.count,
    mayHaveTags,
  };
}

/** Whether three backquotes stand here. */
function isFence(codes: Uint16Array, at: number, limit: number): boolean {
  return at + 2 < limit && codes[at] === 96 && codes[at + 1] === 96 && codes[at + 2] === 96;
}

/** Capacity for the whole text, extrapolated from `count` entries in the first `read` characters. */
function capacityFor(count: number, read: number, length: number): number {
  const likely = (count / Math.max(1, read)) * length * 1.1;
  return Math.ceil(Math.max(count * 1.25, Math.min(likely, count * 16)));
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
