import type { Hunk } from './rebase';
import type { Decision } from './reviewState';

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

  /** Ids of the hunks that these decisions accepted. */
  acceptedIn(decisions: readonly Decision[]): number[] {
    return this.idsOf(decisions.flatMap(({ kind, hunks }) => (kind === 'accept' ? hunks : [])));
  }

  entries(): [number, readonly number[]][] {
    return [...this.#absorbed];
  }

  load(entries: readonly (readonly [number, readonly number[]])[]): void {
    this.#absorbed.clear();
    for (const [id, ids] of entries) this.#absorbed.set(id, ids);
  }
}
