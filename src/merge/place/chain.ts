import type { Place } from './align';
import type { Block } from './block';
import { GAP } from './costs';
import type { FileIndex } from './fileIndex';
import type { Nesting } from './nesting';

/** One way to read the snippet: a place for each section, in file order. */
export interface Reading {
  places: Place[];
  score: number;
}

/** What it costs or gains that a marker stands for lines `start` to `end`. */
function gapValue(
  nesting: Nesting,
  columns: number | undefined,
  start: number,
  end: number,
): number {
  if (columns === undefined) return start === end ? 0 : -GAP.open;
  if (start === end) return -GAP.empty;
  const less = nesting.less(columns, start, end);
  if (less > 0) return -Math.min(GAP.maxOutdented, GAP.outdentedLine * less);
  return nesting.less(columns + 1, start, end) > 0 ? GAP.sameIndent : 0;
}

/** The best readings through each place, best first, at most `margin` worse than the best. */
export function* chain(
  blocks: readonly Block[],
  places: readonly (readonly Place[])[],
  file: FileIndex,
  nesting: Nesting,
  margin: number,
): Generator<Reading, undefined> {
  const last = blocks.length - 1;
  const markerAbove = (k: number): number | undefined => blocks[k]?.section.markerAbove;

  // forward[k][c]: the best score of blocks 0..k with block k at its place c; backward without k's own.
  const forward = linked(places, (k, place) => {
    if (k === 0) return place.score + gapValue(nesting, markerAbove(0), 0, place.start);
    return before =>
      before.end <= place.start
        ? place.score + gapValue(nesting, markerAbove(k), before.end, place.start)
        : -Infinity;
  });
  const reversed = places.toReversed();
  const backward = linked(reversed, (r, place) => {
    const k = last - r;
    if (k === last) return gapValue(nesting, blocks[k]?.section.markerBelow, place.end, file.count);
    return after =>
      place.end <= after.start
        ? after.score + gapValue(nesting, markerAbove(k + 1), place.end, after.start)
        : -Infinity;
  });

  const through: { k: number; c: number; score: number }[] = [];
  let best = -Infinity;
  places.forEach((found, k) => {
    found.forEach((_, c) => {
      const score =
        (forward[k]?.score[c] ?? -Infinity) + (backward[last - k]?.score[c] ?? -Infinity);
      best = Math.max(best, score);
      through.push({ k, c, score });
    });
  });
  const near = through.filter(({ score }) => score > -Infinity && score >= best - margin);
  near.sort((a, b) => b.score - a.score || a.k - b.k || a.c - b.c);
  for (const { k, c, score } of near) {
    const chosen = new Int32Array(places.length);
    chosen[k] = c;
    for (let at = k; at > 0; at--) chosen[at - 1] = forward[at]?.link[chosen[at] ?? 0] ?? 0;
    for (let at = k; at < last; at++) {
      chosen[at + 1] = backward[last - at]?.link[chosen[at] ?? 0] ?? 0;
    }
    yield {
      places: Array.from(chosen, (choice, at) => places[at]?.[choice]).filter(
        place => place !== undefined,
      ),
      score,
    };
  }
  return undefined;
}

/**
 * Leaves out the places that no order of the blocks allows, then all but the best of each block.
 * A closing bracket stands in hundreds of places, but in few between its neighbours.
 */
export function narrow(places: readonly Place[][], limit: number): Place[][] {
  const earliest: number[] = [];
  places.forEach((found, k) => {
    const from = earliest[k - 1] ?? 0;
    earliest.push(earliestEnd(found, from));
  });
  const result: Place[][] = [];
  let until = Infinity;
  for (let k = places.length - 1; k >= 0; k--) {
    const from = earliest[k - 1] ?? 0;
    let kept = (places[k] ?? []).filter(({ start, end }) => start >= from && end <= until);
    if (kept.length > limit) {
      kept = kept.sort((a, b) => b.score - a.score).slice(0, limit);
    }
    kept.sort((a, b) => a.start - b.start || a.end - b.end);
    result.unshift(kept);
    until = kept.reduce((most, { start }) => Math.max(most, start), -Infinity);
  }
  return result;
}

/** Where the next block may start at the earliest; Infinity when no place is left. */
function earliestEnd(places: readonly Place[], from: number): number {
  return places.reduce(
    (least, { start, end }) => (start >= from ? Math.min(least, end) : least),
    Infinity,
  );
}

interface Links {
  score: Float64Array;
  /** Which place of the step before the best score came from. */
  link: Int32Array;
}

/** Best scores step by step; `valueOf` tells what a place adds, by itself or after a place before. */
function linked(
  steps: readonly (readonly Place[])[],
  valueOf: (step: number, place: Place) => number | ((before: Place) => number),
): Links[] {
  const result: Links[] = [];
  for (const [step, here] of steps.entries()) {
    const score = new Float64Array(here.length).fill(-Infinity);
    const link = new Int32Array(here.length);
    here.forEach((place, c) => {
      const value = valueOf(step, place);
      if (typeof value === 'number') {
        score[c] = value;
        return;
      }
      (steps[step - 1] ?? []).forEach((before, b) => {
        const sum = (result[step - 1]?.score[b] ?? -Infinity) + value(before);
        if (sum > (score[c] ?? 0)) {
          score[c] = sum;
          link[c] = b;
        }
      });
    });
    result.push({ score, link });
  }
  return result;
}
