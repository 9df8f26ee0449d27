import { applyChanges, diffLines, joinChanges } from '../../../merge';
import type { LineEdit } from './lineEdit';

/** A proposed replacement of lines. `removed` are the current lines of the file from line `at` (0-based). */
export interface Hunk {
  readonly id: number;
  readonly at: number;
  readonly removed: readonly string[];
  readonly inserted: readonly string[];
  /** True when these lines changed after the proposal, so that accepting it undoes that change. */
  readonly conflict: boolean;
  /** Where hunks begin at the same line, their order, compared number by number; `[id]` if left out. */
  readonly rank?: readonly number[];
}

export interface Rebased {
  readonly hunks: Hunk[];
  /** True when a hunk was not only moved: it vanished or became a conflict. */
  readonly lost: boolean;
  /** For every new conflict, the ids of all hunks that went into it. */
  readonly merged: ReadonlyMap<number, readonly number[]>;
}

/** The hunks that turn the lines `current` into the lines `proposed`, from top to bottom. */
export function hunksBetween(current: readonly string[], proposed: readonly string[]): Hunk[] {
  return joinChanges(diffLines(current, proposed), current).map((change, index) => ({
    id: index + 1,
    at: change.oldStart,
    removed: current.slice(change.oldStart, change.oldStart + change.oldCount),
    inserted: proposed.slice(change.newStart, change.newStart + change.newCount),
    conflict: false,
  }));
}

export function editOfHunk({ at, removed, inserted, rank }: Hunk): LineEdit {
  return { at, count: removed.length, lines: inserted, ...(rank && { rank }) };
}

/** The edits that turn the lines `before` into the lines `after`. */
export function changesBetween(before: readonly string[], after: readonly string[]): LineEdit[] {
  return diffLines(before, after).map(({ oldStart, oldCount, newStart, newCount }) => ({
    at: oldStart,
    count: oldCount,
    lines: after.slice(newStart, newStart + newCount),
  }));
}

/** The hunks that stay pending when others are accepted, and the inverses of the accepted ones; in the lines afterwards. */
export function acceptHunks(
  hunks: readonly Hunk[],
  ids: ReadonlySet<number>,
): { pending: Hunk[]; inverses: Hunk[] } {
  const pending: Hunk[] = [];
  const inverses: Hunk[] = [];
  let shift = 0;
  for (const hunk of hunks) {
    const moved = { ...hunk, at: hunk.at + shift };
    if (!ids.has(hunk.id)) {
      pending.push(moved);
      continue;
    }
    inverses.push(inverseOf(moved));
    shift += hunk.inserted.length - hunk.removed.length;
  }
  return { pending, inverses };
}

/** The inverse of a hunk, in the lines of the file after only this hunk was accepted. */
function inverseOf(hunk: Hunk): Hunk {
  return { ...hunk, removed: hunk.inserted, inserted: hunk.removed };
}

/** Adds hunks to sorted ones, but for those that are there already or whose lines another hunk has taken. */
export function insertHunks(
  hunks: readonly Hunk[],
  more: readonly Hunk[],
): { all: Hunk[]; added: Hunk[] } {
  const added = more.filter(
    hunk => !hunks.some(other => other.id === hunk.id || overlaps(hunk, editOfHunk(other))),
  );
  const all = [...hunks, ...added].sort(
    (a, b) =>
      a.at - b.at || a.removed.length - b.removed.length || compareRanks(rankOf(a), rankOf(b)),
  );
  return { all, added };
}

export const rankOf = ({ id, rank }: Hunk): readonly number[] => rank ?? [id];

function compareRanks(first: readonly number[], second: readonly number[]): number {
  const at = first.findIndex((number, index) => number !== second[index]);
  if (at === -1) return first.length - second.length;
  return (first[at] ?? 0) - (second[at] ?? -1);
}

/** The hunks that are pending again once the file has taken the edits of all these inverses. */
export function undoneHunks(inverses: readonly Hunk[]): Hunk[] {
  let shift = 0;
  return inverses.map(inverse => {
    const hunk = inverseOf({ ...inverse, at: inverse.at + shift });
    shift += inverse.inserted.length - inverse.removed.length;
    return hunk;
  });
}

export function applyEdits(lines: readonly string[], edits: readonly LineEdit[]): string[] {
  return applyChanges(
    lines,
    edits.map(edit => ({ start: edit.at, count: edit.count, lines: edit.lines })),
  );
}

/**
 * Rebases hunks of the lines `before` onto `changes` of them; both lists are sorted. Hunks and changes that share lines
 * become one conflict, or nothing when the change did the same as the hunks.
 */
export function rebaseHunks(
  hunks: readonly Hunk[],
  changes: readonly LineEdit[],
  before: readonly string[],
): Rebased {
  const [top] = hunks;
  const isEmpty = before.length === 1 && before[0] === '';
  if (top && isEmpty && changes.length > 0 && !changes.some(({ rank }) => rank)) {
    // Nothing says where lines for an empty file belong in the lines that it has now.
    const conflict = mergeCluster(top, hunks, changes, before, 0);
    const ids = hunks.map(({ id }) => id);
    return {
      hunks: conflict ? [conflict] : [],
      lost: !conflict || hunks.length > 1 || !top.conflict,
      merged: new Map(conflict ? [[top.id, ids]] : []),
    };
  }
  const result: Hunk[] = [];
  const merged = new Map<number, number[]>();
  let lost = false;
  let shift = 0;
  let hunkIndex = 0;
  let changeIndex = 0;

  for (let hunk = hunks[0]; hunk; hunk = hunks[hunkIndex]) {
    const change = changes[changeIndex];
    if (change && isAbove(hunk, change)) {
      result.push({ ...hunk, at: hunk.at + shift });
      hunkIndex++;
      continue;
    }
    if (change && isSameInsertion(hunk, change)) {
      lost = true;
      hunkIndex++;
      continue;
    }
    if (change && !overlaps(hunk, change) && change.at + change.count <= hunk.at) {
      shift += change.lines.length - change.count;
      changeIndex++;
      continue;
    }
    if (!change || !overlaps(hunk, change)) {
      result.push({ ...hunk, at: hunk.at + shift });
      hunkIndex++;
      continue;
    }

    const { hunkEnd, changeEnd } = clusterFrom(hunks, hunkIndex, changes, changeIndex);
    const ours = hunks.slice(hunkIndex, hunkEnd);
    const theirs = changes.slice(changeIndex, changeEnd);
    const conflict = mergeCluster(hunk, ours, theirs, before, shift);
    if (conflict) {
      result.push(conflict);
      merged.set(
        hunk.id,
        ours.map(({ id }) => id),
      );
    }
    lost ||= !conflict || ours.length > 1 || !hunk.conflict;
    for (const { lines, count } of theirs) shift += lines.length - count;
    hunkIndex = hunkEnd;
    changeIndex = changeEnd;
  }
  return { hunks: result, lost, merged };
}

/**
 * The accepted hunks that `changes` reverted, as pending hunks in the lines after the changes. `inverses` are the inverses
 * of the accepted hunks; both lists are sorted.
 */
export function revertedHunks(inverses: readonly Hunk[], changes: readonly LineEdit[]): Hunk[] {
  const result: Hunk[] = [];
  let shift = 0;
  let index = 0;
  for (const inverse of inverses) {
    const isMet = (change: LineEdit) =>
      overlaps(inverse, change) || isSameInsertion(inverse, change);
    for (let change = changes[index]; change; change = changes[++index]) {
      if (isMet(change) || change.at + change.count > inverse.at) break;
      shift += change.lines.length - change.count;
    }
    const change = changes[index];
    if (!change || !isMet(change)) continue;
    const { removed, inserted } = inverse;
    if (removed.length > 0 && indexOfLines(change.lines, removed) >= 0) continue;
    const offset =
      inserted.length > 0
        ? indexOfLines(change.lines, inserted)
        : Math.min(Math.max(inverse.at - change.at, 0), change.lines.length);
    if (offset >= 0) result.push(inverseOf({ ...inverse, at: change.at + shift + offset }));
  }
  return result;
}

function indexOfLines(lines: readonly string[], wanted: readonly string[]): number {
  return lines.findIndex((_, start) => wanted.every((line, n) => lines[start + n] === line));
}

/** True when hunk and change share lines, or one inserts within the lines that the other replaces. */
export function overlaps(hunk: Hunk, change: LineEdit): boolean {
  const hunkEnd = hunk.at + hunk.removed.length;
  const changeEnd = change.at + change.count;
  return hunk.at < changeEnd && change.at < hunkEnd;
}

export function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

/** Whether an insertion at the place of another part of the same change, which is decided here, is above it. */
function isAbove(hunk: Hunk, { at, count, rank }: LineEdit): boolean {
  const inserts = hunk.removed.length === 0 && count === 0 && hunk.at === at;
  return inserts && rank !== undefined && compareRanks(rankOf(hunk), rank) < 0;
}

function isSameInsertion(hunk: Hunk, change: LineEdit): boolean {
  if (hunk.rank || change.rank) return false;
  const inserts = hunk.removed.length === 0 && change.count === 0;
  return inserts && hunk.at === change.at && sameLines(hunk.inserted, change.lines);
}

/** The ends of the runs of hunks and changes that are connected by overlaps. */
function clusterFrom(
  hunks: readonly Hunk[],
  hunkStart: number,
  changes: readonly LineEdit[],
  changeStart: number,
): { hunkEnd: number; changeEnd: number } {
  let hunkEnd = hunkStart + 1;
  let changeEnd = changeStart + 1;
  const meetsAChange = (hunk: Hunk) =>
    changes.slice(changeStart, changeEnd).some(change => overlaps(hunk, change));
  const meetsAHunk = (change: LineEdit) =>
    hunks.slice(hunkStart, hunkEnd).some(hunk => overlaps(hunk, change));
  for (;;) {
    const change = changes[changeEnd];
    const hunk = hunks[hunkEnd];
    if (change && meetsAHunk(change)) changeEnd++;
    else if (hunk && meetsAChange(hunk)) hunkEnd++;
    else return { hunkEnd, changeEnd };
  }
}

function mergeCluster(
  first: Hunk,
  ours: readonly Hunk[],
  theirs: readonly LineEdit[],
  before: readonly string[],
  shift: number,
): Hunk | undefined {
  const edits = ours.map(editOfHunk);
  let start = Infinity;
  let end = 0;
  for (const { at, count } of [...edits, ...theirs]) {
    start = Math.min(start, at);
    end = Math.max(end, at + count);
  }
  const lines = before.slice(start, end);
  const relative = (edit: LineEdit) => ({ ...edit, at: edit.at - start });
  const removed = applyEdits(lines, theirs.map(relative));
  const inserted = applyEdits(lines, edits.map(relative));
  if (sameLines(removed, inserted)) return undefined;
  return { id: first.id, at: start + shift, removed, inserted, conflict: true };
}
