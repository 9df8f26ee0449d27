import type { Hunk } from './rebase';
import type { Decision, SavedState } from './reviewState';

/**
 * The ids of the hunks that went into a hunk: a conflict, or a hunk whose lines formatting joined with those
 * of others. A decision on it is one on them all.
 */
export class AbsorbedHunks {
  readonly #absorbed = new Map<number, readonly number[]>();

  /** @param merged for each hunk that took in others, the ids of them all. */
  add(merged: ReadonlyMap<number, readonly number[]>): void {
    for (const [id, ids] of merged) {
      this.#absorbed.set(id, [...new Set([...(this.#absorbed.get(id) ?? []), ...ids])]);
    }
  }

  /** Ids of the hunks and of all that went into them. */
  idsOf(hunks: readonly Hunk[]): number[] {
    const ids = new Set(hunks.map(({ id }) => id));
    // Ids that are added here are visited too: a conflict may have gone into another one.
    for (const id of ids) {
      for (const other of this.#absorbed.get(id) ?? []) ids.add(other);
    }
    return [...ids];
  }

  /**
   * Whether a change that the saved file lacks is neither rejected nor pending, nor accepted by these decisions, alone or in
   * another one. It may have been rejected at the save, and is no longer.
   */
  isAnyGone(
    saved: SavedState,
    rejected: ReadonlySet<number>,
    pending: readonly Hunk[],
    decisions: readonly Decision[] = [],
  ): boolean {
    const known = new Set([...this.idsOf(pending), ...this.acceptedIn(decisions)]);
    const taken = saved.decisions.filter(({ kind }) => kind === 'reject');
    return [...saved.hunks, ...taken.flatMap(({ hunks }) => hunks)].some(
      ({ id }) => !known.has(id) && !rejected.has(id),
    );
  }

  /** Ids of the hunks that these decisions accepted. */
  acceptedIn(decisions: readonly Decision[]): number[] {
    return this.idsOf(decisions.flatMap(({ kind, hunks }) => (kind === 'accept' ? hunks : [])));
  }

  /** The rejected ids without those of hunks that are pending again. */
  without(
    rejected: ReadonlySet<number>,
    back: readonly Hunk[],
    left: readonly Hunk[],
  ): ReadonlySet<number> {
    const ids = new Set(this.idsOf(back));
    for (const id of this.idsOf(left)) ids.delete(id);
    return new Set([...rejected].filter(id => !ids.has(id)));
  }

  entries(): [number, readonly number[]][] {
    return [...this.#absorbed];
  }

  load(entries: readonly (readonly [number, readonly number[]])[]): void {
    this.#absorbed.clear();
    for (const [id, ids] of entries) this.#absorbed.set(id, ids);
  }
}
