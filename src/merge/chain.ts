import { GAP } from './costs';
import type { FileIndex } from './fileIndex';
import type { Section } from './sections';
import type { Place } from './align';

/** One way to read the snippet: a place for each section, in file order. */
export interface Reading {
  places: Place[];
  score: number;
}

/** Prefix counts over the original: lines less indented than a marker, and equally indented. */
class Gap {
  readonly #less: Int32Array;
  readonly #same: Int32Array;

  constructor(file: FileIndex, columns: number) {
    this.#less = new Int32Array(file.lines.length + 1);
    this.#same = new Int32Array(file.lines.length + 1);
    file.lines.forEach(({ indent }, at) => {
      this.#less[at + 1] = (this.#less[at] ?? 0) + (indent >= 0 && indent < columns ? 1 : 0);
      this.#same[at + 1] = (this.#same[at] ?? 0) + (indent === columns ? 1 : 0);
    });
  }

  /** What it costs or gains that the marker stands for lines `start` to `end`. */
  value(start: number, end: number): number {
    if (start === end) {
      return -GAP.empty;
    }
    const less = (this.#less[end] ?? 0) - (this.#less[start] ?? 0);
    const same = (this.#same[end] ?? 0) - (this.#same[start] ?? 0);
    return less > 0
      ? -Math.min(GAP.maxOutdented, GAP.outdentedLine * less)
      : same > 0
        ? GAP.sameIndent
        : 0;
  }
}

/** The best readings with pairwise different places, best first. */
export function chain(
  sections: readonly Section[],
  places: readonly (readonly Place[])[],
  file: FileIndex,
  margin: number,
  limit: number,
): Reading[] {
  const gaps = new Map<number, Gap>();
  const gapValue = (columns: number | undefined, start: number, end: number): number => {
    if (columns === undefined) {
      return start === end ? 0 : -GAP.open;
    }
    let gap = gaps.get(columns);
    if (!gap) {
      gap = new Gap(file, columns);
      gaps.set(columns, gap);
    }
    return gap.value(start, end);
  };
  const count = sections.length;
  const between = (section: number, a: Place, b: Place): number =>
    gapValue(sections[section]?.markerAbove, a.end, b.start);

  // forward[k][c]: best score of sections 0..k with section k at its place c; backward alike without k's own score.
  const forward: Float64Array[] = [];
  const from: Int32Array[] = [];
  for (let k = 0; k < count; k++) {
    const here = places[k] ?? [];
    const score = new Float64Array(here.length).fill(-Infinity);
    const link = new Int32Array(here.length).fill(-1);
    here.forEach((place, c) => {
      if (k === 0) {
        score[c] = place.score + gapValue(sections[0]?.markerAbove, 0, place.start);
        return;
      }
      (places[k - 1] ?? []).forEach((before, b) => {
        const base = forward[k - 1]?.[b] ?? -Infinity;
        if (before.end <= place.start && base + place.score + 1 > (score[c] ?? 0)) {
          const value = base + place.score + between(k, before, place);
          if (value > (score[c] ?? 0)) {
            score[c] = value;
            link[c] = b;
          }
        }
      });
    });
    forward.push(score);
    from.push(link);
  }
  const backward: Float64Array[] = Array.from({ length: count }, () => new Float64Array());
  const onward: Int32Array[] = Array.from({ length: count }, () => new Int32Array());
  for (let k = count - 1; k >= 0; k--) {
    const here = places[k] ?? [];
    const score = new Float64Array(here.length).fill(-Infinity);
    const link = new Int32Array(here.length).fill(-1);
    here.forEach((place, c) => {
      if (k === count - 1) {
        score[c] = gapValue(sections[k]?.markerBelow, place.end, file.lines.length);
        return;
      }
      (places[k + 1] ?? []).forEach((after, a) => {
        const base = (backward[k + 1]?.[a] ?? -Infinity) + after.score;
        if (place.end <= after.start && base + 1 > (score[c] ?? 0)) {
          const value = base + between(k + 1, place, after);
          if (value > (score[c] ?? 0)) {
            score[c] = value;
            link[c] = a;
          }
        }
      });
    });
    backward[k] = score;
    onward[k] = link;
  }

  // The best reading through each place of each section.
  const through: { k: number; c: number; score: number }[] = [];
  let best = -Infinity;
  for (let k = 0; k < count; k++) {
    (places[k] ?? []).forEach((_, c) => {
      const score = (forward[k]?.[c] ?? -Infinity) + (backward[k]?.[c] ?? -Infinity);
      best = Math.max(best, score);
      through.push({ k, c, score });
    });
  }
  const readings = new Map<string, Reading>();
  through.sort((a, b) => b.score - a.score || a.k - b.k || a.c - b.c);
  for (const { k, c, score } of through) {
    if (score === -Infinity || score < best - margin || readings.size >= limit) {
      break;
    }
    const chosen: number[] = [];
    chosen[k] = c;
    for (let at = k; at > 0; at--) {
      chosen[at - 1] = from[at]?.[chosen[at] ?? 0] ?? 0;
    }
    for (let at = k; at < count - 1; at++) {
      chosen[at + 1] = onward[at]?.[chosen[at] ?? 0] ?? 0;
    }
    const key = chosen.join();
    if (!readings.has(key)) {
      const taken: Place[] = [];
      chosen.forEach((place, section) => {
        const found = places[section]?.[place];
        if (found) {
          taken.push(found);
        }
      });
      readings.set(key, { places: taken, score });
    }
  }
  return [...readings.values()];
}
