import { diffLines, joinChanges } from '../../../../merge';
import { withoutEnd } from '../fileText';

/** Lines of the baseline and the lines of the file that took their place; numbers are 0-based. */
export interface AlignedPart {
  readonly baseStart: number;
  readonly baseCount: number;
  readonly start: number;
  readonly count: number;
  /** The user edited these lines after another program had written them. */
  readonly isEdited: boolean;
}

/**
 * How lines are compared: as Apply's reviews do, which know no line ends, so that a blank line counts as one. The ends are
 * added in a form that no line contains.
 */
function comparable(line: string): string {
  if (line.endsWith('\r\n')) return line.slice(0, -1);
  if (line.endsWith('\n')) return line.slice(0, -1);
  return line.endsWith('\r') ? `${line}\r` : `${line}\n`;
}

/** The parts that differ, with the borders that a review of the same change in Apply has. */
export function alignLines(baseline: readonly string[], now: readonly string[]): AlignedPart[] {
  const ends = differentEnds(baseline, now);
  if (ends) return ends;
  const before = baseline.map(comparable);
  return joinChanges(diffLines(before, now.map(comparable)), before).map(
    ({ oldStart, oldCount, newStart, newCount }) => ({
      baseStart: oldStart,
      baseCount: oldCount,
      start: newStart,
      count: newCount,
      isEdited: false,
    }),
  );
}

/** One part, if the texts differ in line ends only. */
function differentEnds(
  baseline: readonly string[],
  now: readonly string[],
): AlignedPart[] | undefined {
  if (baseline.length !== now.length) return undefined;
  let first = -1;
  let last = -1;
  for (const [at, line] of now.entries()) {
    const old = baseline[at] ?? '';
    if (old === line) continue;
    if (withoutEnd(old) !== withoutEnd(line)) return undefined;
    if (first < 0) first = at;
    last = at;
  }
  if (first < 0) return undefined;
  const count = last - first + 1;
  return [{ baseStart: first, baseCount: count, start: first, count, isEdited: false }];
}

/** What stays pending when the parts are kept, whose lines are in the baseline then. */
export function partsAfterKeep<T extends AlignedPart>(
  parts: readonly T[],
  isKept: (part: T) => boolean,
): T[] {
  const rest: T[] = [];
  let shift = 0;
  for (const part of parts) {
    if (isKept(part)) shift += part.count - part.baseCount;
    else rest.push({ ...part, baseStart: part.baseStart + shift });
  }
  return rest;
}

/** What stays pending when the parts are undone, whose old lines are in the file then. */
export function partsAfterUndo<T extends AlignedPart>(
  parts: readonly T[],
  isUndone: (part: T) => boolean,
): T[] {
  const rest: T[] = [];
  let shift = 0;
  for (const part of parts) {
    if (isUndone(part)) shift += part.baseCount - part.count;
    else rest.push({ ...part, start: part.start + shift });
  }
  return rest;
}

/** Parts without an equal line between them become one. */
export function joinAdjacent(parts: readonly AlignedPart[]): AlignedPart[] {
  const joined: AlignedPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isAdjacent =
      last !== undefined &&
      last.baseStart + last.baseCount === part.baseStart &&
      last.start + last.count === part.start;
    if (!isAdjacent) {
      joined.push(part);
      continue;
    }
    joined.pop();
    joined.push({
      ...last,
      baseCount: last.baseCount + part.baseCount,
      count: last.count + part.count,
      isEdited: last.isEdited || part.isEdited,
    });
  }
  return joined;
}

/**
 * The stored form: for each part the number of equal lines above it, of its lines in the baseline and in the file. Stored
 * once a decision or an edit made it, because another diff of the same texts may have other borders.
 */
export interface StoredAlignment {
  readonly parts: readonly number[];
  /** The parts that the user edited, by their number. */
  readonly edited: readonly number[];
}

export function toStoredAlignment(aligned: readonly AlignedPart[]): StoredAlignment {
  const parts: number[] = [];
  const edited: number[] = [];
  let end = 0;
  for (const [index, { start, count, baseCount, isEdited }] of aligned.entries()) {
    parts.push(start - end, baseCount, count);
    if (isEdited) edited.push(index);
    end = start + count;
  }
  return { parts, edited };
}

/** The parts of these texts; undefined when the stored form does not fit them. */
export function readAlignment(
  { parts: stored, edited }: StoredAlignment,
  baseline: readonly string[],
  now: readonly string[],
): AlignedPart[] | undefined {
  const isEdited = new Set(edited);
  const parts: AlignedPart[] = [];
  let baseEnd = 0;
  let end = 0;
  const hasEqual = (count: number): boolean => {
    for (let n = 0; n < count; n++) {
      if (baseline[baseEnd + n] !== now[end + n] || now[end + n] === undefined) return false;
    }
    return true;
  };
  for (let at = 0; at < stored.length; at += 3) {
    const [gap = -1, baseCount = -1, count = -1] = stored.slice(at, at + 3);
    const isPart = gap >= 0 && baseCount >= 0 && count >= 0 && baseCount + count > 0;
    if (!isPart || !hasEqual(gap)) return undefined;
    parts.push({
      baseStart: baseEnd + gap,
      baseCount,
      start: end + gap,
      count,
      isEdited: isEdited.has(at / 3),
    });
    baseEnd += gap + baseCount;
    end += gap + count;
  }
  const rest = now.length - end;
  const fits = rest >= 0 && rest === baseline.length - baseEnd && hasEqual(rest);
  return fits ? parts : undefined;
}
