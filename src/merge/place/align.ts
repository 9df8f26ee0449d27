import type { Block } from './block';
import { COST, EDGE, LIMIT } from './costs';
import { type Edge, edgeOf, mirroredEdge } from './edges';
import type { FileIndex } from './fileIndex';
import { Matcher, type Matches } from './matches';

/** Positions `start` to `end` (half-open) of the file that a section replaces, and how well that fits. */
export interface Place {
  readonly start: number;
  readonly end: number;
  score: number;
  /** How many of its two edges are not a line of the file as shown, but a similar or a new one. */
  readonly loose: number;
}

/** Places blocks in a file; made once per merge. */
export class Aligner {
  readonly #file: FileIndex;
  readonly #matcher: Matcher;
  readonly #forward: Walk;
  /** Reads the file and the blocks from their ends. */
  readonly #backward: Walk;

  constructor(file: FileIndex, blocks: readonly Block[]) {
    this.#file = file;
    const shown = new Uint8Array(file.idCount);
    for (const { ids } of blocks) for (const id of ids) shown[id] = 1;
    this.#matcher = new Matcher(file, shown);
    const deletion = zeros(file.count + 1);
    for (let at = 0; at < file.count; at++) {
      const id = file.ids[at] ?? 0;
      const cost = file.isFiller(id) ? COST.deleteFiller : COST.deleteLine;
      deletion[at + 1] = (deletion[at] ?? 0) + (shown[id] ? COST.deleteMovedLine : cost);
    }
    const mirrored = zeros(file.count + 1);
    const all = deletion[file.count] ?? 0;
    for (let at = 0; at <= file.count; at++) mirrored[at] = all - (deletion[file.count - at] ?? 0);
    this.#forward = new Walk(deletion);
    this.#backward = new Walk(mirrored);
  }

  /** All plausible places of a block, in no order. See {@link Matcher.matchesOf} for `thorough`. */
  placesOf(block: Block, thorough: boolean): Place[] {
    const { count } = this.#file;
    const matches = this.#matcher.matchesOf(block, thorough);
    const head = edgeOf(block, matches, this.#file, 1);
    const tail = edgeOf(block, matches, this.#file, -1);
    const ends = this.#forward.run(matches, head, tail);
    // Read backwards, the ends are starts.
    const starts = this.#backward.run(
      matches.mirrored(count),
      mirroredEdge(tail),
      mirroredEdge(head),
    );
    let best = -Infinity;
    for (let at = 0; at < count; at++) best = Math.max(best, ends.score[at] ?? 0);
    const least = Math.max(LIMIT.least, best - LIMIT.cutoff);
    const places: Place[] = [];
    for (let at = 0; at < count; at++) {
      const score = ends.score[at] ?? 0;
      if (score >= least) {
        places.push({ start: ends.start[at] ?? 0, end: at + 1, score, loose: ends.loose[at] ?? 0 });
      }
    }
    for (let at = 0; at < count; at++) {
      const score = starts.score[at] ?? 0;
      const start = count - 1 - at;
      const end = count - (starts.start[at] ?? 0);
      if (score >= least && ends.start[end - 1] !== start) {
        places.push({ start, end, score, loose: starts.loose[at] ?? 0 });
      }
    }
    return places;
  }
}

/** For each position of the file: the best alignment whose last matched line stands there. */
interface Ends {
  /** -Infinity where none ends. */
  readonly score: number[];
  readonly start: number[];
  readonly loose: number[];
}

/**
 * The best alignments of all rows of a block with any stretch of the file. A row that matches no
 * line is an insertion and costs nothing; lines between two matched ones that no row matches are
 * deleted. The tables are made once per merge, and hold the last run.
 */
class Walk {
  /** Cost of deleting all lines before a position. */
  readonly #deletion: number[];
  readonly #ends: Ends;
  /** The best match so far at each position of the file, and its row. */
  readonly #latest: number[];
  readonly #latestRow: number[];
  readonly #deleting: PrefixMaximum;

  constructor(deletion: number[]) {
    const count = deletion.length - 1;
    this.#deletion = deletion;
    this.#ends = {
      score: zeros(count),
      start: zeros(count),
      loose: zeros(count),
    };
    this.#latest = zeros(count);
    this.#latestRow = zeros(count);
    this.#deleting = new PrefixMaximum(count);
  }

  run(matches: Matches, head: Edge, tail: Edge): Ends {
    const { starts, at, worth, rows } = matches;
    const deletion = this.#deletion;
    const ends = this.#ends;
    const latest = this.#latest;
    const latestRow = this.#latestRow;
    const deleting = this.#deleting;
    ends.score.fill(-Infinity);
    latest.fill(-1);
    deleting.clear();
    // Of the best alignment that ends with each match: its score, its start, whether its head is loose.
    const score: number[] = [];
    const origin: number[] = [];
    const loose: number[] = [];
    for (let row = 0; row < rows; row++) {
      const from = starts[row] ?? 0;
      const to = starts[row + 1] ?? 0;
      const isFirst = row === 0;
      const isLast = row === rows - 1;
      for (let k = from; k < to; k++) {
        const place = at[k] ?? 0;
        let best = isFirst ? (head.worth[k - from] ?? 0) : -EDGE.missing;
        let before = -1;
        // The line above is matched, too, by the row above or, after an insertion, by another one.
        const above = place > 0 ? (latest[place - 1] ?? -1) : -1;
        if (above >= 0) {
          const isRun = latestRow[place - 1] === row - 1;
          const value = (score[above] ?? 0) - (isRun ? 0 : COST.breakRun);
          if (value > best) {
            best = value;
            before = above;
          }
        }
        // The lines above are deleted, up to a matched one.
        const far = deleting.before(place - 1);
        if (far >= 0) {
          const lines = (deletion[place] ?? 0) - (deletion[(at[far] ?? 0) + 1] ?? 0);
          const value = (score[far] ?? 0) - lines - COST.openDeletion - COST.breakRun;
          if (value > best) {
            best = value;
            before = far;
          }
        }
        const value = best + (worth[k] ?? 0);
        const start = before < 0 ? place : (origin[before] ?? 0);
        const isLoose = before < 0 ? (isFirst && head.isExact ? 0 : 1) : (loose[before] ?? 0);
        score.push(value);
        origin.push(start);
        loose.push(isLoose);
        const whole = value + (isLast ? (tail.worth[k - from] ?? 0) : -EDGE.missing);
        if (whole > (ends.score[place] ?? 0)) {
          ends.score[place] = whole;
          ends.start[place] = start;
          ends.loose[place] = isLoose + (isLast && tail.isExact ? 0 : 1);
        }
      }
      for (let k = from; k < to; k++) {
        const place = at[k] ?? 0;
        const value = score[k] ?? 0;
        const old = latest[place] ?? -1;
        if (old < 0 || value >= (score[old] ?? 0) - COST.breakRun) {
          latest[place] = k;
          latestRow[place] = row;
        }
        deleting.add(place, k, value + (deletion[place + 1] ?? 0));
      }
    }
    return ends;
  }
}

/** For these sizes plain arrays are made faster than typed ones. */
function zeros(length: number): number[] {
  return new Array<number>(length).fill(0);
}

/** A Fenwick tree: which entry before a position has the highest value. */
class PrefixMaximum {
  readonly #entry: number[];
  readonly #value: number[];

  constructor(size: number) {
    this.#entry = zeros(size + 1);
    this.#value = zeros(size + 1);
  }

  clear(): void {
    this.#entry.fill(-1);
    this.#value.fill(-Infinity);
  }

  add(position: number, entry: number, value: number): void {
    for (let node = position + 1; node < this.#entry.length; node += node & -node) {
      if (value > (this.#value[node] ?? 0)) {
        this.#value[node] = value;
        this.#entry[node] = entry;
      }
    }
  }

  /** The best entry at positions below `position`; -1 when there is none. */
  before(position: number): number {
    let best = -1;
    let most = -Infinity;
    for (let node = position; node > 0; node -= node & -node) {
      const value = this.#value[node] ?? 0;
      if (value > most) {
        most = value;
        best = this.#entry[node] ?? -1;
      }
    }
    return best;
  }
}
