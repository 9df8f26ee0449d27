import { type Hunk, rankOf } from '../rebase';
import type { LineSpan, Side } from '../reviewCursor';
import { spanOf } from '../reviewCursor';
import type { HunkPlace } from '../reviewView';

/** Lines of a hunk, relative to its first removed and its first inserted line. */
export interface SelectedLines {
  readonly removed: LineSpan;
  readonly inserted: LineSpan;
}

/** The lines of a change that are selected in a document; undefined where it has none there. */
export function selectedIn(
  place: HunkPlace,
  side: Side,
  { start, end }: LineSpan,
): SelectedLines | undefined {
  const span = spanOf(place, side);
  const { removedRows, insertedRows } = place;
  const within = (offset: number, length: number): LineSpan => {
    const first = Math.min(Math.max(start - offset, 0), length);
    return { start: first, end: Math.max(first, Math.min(end - offset, length)) };
  };
  const none = { start: 0, end: 0 };
  const removed = side === 'proposed' ? none : within(span.start, removedRows);
  const inserted =
    side === 'file'
      ? none
      : within(span.start + (side === 'unified' ? removedRows : 0), insertedRows);
  return isEmpty(removed) && isEmpty(inserted) ? undefined : { removed, inserted };
}

const isEmpty = ({ start, end }: LineSpan): boolean => start === end;

/**
 * Divides a hunk at the selected lines: what is above them, they themselves, what is below them. All parts accepted
 * together have the same result as the hunk. Parts without lines are left out.
 *
 * @param ids of the parts that are not the first, which keeps the id of the hunk.
 * @returns the parts in their order, and the one with the selected lines.
 */
export function splitHunk(
  hunk: Hunk,
  { removed, inserted }: SelectedLines,
  ids: readonly [number, number],
): { readonly parts: readonly Hunk[]; readonly selected: Hunk } {
  // Inserted lines alone come after all removed ones, and removed lines alone before all inserted ones.
  const [from, to] = isEmpty(removed)
    ? [hunk.removed.length, hunk.removed.length]
    : [removed.start, removed.end];
  const [first, last] = isEmpty(inserted) ? [0, 0] : [inserted.start, inserted.end];
  const part = (index: number, r: LineSpan, i: LineSpan): Hunk => ({
    rank: [...rankOf(hunk), index],
    id: hunk.id,
    at: hunk.at + r.start,
    removed: hunk.removed.slice(r.start, r.end),
    inserted: hunk.inserted.slice(i.start, i.end),
    conflict: hunk.conflict,
  });
  const above = part(0, { start: 0, end: from }, { start: 0, end: first });
  const selected = part(1, { start: from, end: to }, { start: first, end: last });
  const below = part(
    2,
    { start: to, end: hunk.removed.length },
    { start: last, end: hunk.inserted.length },
  );
  const unused = [hunk.id, ...ids];
  const kept = [above, selected, below].filter(
    each => each.removed.length > 0 || each.inserted.length > 0,
  );
  if (kept.length === 1) return { parts: [hunk], selected: hunk };
  const parts = kept.map(each => ({ ...each, id: unused.shift() ?? each.id }));
  return { parts, selected: parts[kept.indexOf(selected)] ?? hunk };
}
