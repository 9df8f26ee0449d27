import type { Hit } from './fileText';

/** Lines that contain much of the query, 1-based and inclusive, from the first hit to the last. */
export interface Window {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly score: number;
}

/** Worth of a number of hits of one term: each further hit adds less. */
const worth = (count: number): number => (count <= 1 ? count : 1 + 0.25 * Math.log(count));

/** The best window of at most `size` lines. Hits are sorted by line. */
export function bestWindow(
  hits: readonly Hit[],
  weights: readonly number[],
  size: number,
): Window | undefined {
  const counts = new Float64Array(weights.length);
  const worths = new Float64Array(weights.length);
  let score = 0;
  const change = (hit: Hit, sign: 1 | -1): void => {
    for (const { term, factor } of hit.matches) {
      const weight = weights[term] ?? 0;
      const before = counts[term] ?? 0;
      const after = Math.max(0, before + sign * factor * hit.quality);
      counts[term] = after < 1e-6 ? 0 : after;
      const now = worth(counts[term]);
      score += weight * (now - (worths[term] ?? 0));
      worths[term] = now;
    }
  };
  let best: Window | undefined;
  let first = 0;
  for (const hit of hits) {
    change(hit, 1);
    for (
      let oldest = hits[first];
      oldest && oldest.line <= hit.line - size;
      oldest = hits[++first]
    ) {
      change(oldest, -1);
    }
    if (score > (best?.score ?? 0) + 1e-9) {
      best = { firstLine: hits[first]?.line ?? hit.line, lastLine: hit.line, score };
    }
  }
  return best;
}

/** Up to `most` windows that do not overlap, best first, none far behind the best. */
export function bestWindows(
  hits: readonly Hit[],
  weights: readonly number[],
  size: number,
  maxWindows: number,
  minShare: number,
): Window[] {
  const windows: Window[] = [];
  let rest = hits;
  while (windows.length < maxWindows) {
    const window = bestWindow(rest, weights, size);
    if (!window || window.score < minShare * (windows[0]?.score ?? 0)) break;
    windows.push(window);
    rest = rest.filter(({ line }) => line < window.firstLine || line > window.lastLine);
  }
  return windows;
}
