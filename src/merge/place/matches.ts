import { LinePattern, SIMILAR } from '../similarity';
import type { Block } from './block';
import { EDGE, WORTH } from './costs';
import { declaredName } from './declared';
import type { FileIndex } from './fileIndex';

/** The pairs of a block's rows and the lines of the file that they may stand for. */
export interface Matches {
  /** Row r has the entries `starts[r]` to `starts[r + 1]`, in file order. */
  readonly starts: Int32Array;
  /** Positions in the file. */
  readonly at: Int32Array;
  readonly worth: Float64Array;
}

/** Pairs of equal lines per merge; beyond it, lines that stand in many places are passed over. */
const MAX_EQUAL = 300_000;
const MANY_PLACES = 64;
/** Characters times table words compared for similarity per merge; about 10 ms. */
const MAX_COMPARED = 2_000_000;
/** Shorter lines are similar to too many. */
const MIN_LENGTH = 3;

/** Finds for each row of a block the lines of the file that equal it or have become it. */
export class Matcher {
  readonly #file: FileIndex;
  /** Positions of the lines that the snippet does not show, so that they may have become others. */
  readonly #unshown: Int32Array;
  readonly #lengths: Int32Array;
  #equal = 0;
  #compared = 0;

  /** @param shown 1 for the id of each line that the snippet shows. */
  constructor(file: FileIndex, shown: Uint8Array) {
    this.#file = file;
    const { ids } = file;
    const unshown: number[] = [];
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] ?? 0;
      if (!shown[id] && !file.isFiller(id)) unshown.push(at);
    }
    this.#unshown = Int32Array.from(unshown);
    this.#lengths = this.#unshown.map(at => file.textOf(ids[at] ?? 0).length);
  }

  /** @param thorough compares every new line with the file, not only the first and the last row. */
  matchesOf({ ids, indents }: Block, thorough: boolean): Matches {
    const file = this.#file;
    const starts = new Int32Array(ids.length + 1);
    const at: number[] = [];
    const worth: number[] = [];
    for (const [row, id] of ids.entries()) {
      const places = file.placesOf(id);
      const depth = Math.min(row, ids.length - 1 - row);
      const factor = depth < EDGE.rows ? 1 : EDGE.inner;
      const indent = indents[row] ?? 0;
      const isFiller = file.isFiller(id);
      const isPassedOver = this.#equal > MAX_EQUAL && places.length > MANY_PLACES;
      if (places.length > 0 && !isPassedOver) {
        const value = factor * (isFiller ? WORTH.filler : WORTH.line + WORTH.rare / places.length);
        const moved = value * (isFiller ? WORTH.movedFiller : WORTH.moved);
        this.#equal += places.length;
        for (const place of places) {
          at.push(place);
          worth.push(file.indents[place] === indent ? value : moved);
        }
      } else if (!isFiller && (thorough || depth === 0)) {
        this.#forSimilar(id, thorough, (place, value, isNamed) => {
          at.push(place);
          const kept = file.indents[place] === indent ? 1 : WORTH.movedSimilar;
          worth.push(value * kept * (isNamed ? 1 : factor));
        });
      }
      starts[row + 1] = at.length;
    }
    return { starts, at: Int32Array.from(at), worth: Float64Array.from(worth) };
  }

  /** Calls with the lines that a new line may be a form of; `isNamed` when both declare one name. */
  #forSimilar(
    id: number,
    thorough: boolean,
    onSimilar: (place: number, value: number, isNamed: boolean) => void,
  ): void {
    const file = this.#file;
    const text = file.textOf(id);
    if (text.length < MIN_LENGTH || this.#compared > MAX_COMPARED) return;
    const pattern = new LinePattern(text);
    const { shortest, longest, words } = pattern;
    const name = thorough ? declaredName(text) : undefined;
    for (const [k, place] of this.#unshown.entries()) {
      const length = this.#lengths[k] ?? 0;
      if (length < shortest || length > longest) continue;
      this.#compared += length * words;
      const other = file.textOf(file.ids[place] ?? 0);
      const ratio = pattern.ratio(other);
      if (ratio === 0) continue;
      const otherName = name === undefined ? undefined : declaredName(other);
      if (name !== undefined && otherName === name) {
        onSimilar(place, WORTH.sameName, true);
      } else {
        const share = (ratio - SIMILAR) / (1 - SIMILAR);
        const value = WORTH.similarLow + share * (WORTH.similarHigh - WORTH.similarLow);
        onSimilar(place, otherName === undefined ? value : value * WORTH.otherName, false);
      }
    }
  }
}
