import type { Hunk } from './rebase';

/** For each conflict, the ids of the hunks that went into it: rejecting the conflict rejects them all. */
export class AbsorbedHunks {
  readonly #absorbed = new Map<number, readonly number[]>();

  /** @param merged for each new conflict, the ids of the hunks that went into it. */
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

  entries(): [number, readonly number[]][] {
    return [...this.#absorbed];
  }

  load(entries: readonly (readonly [number, readonly number[]])[]): void {
    this.#absorbed.clear();
    for (const [id, ids] of entries) this.#absorbed.set(id, ids);
  }
}
