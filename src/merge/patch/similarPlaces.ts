import { isFiller } from '../lines';
import { LinePattern } from '../similarity';
import type { LineFinder } from './lineFinder';

/** A line with a typo or another comment is at least this much like the one of the file. */
const minLineRatio = 0.75;
/** A single line has nothing around it that confirms it. */
const minLoneRatio = 0.9;
const minLoneLength = 16;
/** How much more alike the best place is than the next one. */
const minLead = 0.1;
/** Limits for the work: real files need far less. */
const maxCandidates = 60;
const maxRowsPerLine = 50;
const maxOldLines = 400;
const maxLoneLines = 5000;

/**
 * The one place whose lines are so much like the old lines of a hunk that it is beyond doubt the meant one;
 * undefined when there is none, or another is nearly as good.
 */
export function similarPlace(old: readonly string[], finder: LineFinder): number | undefined {
  if (old.length === 0 || old.length > maxOldLines || old.length > finder.lines.length) {
    return undefined;
  }
  const patterns = old.map(line => patternOf(keyOf(line)));
  let best: { at: number; score: number } | undefined;
  let next = 0;
  for (const at of candidates(old, finder)) {
    const score = scoreAt(at, old, patterns, finder);
    if (score > (best?.score ?? 0)) {
      next = best?.score ?? 0;
      best = { at, score };
    } else {
      next = Math.max(next, score);
    }
  }
  return best && best.score - next >= minLead ? best.at : undefined;
}

/** Blanks are what people and models change first. */
const keyOf = (line: string): string => line.replace(/\s+/g, '');

const patternOf = (key: string): { key: string; pattern: LinePattern } => ({
  key,
  pattern: new LinePattern(key),
});

/** Places at which a line that says something is equal; all places for a hunk of one line. */
function candidates(old: readonly string[], finder: LineFinder): readonly number[] {
  const last = finder.lines.length - old.length;
  const telling = old.filter(line => !isFiller(line.trim())).length;
  if (telling === 1 && old.length <= 2) {
    const isFew = finder.lines.length <= maxLoneLines;
    return isFew ? Array.from({ length: last + 1 }, (_, at) => at) : [];
  }
  const votes = new Map<number, number>();
  for (const [offset, line] of old.entries()) {
    if (isFiller(line.trim())) continue;
    for (const row of finder.rowsWithKey(keyOf(line)).slice(0, maxRowsPerLine)) {
      const at = row - offset;
      if (at >= 0 && at <= last) votes.set(at, (votes.get(at) ?? 0) + 1);
    }
  }
  const ordered = [...votes].sort((a, b) => b[1] - a[1]);
  return ordered.slice(0, maxCandidates).map(([at]) => at);
}

/** How much the lines at a place are like the old ones, from 0 to 1; 0 when one of them is another line. */
function scoreAt(
  at: number,
  old: readonly string[],
  patterns: readonly { key: string; pattern: LinePattern }[],
  finder: LineFinder,
): number {
  const isLone = old.length <= 2;
  let sum = 0;
  let weights = 0;
  for (const [offset, { key, pattern }] of patterns.entries()) {
    const line = keyOf(finder.lines[at + offset] ?? '');
    const weight = isFiller((old[offset] ?? '').trim()) ? 0 : Math.max(1, key.length);
    const ratio = line === key ? 1 : likeness(line, key, pattern);
    if (weight === 0 ? ratio < 1 : ratio < (isLone ? minLoneRatio : minLineRatio)) return 0;
    if (isLone && weight > 0 && ratio < 1 && key.length < minLoneLength) return 0;
    sum += ratio * weight;
    weights += weight;
  }
  return weights === 0 ? 0 : sum / weights;
}

function likeness(line: string, key: string, pattern: LinePattern): number {
  const isComparable =
    key !== '' && line.length >= pattern.minLength && line.length <= pattern.maxLength;
  return isComparable ? pattern.ratio(line) : 0;
}
