import type { Section } from './sections';
import { COST } from './costs';
import type { FileIndex } from './fileIndex';

/** Lines `start` to `end` (half-open) of the original that a section replaces, and how well that fits. */
export interface Place {
  start: number;
  end: number;
  score: number;
}

const CUTOFF = 5;
const MAX_ENDS = 6;
/** Cells of one alignment table; larger sections are placed by their rare lines only. */
const MAX_CELLS = 6_000_000;

interface Weights {
  /** For each line of the section: places in the original and what a match there is worth. */
  at: Int32Array[];
  worth: Float64Array[];
}

/** All plausible places of one section, best first is not guaranteed; sorted by start. */
export function placesOf(section: Section, file: FileIndex): Place[] {
  const weights = weigh(section, file);
  const rows = section.lines.length;
  const lines = file.lines.length;
  let from = 0;
  let to = lines;
  if (rows * lines > MAX_CELLS) {
    [from, to] = windowOf(section, file, weights);
    if (rows * (to - from) > 4 * MAX_CELLS) {
      return to > from ? [{ start: from, end: to, score: rows / 2 }] : [];
    }
  }
  const starts = bestStarts(weights, rows, from, to, file, section);
  const places: Place[] = [];
  for (const start of starts) {
    const reach = Math.min(to, start + 3 * rows + 400);
    places.push(...bestEnds(weights, rows, start, reach, file, section));
  }
  return places.sort((a, b) => a.start - b.start || a.end - b.end);
}

function weigh(section: Section, file: FileIndex): Weights {
  const at: Int32Array[] = [];
  const worth: Float64Array[] = [];
  for (const line of section.lines) {
    const matches = file.matchesOf(line);
    at.push(Int32Array.from(matches, match => match.at));
    worth.push(Float64Array.from(matches, match => match.worth));
  }
  return { at, worth };
}

/** The stretch between the first and the last line of the section that stand once in the file. */
function windowOf(section: Section, file: FileIndex, weights: Weights): [number, number] {
  let from = file.lines.length;
  let to = 0;
  section.lines.forEach((line, row) => {
    const at = weights.at[row]?.[0];
    if (at !== undefined && file.countOf(line.trimmed) === 1) {
      from = Math.min(from, Math.max(0, at - row));
      to = Math.max(to, Math.min(file.lines.length, at + section.lines.length - row));
    }
  });
  return [from, to];
}

/** Value of placing rows `row`.. from original line j on: `open` may end, `deleting` must match first. */
function bestStarts(
  weights: Weights,
  rows: number,
  from: number,
  to: number,
  file: FileIndex,
  section: Section,
): number[] {
  const width = to - from + 1;
  const cost = file.deletionCosts(section);
  let below = new Float64Array(width);
  let open = new Float64Array(width);
  const starts = new Float64Array(width).fill(-1);
  const matched = new Float64Array(width);
  for (let row = rows - 1; row >= 0; row--) {
    const at = weights.at[row] ?? new Int32Array();
    const worth = weights.worth[row] ?? new Float64Array();
    matched.fill(-1);
    for (let k = 0; k < at.length; k++) {
      const j = (at[k] ?? 0) - from;
      if (j >= 0 && j < width - 1) {
        const value = (worth[k] ?? 0) + (below[j + 1] ?? 0);
        matched[j] = value;
        const start = value - COST.insertLine * row - (row > 0 ? COST.newEdge : 0);
        if (start > (starts[j] ?? 0)) {
          starts[j] = start;
        }
      }
    }
    let deleting = -1e9;
    for (let j = width - 1; j >= 0; j--) {
      const match = matched[j] ?? -1;
      let value = (below[j] ?? 0) - COST.insertLine;
      if (j < width - 1) {
        const skipped = deleting - COST.openDeletion;
        if (match >= 0 && match > value) {
          value = match;
        }
        if (skipped > value) {
          value = skipped;
        }
      }
      open[j] = value;
      // `deleting` at j-1: delete line j-1, then match at j or delete on.
      const next = match >= 0 && match > deleting ? match : deleting;
      deleting = j > 0 ? next - (cost[from + j - 1] ?? 0) : next;
    }
    [below, open] = [open, below];
  }
  const limit = Math.max(12, Math.min(300, Math.floor(3000 / rows)));
  const found: number[] = [];
  let best = 0;
  for (let j = 0; j < width; j++) {
    best = Math.max(best, starts[j] ?? -1);
  }
  for (let j = 0; j < width; j++) {
    if ((starts[j] ?? -1) > 0 && (starts[j] ?? -1) >= best - CUTOFF) {
      found.push(j);
    }
  }
  found.sort((a, b) => (starts[b] ?? 0) - (starts[a] ?? 0));
  return found.slice(0, limit).map(j => j + from);
}

/** Places that start at `start`, the best few ends. */
function bestEnds(
  weights: Weights,
  rows: number,
  start: number,
  reach: number,
  file: FileIndex,
  section: Section,
): Place[] {
  const width = reach - start + 1;
  const cost = file.deletionCosts(section);
  let above = new Float64Array(width).fill(-1e9);
  let value = new Float64Array(width);
  const ends = new Float64Array(width).fill(-1e9);
  for (let row = 0; row < rows; row++) {
    const at = weights.at[row] ?? new Int32Array();
    const worth = weights.worth[row] ?? new Float64Array();
    for (let j = 0; j < width; j++) {
      value[j] = (above[j] ?? 0) - COST.insertLine;
    }
    let deleting = -1e9;
    let j = 0;
    for (let k = 0; k < at.length; k++) {
      const line = (at[k] ?? 0) - start;
      if (line < 0) {
        continue;
      }
      if (line >= width - 1) {
        break;
      }
      // Lines up to `line` may be deleted after a match or an insertion.
      for (; j < line; j++) {
        const opened = (above[j] ?? -1e9) - COST.openDeletion;
        deleting = (opened > deleting ? opened : deleting) - (cost[start + j] ?? 0);
      }
      const before = Math.max(above[line] ?? -1e9, deleting);
      let match = before + (worth[k] ?? 0);
      if (line === 0) {
        match = Math.max(
          match,
          (worth[k] ?? 0) - COST.insertLine * row - (row > 0 ? COST.newEdge : 0),
        );
      }
      if (match > (value[line + 1] ?? 0)) {
        value[line + 1] = match;
      }
      const end = match - COST.insertLine * (rows - 1 - row) - (row < rows - 1 ? COST.newEdge : 0);
      if (end > (ends[line + 1] ?? 0)) {
        ends[line + 1] = end;
      }
    }
    [above, value] = [value, above];
  }
  const found: Place[] = [];
  for (let j = 1; j < width; j++) {
    const score = ends[j] ?? -1e9;
    if (score > 0) {
      found.push({
        start,
        end: start + j,
        score: score - COST.bracket * file.imbalance(section, start, start + j),
      });
    }
  }
  found.sort((a, b) => b.score - a.score || a.end - b.end);
  const best = found[0]?.score ?? 0;
  return found.filter(place => place.score >= best - CUTOFF).slice(0, MAX_ENDS);
}
