import type { BlockPlace } from './aligner';
import type { Block } from './block';
import { gapWorth } from './costs';
import type { FileIndex } from './fileIndex';
import type { Nesting } from './nesting';

/** A place for each section of the snippet, in file order. */
export interface SnippetPlacement {
  places: BlockPlace[];
  score: number;
}

export type GapValue = (start: number, end: number) => number;

/** The value, positive or negative, of a marker that stands for a range of lines. */
export function gapValue(nesting: Nesting, columns: number | undefined): GapValue {
  if (columns === undefined) return (start, end) => (start === end ? 0 : -gapWorth.open);
  const outside = nesting.before(columns);
  let upTo: readonly number[] | undefined;
  return (start, end) => {
    if (start === end) return -gapWorth.empty;
    const less = (outside[end] ?? 0) - (outside[start] ?? 0);
    if (less > 0) return -Math.min(gapWorth.maxOutdented, gapWorth.outdentedLine * less);
    upTo ??= nesting.before(columns + 1);
    return (upTo[end] ?? 0) - (upTo[start] ?? 0) > 0 ? gapWorth.sameIndent : 0;
  };
}

/** The best placements through each place, best first, at most `margin` worse than the best. */
export function* chainPlaces(
  blocks: readonly Block[],
  places: readonly (readonly BlockPlace[])[],
  file: FileIndex,
  nesting: Nesting,
  margin: number,
): Generator<SnippetPlacement, undefined> {
  const last = blocks.length - 1;
  const above = blocks.map(({ section }) => gapValue(nesting, section.markerAbove));
  const below = gapValue(nesting, blocks[last]?.section.markerBelow);
  const valueAbove = (k: number, start: number, end: number): number => above[k]?.(start, end) ?? 0;

  // forward[k][c]: the best score of blocks 0..k with block k at its place c; backward excludes the score of k.
  const forward = linked(places, (k, place, before) => {
    const from = before ? before.end : 0;
    return from <= place.start ? place.score + valueAbove(k, from, place.start) : -Infinity;
  });
  const backward = linked(places.toReversed(), (r, place, after) => {
    if (!after) return below(place.end, file.count);
    return place.end <= after.start
      ? after.score + valueAbove(last - r + 1, place.end, after.start)
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
    const path: BlockPlace[] = [];
    for (let at = 0; at < places.length; at++) {
      const place = places[at]?.[chosen[at] ?? 0];
      if (place) path.push(place);
    }
    yield { places: path, score };
  }
  return undefined;
}

/**
 * Drops the places that contradict the order of the blocks, then all but the best of each block.
 * A closing bracket has hundreds of places, but few between its neighbours.
 */
export function narrowPlaces(places: readonly BlockPlace[][], limit: number): BlockPlace[][] {
  /** Where each block can start at the earliest. */
  const earliest: number[] = [];
  let earliestStart = 0;
  for (const found of places) {
    earliest.push(earliestStart);
    earliestStart = earliestEnd(found, earliestStart);
  }
  const result: BlockPlace[][] = [];
  let until = Infinity;
  for (let k = places.length - 1; k >= 0; k--) {
    const from = earliest[k] ?? 0;
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

/** The earliest start of the next block; Infinity when no place is left. */
function earliestEnd(places: readonly BlockPlace[], from: number): number {
  return places.reduce(
    (least, { start, end }) => (start >= from ? Math.min(least, end) : least),
    Infinity,
  );
}

interface Links {
  score: number[];
  /** The place of the previous step that led to the best score. */
  link: number[];
}

/** Best scores step by step. `valueOf` is the value of a place after one of the previous step, if there is one. */
function linked(
  steps: readonly (readonly BlockPlace[])[],
  valueOf: (step: number, place: BlockPlace, before: BlockPlace | undefined) => number,
): Links[] {
  const result: Links[] = [];
  for (let step = 0; step < steps.length; step++) {
    const here = steps[step] ?? [];
    const previous = step === 0 ? [undefined] : (steps[step - 1] ?? []);
    const scores = result.at(-1)?.score;
    const score: number[] = [];
    const link: number[] = [];
    for (const place of here) {
      let best = -Infinity;
      let from = 0;
      for (let b = 0; b < previous.length; b++) {
        const sum = (scores?.[b] ?? 0) + valueOf(step, place, previous[b]);
        if (sum > best) {
          best = sum;
          from = b;
        }
      }
      score.push(best);
      link.push(from);
    }
    result.push({ score, link });
  }
  return result;
}
