import type { AppliedEdit } from './appliedEdit';

/** The entries of one answer, or a single entry. */
export interface EditGroup {
  /** Id of the answer; undefined for an edit of one file. */
  readonly setId: string | undefined;
  /** When something last happened to one of its entries, in milliseconds since the epoch. */
  readonly time: number;
  /** Sorted as the answer names their files. */
  readonly entries: readonly AppliedEdit[];
}

/** Groups entries by their answer, the newest group first. */
export function groupEdits(entries: readonly AppliedEdit[]): EditGroup[] {
  const bySet = new Map<string, AppliedEdit[]>();
  for (const entry of entries) {
    const key = entry.meta.changeSet?.id ?? `entry ${entry.id}`;
    bySet.set(key, [...(bySet.get(key) ?? []), entry]);
  }
  return [...bySet.values()]
    .map(group => ({
      setId: group[0]?.meta.changeSet?.id,
      time: Math.max(...group.map(({ time }) => time)),
      entries: group.toSorted((a, b) => indexOf(a) - indexOf(b) || a.time - b.time),
    }))
    .sort((a, b) => b.time - a.time);
}

const indexOf = ({ meta }: AppliedEdit): number => meta.changeSet?.index ?? 0;

/** Ids of the entries that an undo from the history took back, and that no undo of this undo has brought back. */
export function undoneIds(entries: readonly AppliedEdit[]): ReadonlySet<string> {
  const undone = new Set<string>();
  // The newest first: an undo that was undone itself does not count.
  for (const { id, meta, accepted } of entries.toSorted((a, b) => b.time - a.time)) {
    const { source, of } = meta.origin;
    if (source !== 'undo' || of === undefined || accepted.length === 0) continue;
    if (!undone.has(id)) undone.add(of);
  }
  return undone;
}
