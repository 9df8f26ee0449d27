import { lineMark, type Scan } from './scan/scan';
import { queryMatch } from './scan/tokenTable';
import { speakerBit } from './segments/segment';
import type { Values } from './values';
import { budgetWeights, lineWeights } from './weights';

/** Lines are queued in buckets by worth per character; this many buckets per doubling. */
const bucketsPerDoubling = 16;
const bucketCount = 512;
const minDensityExponent = -14;
/** A line whose worth fell by more buckets than this while queued is queued again. */
const requeueBuckets = 4;
/** Copies of a token beyond this number are worth as much as this one. */
const maxCopies = 7;

const skipped = -2;

/**
 * Chooses lines up to `budget` characters, greedily by the worth that each adds per character. A token
 * that a chosen line contains already adds little.
 * @param kept 1 for each line that is kept in any case; the chosen lines are added to it.
 */
export function selectLines(
  scan: Scan,
  values: Values,
  kept: Uint8Array,
  budget: number,
  ratio: number,
): void {
  const selection = new LineSelection(scan, values, kept, budget, ratio);
  const reserve = Math.min(budgetWeights.maxStructureChars, budgetWeights.structure * budget);
  selection.takeUserLines();
  selection.fill(budget - reserve);
  selection.takeStructure();
  selection.fill(budget - reserve / 4);
  selection.takeStructure();
  selection.takeRest();
}

class LineSelection {
  readonly #scan: Scan;
  readonly #values: Values;
  readonly #kept: Uint8Array;
  readonly #budget: number;
  readonly #initialWorth: Float32Array;
  readonly #nextInBucket: Int32Array;
  readonly #bucketHeads = new Int32Array(bucketCount).fill(-1);
  readonly #keptCopies: Uint8Array;
  readonly #discount: Float32Array;
  readonly #queryDiscount: Float32Array;
  #bucket = bucketCount - 1;
  #usedChars = 0;

  constructor(scan: Scan, values: Values, kept: Uint8Array, budget: number, ratio: number) {
    this.#scan = scan;
    this.#values = values;
    this.#kept = kept;
    this.#budget = budget;
    const share = Math.min(1, ratio / 0.5);
    const repeat =
      budgetWeights.repeat + (budgetWeights.repeatAtHalf - budgetWeights.repeat) * share;
    this.#discount = Float32Array.from({ length: maxCopies }, (_, copies) => repeat ** copies);
    this.#queryDiscount = Float32Array.from(
      { length: maxCopies },
      (_, copies) => budgetWeights.repeatQueryToken ** copies,
    );
    const { count } = scan;
    this.#keptCopies = new Uint8Array(scan.tokenCount);
    this.#initialWorth = new Float32Array(count);
    this.#nextInBucket = new Int32Array(count).fill(skipped);
    for (let line = 0; line < count; line++) {
      if (kept[line] !== 0) {
        this.#usedChars += this.#cost(line);
        this.#countTokens(line);
      }
    }
    this.#queue();
  }

  #cost(line: number): number {
    const { starts } = this.#scan;
    return (starts[line + 1] ?? 0) - (starts[line] ?? 0);
  }

  #queue(): void {
    const { count, marks, tokenStarts } = this.#scan;
    const { isRepeated } = this.#values;
    const first = this.#initialWorth;
    for (let line = 0; line < count; line++) {
      const mark = marks[line] ?? 0;
      const isStructure = (mark & (lineMark.fence | lineMark.header)) !== 0;
      const hasTokens = tokenStarts[line] !== tokenStarts[line + 1];
      if (isStructure ? !hasTokens : (mark & lineMark.blank) !== 0 || isRepeated[line] !== 0) {
        continue;
      }
      first[line] = this.#gain(line);
      this.#nextInBucket[line] = -1;
    }
    for (let line = 0; line < count; line++) {
      if (this.#nextInBucket[line] === skipped || this.#kept[line] !== 0) continue;
      const neighbours = (first[line - 1] ?? 0) + (first[line + 1] ?? 0);
      this.#put(line, (first[line] ?? 0) + lineWeights.neighbourShare * neighbours);
    }
  }

  #put(line: number, worth: number): void {
    this.#putAt(line, this.#bucketOf(worth, line));
  }

  #putAt(line: number, bucket: number): void {
    this.#nextInBucket[line] = this.#bucketHeads[bucket] ?? -1;
    this.#bucketHeads[bucket] = line;
  }

  #bucketOf(worth: number, line: number): number {
    const density = worth / (this.#cost(line) + lineWeights.overhead);
    const bucket = Math.floor(
      bucketsPerDoubling * (Math.log2(density + 1e-9) - minDensityExponent),
    );
    return Math.min(bucketCount - 1, Math.max(0, bucket));
  }

  /** The worth that the line adds to the kept lines. */
  #gain(line: number): number {
    const { tokens, tokenStarts, queryMatches } = this.#scan;
    const values = this.#values;
    const copies = this.#keptCopies;
    let gain = 0;
    const end = tokenStarts[line + 1] ?? 0;
    for (let at = tokenStarts[line] ?? 0; at < end; at++) {
      const token = tokens[at] ?? 0;
      const known = copies[token] ?? 0;
      const value = values.tokens[token] ?? 0;
      if (known === 0) {
        gain += value;
      } else {
        gain +=
          value *
          ((queryMatches[token] === queryMatch.token ? this.#queryDiscount : this.#discount)[
            known
          ] ?? 0);
      }
    }
    return gain * (values.factors[line] ?? 1) + (values.lines[line] ?? 0);
  }

  #countTokens(line: number): void {
    const { tokens, tokenStarts } = this.#scan;
    const end = tokenStarts[line + 1] ?? 0;
    for (let at = tokenStarts[line] ?? 0; at < end; at++) {
      const token = tokens[at] ?? 0;
      const known = this.#keptCopies[token] ?? 0;
      if (known < maxCopies - 1) this.#keptCopies[token] = known + 1;
    }
  }

  /** Keeps the line if it fits into the limit. */
  #takeIfFits(line: number, limit = this.#budget): void {
    const cost = this.#cost(line);
    if (this.#kept[line] !== 0 || this.#usedChars + cost > limit) return;
    this.#kept[line] = 1;
    this.#usedChars += cost;
  }

  takeUserLines(): void {
    const { count, speakers } = this.#scan;
    const limit = Math.min(this.#budget, this.#usedChars + budgetWeights.user * this.#budget);
    for (let line = count - 1; line >= 0 && this.#usedChars < limit; line--) {
      if (speakers[line] !== speakerBit.user || this.#nextInBucket[line] === skipped) continue;
      if (this.#kept[line] !== 0 || this.#cost(line) >= budgetWeights.maxUserLineChars) continue;
      this.#takeIfFits(line, limit);
      if (this.#kept[line] !== 0) this.#countTokens(line);
    }
  }

  fill(limit: number): void {
    const kept = this.#kept;
    const first = this.#initialWorth;
    for (; this.#bucket >= 0 && this.#usedChars < limit; this.#bucket--) {
      let line = this.#bucketHeads[this.#bucket] ?? -1;
      while (line >= 0) {
        const next = this.#nextInBucket[line] ?? -1;
        this.#bucketHeads[this.#bucket] = next;
        const cost = this.#cost(line);
        if (kept[line] === 0 && this.#usedChars + cost <= limit) {
          const neighbours =
            (first[line - 1] ?? 0) * (kept[line - 1] === 1 ? 0.75 : 0.5) +
            (first[line + 1] ?? 0) * (kept[line + 1] === 1 ? 0.75 : 0.5);
          const bucket = this.#bucketOf(
            this.#gain(line) + lineWeights.neighbourShare * neighbours,
            line,
          );
          if (bucket < this.#bucket - requeueBuckets) {
            this.#putAt(line, bucket);
          } else {
            kept[line] = 1;
            this.#usedChars += cost;
            this.#countTokens(line);
          }
        }
        line = next;
      }
    }
  }

  /** Keeps both fences of kept code, and the speaker headers of kept lines. */
  takeStructure(): void {
    const { count, marks } = this.#scan;
    const kept = this.#kept;
    let opening = -1;
    let hasCode = false;
    for (let line = 0; line < count; line++) {
      const mark = marks[line] ?? 0;
      if ((mark & (lineMark.header | lineMark.turn)) !== 0) opening = -1;
      if ((mark & lineMark.fence) === 0) {
        hasCode ||= kept[line] !== 0;
      } else if (opening < 0) {
        opening = line;
        hasCode = false;
      } else {
        if (hasCode || kept[opening] !== 0 || kept[line] !== 0) this.#takeFencePair(opening, line);
        opening = -1;
      }
    }
    let header = -1;
    for (let line = 0; line < count; line++) {
      if (((marks[line] ?? 0) & (lineMark.header | lineMark.turn)) !== 0) {
        header = line;
      } else if (header >= 0 && kept[line] !== 0) {
        this.#takeIfFits(header);
        header = -1;
      }
    }
  }

  #takeFencePair(opening: number, closing: number): void {
    const cost =
      (this.#kept[opening] === 0 ? this.#cost(opening) : 0) +
      (this.#kept[closing] === 0 ? this.#cost(closing) : 0);
    if (this.#usedChars + cost > this.#budget) return;
    this.#takeIfFits(opening);
    this.#takeIfFits(closing);
  }

  /** Keeps blank lines between kept lines, then the newest of the repeated lines. */
  takeRest(): void {
    const { count, marks } = this.#scan;
    const kept = this.#kept;
    for (let line = 1; line + 1 < count && this.#usedChars < this.#budget; line++) {
      if (
        ((marks[line] ?? 0) & lineMark.blank) !== 0 &&
        kept[line - 1] === 1 &&
        kept[line + 1] === 1
      ) {
        this.#takeIfFits(line);
      }
    }
    for (let line = count - 1; line >= 0 && this.#usedChars < this.#budget; line--) {
      if (((marks[line] ?? 0) & lineMark.fence) === 0) this.#takeIfFits(line);
    }
  }
}
