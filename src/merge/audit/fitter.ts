import { isFiller } from '../lines';
import type { AuditText, Postings } from './auditText';
import { likeness } from './likeness';

/** Lines of the original that a section may replace, and how well it fits there. */
export interface Fit {
  score: number;
  /** Half-open positions among the non-blank lines of the original. */
  start: number;
  end: number;
}

/** The ends of a range that a fit must extend to. */
export interface RequiredEnds {
  top: boolean;
  bottom: boolean;
}

/** Lines that are this similar may be the old and the new form of one line. */
const minLikeness = 0.5;
/** The score of a changed line, as a share of its similarity. */
const changedLineFactor = 0.8;
const fillerWeight = 0.15;
/** The share of a line's weight that is left if its indentation differs. */
const reindentedFactor = 0.6;
/** Cost of a line of the original that the section omits between lines that it shows. */
const omittedLineCost = 0.03;
/** Cost of a line of the original that is gone above or below the section, although the section does not show that. */
const lostLineCost = 0.9;
const lostFillerCost = 0.4;
/** Rows at each end of a section that are compared by similarity. */
const edgeRowCount = 6;
/** Limit for the cells of all tables together, about 10 ms. */
const maxCells = 2_000_000;
const maxComparisons = 40_000;
/** Not compared yet. */
const notCompared = -1;

/** Measures how well a section of the snippet fits lines of the original. */
export class Fitter {
  readonly #weights = new Map<number, number>();
  readonly #likeness = new Map<number, Float32Array>();
  #cells = 0;
  #compared = 0;

  constructor(
    readonly original: AuditText,
    readonly postings: Postings,
  ) {}

  /** True for a line that is rare in the original. */
  isDistinctive(code: number, trimmed = ''): boolean {
    return this.weightOf(code, trimmed) > fillerWeight;
  }

  /** The first line of the original with this code. */
  placeOf(code: number): number | undefined {
    return this.postings.from(code, 0)[0];
  }

  /** The weight of a match of this line: the rarer the line, the higher. */
  weightOf(code: number, trimmed: string): number {
    let worth = this.#weights.get(code);
    if (worth === undefined) {
      const count = this.postings.count(code);
      worth = count === 0 ? 0 : (isFiller(trimmed) ? fillerWeight : 1) / Math.sqrt(count);
      this.#weights.set(code, worth);
    }
    return worth;
  }

  /** The score of a section at a place with all of its known lines. */
  maxScore({ codes, trimmed }: AuditText): number {
    return codes.reduce((sum, code, at) => sum + this.weightOf(code, trimmed[at] ?? ''), 0);
  }

  /**
   * The best fit of `section` within `from` to `to` of the original; `requiredEnds` says where it must start or end exactly
   * there. Undefined when there is too much to compare. `section` has its text from the merged text, so that indentation
   * can be compared.
   */
  fit(section: AuditText, from: number, to: number, requiredEnds: RequiredEnds): Fit | undefined {
    const rows = section.codes.length;
    const columns = to - from;
    const cells = (rows + 1) * (columns + 1);
    if (this.#cells + cells > maxCells) {
      return undefined;
    }
    this.#cells += cells;
    // The best score with a match in the last column, and the best one with omitted lines after the last match.
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
        let score = requiredEnds.top ? -(above[column] ?? 0) : 0;
        let start = requiredEnds.top ? from : from + column;
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
        const left = (open[j - 1] ?? 0) - omittedLineCost;
        const isEnded = (ended[j] ?? 0) >= left;
        const score = isEnded ? (ended[j] ?? 0) : left;
        if (score > (open[j] ?? 0)) {
          open[j] = score;
          openStarts[j] = (isEnded ? starts[j] : openStarts[j - 1]) ?? 0;
        }
      }
    }
    const below = above[columns] ?? 0;
    let best: Fit = {
      score: requiredEnds.top || requiredEnds.bottom ? -below : 0,
      start: from,
      end: to,
    };
    for (let j = 1; j <= columns; j++) {
      const score = (ended[j] ?? 0) - (requiredEnds.bottom ? below - (above[j] ?? 0) : 0);
      if (score > best.score) {
        best = { score, start: starts[j] ?? 0, end: requiredEnds.bottom ? to : from + j };
      }
    }
    return best;
  }

  /** The cumulative cost of losing the lines from `from` on. */
  #lostBefore(from: number, to: number): Float64Array {
    const costs = new Float64Array(to - from + 1);
    for (let at = from; at < to; at++) {
      const cost = isFiller(this.original.trimmed[at] ?? '') ? lostFillerCost : lostLineCost;
      costs[at - from + 1] = (costs[at - from] ?? 0) + cost;
    }
    return costs;
  }

  /** Fills in the score of row `i` at each column; returns the filled columns. */
  #gains(section: AuditText, i: number, from: number, to: number, gains: Float64Array): number[] {
    const code = section.codes[i] ?? -1;
    const trimmed = section.trimmed[i] ?? '';
    const filled: number[] = [];
    const worth = this.weightOf(code, trimmed);
    if (worth > 0) {
      for (const at of this.postings.from(code, from)) {
        if (at >= to) {
          break;
        }
        const same = this.original.texts[at] === section.texts[i];
        gains[at - from] = worth * (same ? 1 : reindentedFactor);
        filled.push(at - from);
      }
    } else if (i < edgeRowCount || i >= section.codes.length - edgeRowCount) {
      const known = this.#likenessOf(code);
      for (let at = from; at < to; at++) {
        let alike = known[at] ?? 0;
        if (alike === notCompared) {
          alike = this.#compare(trimmed, this.original.trimmed[at] ?? '');
          known[at] = alike;
        }
        if (alike >= minLikeness) {
          gains[at - from] = alike * changedLineFactor;
          filled.push(at - from);
        }
      }
    }
    return filled;
  }

  /** A cache of the similarity of a line of the snippet to each line of the original. */
  #likenessOf(code: number): Float32Array {
    let known = this.#likeness.get(code);
    if (!known) {
      known = new Float32Array(this.original.codes.length).fill(notCompared);
      this.#likeness.set(code, known);
    }
    return known;
  }

  #compare(line: string, other: string): number {
    const shorter = Math.min(line.length, other.length);
    const longer = Math.max(line.length, other.length);
    // Lines whose lengths differ that much cannot be similar enough.
    if (shorter * 3 < longer || this.#compared >= maxComparisons) {
      return 0;
    }
    this.#compared += 1 + (shorter >> 6);
    return likeness(line, other);
  }
}
