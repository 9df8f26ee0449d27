import { append } from '../../base/arrays';
import { addScores, compareScores, type SplitScore, scoreSplit } from './splitScore';

/** Lines `oldStart` to `oldStart + oldCount` became `newStart` to `newStart + newCount`; 0-based, half-open. */
export interface LineChange {
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
}

export interface LineReplacement {
  readonly start: number;
  readonly count: number;
  readonly lines: readonly string[];
}

interface Region {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** A region with more edited lines becomes one change, which keeps 10,000 lines under 50 ms. */
const maxEditDistance = 400;
/** Limit for line comparisons in all regions; two texts of few repeated lines could take as many for each edit. */
const maxSteps = 10_000_000;

/**
 * The line diff of two texts. Changes are exact, sorted and never adjacent: there is an equal line between two changes.
 * Lines that occur once on both sides are matched first (patience diff), then Myers' algorithm runs between them.
 * Lines may be given as numbers; these have no indentation.
 */
export function diffLines<T extends string | number>(
  before: readonly T[],
  after: readonly T[],
): LineChange[] {
  const numbers = new Map<T, number>();
  const oldLines = numbered(before, numbers);
  const newLines = numbered(after, numbers);
  const anchorsIn = anchorFinder(oldLines, newLines, numbers.size);
  const budget = { steps: maxSteps };

  const changes: LineChange[] = [];
  const waiting: Region[] = [
    { oldStart: 0, oldEnd: oldLines.length, newStart: 0, newEnd: newLines.length },
  ];
  for (let region = waiting.pop(); region; region = waiting.pop()) {
    trimEqualEnds(region, oldLines, newLines);
    if (region.oldStart === region.oldEnd || region.newStart === region.newEnd) {
      changes.push(wholeRegion(region));
      continue;
    }
    const anchors = anchorsIn(region);
    if (anchors.length > 0) append(waiting, splitAt(anchors, region));
    else append(changes, myersEdits(region, oldLines, newLines, budget) ?? [wholeRegion(region)]);
  }
  return slideToNaturalPlaces(joinTouching(changes), before, after);
}

/** Applies replacements that do not overlap, in any order; insertions at the same place keep their order. */
export function applyChanges(
  before: readonly string[],
  replacements: readonly LineReplacement[],
): string[] {
  const sorted = replacements
    .map((replacement, order) => ({ ...replacement, order }))
    .sort((a, b) => a.start - b.start || a.count - b.count || a.order - b.order);
  const result: string[] = [];
  let position = 0;
  for (const { start, count, lines } of sorted) {
    for (; position < start; position++) result.push(before[position] ?? '');
    for (const line of lines) result.push(line);
    position = start + count;
  }
  for (; position < before.length; position++) result.push(before[position] ?? '');
  return result;
}

function numbered<T>(lines: readonly T[], numbers: Map<T, number>): Int32Array {
  const result = new Int32Array(lines.length);
  let at = 0;
  for (const line of lines) {
    let number = numbers.get(line);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(line, number);
    }
    result[at++] = number;
  }
  return result;
}

function wholeRegion({ oldStart, oldEnd, newStart, newEnd }: Region): LineChange {
  return { oldStart, oldCount: oldEnd - oldStart, newStart, newCount: newEnd - newStart };
}

function trimEqualEnds(region: Region, oldLines: Int32Array, newLines: Int32Array): void {
  const isOpen = () => region.oldStart < region.oldEnd && region.newStart < region.newEnd;
  while (isOpen() && oldLines[region.oldStart] === newLines[region.newStart]) {
    region.oldStart++;
    region.newStart++;
  }
  while (isOpen() && oldLines[region.oldEnd - 1] === newLines[region.newEnd - 1]) {
    region.oldEnd--;
    region.newEnd--;
  }
}

type Anchor = { oldLine: number; newLine: number };

/** Finds the lines that occur once on both sides of a region. */
function anchorFinder(
  oldLines: Int32Array,
  newLines: Int32Array,
  numbers: number,
): (region: Region) => Anchor[] {
  // By line number: occurrences on each side of the region (2 means two or more), and the position.
  const oldCounts = new Uint8Array(numbers);
  const newCounts = new Uint8Array(numbers);
  const places = new Int32Array(numbers);
  return ({ oldStart, oldEnd, newStart, newEnd }) => {
    for (let line = oldStart; line < oldEnd; line++) {
      const number = oldLines[line] ?? 0;
      oldCounts[number] = 0;
      newCounts[number] = 0;
    }
    for (let line = oldStart; line < oldEnd; line++) {
      const number = oldLines[line] ?? 0;
      oldCounts[number] = Math.min(2, (oldCounts[number] ?? 0) + 1);
    }
    for (let line = newStart; line < newEnd; line++) {
      const number = newLines[line] ?? 0;
      newCounts[number] = Math.min(2, (newCounts[number] ?? 0) + 1);
      places[number] = line;
    }
    const inOldOrder: Anchor[] = [];
    for (let oldLine = oldStart; oldLine < oldEnd; oldLine++) {
      const number = oldLines[oldLine] ?? 0;
      if (oldCounts[number] === 1 && newCounts[number] === 1) {
        inOldOrder.push({ oldLine, newLine: places[number] ?? 0 });
      }
    }
    return increasingSubsequence(inOldOrder);
  };
}

/** The longest subsequence of anchors that is in order on the new side too (patience sorting). */
function increasingSubsequence(anchors: readonly Anchor[]): Anchor[] {
  type Card = { anchor: Anchor; below: Card | undefined };
  const piles: Card[] = [];
  for (const anchor of anchors) {
    let low = 0;
    let high = piles.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((piles[middle]?.anchor.newLine ?? 0) < anchor.newLine) low = middle + 1;
      else high = middle;
    }
    piles[low] = { anchor, below: piles[low - 1] };
  }
  const rising: Anchor[] = [];
  for (let card = piles.at(-1); card; card = card.below) rising.push(card.anchor);
  return rising.reverse();
}

function splitAt(anchors: readonly Anchor[], region: Region): Region[] {
  const parts: Region[] = [];
  let { oldStart, newStart } = region;
  for (const { oldLine, newLine } of anchors) {
    parts.push({ oldStart, oldEnd: oldLine, newStart, newEnd: newLine });
    oldStart = oldLine + 1;
    newStart = newLine + 1;
  }
  parts.push({ oldStart, oldEnd: region.oldEnd, newStart, newEnd: region.newEnd });
  return parts.filter(part => part.oldStart < part.oldEnd || part.newStart < part.newEnd);
}

/** Myers' greedy algorithm; undefined when the texts differ in more than `maxEditDistance` lines, or the steps run out. */
function myersEdits(
  region: Region,
  oldLines: Int32Array,
  newLines: Int32Array,
  budget: { steps: number },
): LineChange[] | undefined {
  const oldCount = region.oldEnd - region.oldStart;
  const newCount = region.newEnd - region.newStart;
  const limit = Math.min(oldCount + newCount, maxEditDistance);
  if (Math.abs(oldCount - newCount) > limit) return undefined;

  const middle = limit + 1;
  const furthest = new Int32Array(2 * limit + 3);
  const history: Int32Array[] = [];
  for (let distance = 0; distance <= limit; distance++) {
    if (budget.steps < 0) return undefined;
    history.push(furthest.slice(middle - distance - 1, middle + distance + 2));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const down = furthest[middle + diagonal + 1] ?? 0;
      const right = furthest[middle + diagonal - 1] ?? 0;
      const goesDown = diagonal === -distance || (diagonal !== distance && right < down);
      const start = goesDown ? down : right + 1;
      let x = start;
      let y = x - diagonal;
      while (
        x < oldCount &&
        y < newCount &&
        oldLines[region.oldStart + x] === newLines[region.newStart + y]
      ) {
        x++;
        y++;
      }
      budget.steps -= x - start;
      furthest[middle + diagonal] = x;
      if (x >= oldCount && y >= newCount) return traceBack(history, region);
    }
  }
  return undefined;
}

function traceBack(history: readonly Int32Array[], region: Region): LineChange[] {
  const changes: LineChange[] = [];
  let x = region.oldEnd - region.oldStart;
  let y = region.newEnd - region.newStart;
  for (let distance = history.length - 1; distance > 0; distance--) {
    const furthest = history[distance];
    const at = (diagonal: number) => furthest?.[diagonal + distance + 1] ?? 0;
    const diagonal = x - y;
    const goesDown =
      diagonal === -distance || (diagonal !== distance && at(diagonal - 1) < at(diagonal + 1));
    const previous = goesDown ? diagonal + 1 : diagonal - 1;
    x = at(previous);
    y = x - previous;
    changes.push({
      oldStart: region.oldStart + x,
      oldCount: goesDown ? 0 : 1,
      newStart: region.newStart + y,
      newCount: goesDown ? 1 : 0,
    });
  }
  return changes;
}

function joinTouching(changes: LineChange[]): LineChange[] {
  changes.sort((a, b) => a.oldStart - b.oldStart || a.newStart - b.newStart);
  const joined: LineChange[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    if (change.oldCount === 0 && change.newCount === 0) continue;
    if (
      last &&
      last.oldStart + last.oldCount === change.oldStart &&
      last.newStart + last.newCount === change.newStart
    ) {
      last.oldCount += change.oldCount;
      last.newCount += change.newCount;
    } else joined.push(change);
  }
  return joined;
}

/** How many lines a change may slide up or down; git has the same limit. */
const maxSlide = 100;

/**
 * A pure insertion or deletion can often be at several places with the same result. Chooses the one that a person would,
 * so that a new function is one block and not "the end of one and the start of the next".
 */
function slideToNaturalPlaces(
  changes: LineChange[],
  before: readonly (string | number)[],
  after: readonly (string | number)[],
): LineChange[] {
  changes.forEach((change, index) => {
    if (change.oldCount > 0 && change.newCount > 0) return;
    const isInsertion = change.newCount > 0;
    const lines = isInsertion ? after : before;
    const start = isInsertion ? change.newStart : change.oldStart;
    const count = change.oldCount + change.newCount;
    const { above, below } = roomAround(changes, index, before.length);

    let up = 0;
    while (up < above && lines[start - up - 1] === lines[start - up - 1 + count]) up++;
    let down = 0;
    while (down < below && lines[start + down] === lines[start + down + count]) down++;

    if (up === 0 && down === 0) return;
    let best = 0;
    let bestScore: SplitScore | undefined;
    for (let shift = -up; shift <= down; shift++) {
      const score = addScores(
        scoreSplit(lines, start + shift),
        scoreSplit(lines, start + shift + count),
      );
      if (bestScore && compareScores(score, bestScore) > 0) continue;
      best = shift;
      bestScore = score;
    }
    change.oldStart += best;
    change.newStart += best;
  });
  return changes;
}

/** How far a change can slide without touching its neighbours. */
function roomAround(
  changes: readonly LineChange[],
  index: number,
  oldLength: number,
): { above: number; below: number } {
  const change = changes[index];
  const previous = changes[index - 1];
  const next = changes[index + 1];
  const start = change?.oldStart ?? 0;
  const end = start + (change?.oldCount ?? 0);
  const above = previous ? start - previous.oldStart - previous.oldCount - 1 : start;
  const below = next ? next.oldStart - end - 1 : oldLength - end;
  return { above: Math.min(above, maxSlide), below: Math.min(below, maxSlide) };
}
