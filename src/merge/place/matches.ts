import { LinePattern, SIMILAR } from '../similarity';
import { lowerBound } from '../sorted';
import type { Block } from './block';
import { EDGE, WORTH } from './costs';
import { declaredName } from './declared';
import type { FileIndex } from './fileIndex';

/** The pairs of a block's rows and the lines of the file that they may stand for. */
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

  /** The same matches read from the end of the block and of the file, which has `count` lines. */
  mirrored(count: number): Matches {
    const result = new Matches();
    for (let row = this.rows - 1; row >= 0; row--) {
      const from = this.starts[row] ?? 0;
      for (let k = (this.starts[row + 1] ?? 0) - 1; k >= from; k--) {
        result.add(count - 1 - (this.at[k] ?? 0), this.worth[k] ?? 0);
      }
      result.endRow();
    }
    return result;
  }
}

/** Pairs of equal lines per merge; beyond it, lines that stand in many places are passed over. */
const MAX_EQUAL = 300_000;
const MANY_PLACES = 64;
/** A line that stands in more places tells nothing by itself, not even at the edge of a block. */
const MOST_PLACES = 20_000;
/** From so many lines on, common lines count only near rare ones: within `NEAR` lines and the block. */
const LARGE_FILE = 1000;
const FEW_PLACES = 4;
const NEAR = 200;
/** Characters times table words compared for similarity per merge; about 10 ms. */
const MAX_COMPARED = 2_000_000;
/** Shorter lines are similar to too many. */
const MIN_LENGTH = 3;

/** Stretches of the file round some positions. */
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

/** Finds for each row of a block the lines of the file that equal it or have become it. */
export class Matcher {
  readonly #file: FileIndex;
  readonly #shown: Uint8Array;
  /** Positions of the lines that the snippet does not show, so that they may have become others. */
  #unshown: { at: number; text: string }[] | undefined;
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
      const depth = Math.min(row, ids.length - 1 - row);
      const factor = depth < EDGE.rows ? 1 : EDGE.inner;
      const isFiller = file.isFiller(id);
      if (places.length > 0) {
        const value = factor * (isFiller ? WORTH.filler : WORTH.line + WORTH.rare / places.length);
        const moved = value * (isFiller ? WORTH.movedFiller : WORTH.moved);
        const most = depth === 0 ? MOST_PLACES : MANY_PLACES;
        const near = places.length <= most ? undefined : windows;
        if (!near && places.length > MOST_PLACES) {
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
    if (this.#equal > MAX_EQUAL && places.length > MANY_PLACES) return [];
    this.#equal += places.length;
    return places;
  }

  /** In a large file, lines that stand in many places count only near the block's rarer lines. */
  #windows(ids: readonly number[]): Windows | undefined {
    const file = this.#file;
    if (file.count < LARGE_FILE) return undefined;
    const rare = ids
      .filter(id => !file.isFiller(id))
      .map(id => file.placesOf(id))
      .filter(({ length }) => length > 0 && length <= FEW_PLACES);
    return rare.length > 0 ? new Windows(rare.flat(), 3 * ids.length + NEAR) : undefined;
  }

  /** Adds the lines that a new line may be a form of. */
  #addSimilar(matches: Matches, id: number, indent: number, factor: number): void {
    const file = this.#file;
    const text = file.textOf(id);
    if (text.length < MIN_LENGTH || this.#compared > MAX_COMPARED) return;
    const pattern = new LinePattern(text);
    const { shortest, longest, words } = pattern;
    const name = declaredName(text);
    this.#unshown ??= this.#findUnshown();
    for (const { at: place, text: other } of this.#unshown) {
      if (other.length < shortest || other.length > longest) continue;
      this.#compared += other.length * words;
      const ratio = pattern.ratio(other);
      if (ratio === 0) continue;
      const kept = file.indents[place] === indent ? 1 : WORTH.movedSimilar;
      matches.add(place, kept * similarWorth(ratio, factor, name, name && declaredName(other)));
    }
  }

  #findUnshown(): { at: number; text: string }[] {
    const file = this.#file;
    const found: { at: number; text: string }[] = [];
    for (let at = 0; at < file.count; at++) {
      const id = file.ids[at] ?? 0;
      if (!this.#shown[id] && !file.isFiller(id)) found.push({ at, text: file.textOf(id) });
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
  if (name !== undefined && name === otherName) return WORTH.sameName;
  const share = (ratio - SIMILAR) / (1 - SIMILAR);
  const value = WORTH.similarLow + share * (WORTH.similarHigh - WORTH.similarLow);
  return factor * value * (otherName === undefined ? 1 : WORTH.otherName);
}
