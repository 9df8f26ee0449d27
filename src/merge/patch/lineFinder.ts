import { AnchorFinder } from './anchors';

/** How lines were compared: exactly (0), without trailing whitespace (1), or trimmed (2). */
export type Closeness = 0 | 1 | 2;

const normalizers: readonly ((line: string) => string)[] = [
  line => line,
  line => line.trimEnd(),
  line => line.trim(),
];
/** Limit for places; with more, the meant one cannot be determined anyway. */
const maxPlaces = 500;
const maxVoters = 40;
/** Up to this many comparisons per line, comparing at each place is faster than one pass with a table. */
const onePassThreshold = 8;
/** Limit for comparisons in the search for nearly equal places; real edits need far fewer. */
const maxComparisons = 5_000_000;

export interface FoundLines {
  readonly places: readonly number[];
  readonly closeness: Closeness;
}

/** Finds runs of lines in a text. */
export class LineFinder {
  readonly lines: readonly string[];
  #text: string | undefined;
  #anchors: AnchorFinder | undefined;
  #rowsByKey: Map<string, number[]> | undefined;
  readonly #keys: (readonly string[])[] = [];
  readonly #rows: Map<string, number[]>[] = [];

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  /** All lines, joined by '\n'. */
  get text(): string {
    return (this.#text ??= this.lines.join('\n'));
  }

  get anchors(): AnchorFinder {
    return (this.#anchors ??= new AnchorFinder(this.lines));
  }

  /** Finds the lines exactly, else without trailing whitespace, else with other indentation. */
  find(wanted: readonly string[]): FoundLines {
    if (wanted.length > this.lines.length) {
      return { places: [], closeness: 2 };
    }
    for (const closeness of [0, 1, 2] as const) {
      const places = this.#placesOf(wanted, closeness);
      if (places.length > 0) {
        return { places, closeness };
      }
    }
    return { places: [], closeness: 2 };
  }

  /** The rows whose lines are equal to a text without any blanks. */
  rowsWithKey(key: string): readonly number[] {
    if (!this.#rowsByKey) {
      this.#rowsByKey = new Map();
      for (const [row, line] of this.lines.entries()) {
        const own = line.replace(/\s+/g, '');
        const rows = this.#rowsByKey.get(own);
        if (rows) rows.push(row);
        else this.#rowsByKey.set(own, [row]);
      }
    }
    return this.#rowsByKey.get(key) ?? [];
  }

  /** Finds places with all but a few of the lines; `mustStand` says which ones must not be missing. */
  findNearly(
    wanted: readonly string[],
    mustStand: readonly boolean[],
    maxMissing: number,
  ): FoundLines {
    const votes = new Map<number, number>();
    const rows = this.#rowsBy(2);
    const keys = wanted.map(line => line.trim());
    for (const [offset, key] of keys.slice(0, maxVoters).entries()) {
      for (const row of (rows.get(key) ?? []).slice(0, maxPlaces)) {
        votes.set(row - offset, (votes.get(row - offset) ?? 0) + 1);
      }
    }
    const text = this.#keysBy(2);
    let compared = 0;
    const isNear = (at: number): boolean => {
      let missing = 0;
      for (let offset = 0; offset < keys.length && missing <= maxMissing; offset++) {
        compared++;
        if (text[at + offset] !== keys[offset]) {
          missing += mustStand[offset] ? Infinity : 1;
        }
      }
      return missing <= maxMissing;
    };
    const least = Math.min(keys.length, maxVoters) - maxMissing;
    const places = [...votes]
      .filter(([at, count]) => count >= least && compared < maxComparisons && isNear(at))
      .map(([at]) => at)
      .sort((a, b) => a - b);
    return { places, closeness: 2 };
  }

  #placesOf(wanted: readonly string[], closeness: Closeness): number[] {
    const keys = wanted.map(line => normalizers[closeness]?.(line) ?? line);
    const rows = this.#rowsBy(closeness);
    let rarest = 0;
    for (const [offset, key] of keys.entries()) {
      const count = rows.get(key)?.length ?? 0;
      if (count === 0) {
        return [];
      }
      if (count < (rows.get(keys[rarest] ?? '')?.length ?? 0)) {
        rarest = offset;
      }
    }
    const text = this.#keysBy(closeness);
    const starts = rows.get(keys[rarest] ?? '') ?? [];
    if (starts.length * keys.length > onePassThreshold * (text.length + keys.length)) {
      return placesInOnePass(text, keys);
    }
    const places: number[] = [];
    for (const row of starts) {
      const at = row - rarest;
      if (at >= 0 && keys.every((key, offset) => text[at + offset] === key)) {
        places.push(at);
      }
      if (places.length >= maxPlaces) {
        break;
      }
    }
    return places;
  }

  #keysBy(closeness: Closeness): readonly string[] {
    return (this.#keys[closeness] ??= this.lines.map(
      line => normalizers[closeness]?.(line) ?? line,
    ));
  }

  #rowsBy(closeness: Closeness): Map<string, number[]> {
    const present = this.#rows[closeness];
    if (present) {
      return present;
    }
    const rows = new Map<string, number[]>();
    for (const [row, key] of this.#keysBy(closeness).entries()) {
      const found = rows.get(key);
      if (found) {
        found.push(row);
      } else {
        rows.set(key, [row]);
      }
    }
    this.#rows[closeness] = rows;
    return rows;
  }
}

/**
 * Finds the lines in linear time, however repetitive both texts are: the Knuth-Morris-Pratt algorithm over lines.
 */
function placesInOnePass(text: readonly string[], wanted: readonly string[]): number[] {
  // The length of the longest prefix of `wanted` that is also a suffix of the lines up to here.
  const borders = new Uint32Array(wanted.length);
  for (let at = 1, length = 0; at < wanted.length; at++) {
    while (length > 0 && wanted[at] !== wanted[length]) length = borders[length - 1] ?? 0;
    if (wanted[at] === wanted[length]) length++;
    borders[at] = length;
  }
  const places: number[] = [];
  let matched = 0;
  for (let row = 0; row < text.length && places.length < maxPlaces; row++) {
    while (matched > 0 && text[row] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (text[row] === wanted[matched]) matched++;
    if (matched === wanted.length) {
      places.push(row - matched + 1);
      matched = borders[matched - 1] ?? 0;
    }
  }
  return places;
}
