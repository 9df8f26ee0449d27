import { lineMark, type Scan } from '../core/scan/scan';
import type { Values } from '../core/values';

/** Lines are queued in buckets by worth per token; this many buckets per doubling. */
const bucketsPerDoubling = 16;
const bucketCount = 512;
const minDensityExponent = -14;
/** A line whose worth fell by more buckets than this while queued is queued again. */
const requeueBuckets = 4;
/** Copies of a name beyond this number are worth as much as this one. */
const maxCopies = 7;
/** Worth of each further line with a name that is kept already. */
const repeatShare = 0.15;
/** Worth of a line about an error, in addition to that of its names. */
const errorWorth = 1;
/** Cost of a line beyond its own tokens: short fragments read badly. */
const overheadTokens = 1.5;
/** Share of the cost of a call that counts when the first line of its result is chosen. */
const openingShare = 0.25;

/** Tokens that are kept, and what keeping a line would cost in addition. */
export interface TokenBudget {
  readonly used: number;
  /** Tokens of the line, and of the lines that have to be kept with it. */
  costOf: (line: number) => number;
  keep: (line: number) => void;
}

/** Chooses lines greedily by the worth that each adds per token. */
export class LineFiller {
  readonly #scan: Scan;
  readonly #values: Values;
  readonly #kept: Uint8Array;
  readonly #tokens: Int32Array;
  readonly #budget: TokenBudget;
  readonly #copies: Uint8Array;
  readonly #discount = Float32Array.from({ length: maxCopies }, (_, n) => repeatShare ** n);

  constructor(
    scan: Scan,
    values: Values,
    kept: Uint8Array,
    tokens: Int32Array,
    budget: TokenBudget,
  ) {
    this.#scan = scan;
    this.#values = values;
    this.#kept = kept;
    this.#tokens = tokens;
    this.#budget = budget;
    this.#copies = new Uint8Array(scan.tokenCount);
  }

  /** Records the names of lines that were kept without this class. */
  count(line: number): void {
    const { tokens, tokenStarts } = this.#scan;
    const end = tokenStarts[line + 1] ?? 0;
    for (let at = tokenStarts[line] ?? 0; at < end; at++) {
      const token = tokens[at] ?? 0;
      const known = this.#copies[token] ?? 0;
      if (known < maxCopies - 1) this.#copies[token] = known + 1;
    }
  }

  /** Adds lines of `candidates` until the budget has used `limit` tokens. */
  fill(candidates: Int32Array, limit: number): void {
    const heads = new Int32Array(bucketCount).fill(-1);
    const next = new Int32Array(candidates.length);
    const put = (index: number, bucket: number): void => {
      next[index] = heads[bucket] ?? -1;
      heads[bucket] = index;
    };
    const bucketOf = (line: number, lineCost: number): number => {
      const own = this.#tokens[line] ?? 0;
      const cost = own + openingShare * (lineCost - own) + overheadTokens;
      const density = this.#gain(line) / cost;
      const bucket = Math.floor(
        bucketsPerDoubling * (Math.log2(density + 1e-9) - minDensityExponent),
      );
      return Math.min(bucketCount - 1, Math.max(0, bucket));
    };
    for (let index = 0; index < candidates.length; index++) {
      const line = candidates[index] ?? 0;
      put(index, bucketOf(line, this.#budget.costOf(line)));
    }
    for (let bucket = bucketCount - 1; bucket >= 0 && this.#budget.used < limit; bucket--) {
      for (let index = heads[bucket] ?? -1; index >= 0; index = heads[bucket] ?? -1) {
        heads[bucket] = next[index] ?? -1;
        const line = candidates[index] ?? 0;
        if (this.#kept[line] === 1) continue;
        const cost = this.#budget.costOf(line);
        if (this.#budget.used + cost > limit) continue;
        const now = bucketOf(line, cost);
        if (now < bucket - requeueBuckets) {
          put(index, now);
        } else {
          this.#budget.keep(line);
          this.count(line);
        }
      }
    }
  }

  /** The worth that the line adds to the kept lines. */
  #gain(line: number): number {
    const { tokens, tokenStarts, marks } = this.#scan;
    const values = this.#values;
    let gain = 0;
    const end = tokenStarts[line + 1] ?? 0;
    for (let at = tokenStarts[line] ?? 0; at < end; at++) {
      const token = tokens[at] ?? 0;
      gain += (values.tokens[token] ?? 0) * (this.#discount[this.#copies[token] ?? 0] ?? 0);
    }
    const isError = ((marks[line] ?? 0) & lineMark.error) !== 0;
    const own = (values.lines[line] ?? 0) + (isError ? errorWorth : 0);
    return gain * (values.factors[line] ?? 1) + own;
  }
}
