import type { LineEdit } from './lineEdit';
import { type Hunk, rebaseHunks, revertedHunks } from './rebase';
import type { Decision } from './reviewState';

/** What undoing the last decision leads to. */
export type Undone =
  | { kind: 'rejected-restored'; hunks: readonly Hunk[] }
  /** The caller applies these to the file, then reports the file's new lines to `didChange`. */
  | { kind: 'accepted'; edits: readonly LineEdit[] };

/** Ids of the hunks that these decisions accepted. */
export function acceptedIds(decisions: readonly Decision[]): number[] {
  return decisions.flatMap(({ kind, hunks }) =>
    kind === 'accept' ? hunks.map(({ id }) => id) : [],
  );
}

/** Acceptances that edits of the current lines take back, as hunks that are pending in the lines after the edits. */
export function acceptancesRevertedBy(
  decisions: readonly Decision[],
  edits: readonly LineEdit[],
): Hunk[] {
  return decisions.flatMap(({ kind, hunks }) =>
    kind === 'accept' ? revertedHunks(hunks, edits) : [],
  );
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
 * Moves the hunks of decisions over edits of the lines `before`. `merged` tells, for each rejection in turn, which hunks
 * went into new conflicts. An accepted hunk whose lines were edited can no longer be undone and is left out.
 */
export function rebaseDecisions(
  decisions: readonly Decision[],
  edits: readonly LineEdit[],
  before: readonly string[],
): { decisions: readonly Decision[]; merged: ReadonlyMap<number, readonly number[]>[] } {
  const merged: ReadonlyMap<number, readonly number[]>[] = [];
  const moved = decisions.map(({ kind, hunks }): Decision => {
    const rebased = rebaseHunks(hunks, edits, before);
    if (kind === 'reject') merged.push(rebased.merged);
    const isKept = ({ id }: Hunk) => kind === 'reject' || !rebased.merged.has(id);
    return { kind, hunks: rebased.hunks.filter(isKept) };
  });
  return { decisions: moved.filter(({ hunks }) => hunks.length > 0), merged };
}
