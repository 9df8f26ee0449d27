/**
 * Finds the files that hold the lines of an edit. Lines are compared by their hashes, so that a workspace of
 * thousands of files is compared in milliseconds once it has been read.
 */

/** One number per line, in the order of the lines; 0 for a blank line. */
export type TextHashes = Int32Array<ArrayBuffer>;

/** What of a text is compared: whole lines, or identifiers where no line of the edit is in any file. */
export type ComparedParts = 'lines' | 'words';

export interface ComparedFile {
  /** With '/'. */
  readonly path: string;
}

export interface HoldingFile<File> {
  readonly file: File;
  /** Share of what the files know of the edit, 0 to 1; what few files hold counts more. */
  readonly score: number;
  /** Number of parts of the edit that no other file holds. */
  readonly alone: number;
  /** Whether a file with the same name holds some of the edit too. */
  readonly hasNamesake: boolean;
  /** 0-based place among the parts of the file: the one that says most. */
  readonly at: number;
  /** Number of parts of the file. */
  readonly length: number;
}

const newline = 10;
const carriageReturn = 13;
const space = 32;
/** The prime of the 32-bit FNV-1a hash. */
const prime = 0x01000193;

const encoder = new TextEncoder();

/** Reused between calls, because most of what is read is needed for its hashes only. */
let scratch = new Int32Array(1 << 16);

function scratchFor(bytes: Uint8Array): Int32Array<ArrayBuffer> {
  if (scratch.length <= bytes.length) scratch = new Int32Array(bytes.length * 2);
  return scratch;
}

/** @param bytes text in UTF-8. */
export function hashesOf(bytes: Uint8Array, parts: ComparedParts): TextHashes {
  return parts === 'lines' ? hashLines(bytes) : hashWords(bytes);
}

/** Hashes of the lines without white space at their ends. */
function hashLines(bytes: Uint8Array): TextHashes {
  const hashes = scratchFor(bytes);
  const { length } = bytes;
  let count = 0;
  let hash = 0;
  /** The hash up to the last character that is not white space. */
  let kept = 0;
  for (let at = byteOrderMarkLength(bytes); at < length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte > space) {
      hash = Math.imul(hash ^ byte, prime);
      kept = hash;
    } else if (byte === newline || byte === carriageReturn) {
      hashes[count++] = kept;
      hash = 0;
      kept = 0;
      if (byte === carriageReturn && bytes[at + 1] === newline) at++;
    } else if (hash !== 0) hash = Math.imul(hash ^ byte, prime);
  }
  hashes[count++] = kept;
  return hashes.slice(0, count);
}

function byteOrderMarkLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Shorter words are in all files. */
const minWordLength = 4;

/** Hashes of the words that do not begin with a digit. */
function hashWords(bytes: Uint8Array): TextHashes {
  const hashes = scratchFor(bytes);
  let count = 0;
  let hash = 0;
  let start = 0;
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (isWordByte(byte)) {
      if (hash === 0) start = at;
      hash = Math.imul(hash ^ byte, prime);
    } else if (hash !== 0) {
      if (at - start >= minWordLength && !isDigit(bytes[start] ?? 0)) hashes[count++] = hash;
      hash = 0;
    }
  }
  return hashes.slice(0, count);
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
/** Letters, digits, `_`, `$`, and all of what is not ASCII. */
const isWordByte = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  isDigit(byte) ||
  byte === 0x5f ||
  byte === 0x24 ||
  byte >= 0x80;

/** Bits of a hash by which most parts of a file are told from the wanted ones before they are looked up. */
const filterMask = 0xffff;

interface Hits<File> {
  readonly file: File;
  /** By the index of the wanted part: where the file holds it first. */
  readonly places: ReadonlyMap<number, number>;
  readonly length: number;
}

/** Words tell a file if it has this share of those of the edit, and some that most files do not have. */
const minWordShare = 0.5;
const minRareWords = 3;
const rareShare = 0.25;

export class ContentLookup<File extends ComparedFile> {
  readonly #parts: ComparedParts;
  /** Index of a wanted part by its hash. */
  readonly #wanted = new Map<number, number>();
  readonly #filter = new Uint8Array(filterMask + 1);
  #hits: Hits<File>[] = [];
  #files = 0;

  /** @param shown lines that the edit shows of its file. */
  constructor(shown: readonly string[], parts: ComparedParts) {
    this.#parts = parts;
    const text = encoder.encode((parts === 'lines' ? tellingLines(shown) : shown).join('\n'));
    for (const hash of hashesOf(text, parts)) {
      if (hash === 0 || this.#wanted.has(hash)) continue;
      this.#wanted.set(hash, this.#wanted.size);
      this.#filter[hash & filterMask] = 1;
    }
  }

  add(file: File, hashes: TextHashes): void {
    this.#files++;
    let places: Map<number, number> | undefined;
    for (let at = 0; at < hashes.length; at++) {
      const hash = hashes[at] ?? 0;
      if (this.#filter[hash & filterMask] === 0) continue;
      const index = this.#wanted.get(hash);
      if (index === undefined || places?.has(index)) continue;
      places ??= new Map();
      places.set(index, at);
    }
    if (places) this.#hits.push({ file, places, length: hashes.length });
  }

  /** Forgets files, so that a copy among them makes no line common. */
  drop(files: ReadonlySet<File>): void {
    this.#hits = this.#hits.filter(({ file }) => !files.has(file));
  }

  /** The score of each file that holds a part of the edit, in the order in which they were added. */
  scores(): Map<File, number> {
    const { weights, all } = this.#weights(this.#holders());
    return new Map(
      this.#hits.map(({ file, places }) => {
        const sum = [...places.keys()].reduce((held, index) => held + (weights[index] ?? 0), 0);
        return [file, all === 0 ? 0 : sum / all];
      }),
    );
  }

  /**
   * Files with at least one part of the edit, the best first. Of equally good ones, the shorter is first:
   * a bundle holds the lines of all its sources.
   */
  ranked(): HoldingFile<File>[] {
    const holders = this.#holders();
    const { weights, all } = this.#weights(holders);
    const found = this.#telling(holders).map(({ file, places, length }) => {
      let sum = 0;
      let alone = 0;
      let best = { weight: 0, at: 0 };
      for (const [index, at] of places) {
        const weight = weights[index] ?? 0;
        sum += weight;
        if (holders[index] === 1) alone++;
        if (weight > best.weight) best = { weight, at };
      }
      return { file, score: sum / all, alone, at: best.at, length };
    });
    const names = new Map<string, number>();
    for (const { file, score } of found) {
      if (score < minNamesakeScore) continue;
      const name = plainName(file.path);
      names.set(name, (names.get(name) ?? 0) + 1);
    }
    return found
      .map(one => ({ ...one, hasNamesake: (names.get(plainName(one.file.path)) ?? 0) > 1 }))
      .sort((a, b) => rankOf(b) - rankOf(a));
  }

  /** By the index of the wanted part: how much it says. What no file holds says nothing, because it may be new. */
  #weights(holders: readonly number[]): {
    readonly weights: readonly number[];
    readonly all: number;
  } {
    const weights = holders.map(count => (count === 0 ? 0 : Math.log(1 + this.#files / count)));
    return { weights, all: weights.reduce((sum, weight) => sum + weight, 0) };
  }

  /** A line is enough, but some words of the edit are in every file. */
  #telling(holders: readonly number[]): readonly Hits<File>[] {
    if (this.#parts === 'lines') return this.#hits;
    const most = Math.max(1, rareShare * this.#files);
    return this.#hits.filter(({ places }) => {
      const rare = [...places.keys()].filter(index => (holders[index] ?? 0) <= most);
      return places.size >= minWordShare * this.#wanted.size && rare.length >= minRareWords;
    });
  }

  /** By the index of the wanted part: how many files hold it. */
  #holders(): number[] {
    const holders = Array.from(this.#wanted, () => 0);
    for (const { places } of this.#hits) {
      for (const index of places.keys()) holders[index] = (holders[index] ?? 0) + 1;
    }
    return holders;
  }
}

/** The files that hold some of the lines of an edit, the best first. */
export function holdersAmong(
  texts: readonly { readonly path: string; readonly text: string }[],
  shown: readonly string[],
): HoldingFile<ComparedFile>[] {
  const lookup = new ContentLookup<ComparedFile>(shown, 'lines');
  for (const { path, text } of texts) lookup.add({ path }, hashesOf(encoder.encode(text), 'lines'));
  return lookup.ranked();
}

/** A file of the same name with less of the edit than that has nothing to do with it. */
const minNamesakeScore = 0.03;

/** The letters of a file's name without its extensions: copies of a file differ in the rest. */
export function plainName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [stem = ''] = name.split('.', 1);
  return plainLetters(stem) || name;
}

/** A name in small letters, without the signs between its words. */
export const plainLetters = (name: string): string =>
  name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();

const rankOf = ({ score, length }: { readonly score: number; readonly length: number }): number =>
  score - sizeCost(length);

/** Decides between files that hold the same lines. */
export const sizeCost = (length: number): number => 0.02 * Math.log(length + 1);

/** Lines with fewer letters and digits are in all files: `}`, `end`. */
const minLetters = 4;

/** Lines that tell files apart; of a tiny edit, all of its text. */
export function tellingLines(shown: readonly string[]): string[] {
  const long = shown.filter(line => lettersIn(line) >= minLetters);
  return long.length > 0 ? long : shown.filter(line => lettersIn(line) > 0);
}

const lettersIn = (line: string): number => line.match(/[\p{L}\p{N}_]/gu)?.length ?? 0;
