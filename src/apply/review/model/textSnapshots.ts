import { hashLines } from './lineEdit';
import type { Hunk } from './rebase';
import type { Snapshot, StoredReviewState } from './reviewState';

const maxSnapshots = 100;

/** The hunks of earlier texts of the file, by the hash of the text. */
export class TextSnapshots {
  /** Oldest first. */
  readonly #snapshots = new Map<string, Snapshot>();

  get(text: readonly string[]): Snapshot | undefined {
    return this.#snapshots.size === 0 ? undefined : this.#snapshots.get(hashLines(text));
  }

  set(text: readonly string[], snapshot: Snapshot): void {
    this.#set(hashLines(text), snapshot);
  }

  /** Hashes of the texts that make changes pending when they return. */
  pendingTexts(rejected: ReadonlySet<number>): string[] {
    const isPending = ({ id }: Hunk) => !rejected.has(id);
    return [...this.#snapshots].flatMap(([hash, { hunks }]) =>
      hunks.some(isPending) ? [hash] : [],
    );
  }

  toJSON(): StoredReviewState['snapshots'] {
    return [...this.#snapshots].map(([hash, { hunks, rejected }]) => ({
      hash,
      hunks,
      rejected: [...rejected],
    }));
  }

  load(stored: StoredReviewState['snapshots']): void {
    for (const { hash, hunks, rejected } of stored) {
      this.#set(hash, { hunks, rejected: new Set(rejected) });
    }
  }

  #set(hash: string, snapshot: Snapshot): void {
    this.#snapshots.delete(hash);
    this.#snapshots.set(hash, snapshot);
    for (const oldest of this.#snapshots.keys()) {
      if (this.#snapshots.size <= maxSnapshots) break;
      this.#snapshots.delete(oldest);
    }
  }
}

/**
 * The pending hunks when the text of a snapshot returns, besides them those that must be rebased from the current text because
 * they were rejected then and have been restored since, and the hunks that are no longer pending.
 */
export function recalledHunks(
  snapshot: Snapshot,
  current: readonly Hunk[],
  rejected: ReadonlySet<number>,
): { hunks: Hunk[]; restored: Hunk[]; gone: Hunk[] } {
  const hunks = snapshot.hunks.filter(({ id }) => !rejected.has(id));
  const pending = new Set(hunks.map(({ id }) => id));
  const restored = current.filter(({ id }) => snapshot.rejected.has(id) && !rejected.has(id));
  const gone = current.filter(hunk => !pending.has(hunk.id) && !restored.includes(hunk));
  return { hunks, restored, gone };
}
