import type { Block } from './block';
import { costs, edgeWorth, limits } from './costs';
import { type Edge, type EdgeFit, edgeOf } from './edges/edges';
import type { FileIndex } from './fileIndex';
import { Matcher, type Matches } from './matches';

/** The positions `start` to `end` (half-open) of the file that a section replaces, and how well that fits. */
export interface BlockPlace {
  readonly start: number;
  readonly end: number;
  score: number;
  readonly head: EdgeFit;
  readonly tail: EdgeFit;
}

/** Finds the places of blocks in a file. Only the one created last can be used, since all share their tables. */
export class Aligner {
  readonly #file: FileIndex;
  /** The first block if the snippet starts without a marker, and the last if it ends without one. */
  readonly #first: Block | undefined;
  readonly #last: Block | undefined;
  readonly #matcher: Matcher;
  /** Cost of deleting all lines before a position. */
  readonly #deletion: Float64Array;
  readonly #forward: AlignmentPass;
  /** Runs over the file and the blocks from their ends. */
  readonly #backward: AlignmentPass;

  constructor(file: FileIndex, blocks: readonly Block[]) {
    this.#file = file;
    this.#first = blocks[0]?.section.markerAbove === undefined ? blocks[0] : undefined;
    this.#last = blocks.at(-1)?.section.markerBelow === undefined ? blocks.at(-1) : undefined;
    const shown = new Uint8Array(file.idCount);
    for (const { ids } of blocks) for (const id of ids) shown[id] = 1;
    this.#matcher = new Matcher(file, shown);
    [this.#forward, this.#backward] = passesFor(file.count);
    const { deletion } = this.#forward;
    deletion[0] = 0;
    for (let at = 0; at < file.count; at++) {
      const id = file.ids[at] ?? 0;
      const cost = file.isFiller(id) ? costs.deleteFiller : costs.deleteLine;
      deletion[at + 1] = (deletion[at] ?? 0) + (shown[id] ? costs.deleteMovedLine : cost);
    }
    const all = deletion[file.count] ?? 0;
    const mirrored = this.#backward.deletion;
    for (let at = 0; at <= file.count; at++) mirrored[at] = all - (deletion[file.count - at] ?? 0);
    this.#deletion = deletion;
  }

  /** All plausible places of a block, in no order. See {@link Matcher.matchesOf} for `thorough`. */
  placesOf(block: Block, thorough: boolean): BlockPlace[] {
    const { count } = this.#file;
    const matches = this.#matcher.matchesOf(block, thorough);
    const head = edgeOf(block, matches, this.#file, 1);
    const tail = edgeOf(block, matches, this.#file, -1);
    const ends = this.#forward.run(count, matches, head, tail, 1);
    // The ends of the backward pass are starts.
    const starts = this.#backward.run(count, matches, tail, head, -1);
    const isFirst = block === this.#first;
    const isLast = block === this.#last;
    if (isLast) ends.reachEnd(at => this.#deletionCost(at + 1, count));
    if (isFirst) starts.reachEnd(at => this.#deletionCost(0, count - 1 - at));
    const least = Math.max(limits.minScore, Math.max(ends.best, starts.best) - limits.cutoff);
    const places: BlockPlace[] = [];
    for (const at of ends.touched) {
      const score = ends.score[at] ?? 0;
      if (score >= least) places.push(ends.placeAt(at, score));
      const open = isLast ? (ends.openScore[at] ?? 0) : -Infinity;
      if (open >= least) places.push(ends.openPlaceAt(at, open, count));
    }
    for (const at of starts.touched) {
      const score = starts.score[at] ?? 0;
      const end = count - (starts.start[at] ?? 0);
      if (score >= least && ends.start[end - 1] !== count - 1 - at) {
        places.push(mirroredPlace(starts.placeAt(at, score), count));
      }
      const open = isFirst ? (starts.openScore[at] ?? 0) : -Infinity;
      if (open >= least) places.push(mirroredPlace(starts.openPlaceAt(at, open, count), count));
    }
    return places;
  }

  #deletionCost(start: number, end: number): number {
    if (start === end) return 0;
    return costs.openDeletion + (this.#deletion[end] ?? 0) - (this.#deletion[start] ?? 0);
  }
}

function mirroredPlace({ start, end, score, head, tail }: BlockPlace, count: number): BlockPlace {
  return { start: count - end, end: count - start, score, head: tail, tail: head };
}

/** A table of fits; lists of strings are faster to write than typed arrays of their indexes. */
function newFits(count: number): EdgeFit[] {
  const fits: EdgeFit[] = [];
  for (let at = 0; at < count; at++) fits.push('new');
  return fits;
}

/** For each position of the file: the best alignment whose last matched line stands there. */
class Ends {
  /** -Infinity where none ends. */
  readonly score: Float64Array;
  readonly start: Int32Array;
  readonly #head: EdgeFit[];
  readonly #tail: EdgeFit[];
  /** Alignments whose last rows are new, without the cost of that. */
  readonly openScore: Float64Array;
  readonly #openStart: Int32Array;
  readonly #openHead: EdgeFit[];
  /** Positions where alignments end. */
  readonly touched: number[] = [];
  best = -Infinity;

  constructor(capacity: number) {
    this.score = new Float64Array(capacity).fill(-Infinity);
    this.start = new Int32Array(capacity);
    this.#head = newFits(capacity);
    this.#tail = newFits(capacity);
    this.openScore = new Float64Array(capacity).fill(-Infinity);
    this.#openStart = new Int32Array(capacity);
    this.#openHead = newFits(capacity);
  }

  clear(): void {
    for (const at of this.touched) {
      this.score[at] = -Infinity;
      this.openScore[at] = -Infinity;
    }
    this.touched.length = 0;
    this.best = -Infinity;
  }

  add(at: number, score: number, start: number, head: EdgeFit, tail: EdgeFit): void {
    const old = this.score[at] ?? 0;
    if (score <= old) return;
    if (old === -Infinity) this.touched.push(at);
    this.score[at] = score;
    this.start[at] = start;
    this.#head[at] = head;
    this.#tail[at] = tail;
    this.best = Math.max(this.best, score);
  }

  addOpen(at: number, score: number, start: number, head: EdgeFit): void {
    if (score <= (this.openScore[at] ?? 0)) return;
    this.openScore[at] = score;
    this.#openStart[at] = start;
    this.#openHead[at] = head;
  }

  /**
   * Without a marker at its end, a snippet extends to the end of the file: its new last lines replace
   * everything below the last known line.
   */
  reachEnd(costBelow: (at: number) => number): void {
    for (const at of this.touched) {
      const score = (this.openScore[at] ?? 0) - costBelow(at);
      this.openScore[at] = score;
      this.best = Math.max(this.best, score);
    }
  }

  placeAt(at: number, score: number): BlockPlace {
    const start = this.start[at] ?? 0;
    const head = this.#head[at] ?? 'new';
    return { start, end: at + 1, score, head, tail: this.#tail[at] ?? 'new' };
  }

  /** The place up to the end of a file with `count` lines. */
  openPlaceAt(at: number, score: number, count: number): BlockPlace {
    const start = this.#openStart[at] ?? 0;
    return { start, end: count, score, head: this.#openHead[at] ?? 'new', tail: 'new' };
  }
}

/** Tables for larger files are not kept. */
const maxKept = 1 << 14;
const minKept = 1 << 10;
let kept: readonly [AlignmentPass, AlignmentPass] | undefined;

/**
 * A forward and a backward pass over a file of `count` lines. They are used again, since making and clearing their tables
 * takes longer than most alignments; each run first resets what the last one wrote.
 */
function passesFor(count: number): readonly [AlignmentPass, AlignmentPass] {
  if (kept && kept[0].capacity >= count) return kept;
  const isKept = count <= maxKept;
  let capacity = isKept ? minKept : count;
  while (capacity < count) capacity *= 2;
  const made = [new AlignmentPass(capacity), new AlignmentPass(capacity)] as const;
  if (isKept) kept = made;
  return made;
}

/**
 * Computes the best alignments of all rows of a block with any range of the file. A row that matches no
 * line is an insertion and costs nothing; lines between two matched ones that no row matches are
 * deleted. The tables contain the result of the last run.
 */
class AlignmentPass {
  /** The most lines that a file can have. */
  readonly capacity: number;
  /** The cost of deleting all lines before a position, counted as the pass does; the aligner sets it. */
  readonly deletion: Float64Array;
  readonly #ends: Ends;
  /** The best match so far at each position of the file, and its row. */
  readonly #latest: Int32Array;
  readonly #latestRow: Int32Array;
  readonly #deleting: PrefixMaximum;
  /** By match: its place, and the score, the start and the fit of the head of the best alignment that ends with it. */
  #places = new Int32Array();
  #score = new Float64Array();
  #origin = new Int32Array();
  #heads: EdgeFit[] = [];

  constructor(capacity: number) {
    this.capacity = capacity;
    this.deletion = new Float64Array(capacity + 1);
    this.#ends = new Ends(capacity);
    this.#latest = new Int32Array(capacity).fill(-1);
    this.#latestRow = new Int32Array(capacity);
    this.#deleting = new PrefixMaximum(capacity);
  }

  /** Resets the entries that the last run wrote. */
  #forget(): void {
    for (const place of this.#ends.touched) {
      this.#latest[place] = -1;
      this.#deleting.clear(place);
    }
    this.#ends.clear();
  }

  /**
   * @param count the number of lines of the file.
   * @param head the edge with which the pass begins.
   * @param step -1 for a pass over the block and the file from their ends: positions count from the end of the file.
   */
  run(count: number, matches: Matches, head: Edge, tail: Edge, step: 1 | -1): Ends {
    const { starts, at, worth, rows } = matches;
    const { deletion } = this;
    const ends = this.#ends;
    const latest = this.#latest;
    const latestRow = this.#latestRow;
    const deleting = this.#deleting;
    this.#forget();
    deleting.size = count;
    this.#reserve(at.length);
    const places = this.#places;
    const score = this.#score;
    const origin = this.#origin;
    const heads = this.#heads;
    let entry = 0;
    for (let nth = 0; nth < rows; nth++) {
      const row = step === 1 ? nth : rows - 1 - nth;
      const from = starts[row] ?? 0;
      const to = starts[row + 1] ?? 0;
      const isFirst = nth === 0;
      const isLast = nth === rows - 1;
      const firstEntry = entry;
      for (let k = step === 1 ? from : to - 1; k >= from && k < to; k += step) {
        const place = step === 1 ? (at[k] ?? 0) : count - 1 - (at[k] ?? 0);
        let best = isFirst ? (head.worth[k - from] ?? 0) : -edgeWorth.missing;
        let before = -1;
        // The line above is matched too, by the row above or, after an insertion, by another one.
        const above = place > 0 ? (latest[place - 1] ?? -1) : -1;
        if (above >= 0) {
          const isRun = latestRow[place - 1] === nth - 1;
          const value = (score[above] ?? 0) - (isRun ? 0 : costs.breakRun);
          if (value > best) {
            best = value;
            before = above;
          }
        }
        // The lines above are deleted, up to a matched one.
        const far = deleting.before(place - 1);
        if (far >= 0) {
          const lines = (deletion[place] ?? 0) - (deletion[(places[far] ?? 0) + 1] ?? 0);
          const value = (score[far] ?? 0) - lines - costs.openDeletion - costs.breakRun;
          if (value > best) {
            best = value;
            before = far;
          }
        }
        const value = best + (worth[k] ?? 0);
        const start = before < 0 ? place : (origin[before] ?? 0);
        const own = isFirst ? head.fits[k - from] : undefined;
        const fit = (before >= 0 ? heads[before] : own) ?? 'new';
        places[entry] = place;
        score[entry] = value;
        origin[entry] = start;
        heads[entry] = fit;
        entry++;
        const whole = value + (isLast ? (tail.worth[k - from] ?? 0) : -edgeWorth.missing);
        ends.add(place, whole, start, fit, (isLast && tail.fits[k - from]) || 'new');
        if (!isLast) ends.addOpen(place, value, start, fit);
      }
      for (let k = firstEntry; k < entry; k++) {
        const place = places[k] ?? 0;
        const value = score[k] ?? 0;
        const old = latest[place] ?? -1;
        if (old < 0 || value >= (score[old] ?? 0) - costs.breakRun) {
          latest[place] = k;
          latestRow[place] = nth;
        }
        deleting.add(place, k, value + (deletion[place + 1] ?? 0));
      }
    }
    return ends;
  }

  /** Makes room for so many matches. */
  #reserve(matches: number): void {
    if (matches <= this.#places.length) return;
    const size = 2 * matches;
    this.#places = new Int32Array(size);
    this.#score = new Float64Array(size);
    this.#origin = new Int32Array(size);
    this.#heads = newFits(size);
  }
}

/** A Fenwick tree: which entry before a position has the highest value. */
class PrefixMaximum {
  readonly #entry: Int32Array;
  readonly #value: Float64Array;
  /** The number of positions; it can only change while there are no entries. */
  size = 0;

  constructor(capacity: number) {
    this.#entry = new Int32Array(capacity + 1).fill(-1);
    this.#value = new Float64Array(capacity + 1).fill(-Infinity);
  }

  /** Removes the entry at a position. */
  clear(position: number): void {
    for (let node = position + 1; node <= this.size; node += node & -node) {
      this.#entry[node] = -1;
      this.#value[node] = -Infinity;
    }
  }

  add(position: number, entry: number, value: number): void {
    for (let node = position + 1; node <= this.size; node += node & -node) {
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
