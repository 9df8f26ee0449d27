import { lowerBound } from '../../base/sorted';
import { LinePattern, minSimilarity } from '../similarity';
import type { Block } from './block';
import { edgeWorth, lineWorth } from './costs';
import { declaredName } from './declaredName';
import type { FileIndex } from './fileIndex';

/** The pairs of a block's rows and the lines of the file that they may correspond to. */
export class Matches {
  /** Row r has the entries `starts[r]` to `starts[r + 1]`, in file order. */
  readonly starts: number[] = [0];
  /** Positions in the file. */
  readonly at: number[] = [];
  readonly worth: number[] = [];

  get rows(): number {
    return this.starts.length - 1;
  }

  add(place: number, worth: number): void {
    this.at.push(place);
    this.worth.push(worth);
  }

  endRow(): void {
    this.starts.push(this.at.length);
  }
}

/** Limit for pairs of equal lines per merge; beyond it, lines with many occurrences are ignored. */
const maxEqualPairs = 300_000;
export const manyPlaces = 64;
/** A line with more occurrences says nothing by itself, not even at the edge of a block. */
const maxPlaces = 20_000;
/** From so many lines on, common lines count only near rare ones: within `NEAR` lines and the block. */
export const largeFileLines = 1000;
const fewPlaces = 4;
const nearLines = 200;
/** Limit for similarity comparisons per merge, in characters times table words; about 10 ms. */
const maxComparisons = 2_000_000;
/** Shorter lines are similar to too many. */
const minSimilarLength = 3;

/** Ranges of the file around some positions. */
class Windows {
  readonly #centres: readonly number[];
  readonly #reach: number;

  constructor(positions: readonly number[], reach: number) {
    this.#centres = positions.toSorted((a, b) => a - b);
    this.#reach = reach;
  }

  has(position: number): boolean {
    const next = lowerBound(this.#centres, position);
    const below = this.#centres[next - 1] ?? -Infinity;
    const above = this.#centres[next] ?? Infinity;
    return Math.min(position - below, above - position) <= this.#reach;
  }
}

/** Lines of the file: their positions, and where their texts start and end in its codes. */
interface Unshown {
  readonly at: number[];
  readonly from: number[];
  readonly to: number[];
}

/** The lines of the file that are similar to a text. */
interface Similar {
  readonly places: number[];
  readonly ratios: number[];
  /** The work that it took, as {@link maxComparisons} counts it. */
  compared: number;
}

/** How many rows are between a row and the nearer end of its block. */
export const depthOf = (row: number, rows: number): number => Math.min(row, rows - 1 - row);

/** Lines far from both ends of a block say less about its place. */
export const depthFactor = (depth: number): number =>
  depth < edgeWorth.rows ? 1 : edgeWorth.inner;

/** The worth of a line that is in the file `count` times. */
export const equalWorth = (isFiller: boolean, count: number): number =>
  isFiller ? lineWorth.filler : lineWorth.line + lineWorth.rare / count;

/** The factor for a line that is in the file with other indentation. */
export const movedFactor = (isFiller: boolean): number =>
  isFiller ? lineWorth.movedFiller : lineWorth.moved;

/** Finds for each row of a block the lines of the file that equal it or are its old form. */
export class Matcher {
  readonly #file: FileIndex;
  readonly #shown: Uint8Array;
  /** The lines that the snippet does not contain, which may therefore be old forms of its lines. */
  #unshown: Unshown | undefined;
  readonly #similar = new Map<number, Similar>();
  #equal = 0;
  #compared = 0;

  /** @param shown 1 for the id of each line that the snippet shows. */
  constructor(file: FileIndex, shown: Uint8Array) {
    this.#file = file;
    this.#shown = shown;
  }

  /** @param thorough compares every new line with the file, not only the first and the last row. */
  matchesOf({ ids, indents }: Block, thorough: boolean): Matches {
    const file = this.#file;
    const matches = new Matches();
    const windows = this.#windows(ids);
    for (let row = 0; row < ids.length; row++) {
      const id = ids[row] ?? 0;
      const indent = indents[row] ?? 0;
      const places = file.placesOf(id);
      const depth = depthOf(row, ids.length);
      const factor = depthFactor(depth);
      const isFiller = file.isFiller(id);
      if (places.length > 0) {
        const value = factor * equalWorth(isFiller, places.length);
        const moved = value * movedFactor(isFiller);
        const most = depth === 0 ? maxPlaces : manyPlaces;
        const near = places.length <= most ? undefined : windows;
        if (!near && places.length > maxPlaces) {
          matches.endRow();
          continue;
        }
        for (const place of this.#allowed(places)) {
          if (near && !near.has(place)) continue;
          matches.add(place, file.indents[place] === indent ? value : moved);
        }
      } else if (!isFiller && (thorough || depth === 0)) {
        this.#addSimilar(matches, id, indent, factor);
      }
      matches.endRow();
    }
    return matches;
  }

  #allowed(places: readonly number[]): readonly number[] {
    if (this.#equal > maxEqualPairs && places.length > manyPlaces) return [];
    this.#equal += places.length;
    return places;
  }

  /** In a large file, lines with many occurrences count only near the block's rarer lines. */
  #windows(ids: readonly number[]): Windows | undefined {
    const file = this.#file;
    if (file.count < largeFileLines) return undefined;
    const rare = ids
      .filter(id => !file.isFiller(id))
      .map(id => file.placesOf(id))
      .filter(({ length }) => length > 0 && length <= fewPlaces);
    return rare.length > 0 ? new Windows(rare.flat(), 3 * ids.length + nearLines) : undefined;
  }

  /** Adds the lines that may be the old form of a new line. */
  #addSimilar(matches: Matches, id: number, indent: number, factor: number): void {
    const file = this.#file;
    const text = file.textOf(id);
    if (text.length < minSimilarLength || this.#compared > maxComparisons) return;
    let similar = this.#similar.get(id);
    if (!similar) this.#similar.set(id, (similar = this.#findSimilar(text)));
    const { places, ratios } = similar;
    this.#compared += similar.compared;
    if (places.length === 0) return;
    const name = declaredName(text);
    for (const [k, place] of places.entries()) {
      const kept = file.indents[place] === indent ? 1 : lineWorth.movedSimilar;
      const otherName = name && declaredName(file.textOf(file.ids[place] ?? -1));
      matches.add(place, kept * similarWorth(ratios[k] ?? 0, factor, name, otherName));
    }
  }

  #findSimilar(text: string): Similar {
    const { codes } = this.#file;
    const pattern = new LinePattern(text);
    const { minLength, maxLength, words } = pattern;
    const similar: Similar = { places: [], ratios: [], compared: 0 };
    const { at, from, to } = (this.#unshown ??= this.#findUnshown());
    for (let k = 0; k < at.length; k++) {
      const start = from[k] ?? 0;
      const end = to[k] ?? 0;
      if (end - start < minLength || end - start > maxLength) continue;
      similar.compared += (end - start) * words;
      const ratio = pattern.ratioOfCodes(codes, start, end);
      if (ratio === 0) continue;
      similar.places.push(at[k] ?? 0);
      similar.ratios.push(ratio);
    }
    return similar;
  }

  #findUnshown(): Unshown {
    const file = this.#file;
    const found: Unshown = { at: [], from: [], to: [] };
    for (let at = 0; at < file.count; at++) {
      const id = file.ids[at] ?? 0;
      if (this.#shown[id] || file.isFiller(id)) continue;
      found.at.push(at);
      found.from.push(file.startOf(id));
      found.to.push(file.endOf(id));
    }
    return found;
  }
}

function similarWorth(
  ratio: number,
  factor: number,
  name: string | undefined,
  otherName: string | undefined,
): number {
  if (name !== undefined && name === otherName) return lineWorth.sameName;
  const share = (ratio - minSimilarity) / (1 - minSimilarity);
  const value = lineWorth.similarLow + share * (lineWorth.similarHigh - lineWorth.similarLow);
  return factor * value * (otherName === undefined ? 1 : lineWorth.otherName);
}
