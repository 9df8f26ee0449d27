/** How closely lines were compared: with all white space, without trailing, without any at the ends. */
export type Closeness = 0 | 1 | 2;

const COMPARE: readonly ((line: string) => string)[] = [
  line => line,
  line => line.trimEnd(),
  line => line.trim(),
];
/** More places than this are as good as none: nobody can tell which is meant. */
const MOST_PLACES = 500;
const MOST_VOTERS = 40;
/** Comparing at each place is quicker than a table until this many comparisons for each line. */
const WORTH_A_TABLE = 8;
/** Comparisons of lines after which nearly equal places are given up: no edit of a person needs as many. */
const MOST_COMPARED = 5_000_000;

export interface Found {
  readonly places: readonly number[];
  readonly closeness: Closeness;
}

/** Finds runs of lines in a text. */
export class LineFinder {
  readonly lines: readonly string[];
  #text: string | undefined;
  readonly #keys: (readonly string[])[] = [];
  readonly #rows: Map<string, number[]>[] = [];

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  /** All lines, joined by '\n'. */
  get text(): string {
    return (this.#text ??= this.lines.join('\n'));
  }

  /** Where the lines stand; when nowhere, then again without trailing white space, then at another indentation. */
  find(wanted: readonly string[]): Found {
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

  /** Where all lines but a few stand; `mustStand` says which may not be missing. */
  findNearly(wanted: readonly string[], mustStand: readonly boolean[], mostMissing: number): Found {
    const votes = new Map<number, number>();
    const rows = this.#rowsBy(2);
    const keys = wanted.map(line => line.trim());
    for (const [offset, key] of keys.slice(0, MOST_VOTERS).entries()) {
      for (const row of (rows.get(key) ?? []).slice(0, MOST_PLACES)) {
        votes.set(row - offset, (votes.get(row - offset) ?? 0) + 1);
      }
    }
    const text = this.#keysBy(2);
    let compared = 0;
    const isNear = (at: number): boolean => {
      let missing = 0;
      for (let offset = 0; offset < keys.length && missing <= mostMissing; offset++) {
        compared++;
        if (text[at + offset] !== keys[offset]) {
          missing += mustStand[offset] ? Infinity : 1;
        }
      }
      return missing <= mostMissing;
    };
    const least = Math.min(keys.length, MOST_VOTERS) - mostMissing;
    const places = [...votes]
      .filter(([at, count]) => count >= least && compared < MOST_COMPARED && isNear(at))
      .map(([at]) => at)
      .sort((a, b) => a - b);
    return { places, closeness: 2 };
  }

  #placesOf(wanted: readonly string[], closeness: Closeness): number[] {
    const keys = wanted.map(line => COMPARE[closeness]?.(line) ?? line);
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
    if (starts.length * keys.length > WORTH_A_TABLE * (text.length + keys.length)) {
      return placesInOnePass(text, keys);
    }
    const places: number[] = [];
    for (const row of starts) {
      const at = row - rarest;
      if (at >= 0 && keys.every((key, offset) => text[at + offset] === key)) {
        places.push(at);
      }
      if (places.length >= MOST_PLACES) {
        break;
      }
    }
    return places;
  }

  #keysBy(closeness: Closeness): readonly string[] {
    return (this.#keys[closeness] ??= this.lines.map(line => COMPARE[closeness]?.(line) ?? line));
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
 * Where the lines stand, in time linear to both texts however much repeats in them: the search of Knuth,
 * Morris and Pratt over lines in place of characters.
 */
function placesInOnePass(text: readonly string[], wanted: readonly string[]): number[] {
  // How many lines at the start of `wanted` are also the last ones up to here.
  const borders = new Uint32Array(wanted.length);
  for (let at = 1, length = 0; at < wanted.length; at++) {
    while (length > 0 && wanted[at] !== wanted[length]) length = borders[length - 1] ?? 0;
    if (wanted[at] === wanted[length]) length++;
    borders[at] = length;
  }
  const places: number[] = [];
  let matched = 0;
  for (let row = 0; row < text.length && places.length < MOST_PLACES; row++) {
    while (matched > 0 && text[row] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (text[row] === wanted[matched]) matched++;
    if (matched === wanted.length) {
      places.push(row - matched + 1);
      matched = borders[matched - 1] ?? 0;
    }
  }
  return places;
}
