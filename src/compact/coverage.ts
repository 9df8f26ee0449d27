import { ASKED, MARK, type Scan } from './scan';
import { SPEAKER } from './turns';
import type { Values } from './values';
import { BUDGET, LINE } from './weights';

/** Lines wait in buckets by worth per character, this many to each doubling of it. */
const bucketsPerDoubling = 16;
const bucketCount = 512;
const lowestBucket = -14;
/** A line whose worth fell by so many buckets while it waited goes back to the queue. */
const fallenBuckets = 4;
/** Further copies of a token beyond this are worth as much as this one. */
const mostCopies = 7;

const SKIPPED = -2;

/**
 * Chooses lines up to `budget` characters: again and again the one that adds the most worth for its
 * length, where a token that a chosen line holds already adds little. `kept` comes with the lines
 * that stay in any case, and leaves with all.
 */
export function cover(
  scan: Scan,
  values: Values,
  kept: Uint8Array,
  budget: number,
  ratio: number,
): void {
  const choice = new Choice(scan, values, kept, budget, ratio);
  const reserve = Math.min(BUDGET.mostStructure, BUDGET.structure * budget);
  choice.takeUserLines();
  choice.fill(budget - reserve);
  choice.takeStructure();
  choice.fill(budget - reserve / 4);
  choice.takeStructure();
  choice.takeRest();
}

class Choice {
  readonly #scan: Scan;
  readonly #values: Values;
  readonly #kept: Uint8Array;
  readonly #budget: number;
  readonly #first: Float32Array;
  readonly #next: Int32Array;
  readonly #heads = new Int32Array(bucketCount).fill(-1);
  readonly #copies: Uint8Array;
  readonly #discount: Float32Array;
  readonly #askedDiscount: Float32Array;
  #bucket = bucketCount - 1;
  #used = 0;

  constructor(scan: Scan, values: Values, kept: Uint8Array, budget: number, ratio: number) {
    this.#scan = scan;
    this.#values = values;
    this.#kept = kept;
    this.#budget = budget;
    const share = Math.min(1, ratio / 0.5);
    const repeat = BUDGET.repeat + (BUDGET.repeatAtHalf - BUDGET.repeat) * share;
    this.#discount = Float32Array.from({ length: mostCopies }, (_, copies) => repeat ** copies);
    this.#askedDiscount = Float32Array.from(
      { length: mostCopies },
      (_, copies) => BUDGET.repeatAsked ** copies,
    );
    const { count } = scan;
    this.#copies = new Uint8Array(scan.tokenCount);
    this.#first = new Float32Array(count);
    this.#next = new Int32Array(count).fill(SKIPPED);
    for (let line = 0; line < count; line++)
      if (kept[line] !== 0) {
        this.#used += this.#cost(line);
        this.#count(line);
      }
    this.#queue();
  }

  #cost(line: number): number {
    const { starts } = this.#scan;
    return (starts[line + 1] ?? 0) - (starts[line] ?? 0);
  }

  #queue(): void {
    const { count, marks, tokensFrom } = this.#scan;
    const { isRepeated } = this.#values;
    const first = this.#first;
    for (let line = 0; line < count; line++) {
      const mark = marks[line] ?? 0;
      const isStructure = (mark & (MARK.fence | MARK.header)) !== 0;
      const hasTokens = tokensFrom[line] !== tokensFrom[line + 1];
      if (isStructure ? !hasTokens : (mark & MARK.blank) !== 0 || isRepeated[line] !== 0) continue;
      first[line] = this.#gain(line);
      this.#next[line] = -1;
    }
    for (let line = 0; line < count; line++) {
      if (this.#next[line] === SKIPPED || this.#kept[line] !== 0) continue;
      const beside = (first[line - 1] ?? 0) + (first[line + 1] ?? 0);
      this.#put(line, (first[line] ?? 0) + LINE.smooth * beside);
    }
  }

  #put(line: number, worth: number): void {
    this.#putAt(line, this.#bucketOf(worth, line));
  }

  #putAt(line: number, bucket: number): void {
    this.#next[line] = this.#heads[bucket] ?? -1;
    this.#heads[bucket] = line;
  }

  #bucketOf(worth: number, line: number): number {
    const density = worth / (this.#cost(line) + LINE.overhead);
    const bucket = Math.floor(bucketsPerDoubling * (Math.log2(density + 1e-9) - lowestBucket));
    return Math.min(bucketCount - 1, Math.max(0, bucket));
  }

  /** What the line adds to what is kept. */
  #gain(line: number): number {
    const { tokens, tokensFrom, asked } = this.#scan;
    const values = this.#values;
    const copies = this.#copies;
    let gain = 0;
    const end = tokensFrom[line + 1] ?? 0;
    for (let at = tokensFrom[line] ?? 0; at < end; at++) {
      const token = tokens[at] ?? 0;
      const known = copies[token] ?? 0;
      const value = values.tokens[token] ?? 0;
      if (known === 0) gain += value;
      else
        gain +=
          value *
          ((asked[token] === ASKED.token ? this.#askedDiscount : this.#discount)[known] ?? 0);
    }
    return gain * (values.factors[line] ?? 1) + (values.lines[line] ?? 0);
  }

  #count(line: number): void {
    const { tokens, tokensFrom } = this.#scan;
    const end = tokensFrom[line + 1] ?? 0;
    for (let at = tokensFrom[line] ?? 0; at < end; at++) {
      const token = tokens[at] ?? 0;
      const known = this.#copies[token] ?? 0;
      if (known < mostCopies - 1) this.#copies[token] = known + 1;
    }
  }

  /** Takes the line when it fits. */
  #pay(line: number, limit = this.#budget): void {
    const cost = this.#cost(line);
    if (this.#kept[line] !== 0 || this.#used + cost > limit) return;
    this.#kept[line] = 1;
    this.#used += cost;
  }

  takeUserLines(): void {
    const { count, speakers } = this.#scan;
    const limit = Math.min(this.#budget, this.#used + BUDGET.user * this.#budget);
    for (let line = count - 1; line >= 0 && this.#used < limit; line--) {
      if (speakers[line] !== SPEAKER.user || this.#next[line] === SKIPPED) continue;
      if (this.#kept[line] !== 0 || this.#cost(line) >= BUDGET.longestUser) continue;
      this.#pay(line, limit);
      if (this.#kept[line] !== 0) this.#count(line);
    }
  }

  fill(limit: number): void {
    const kept = this.#kept;
    const first = this.#first;
    for (; this.#bucket >= 0 && this.#used < limit; this.#bucket--) {
      let line = this.#heads[this.#bucket] ?? -1;
      while (line >= 0) {
        const next = this.#next[line] ?? -1;
        this.#heads[this.#bucket] = next;
        const cost = this.#cost(line);
        if (kept[line] === 0 && this.#used + cost <= limit) {
          const beside =
            (first[line - 1] ?? 0) * (kept[line - 1] === 1 ? 0.75 : 0.5) +
            (first[line + 1] ?? 0) * (kept[line + 1] === 1 ? 0.75 : 0.5);
          const bucket = this.#bucketOf(this.#gain(line) + LINE.smooth * beside, line);
          if (bucket < this.#bucket - fallenBuckets) this.#putAt(line, bucket);
          else {
            kept[line] = 1;
            this.#used += cost;
            this.#count(line);
          }
        }
        line = next;
      }
    }
  }

  /** Both fences of kept code, and the headers of the speakers of kept lines. */
  takeStructure(): void {
    const { count, marks } = this.#scan;
    const kept = this.#kept;
    let opening = -1;
    let hasCode = false;
    for (let line = 0; line < count; line++) {
      const mark = marks[line] ?? 0;
      if ((mark & (MARK.header | MARK.turn)) !== 0) opening = -1;
      if ((mark & MARK.fence) === 0) hasCode ||= kept[line] !== 0;
      else if (opening < 0) {
        opening = line;
        hasCode = false;
      } else {
        if (hasCode || kept[opening] !== 0 || kept[line] !== 0) this.#payBoth(opening, line);
        opening = -1;
      }
    }
    let header = -1;
    for (let line = 0; line < count; line++) {
      if (((marks[line] ?? 0) & (MARK.header | MARK.turn)) !== 0) header = line;
      else if (header >= 0 && kept[line] !== 0) {
        this.#pay(header);
        header = -1;
      }
    }
  }

  #payBoth(opening: number, closing: number): void {
    const cost =
      (this.#kept[opening] === 0 ? this.#cost(opening) : 0) +
      (this.#kept[closing] === 0 ? this.#cost(closing) : 0);
    if (this.#used + cost > this.#budget) return;
    this.#pay(opening);
    this.#pay(closing);
  }

  /** Blank lines between kept ones, then the newest of what stands elsewhere already. */
  takeRest(): void {
    const { count, marks } = this.#scan;
    const kept = this.#kept;
    for (let line = 1; line + 1 < count && this.#used < this.#budget; line++)
      if (((marks[line] ?? 0) & MARK.blank) !== 0 && kept[line - 1] === 1 && kept[line + 1] === 1)
        this.#pay(line);
    for (let line = count - 1; line >= 0 && this.#used < this.#budget; line--)
      if (((marks[line] ?? 0) & MARK.fence) === 0) this.#pay(line);
  }
}
