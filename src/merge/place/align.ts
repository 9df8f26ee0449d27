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
  /** Cost of deleting all lines before a position. */
  readonly #deletion: Float64Array;
  /** The same, read from the end of the file. */
  readonly #mirroredDeletion: Float64Array;

  constructor(file: FileIndex, blocks: readonly Block[]) {
    this.#file = file;
    const shown = new Uint8Array(file.idCount);
    for (const { ids } of blocks) for (const id of ids) shown[id] = 1;
    this.#matcher = new Matcher(file, shown);
    const deletion = new Float64Array(file.count + 1);
    for (let at = 0; at < file.count; at++) {
      const id = file.ids[at] ?? 0;
      const cost = file.isFiller(id) ? COST.deleteFiller : COST.deleteLine;
      deletion[at + 1] = (deletion[at] ?? 0) + (shown[id] ? COST.deleteMovedLine : cost);
    }
    const all = deletion[file.count] ?? 0;
    this.#deletion = deletion;
    this.#mirroredDeletion = deletion.map((_, at) => all - (deletion[file.count - at] ?? 0));
  }

  /** All plausible places of a block, in no order. See {@link Matcher.matchesOf} for `thorough`. */
  placesOf(block: Block, thorough: boolean): Place[] {
    const { count } = this.#file;
    const rows = block.ids.length;
    const matches = this.#matcher.matchesOf(block, thorough);
    const head = edgeOf(block, matches, this.#file, 1);
    const tail = edgeOf(block, matches, this.#file, -1);
    const ends = walk(matches, rows, this.#deletion, head, tail);
    // Read backwards, the ends are starts.
    const starts = walk(
      mirrored(matches, rows, count),
      rows,
      this.#mirroredDeletion,
      mirroredEdge(tail),
      mirroredEdge(head),
    );
    const best = ends.score.reduce((most, score) => Math.max(most, score), -Infinity);
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
  readonly score: Float64Array;
  readonly start: Int32Array;
  readonly loose: Uint8Array;
}

/**
 * The best alignments of all rows with any stretch of the file. A row that matches no line is an
 * insertion and costs nothing; lines between two matched ones that no row matches are deleted.
 */
function walk(
  { starts, at, worth }: Matches,
  rows: number,
  deletion: Float64Array,
  head: Edge,
  tail: Edge,
): Ends {
  const count = deletion.length - 1;
  const ends: Ends = {
    score: new Float64Array(count).fill(-Infinity),
    start: new Int32Array(count),
    loose: new Uint8Array(count),
  };
  // Of the best alignment that ends with each match: its score, its start, whether its head is loose.
  const score = new Float64Array(at.length);
  const origin = new Int32Array(at.length);
  const loose = new Uint8Array(at.length);
  // The best match so far at each position of the file, and its row.
  const latest = new Int32Array(count).fill(-1);
  const latestRow = new Int32Array(count).fill(-1);
  const deleting = new PrefixMaximum(count);
  for (let row = 0; row < rows; row++) {
    const from = starts[row] ?? 0;
    const to = starts[row + 1] ?? 0;
    for (let k = from; k < to; k++) {
      const place = at[k] ?? 0;
      const isFirst = row === 0;
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
      score[k] = best + (worth[k] ?? 0);
      origin[k] = before < 0 ? place : (origin[before] ?? 0);
      loose[k] = before < 0 ? (isFirst && head.isExact ? 0 : 1) : (loose[before] ?? 0);
      const isLast = row === rows - 1;
      const whole = (score[k] ?? 0) + (isLast ? (tail.worth[k - from] ?? 0) : -EDGE.missing);
      if (whole > (ends.score[place] ?? 0)) {
        ends.score[place] = whole;
        ends.start[place] = origin[k] ?? 0;
        ends.loose[place] = (loose[k] ?? 0) + (isLast && tail.isExact ? 0 : 1);
      }
    }
    for (let k = from; k < to; k++) {
      const place = at[k] ?? 0;
      const old = latest[place] ?? -1;
      if (old < 0 || (score[k] ?? 0) >= (score[old] ?? 0) - COST.breakRun) {
        latest[place] = k;
        latestRow[place] = row;
      }
      deleting.add(place, k, (score[k] ?? 0) + (deletion[place + 1] ?? 0));
    }
  }
  return ends;
}

/** A Fenwick tree: which entry before a position has the highest value. */
class PrefixMaximum {
  readonly #entry: Int32Array;
  readonly #value: Float64Array;

  constructor(size: number) {
    this.#entry = new Int32Array(size + 1).fill(-1);
    this.#value = new Float64Array(size + 1).fill(-Infinity);
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
      if ((this.#value[node] ?? 0) > most) {
        most = this.#value[node] ?? 0;
        best = this.#entry[node] ?? -1;
      }
    }
    return best;
  }
}

/** The same matches read from the end of the file and of the block. */
function mirrored({ starts, at, worth }: Matches, rows: number, count: number): Matches {
  const total = at.length;
  return {
    starts: Int32Array.from({ length: rows + 1 }, (_, row) => total - (starts[rows - row] ?? 0)),
    at: at.map((_, k) => count - 1 - (at[total - 1 - k] ?? 0)),
    worth: worth.toReversed(),
  };
}
