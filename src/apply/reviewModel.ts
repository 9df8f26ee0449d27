import { createHash } from 'node:crypto';
import { joinChanges } from '../merge/diff/joinChanges';
import { diffLines } from '../merge/diff/lineDiff';
import type { LineEdit } from './lineEdit';
import {
  applyEdits,
  editOf,
  type Hunk,
  inverseOf,
  overlaps,
  rebaseHunks,
  sameLines,
} from './rebase';
import { type Decision, type ReviewState, readReviewState } from './reviewState';

export type { Hunk } from './rebase';

export type Undone =
  | { kind: 'rejected-restored'; hunks: readonly Hunk[] }
  /** The caller applies these to the file, then reports the file's new lines to `didChange`. */
  | { kind: 'accepted'; edits: readonly LineEdit[] };

interface Snapshot {
  readonly hunks: readonly Hunk[];
  readonly rejected: ReadonlySet<number>;
}

const maxSnapshots = 100;

/**
 * The review of one proposed change of one file. Hunks always lie in the file as it is now (`current`): a decision or an
 * edit moves them and never compares the texts anew, which would shift the borders of hunks under the reader's eyes.
 *
 * Undo in the editor knows nothing of hunks. So the model remembers the hunks that belonged to earlier texts of the file
 * and brings them back when such a text returns.
 */
export class ReviewModel {
  #current: readonly string[];
  #hunks: readonly Hunk[];
  #rejected = new Set<number>();
  #decisions: readonly Decision[] = [];
  /** For a conflict, the hunks that it took in: rejecting it rejects them all. */
  readonly #takenIn = new Map<number, readonly number[]>();
  /** By hash of the text; the oldest first. */
  readonly #snapshots = new Map<string, Snapshot>();
  #isUndoing = false;

  constructor(current: readonly string[], proposed: readonly string[]) {
    this.#current = current;
    this.#hunks = joinChanges(diffLines(current, proposed), current).map((change, index) => ({
      id: index + 1,
      at: change.oldStart,
      removed: current.slice(change.oldStart, change.oldStart + change.oldCount),
      inserted: proposed.slice(change.newStart, change.newStart + change.newCount),
      conflict: false,
    }));
  }

  /** The file's lines. */
  get current(): readonly string[] {
    return this.#current;
  }

  /** What is still to be decided, from top to bottom. */
  get hunks(): readonly Hunk[] {
    return this.#hunks;
  }

  get canUndo(): boolean {
    return this.#decisions.length > 0;
  }

  /** The file's lines if all that is pending were accepted. */
  proposed(): string[] {
    return applyEdits(this.#current, this.#hunks.map(editOf));
  }

  /** The edit of the file that accepts a hunk; report success with `didAccept`. */
  edit(hunk: Hunk): LineEdit {
    return editOf(hunk);
  }

  /** Call once the file holds the edits of these hunks; `now` are its lines. */
  didAccept(hunks: readonly Hunk[], now: readonly string[]): void {
    this.#isUndoing = false;
    this.#remember();
    this.#accept(new Set(hunks.map(({ id }) => id)));
    if (!sameLines(this.#current, now)) this.#rebase(now);
    this.#remember();
  }

  reject(ids: readonly number[]): void {
    const hunks = this.#hunks.filter(({ id }) => ids.includes(id));
    if (hunks.length === 0) return;
    this.#hunks = this.#hunks.filter(({ id }) => !ids.includes(id));
    for (const id of this.#withTakenIn(hunks)) this.#rejected.add(id);
    this.#decisions = [...this.#decisions, { kind: 'reject', hunks }];
  }

  /**
   * Takes back the last decision: at once when it was a rejection; by edits for the caller to make when it was an
   * acceptance. Lines that changed since then stay as they are.
   */
  undo(): Undone | undefined {
    for (let last = this.#decisions.at(-1); last; last = this.#decisions.at(-1)) {
      if (last.kind === 'accept') {
        this.#isUndoing = true;
        return { kind: 'accepted', edits: last.hunks.map(editOf) };
      }
      this.#decisions = this.#decisions.slice(0, -1);
      for (const id of this.#withTakenIn(last.hunks)) this.#rejected.delete(id);
      const hunks = this.#restore(last.hunks);
      if (hunks.length > 0) return { kind: 'rejected-restored', hunks };
    }
    return undefined;
  }

  /** Call after every change of the file but those of `didAccept`. */
  didChange(now: readonly string[], undoOrRedo: boolean): 'snapshot' | 'rebased' | 'unchanged' {
    if (sameLines(this.#current, now)) return 'unchanged';
    const isUndoing = this.#isUndoing;
    this.#isUndoing = false;
    if (isUndoing && this.#takeBack(now)) return 'snapshot';
    if (undoOrRedo && this.#recall(now)) return 'snapshot';
    this.#rebase(now);
    return 'rebased';
  }

  toJSON(): ReviewState {
    return {
      version: 1,
      current: this.#current,
      hunks: this.#hunks,
      rejected: [...this.#rejected],
      decisions: this.#decisions,
    };
  }

  static fromJSON(json: unknown): ReviewModel | undefined {
    const state = readReviewState(json);
    if (!state) return undefined;
    const model = new ReviewModel(state.current, state.current);
    model.#hunks = state.hunks;
    model.#rejected = new Set(state.rejected);
    model.#decisions = state.decisions;
    return model;
  }

  #accept(ids: ReadonlySet<number>): void {
    const accepted = this.#hunks.filter(({ id }) => ids.has(id));
    const pending: Hunk[] = [];
    const inverses: Hunk[] = [];
    let shift = 0;
    for (const hunk of this.#hunks) {
      const moved = { ...hunk, at: hunk.at + shift };
      if (!ids.has(hunk.id)) {
        pending.push(moved);
        continue;
      }
      inverses.push(inverseOf(moved));
      shift += hunk.inserted.length - hunk.removed.length;
    }
    this.#moveDecisions(accepted.map(editOf));
    this.#decisions = [...this.#decisions, { kind: 'accept', hunks: inverses }];
    this.#current = applyEdits(this.#current, accepted.map(editOf));
    this.#hunks = pending;
  }

  /** Finishes `undo` of an acceptance when `now` holds exactly the edits that it gave. */
  #takeBack(now: readonly string[]): boolean {
    const last = this.#decisions.at(-1);
    const edits = last?.hunks.map(editOf) ?? [];
    if (!last || !sameLines(applyEdits(this.#current, edits), now)) return false;

    this.#decisions = this.#decisions.slice(0, -1);
    this.#moveDecisions(edits);
    this.#hunks = rebaseHunks(this.#hunks, edits, this.#current).hunks;
    this.#current = now;
    let shift = 0;
    const hunks = last.hunks.map(inverse => {
      const hunk = inverseOf({ ...inverse, at: inverse.at + shift });
      shift += inverse.inserted.length - inverse.removed.length;
      return hunk;
    });
    this.#restore(hunks);
    return true;
  }

  /** Brings back the hunks that belong to this text; false when it is not known. */
  #recall(now: readonly string[]): boolean {
    const snapshot = this.#snapshots.get(hashOf(now));
    if (!snapshot) return false;
    // A hunk that was rejected then and is wanted again is missing in the snapshot.
    for (const id of snapshot.rejected) if (!this.#rejected.has(id)) return false;

    const hunks = snapshot.hunks.filter(({ id }) => !this.#rejected.has(id));
    const pending = new Set(hunks.map(({ id }) => id));
    const gone = this.#hunks.filter(({ id }) => !pending.has(id));
    const isRedo = gone.length > 0 && sameLines(applyEdits(this.#current, gone.map(editOf)), now);
    if (isRedo) this.#accept(new Set(gone.map(({ id }) => id)));
    else this.#moveDecisions(changesBetween(this.#current, now));
    this.#decisions = this.#decisions
      .map(decision => ({
        ...decision,
        hunks: decision.hunks.filter(({ id }) => !pending.has(id)),
      }))
      .filter(decision => decision.hunks.length > 0);
    this.#current = now;
    this.#hunks = hunks;
    return true;
  }

  #rebase(now: readonly string[]): void {
    const changes = changesBetween(this.#current, now);
    const { hunks, lost, merged } = rebaseHunks(this.#hunks, changes, this.#current);
    if (lost) this.#remember();
    for (const [id, ids] of merged) {
      this.#takenIn.set(id, [...(this.#takenIn.get(id) ?? []), ...ids]);
    }
    this.#moveDecisions(changes);
    this.#hunks = hunks;
    this.#current = now;
  }

  /** Call before `#current` changes by these edits. */
  #moveDecisions(edits: readonly LineEdit[]): void {
    const moved = this.#decisions.map(({ kind, hunks }): Decision => {
      const rebased = rebaseHunks(hunks, edits, this.#current);
      const isKept = ({ id }: Hunk) => kind === 'reject' || !rebased.merged.has(id);
      return { kind, hunks: rebased.hunks.filter(isKept) };
    });
    this.#decisions = moved.filter(({ hunks }) => hunks.length > 0);
  }

  /** Makes hunks pending again, but for those whose lines another pending hunk has taken. */
  #restore(hunks: readonly Hunk[]): readonly Hunk[] {
    const isFree = (hunk: Hunk) => !this.#hunks.some(other => overlaps(hunk, editOf(other)));
    const restored = hunks.filter(isFree);
    this.#hunks = [...this.#hunks, ...restored].sort(
      (a, b) => a.at - b.at || a.removed.length - b.removed.length || a.id - b.id,
    );
    return restored;
  }

  #withTakenIn(hunks: readonly Hunk[]): number[] {
    return hunks.flatMap(({ id }) => [id, ...(this.#takenIn.get(id) ?? [])]);
  }

  #remember(): void {
    const hash = hashOf(this.#current);
    this.#snapshots.delete(hash);
    this.#snapshots.set(hash, { hunks: this.#hunks, rejected: new Set(this.#rejected) });
    for (const oldest of this.#snapshots.keys()) {
      if (this.#snapshots.size <= maxSnapshots) break;
      this.#snapshots.delete(oldest);
    }
  }
}

function changesBetween(before: readonly string[], after: readonly string[]): LineEdit[] {
  return diffLines(before, after).map(({ oldStart, oldCount, newStart, newCount }) => ({
    at: oldStart,
    count: oldCount,
    lines: after.slice(newStart, newStart + newCount),
  }));
}

function hashOf(lines: readonly string[]): string {
  return createHash('sha1').update(lines.join('\n')).digest('base64');
}
