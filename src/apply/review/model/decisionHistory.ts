import { type Restored, restoreHunks } from './formatting/joinHunks';
import { rebaseOver } from './formatting/reformatHunks';
import type { SplitChange } from './formatting/splitChange';
import type { LineEdit } from './lineEdit';
import {
  editOfHunk,
  type Hunk,
  insertHunks,
  overlaps,
  type Rebased,
  rebaseHunks,
  revertedHunks,
  sameLines,
  undoneHunks,
} from './rebase';
import type { Decision } from './reviewState';

/** What undoing the last decision leads to. */
export type Undone =
  | { kind: 'rejected-restored'; hunks: readonly Hunk[] }
  /** The caller applies these to the file, then reports the file's new lines to `didChange`. */
  | { kind: 'accepted'; edits: readonly LineEdit[] };

/** Acceptances that edits of the current lines take back, as hunks that are pending in the lines after the edits. */
export function acceptancesRevertedBy(
  decisions: readonly Decision[],
  edits: readonly LineEdit[],
): Hunk[] {
  return decisions.flatMap(({ kind, hunks }) =>
    kind === 'accept' ? revertedHunks(hunks, edits) : [],
  );
}

/**
 * The last decision that can be undone now, with what is pending then if it is a rejection. A rejected hunk cannot return
 * while another one that is pending changes the same words: its decision waits until that one is decided.
 */
export function lastUndoable(
  decisions: readonly Decision[],
  pending: readonly Hunk[],
  current: readonly string[],
): { readonly decision: Decision; readonly restored?: Restored } | undefined {
  for (const decision of decisions.toReversed()) {
    if (decision.kind === 'accept') return { decision };
    const wanted = withoutAccepted(decision.hunks, decisions);
    const restored = restoreHunks(pending, wanted, current);
    if (restored.added.length > 0) return { decision, restored };
  }
  return undefined;
}

/** The decisions with these hunks in one of them; it is left out when there are none. */
export function withHunks(
  decisions: readonly Decision[],
  changed: Decision,
  hunks: readonly Hunk[],
): readonly Decision[] {
  return decisions.flatMap(decision => {
    if (decision !== changed) return [decision];
    return hunks.length > 0 ? [{ ...decision, hunks }] : [];
  });
}

/**
 * The edits, with the rank of the accepted part of a change that each of them takes back: it tells them from the
 * other parts at the same place. The latest decision counts where several look alike.
 */
export function withRanks(
  edits: readonly LineEdit[],
  decisions: readonly Decision[],
): readonly LineEdit[] {
  const parts = decisions
    .flatMap(({ kind, hunks }) => (kind === 'accept' ? hunks.filter(({ rank }) => rank) : []))
    .toReversed();
  if (parts.length === 0) return edits;
  return edits.map(edit => {
    const { rank } =
      parts.find(
        ({ at, removed, inserted }) =>
          at === edit.at && removed.length === edit.count && sameLines(inserted, edit.lines),
      ) ?? {};
    return rank ? { ...edit, rank } : edit;
  });
}

/** The hunks that none of these decisions accepted. */
export function withoutAccepted(hunks: readonly Hunk[], decisions: readonly Decision[]): Hunk[] {
  const accepted = new Set(
    decisions.flatMap(({ kind, hunks: of }) => (kind === 'accept' ? of.map(({ id }) => id) : [])),
  );
  return hunks.filter(({ id }) => !accepted.has(id));
}

/** The decisions without the hunks of these ids; a decision without hunks is left out. */
export function withoutHunks(
  decisions: readonly Decision[],
  ids: ReadonlySet<number>,
): readonly Decision[] {
  return decisions
    .map(decision => ({ ...decision, hunks: decision.hunks.filter(({ id }) => !ids.has(id)) }))
    .filter(({ hunks }) => hunks.length > 0);
}

/**
 * Moves the hunks of decisions over a change of the file. `merged` tells which hunks went into others. An accepted hunk
 * whose lines the user changed can no longer be undone and is left out.
 * @param isOwn the change accepts or undoes hunks. Decisions are undone from the last to the first, so that these lines
 *   are as before when it is the turn of an earlier decision.
 */
export function rebaseDecisions(
  decisions: readonly Decision[],
  change: SplitChange,
  isOwn = false,
): { decisions: readonly Decision[]; merged: ReadonlyMap<number, readonly number[]>[] } {
  const merged: ReadonlyMap<number, readonly number[]>[] = [];
  const moved = decisions.map(({ kind, hunks }): Decision => {
    const rebased = rebaseOver(hunks, change);
    const now = isOwn ? withoutNewConflicts(rebased, hunks) : rebased.hunks;
    const isKept = ({ id }: Hunk) => isOwn || kind === 'reject' || !rebased.merged.has(id);
    merged.push(rebased.joined);
    if (isOwn || kind === 'reject') merged.push(rebased.merged);
    return { kind, hunks: now.filter(isKept) };
  });
  return { decisions: moved.filter(({ hunks }) => hunks.length > 0), merged };
}

/**
 * The pending hunks after the file has taken the edits of these inverses. A pending hunk that shares lines with one of
 * them takes it in: no user changed these lines, so that it does not become a conflict.
 */
export function undoAcceptance(
  pending: readonly Hunk[],
  inverses: readonly Hunk[],
  before: readonly string[],
): { hunks: readonly Hunk[]; merged: ReadonlyMap<number, readonly number[]> } {
  const rebased = rebaseHunks(pending, inverses.map(editOfHunk), before);
  const merged = new Map(rebased.merged);
  const hunks = withoutNewConflicts(rebased, pending);
  const undone = undoneHunks(inverses);
  const { all, added } = insertHunks(hunks, undone);
  for (const hunk of undone) {
    if (added.includes(hunk)) continue;
    const taker = hunks.find(other => overlaps(hunk, editOfHunk(other)));
    if (taker) merged.set(taker.id, [...(merged.get(taker.id) ?? [taker.id]), hunk.id]);
  }
  return { hunks: all, merged };
}

function withoutNewConflicts({ hunks, merged }: Rebased, before: readonly Hunk[]): Hunk[] {
  const conflicts = new Set(before.filter(({ conflict }) => conflict).map(({ id }) => id));
  return hunks.map(hunk => {
    const ids = merged.get(hunk.id);
    return ids ? { ...hunk, conflict: ids.some(id => conflicts.has(id)) } : hunk;
  });
}
