import { lowerBound } from '../../../base/sorted';
import type { Hit } from './fileText';

/** Lines that contain much of the query, 1-based and inclusive, from the first hit to the last. */
export interface Window {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly score: number;
}

/** Scores that differ by less are the same: they are sums in another order. */
const tolerance = 1e-9;

/** Worth of a number of hits of one term: each further hit adds less. */
const worth = (count: number): number => (count <= 1 ? count : 1 + 0.25 * Math.log(count));

/** The score of hits that come and go. */
class HitScore {
  readonly #weights: readonly number[];
  readonly #counts: Float64Array;
  readonly #worths: Float64Array;
  value = 0;

  constructor(weights: readonly number[]) {
    this.#weights = weights;
    this.#counts = new Float64Array(weights.length);
    this.#worths = new Float64Array(weights.length);
  }

  change(hit: Hit, sign: 1 | -1): void {
    for (const { term, factor } of hit.matches) {
      const after = Math.max(0, this.#counts[term]! + sign * factor * hit.quality);
      const count = after < 1e-6 ? 0 : after;
      const now = worth(count);
      this.value += this.#weights[term]! * (now - this.#worths[term]!);
      this.#counts[term] = count;
      this.#worths[term] = now;
    }
  }
}

/** The best windows that end at each hit. Hits are sorted by line. */
class Windows {
  readonly #hits: readonly Hit[];
  readonly #lines: Uint32Array;
  readonly #weights: readonly number[];
  readonly #size: number;
  /** By the last hit of a window: its score, and its first hit. */
  readonly #scores: Float64Array;
  readonly #firsts: Uint32Array;
  readonly #isTaken: Uint8Array;

  /** @param size in lines */
  constructor(hits: readonly Hit[], weights: readonly number[], size: number) {
    this.#hits = hits;
    this.#lines = Uint32Array.from(hits, ({ line }) => line);
    this.#weights = weights;
    this.#size = size;
    this.#scores = new Float64Array(hits.length);
    this.#firsts = new Uint32Array(hits.length);
    this.#isTaken = new Uint8Array(hits.length);
    this.#score(0, hits.length);
  }

  /** Undefined when there is none with a score. */
  best(): Window | undefined {
    let best = -1;
    let score = 0;
    for (let last = 0; last < this.#hits.length; last++) {
      if (this.#isTaken[last] === 0 && this.#scores[last]! > score + tolerance) {
        best = last;
        score = this.#scores[last]!;
      }
    }
    const lastHit = this.#hits[best];
    const firstHit = this.#hits[this.#firsts[best] ?? -1];
    return lastHit && firstHit && { firstLine: firstHit.line, lastLine: lastHit.line, score };
  }

  /** Takes the hits of a window out of all others. */
  take({ firstLine, lastLine }: Window): void {
    const from = this.#firstAfter(firstLine - 1);
    const to = this.#firstAfter(lastLine);
    this.#isTaken.fill(1, from, to);
    // A window that ends further behind has none of them.
    this.#score(to, this.#firstAfter(lastLine + this.#size - 1));
  }

  /** Scores the windows that end at these hits. */
  #score(from: number, to: number): void {
    const start = this.#hits[from];
    if (!start || from === to) return;
    const inside = new HitScore(this.#weights);
    let first = this.#firstAfter(start.line - this.#size);
    for (let last = first; last < to; last++) {
      const hit = this.#hits[last];
      if (!hit || this.#isTaken[last] === 1) continue;
      inside.change(hit, 1);
      for (; first < last; first++) {
        const oldest = this.#hits[first];
        if (!oldest || this.#isTaken[first] === 1) continue;
        if (oldest.line > hit.line - this.#size) break;
        inside.change(oldest, -1);
      }
      this.#scores[last] = inside.value;
      this.#firsts[last] = first;
    }
  }

  /** The first hit behind a line. */
  #firstAfter(line: number): number {
    return lowerBound(this.#lines, line + 1);
  }
}

/** The best window of at most `size` lines. Hits are sorted by line. */
export function bestWindow(
  hits: readonly Hit[],
  weights: readonly number[],
  size: number,
): Window | undefined {
  return new Windows(hits, weights, size).best();
}

/** Up to `maxWindows` windows that do not overlap, best first, none far behind the best. */
export function bestWindows(
  hits: readonly Hit[],
  weights: readonly number[],
  size: number,
  maxWindows: number,
  minShare: number,
): Window[] {
  const all = new Windows(hits, weights, size);
  const found: Window[] = [];
  while (found.length < maxWindows) {
    const window = all.best();
    if (!window || window.score < minShare * (found[0]?.score ?? 0)) break;
    found.push(window);
    all.take(window);
  }
  return found;
}
