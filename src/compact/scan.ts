import { SPEAKER, type Segment } from './turns';

/** What is known of a line from its characters; bits. */
export const MARK = {
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

/** What a token is made of. */
export const KIND = { name: 1, path: 2, number: 3, hex: 4, compound: 5, word: 6 } as const;

/** How the query names a token. */
export const ASKED = { not: 0, word: 1, token: 2 } as const;

/**
 * A text as numbers. Tokens are what a later message can only know from here: paths, names written in
 * camelCase or with underscores, versions, numbers; plain words only when the query has them.
 */
export interface Scan {
  /** Lines; a final line end starts no further line. */
  count: number;
  /** Offset of each line's first character, and of the end of the text. */
  starts: Int32Array;
  /** Where in `tokens` the tokens of each line start, and the end of the last. */
  tokensFrom: Int32Array;
  tokens: Int32Array;
  /** Hash of a line without white space; 0 for a blank one. */
  prints: Int32Array;
  /** The same with every run of digits as one. */
  shapes: Int32Array;
  /** Bits of {@link MARK}. */
  marks: Uint8Array;
  /** Bits of SPEAKER. */
  speakers: Uint8Array;
  /** Of each token: one of {@link KIND}, and one of {@link ASKED}. */
  kinds: Uint8Array;
  asked: Uint8Array;
  tokenCount: number;
  tokenTotal: number;
}

/** Beyond this many characters, a line is data or a log without line ends: its tokens say nothing about the start. */
const longestScanned = 20_000;
/** More different tokens than this are an accident (hashes, a dump): later ones are not counted. */
const mostTokens = 3_000_000;
/** Lines between two questions whether to go on. */
const linesPerCheck = 20_000;
const longestQuery = 20_000;

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const UNDERSCORE = 4;
const JOINER = 5;
/** By character. Letters beyond ASCII have no case here. */
const classes = new Uint8Array(0x10000).fill(LOWER, 128);
classes.fill(LOWER, 97, 123).fill(UPPER, 65, 91).fill(DIGIT, 48, 58);
classes[95] = classes[36] = UNDERSCORE;
for (const joiner of './\\-@+~') classes[joiner.charCodeAt(0)] = JOINER;

const PRIME = 0x01000193;
const SEED = 0x811c9dc5 | 0;
const SLASH = 47;
const BACKSLASH = 92;
const HYPHEN = 45;

const WORD_ERROR = 1;
const WORD_ASKED = 2;
const wordMask = 0xffff;

function hashOf(word: string): number {
  let hash = SEED;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), PRIME);
  return hash;
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & wordMask;
}

/** Words that mark a line, by hash: a text of millions of words is not cut into strings. */
const markedWords = new Uint8Array(wordMask + 1);
function markWords(bit: number, words: string): void {
  for (const word of words.split(' '))
    for (const form of [word, word[0]?.toUpperCase() + word.slice(1), word.toUpperCase()]) {
      const slot = slotOf(hashOf(form));
      markedWords[slot] = (markedWords[slot] ?? 0) | bit;
    }
}
markWords(
  WORD_ERROR,
  'error errors exception traceback failed failure fails fatal panic cannot undefined assertion assertionerror typeerror valueerror keyerror importerror attributeerror segfault denied missing unexpected',
);

/** Numbers the tokens of a text in the order in which they appear, by their hashes. */
class Vocabulary {
  count = 0;
  kinds: Uint8Array<ArrayBuffer>;
  asked: Uint8Array<ArrayBuffer>;
  /** Pairs of a hash and a number plus one; 0 is free. */
  #slots: Int32Array;
  #mask: number;

  constructor(characters: number) {
    const slots = 2 ** Math.min(22, Math.max(10, Math.ceil(Math.log2(characters / 64 + 1))));
    this.#slots = new Int32Array(2 * slots);
    this.#mask = slots - 1;
    this.kinds = new Uint8Array(slots);
    this.asked = new Uint8Array(slots);
  }

  /** The number of the token; -1 when there are too many. */
  numberOf(hash: number, kind: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = (hash ^ (hash >>> 13)) & mask;
    for (;;) {
      const known = slots[2 * slot + 1] ?? 0;
      if (known === 0) break;
      if (slots[2 * slot] === hash) return known - 1;
      slot = (slot + 1) & mask;
    }
    if (this.count >= mostTokens) return -1;
    const number = this.count++;
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = this.count;
    this.kinds[number] = kind;
    if (this.count * 3 > (mask + 1) * 2) this.#grow();
    return number;
  }

  ask(token: number, how: number): void {
    if (token >= 0 && (this.asked[token] ?? 0) < how) this.asked[token] = how;
  }

  #grow(): void {
    const old = this.#slots;
    const mask = this.#mask * 2 + 1;
    const slots = new Int32Array(2 * (mask + 1));
    for (let at = 0; at < old.length; at += 2) {
      const number = old[at + 1] ?? 0;
      if (number === 0) continue;
      const hash = old[at] ?? 0;
      let slot = (hash ^ (hash >>> 13)) & mask;
      while ((slots[2 * slot + 1] ?? 0) !== 0) slot = (slot + 1) & mask;
      slots[2 * slot] = hash;
      slots[2 * slot + 1] = number;
    }
    this.#slots = slots;
    this.#mask = mask;
    this.kinds = grownBytes(this.kinds, mask + 1);
    this.asked = grownBytes(this.asked, mask + 1);
  }
}

function grownNumbers(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}

function grownBytes(array: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(array);
  return larger;
}

/** The work was given up because `shouldStop` said so. */
export class CompactionStopped extends Error {
  override readonly name = 'CompactionStopped';
}

/** Whether to give up; `share` of the work is done. */
export type ShouldStop = (share: number) => boolean;

/**
 * Reads a text once. `segments` are in the order of the text and the first starts at 0.
 * @throws {CompactionStopped}
 */
export function scan(
  text: string,
  segments: readonly Segment[],
  query: string,
  shouldStop?: ShouldStop,
): Scan {
  const vocabulary = new Vocabulary(text.length);
  if (query === '') return readLines(text, segments, vocabulary, markedWords, shouldStop);
  const asked = query.slice(0, longestQuery);
  const words = markedWords.slice();
  // Tokens first: their kind is not that of a plain word.
  const { tokens, tokenTotal } = readLines(asked, [], vocabulary, markedWords);
  for (let at = 0; at < tokenTotal; at++) vocabulary.ask(tokens[at] ?? 0, ASKED.token);
  for (const [word] of asked.matchAll(/[\w$\u0080-\uffff]{3,}/g)) {
    const hash = hashOf(word);
    const slot = slotOf(hash);
    words[slot] = (words[slot] ?? 0) | WORD_ASKED;
    vocabulary.ask(vocabulary.numberOf(hash, KIND.word), ASKED.word);
  }
  return readLines(text, segments, vocabulary, words, shouldStop);
}

function readLines(
  text: string,
  segments: readonly Segment[],
  vocabulary: Vocabulary,
  words: Uint8Array,
  shouldStop?: ShouldStop,
): Scan {
  const length = text.length;
  let capacity = Math.max(64, Math.ceil(length / 36));
  let starts = new Int32Array(capacity + 1);
  let tokensFrom = new Int32Array(capacity + 1);
  let prints = new Int32Array(capacity);
  let shapes = new Int32Array(capacity);
  let marks = new Uint8Array(capacity);
  let speakers = new Uint8Array(capacity);
  let tokens = new Int32Array(Math.max(256, length >> 4));
  let total = 0;
  let count = 0;
  let speaker: number = SPEAKER.assistant;
  let nextSegment = 0;
  let isFenced = false;

  for (let start = 0; start < length; count++) {
    if (count === capacity) {
      capacity = sizeFor(count + 1, start, length);
      starts = grownNumbers(starts, capacity + 1);
      tokensFrom = grownNumbers(tokensFrom, capacity + 1);
      prints = grownNumbers(prints, capacity);
      shapes = grownNumbers(shapes, capacity);
      marks = grownBytes(marks, capacity);
      speakers = grownBytes(speakers, capacity);
    }
    if (count % linesPerCheck === 0 && shouldStop?.(start / length)) throw new CompactionStopped();
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? length : newline;
    const limit = Math.min(end, start + longestScanned);
    // A line of n characters has at most n tokens: a word of two, and what it makes with its neighbours.
    const most = total + (limit - start);
    if (most > tokens.length)
      tokens = grownNumbers(tokens, Math.max(most, sizeFor(total, start, length)));
    starts[count] = start;
    tokensFrom[count] = total;

    let print = SEED;
    let shape = SEED;
    let found = 0;
    let first = -1;
    let at = start;
    let code = 0;
    while (at < limit) {
      code = text.charCodeAt(at);
      let type = classes[code] ?? 0;
      if (type === 0) {
        if (code > 32) {
          print = Math.imul(print ^ code, PRIME);
          shape = Math.imul(shape ^ code, PRIME);
          if (first < 0) first = at;
        }
        at++;
        continue;
      }
      if (first < 0) first = at;
      // A run of words and joiners: `src/a-b.ts`, `x.y`, `--flag`, `1.2.3`.
      const runStart = at;
      let whole = SEED;
      let wholeEnd = SEED;
      let wholeWords = 0;
      let part = SEED;
      let partEnd = SEED;
      let partWords = 0;
      let joiners = 0;
      let hasSlash = false;
      let onlyHyphens = true;
      let lastHash = 0;
      let lastLength = 0;
      for (;;) {
        if (type === JOINER) {
          print = Math.imul(print ^ code, PRIME);
          shape = Math.imul(shape ^ code, PRIME);
          if (code === SLASH || code === BACKSLASH) {
            if (partWords > 1)
              total = put(tokens, total, vocabulary.numberOf(partEnd, KIND.compound));
            part = SEED;
            partWords = 0;
            onlyHyphens = true;
            if (wholeWords > 0) hasSlash = true;
          } else {
            if (code !== HYPHEN) {
              if (partWords > 1 && onlyHyphens)
                total = put(tokens, total, vocabulary.numberOf(partEnd, KIND.compound));
              onlyHyphens = false;
            }
            if (partWords > 0) part = Math.imul(part ^ code, PRIME);
          }
          if (wholeWords > 0) whole = Math.imul(whole ^ code, PRIME);
          else joiners = joiners * 128 + code;
          at++;
        } else {
          const wordStart = at;
          let hash = SEED;
          let seen = 0;
          let camel = false;
          let beyondHex = false;
          let last = 0;
          do {
            hash = Math.imul(hash ^ code, PRIME);
            seen |= 1 << type;
            if (type === LOWER) {
              if (code > 102) beyondHex = true;
            } else if (type === UPPER && last === LOWER) camel = true;
            last = type;
            if (++at >= limit) break;
            code = text.charCodeAt(at);
            type = classes[code] ?? 0;
          } while (type !== 0 && type !== JOINER);
          const size = at - wordStart;
          print = Math.imul(print ^ hash, PRIME);
          const blind = (seen & (1 << DIGIT)) === 0 ? hash : digitBlindHash(text, wordStart, at);
          shape = Math.imul(shape ^ blind, PRIME);
          whole = wholeEnd = Math.imul(whole ^ hash, PRIME);
          wholeWords++;
          part = partEnd = Math.imul(part ^ hash, PRIME);
          partWords++;
          lastHash = hash;
          lastLength = size;
          if (size > 1) {
            const word = words[(hash ^ (hash >>> 15)) & wordMask] ?? 0;
            found |= word;
            const kind = kindOf(seen, size, camel, beyondHex);
            if (kind !== 0) total = put(tokens, total, vocabulary.numberOf(hash, kind));
            else if ((word & WORD_ASKED) !== 0)
              total = put(tokens, total, vocabulary.numberOf(hash, KIND.word));
          }
        }
        if (at >= limit) break;
        code = text.charCodeAt(at);
        type = classes[code] ?? 0;
        if (type === 0) break;
      }
      const runLength = at - runStart;
      if (runLength < 5 || runLength > 200) continue;
      if (wholeWords > 1) {
        const kind = hasSlash ? KIND.path : KIND.compound;
        total = put(tokens, total, vocabulary.numberOf(wholeEnd, kind));
        if (hasSlash && partWords > 1)
          total = put(tokens, total, vocabulary.numberOf(partEnd, KIND.compound));
      } else if (wholeWords === 1 && joiners > 0 && lastLength > 2 && joiners !== HYPHEN)
        // `/etc`, `./todo`, `--flag`: other than the bare word.
        total = put(
          tokens,
          total,
          vocabulary.numberOf(Math.imul(lastHash ^ joiners, PRIME), KIND.path),
        );
    }

    let mark = 0;
    const segment = segments[nextSegment];
    if (segment && segment.start <= start) {
      speaker = segment.speaker;
      if (segment.hasHeader) mark |= MARK.header;
      if (segment.startsTurn) mark |= MARK.turn;
      // A block that a cut message left open does not reach into the next.
      isFenced = false;
      while ((segments[nextSegment]?.start ?? length) <= start) nextSegment++;
    }
    if (first < 0 && limit === end) {
      mark |= MARK.blank;
      print = 0;
      shape = 0;
    } else {
      if (limit < end) print = shape = longLinePrint(text, print, limit, end);
      if ((found & WORD_ERROR) !== 0) mark |= MARK.error;
      if (text.charCodeAt(first) === 96 && text.startsWith('```', first)) {
        mark |= MARK.fence;
        isFenced = !isFenced;
      }
    }
    if (isFenced) mark |= MARK.fenced;
    marks[count] = mark;
    speakers[count] = speaker;
    prints[count] = print;
    shapes[count] = shape;
    start = end + 1;
  }
  starts[count] = length;
  tokensFrom[count] = total;
  return {
    count,
    starts,
    tokensFrom,
    tokens,
    tokenTotal: total,
    prints,
    shapes,
    marks,
    speakers,
    kinds: vocabulary.kinds,
    asked: vocabulary.asked,
    tokenCount: vocabulary.count,
  };
}

/** Room for `count` entries per `read` characters, at this rate to the end and a little more. */
function sizeFor(count: number, read: number, length: number): number {
  const likely = (count / Math.max(1, read)) * length * 1.1;
  return Math.ceil(Math.max(count * 1.25, Math.min(likely, count * 16)));
}

function put(tokens: Int32Array, at: number, token: number): number {
  if (token < 0) return at;
  tokens[at] = token;
  return at + 1;
}

/** One of {@link KIND}, or 0 for a plain word. */
function kindOf(seen: number, size: number, camel: boolean, beyondHex: boolean): number {
  if (seen === 1 << DIGIT) return size > 2 ? KIND.number : 0;
  const hasDigit = (seen & (1 << DIGIT)) !== 0;
  if (hasDigit && size > 6 && seen === ((1 << DIGIT) | (1 << LOWER)) && !beyondHex) return KIND.hex;
  if (size < 4) return 0;
  if (camel || hasDigit) return KIND.name;
  if ((seen & (1 << UNDERSCORE)) !== 0) return seen === 1 << UNDERSCORE ? 0 : KIND.name;
  return seen === 1 << UPPER && size > 4 ? KIND.name : 0;
}

function digitBlindHash(text: string, start: number, end: number): number {
  let hash = SEED;
  let isDigit = false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const wasDigit = isDigit;
    isDigit = code >= 48 && code <= 57;
    if (!isDigit) hash = Math.imul(hash ^ code, PRIME);
    else if (!wasDigit) hash = Math.imul(hash ^ 48, PRIME);
  }
  return hash;
}

/** Tells lines apart whose scanned starts are equal, without reading all of them. */
function longLinePrint(text: string, print: number, limit: number, end: number): number {
  const step = Math.max(1, (end - limit) >> 8);
  let hash = Math.imul(print ^ (end - limit), PRIME);
  for (let at = limit; at < end; at += step) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  return hash;
}
