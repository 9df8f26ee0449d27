import { likeness } from './alike';
import type { AuditText, Postings } from './auditText';
import { isFiller } from '../lines';

/** Lines of the original that a section may stand for, and how well it fits there. */
export interface Fit {
  score: number;
  /** Half-open, in the original's lines with code. */
  start: number;
  end: number;
}

/** Ends of a range that a fit must reach. */
export interface Held {
  top: boolean;
  bottom: boolean;
}

/** Lines this alike may be the old and the new form of one line. */
const ALIKE = 0.5;
/** Share of its likeness that a changed line is worth. */
const CHANGED = 0.8;
const FILLER_WORTH = 0.15;
/** Share of a line's worth that is left when it stands at another indentation. */
const SHIFTED = 0.6;
/** A line of the original that the section leaves out between lines it shows. */
const LEFT_OUT = 0.03;
/** A line of the original that is gone beside the section, where the section shows no sign of it. */
const LOST = 0.9;
const LOST_FILLER = 0.4;
/** Rows at each end of a section that are compared with similar lines. */
const END_ROWS = 6;
/** Cells of all tables together, about 10 ms. */
const MAX_CELLS = 2_000_000;
const MAX_COMPARED = 40_000;
/** Not compared yet. */
const UNKNOWN = -1;

/** Tells how well a section of the snippet fits lines of the original. */
export class Fitter {
  readonly #worth = new Map<number, number>();
  readonly #likeness = new Map<number, Float32Array>();
  #cells = 0;
  #compared = 0;

  constructor(
    readonly original: AuditText,
    readonly postings: Postings,
  ) {}

  /** True for a line that few places share. */
  isSolid(code: number, trimmed = ''): boolean {
    return this.worth(code, trimmed) > FILLER_WORTH;
  }

  /** The first line of the original with this code. */
  placeOf(code: number): number | undefined {
    return this.postings.from(code, 0)[0];
  }

  /** How much it says that a line of this code is found. */
  worth(code: number, trimmed: string): number {
    let worth = this.#worth.get(code);
    if (worth === undefined) {
      const count = this.postings.count(code);
      worth = count === 0 ? 0 : (isFiller(trimmed) ? FILLER_WORTH : 1) / Math.sqrt(count);
      this.#worth.set(code, worth);
    }
    return worth;
  }

  /** What a section is worth where all its known lines stand. */
  most({ codes, trimmed }: AuditText): number {
    return codes.reduce((sum, code, at) => sum + this.worth(code, trimmed[at] ?? ''), 0);
  }

  /**
   * The best fit of `section` within `from` to `to` of the original; it starts or ends exactly there where `held` says
   * so. Undefined when there is too much to compare. `section` has the text that it has in the merged text, so that indentation can be compared.
   */
  fit(section: AuditText, from: number, to: number, held: Held): Fit | undefined {
    const rows = section.codes.length;
    const columns = to - from;
    const cells = (rows + 1) * (columns + 1);
    if (this.#cells + cells > MAX_CELLS) {
      return undefined;
    }
    this.#cells += cells;
    // Best with a match in the last column, and best at all with lines left out after the last match.
    const ended = new Float64Array(columns + 1).fill(-Infinity);
    const open = new Float64Array(columns + 1).fill(-Infinity);
    const starts = new Int32Array(columns + 1);
    const openStarts = new Int32Array(columns + 1);
    const above = this.#lostBefore(from, to);
    const gains = new Float64Array(columns);
    for (let i = 0; i < rows; i++) {
      const matched = this.#gains(section, i, from, to, gains);
      if (matched.length === 0) {
        continue;
      }
      for (let at = matched.length - 1; at >= 0; at--) {
        const column = matched[at] ?? 0;
        const gain = gains[column] ?? 0;
        gains[column] = 0;
        let score = held.top ? -(above[column] ?? 0) : 0;
        let start = held.top ? from : from + column;
        if ((open[column] ?? 0) > score) {
          score = open[column] ?? 0;
          start = openStarts[column] ?? 0;
        }
        if (score + gain > (ended[column + 1] ?? 0)) {
          ended[column + 1] = score + gain;
          starts[column + 1] = start;
        }
      }
      for (let j = (matched[0] ?? 0) + 1; j <= columns; j++) {
        const left = (open[j - 1] ?? 0) - LEFT_OUT;
        const isEnded = (ended[j] ?? 0) >= left;
        const score = isEnded ? (ended[j] ?? 0) : left;
        if (score > (open[j] ?? 0)) {
          open[j] = score;
          openStarts[j] = (isEnded ? starts[j] : openStarts[j - 1]) ?? 0;
        }
      }
    }
    const below = above[columns] ?? 0;
    let best: Fit = { score: held.top || held.bottom ? -below : 0, start: from, end: to };
    for (let j = 1; j <= columns; j++) {
      const score = (ended[j] ?? 0) - (held.bottom ? below - (above[j] ?? 0) : 0);
      if (score > best.score) {
        best = { score, start: starts[j] ?? 0, end: held.bottom ? to : from + j };
      }
    }
    return best;
  }

  /** What it costs to lose the lines from `from` on without a sign, up to each line. */
  #lostBefore(from: number, to: number): Float64Array {
    const costs = new Float64Array(to - from + 1);
    for (let at = from; at < to; at++) {
      const cost = isFiller(this.original.trimmed[at] ?? '') ? LOST_FILLER : LOST;
      costs[at - from + 1] = (costs[at - from] ?? 0) + cost;
    }
    return costs;
  }

  /** Fills in what row `i` is worth at each column; returns the columns it filled. */
  #gains(section: AuditText, i: number, from: number, to: number, gains: Float64Array): number[] {
    const code = section.codes[i] ?? -1;
    const trimmed = section.trimmed[i] ?? '';
    const filled: number[] = [];
    const worth = this.worth(code, trimmed);
    if (worth > 0) {
      for (const at of this.postings.from(code, from)) {
        if (at >= to) {
          break;
        }
        const same = this.original.texts[at] === section.texts[i];
        gains[at - from] = worth * (same ? 1 : SHIFTED);
        filled.push(at - from);
      }
    } else if (i < END_ROWS || i >= section.codes.length - END_ROWS) {
      const known = this.#likenessOf(code);
      for (let at = from; at < to; at++) {
        let alike = known[at] ?? 0;
        if (alike === UNKNOWN) {
          alike = this.#compare(trimmed, this.original.trimmed[at] ?? '');
          known[at] = alike;
        }
        if (alike >= ALIKE) {
          gains[at - from] = alike * CHANGED;
          filled.push(at - from);
        }
      }
    }
    return filled;
  }

  /** Likeness of a line of the snippet to each line of the original, as far as it has been asked for. */
  #likenessOf(code: number): Float32Array {
    let known = this.#likeness.get(code);
    if (!known) {
      known = new Float32Array(this.original.codes.length).fill(UNKNOWN);
      this.#likeness.set(code, known);
    }
    return known;
  }

  #compare(line: string, other: string): number {
    const shorter = Math.min(line.length, other.length);
    const longer = Math.max(line.length, other.length);
    // Lines of so different lengths cannot share enough.
    if (shorter * 3 < longer || this.#compared >= MAX_COMPARED) {
      return 0;
    }
    this.#compared += 1 + (shorter >> 6);
    return likeness(line, other);
  }
}
