import { applyChanges, diffLines } from '../merge/diff/lineDiff';
import type { LineEdit } from './lineEdit';

/** A proposed replacement of lines. `removed` is what the file holds at line `at` (0-based) now. */
export interface Hunk {
  readonly id: number;
  readonly at: number;
  readonly removed: readonly string[];
  readonly inserted: readonly string[];
  /** True when these lines changed after the proposal was made, so that accepting it undoes that change. */
  readonly conflict: boolean;
}

export interface Rebased {
  readonly hunks: Hunk[];
  /** True when a hunk is more than moved: it vanished, or it is a conflict now. */
  readonly lost: boolean;
  /** For every new conflict, the ids of all hunks that went into it. */
  readonly merged: ReadonlyMap<number, readonly number[]>;
}

export function editOf({ at, removed, inserted }: Hunk): LineEdit {
  return { at, count: removed.length, lines: inserted };
}

/** What leads from the lines `before` to the lines `after`. */
export function changesBetween(before: readonly string[], after: readonly string[]): LineEdit[] {
  return diffLines(before, after).map(({ oldStart, oldCount, newStart, newCount }) => ({
    at: oldStart,
    count: oldCount,
    lines: after.slice(newStart, newStart + newCount),
  }));
}

/** What stays pending when hunks are accepted, and what takes those back; in the lines after the acceptance. */
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

/** What takes a hunk back, in lines of the file in which only this hunk was accepted. */
export function inverseOf(hunk: Hunk): Hunk {
  return { ...hunk, removed: hunk.inserted, inserted: hunk.removed };
}

export function applyEdits(lines: readonly string[], edits: readonly LineEdit[]): string[] {
  return applyChanges(
    lines,
    edits.map(edit => ({ start: edit.at, count: edit.count, lines: edit.lines })),
  );
}

/**
 * Moves hunks from the file as it was (`before`) over someone's `changes` of it; both lists are sorted. Hunks and changes
 * that share lines become one conflict, or nothing when the change did what the hunks wanted.
 */
export function rebaseHunks(
  hunks: readonly Hunk[],
  changes: readonly LineEdit[],
  before: readonly string[],
): Rebased {
  const result: Hunk[] = [];
  const merged = new Map<number, number[]>();
  let lost = false;
  let shift = 0;
  let hunkIndex = 0;
  let changeIndex = 0;

  for (let hunk = hunks[0]; hunk; hunk = hunks[hunkIndex]) {
    const change = changes[changeIndex];
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
 * What `changes` took back of acceptances, as hunks in the lines after them. `inverses` are what takes the acceptances
 * back; both lists are sorted.
 */
export function takenBack(inverses: readonly Hunk[], changes: readonly LineEdit[]): Hunk[] {
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

/** True when hunk and change share lines, or one inserts inside of the lines that the other replaces. */
export function overlaps(hunk: Hunk, change: LineEdit): boolean {
  const hunkEnd = hunk.at + hunk.removed.length;
  const changeEnd = change.at + change.count;
  return hunk.at < changeEnd && change.at < hunkEnd;
}

export function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

function isSameInsertion(hunk: Hunk, change: LineEdit): boolean {
  const inserts = hunk.removed.length === 0 && change.count === 0;
  return inserts && hunk.at === change.at && sameLines(hunk.inserted, change.lines);
}

/** The ends of the runs of hunks and changes that hang together by overlaps. */
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
  const edits = ours.map(editOf);
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
