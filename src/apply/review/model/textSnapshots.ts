import { hashLines } from './lineEdit';
import type { Hunk } from './rebase';
import type { Snapshot, StoredReviewState } from './reviewState';

const maxSnapshots = 100;

/** The hunks of earlier texts of the file, by the hash of the text. */
export class TextSnapshots {
  /** Oldest first. */
  readonly #snapshots = new Map<string, Snapshot>();

  get(text: readonly string[]): Snapshot | undefined {
    const snapshot = this.#of(text);
    return snapshot?.isOld === true ? undefined : snapshot;
  }

  /** What was pending in a text of the file before the proposal became another one. */
  older(text: readonly string[], rejected: ReadonlySet<number>): readonly Hunk[] {
    const snapshot = this.#of(text);
    return snapshot?.isOld === true ? snapshot.hunks.filter(({ id }) => !rejected.has(id)) : [];
  }

  set(text: readonly string[], snapshot: Snapshot): void {
    this.#set(hashLines(text), snapshot);
  }

  /** Call when the proposal becomes another one: what is pending now is newer than the same hunks of these texts. */
  age(): void {
    for (const [hash, snapshot] of this.#snapshots) {
      this.#snapshots.set(hash, { ...snapshot, isOld: true });
    }
  }

  /** Hashes of the texts that make changes pending when they return. */
  pendingTexts(rejected: ReadonlySet<number>): string[] {
    const isPending = ({ id }: Hunk) => !rejected.has(id);
    return [...this.#snapshots].flatMap(([hash, { hunks }]) =>
      hunks.some(isPending) ? [hash] : [],
    );
  }

  toJSON(): StoredReviewState['snapshots'] {
    return [...this.#snapshots].map(([hash, { rejected, ...snapshot }]) => ({
      hash,
      ...snapshot,
      rejected: [...rejected],
    }));
  }

  load(stored: StoredReviewState['snapshots']): void {
    for (const { hash, rejected, ...snapshot } of stored) {
      this.#set(hash, { ...snapshot, rejected: new Set(rejected) });
    }
  }

  #of(text: readonly string[]): Snapshot | undefined {
    return this.#snapshots.size === 0 ? undefined : this.#snapshots.get(hashLines(text));
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
