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
    const missing = (at: number): number =>
      keys.reduce((count, key, offset) => {
        const stands = text[at + offset] === key;
        return count + (stands ? 0 : mustStand[offset] ? Infinity : 1);
      }, 0);
    const least = Math.min(keys.length, MOST_VOTERS) - mostMissing;
    const places = [...votes]
      .filter(([at, count]) => count >= least && missing(at) <= mostMissing)
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
    const places: number[] = [];
    for (const row of rows.get(keys[rarest] ?? '') ?? []) {
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
