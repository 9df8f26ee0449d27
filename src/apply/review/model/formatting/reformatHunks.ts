import type { LineEdit } from '../lineEdit';
import {
  applyEdits,
  changesBetween,
  editOfHunk,
  type Hunk,
  type Rebased,
  rebaseHunks,
  sameLines,
} from '../rebase';
import { FormattedRegion } from './formattedRegion';
import { LineForms } from './lineForms';
import { changeBy, type SplitChange } from './splitChange';

/** A hunk with the lines that it needs: formatting may have joined its first or last line with a neighbour. */
interface Placed {
  readonly hunk: Hunk;
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
  readonly regions: readonly FormattedRegion[];
}

export interface RebasedOver extends Rebased {
  /** The ids of the hunks that formatting joined to one, by the id of that hunk. */
  readonly joined: ReadonlyMap<number, readonly number[]>;
}

/** The change between texts with the same code; undefined when more than its form differs. */
export function formattingBetween(
  before: readonly string[],
  after: readonly string[],
): SplitChange | undefined {
  const change = changeBy('save', before, changesBetween(before, after), after);
  return change.content.length === 0 ? change : undefined;
}

/** Rebases hunks of the lines before a change onto it; only its content makes conflicts. */
export function rebaseOver(hunks: readonly Hunk[], change: SplitChange): RebasedOver {
  const { formatting, before, formatted } = change;
  const first =
    formatting.length === 0 ? undefined : reformatHunks(hunks, formatting, before, formatted);
  const rebased = rebaseHunks(first?.hunks ?? hunks, change.content, formatted);
  return {
    ...rebased,
    lost: rebased.lost || (first?.lost ?? false),
    joined: first?.joined ?? new Map(),
  };
}

function reformatHunks(
  hunks: readonly Hunk[],
  formatting: readonly LineEdit[],
  before: readonly string[],
  formatted: readonly string[],
): { hunks: Hunk[]; lost: boolean; joined: Map<number, number[]> } {
  const result: Hunk[] = [];
  const joined = new Map<number, number[]>();
  let lost = false;
  for (const group of groupsOf(placeHunks(hunks, formatting, before, formatted))) {
    const hunk = reformatted(group, before, formatted);
    const ids = group.map(placed => placed.hunk.id);
    if (hunk) result.push(hunk);
    if (hunk && ids.length > 1) joined.set(hunk.id, ids);
    lost ||= !hunk || ids.length > 1;
  }
  return { hunks: result, lost, joined };
}

function placeHunks(
  hunks: readonly Hunk[],
  formatting: readonly LineEdit[],
  before: readonly string[],
  formatted: readonly string[],
): Placed[] {
  let shift = 0;
  const regions = formatting.map(edit => {
    const region = new FormattedRegion(before, formatted, edit, shift);
    shift += edit.lines.length - edit.count;
    return region;
  });
  let first = 0;
  return hunks.map(hunk => {
    const end = hunk.at + hunk.removed.length;
    while ((regions[first]?.end ?? Infinity) < hunk.at) first++;
    const touched: FormattedRegion[] = [];
    for (let n = first; (regions[n]?.start ?? Infinity) <= end; n++) {
      const region = regions[n];
      if (region) touched.push(region);
    }
    return placeHunk(hunk, touched, shiftBefore(regions[first], regions[first - 1]));
  });
}

/** Lines that were added above the first region that a hunk may touch. */
function shiftBefore(
  region: FormattedRegion | undefined,
  last: FormattedRegion | undefined,
): number {
  if (region) return region.newStart - region.start;
  return last ? last.newEnd - last.end : 0;
}

function placeHunk(hunk: Hunk, regions: readonly FormattedRegion[], shift: number): Placed {
  const { at, removed, inserted } = hunk;
  const isInsertion = removed.length === 0;
  const first = regions.find(region => region.start <= at && at <= region.end);
  const end = at + removed.length;
  const last = regions.find(region => region.start <= end && end <= region.end);
  const start = first?.above(at, isInsertion ? 'insertion' : 'start', isListEnd(inserted)) ?? {
    border: at,
    now: at + shift,
  };
  const isWhole = start.border < at;
  const stop =
    isInsertion && !isWhole
      ? start
      : (last?.below(end, 'end') ?? { border: end, now: end + shiftUpTo(end, regions, shift) });
  return {
    hunk,
    start: start.border,
    end: stop.border,
    newStart: start.now,
    newEnd: Math.max(start.now, stop.now),
    regions,
  };
}

/** Lines added above a border outside of the regions. */
function shiftUpTo(border: number, regions: readonly FormattedRegion[], shift: number): number {
  const last = regions.findLast(region => region.end < border);
  return last ? last.newEnd - last.end : shift;
}

/** Whether these lines may follow an item of a list without a comma. */
function isListEnd(inserted: readonly string[]): boolean {
  const text = inserted.find(line => line.trim() !== '')?.trimStart();
  return text === undefined || ')]}>'.includes(text[0] ?? '');
}

/** Groups hunks that need the same line. */
function groupsOf(all: readonly Placed[]): Placed[][] {
  const groups: Placed[][] = [];
  for (const placed of all) {
    const group = [placed];
    for (let last = groups.at(-1); last && needSameLine(last, placed); last = groups.at(-1)) {
      group.unshift(...last);
      groups.pop();
    }
    groups.push(group);
  }
  return groups;
}

function needSameLine(group: readonly Placed[], { start, newStart }: Placed): boolean {
  return group.some(({ end, newEnd }) => start < end || newStart < newEnd);
}

/** One hunk for the formatted lines; undefined when they are the proposed ones. */
function reformatted(
  group: readonly Placed[],
  before: readonly string[],
  formatted: readonly string[],
): Hunk | undefined {
  const [first] = group;
  if (!first) return undefined;
  const start = Math.min(...group.map(placed => placed.start));
  const end = Math.max(...group.map(placed => placed.end));
  const newStart = Math.min(...group.map(placed => placed.newStart));
  const newEnd = Math.max(...group.map(placed => placed.newEnd));
  const removed = formatted.slice(newStart, newEnd);
  const { hunk, regions } = first;
  const isSame = group.length === 1 && sameLines(removed, hunk.removed);
  const edits = group.map(({ hunk: { at, ...each } }) => editOfHunk({ ...each, at: at - start }));
  let inserted: readonly string[] = applyEdits(before.slice(start, end), edits);
  if (!isSame) {
    const all = new Set(group.flatMap(each => each.regions));
    inserted = new LineForms(before, formatted, [...all], start, end).apply(inserted);
  }
  if (removed.length === 0) inserted = withoutBlanks(inserted, regions, newStart);
  if (sameLines(removed, inserted)) return undefined;
  const conflict = group.some(placed => placed.hunk.conflict);
  return { id: hunk.id, at: newStart, removed, inserted, conflict };
}

/** Leaves out the blank lines at the end that the formatting has added itself. */
function withoutBlanks(
  inserted: readonly string[],
  regions: readonly FormattedRegion[],
  newStart: number,
): readonly string[] {
  const region = regions.find(each => each.newStart <= newStart && newStart <= each.newEnd);
  if (!region) return inserted;
  const added = region.newEnd - region.newStart - (region.end - region.start);
  let count = Math.min(region.blanksFrom(newStart), Math.max(added, 0));
  let { length } = inserted;
  for (; count > 0 && (inserted[length - 1] ?? 'code').trim() === ''; count--) length--;
  return inserted.slice(0, length);
}
