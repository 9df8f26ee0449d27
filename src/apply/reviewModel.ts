import { joinChanges } from '../merge/diff/joinChanges';
import { diffLines } from '../merge/diff/lineDiff';
import type { LineEdit } from './lineEdit';
import {
  acceptHunks,
  applyEdits,
  changesBetween,
  editOf,
  type Hunk,
  inverseOf,
  overlaps,
  rebaseHunks,
  sameLines,
  takenBack,
} from './rebase';
import {
  acceptedIds,
  type Decision,
  type OpenState,
  type ReviewState,
  readReviewState,
  revertedState,
  type SavedState,
} from './reviewState';
import { TextSnapshots } from './textSnapshots';

export type { Hunk } from './rebase';

export type Undone =
  | { kind: 'rejected-restored'; hunks: readonly Hunk[] }
  /** The caller applies these to the file, then reports the file's new lines to `didChange`. */
  | { kind: 'accepted'; edits: readonly LineEdit[] };

/** A change of the file as the editor reported it: sorted edits of the lines `before`. */
export interface FileChange {
  readonly before: readonly string[];
  readonly edits: readonly LineEdit[];
}

/**
 * The review of one proposed change of one file. Hunks always lie in the file as it is now (`current`): a decision or an
 * edit moves them and never compares the texts anew, which would shift the borders of hunks under the reader's eyes.
 *
 * Undo in the editor knows nothing of hunks. So the model remembers the hunks that belonged to earlier texts of the file
 * and brings them back when such a text returns. It also remembers the state of the last save: what was accepted since
 * then is pending again when the editor's text is thrown away.
 */
export class ReviewModel {
  #current: readonly string[];
  #hunks: readonly Hunk[];
  #rejected: ReadonlySet<number> = new Set();
  #decisions: readonly Decision[] = [];
  /** For a conflict, the hunks that it took in: rejecting it rejects them all. */
  readonly #takenIn = new Map<number, readonly number[]>();
  readonly #snapshots = new TextSnapshots();
  #saved: SavedState;
  #isUndoing = false;
  /** Edits of the file since `takeSteps`; each step in the lines that the one before left. */
  #steps: (readonly LineEdit[])[] = [];

  constructor(current: readonly string[], proposed: readonly string[]) {
    this.#current = current;
    this.#hunks = joinChanges(diffLines(current, proposed), current).map((change, index) => ({
      id: index + 1,
      at: change.oldStart,
      removed: current.slice(change.oldStart, change.oldStart + change.oldCount),
      inserted: proposed.slice(change.newStart, change.newStart + change.newCount),
      conflict: false,
    }));
    this.#saved = { text: current, hunks: this.#hunks, decisions: [] };
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

  /** The decision that `undo` would take back. */
  get lastDecision(): Decision['kind'] | undefined {
    return this.#decisions.at(-1)?.kind;
  }

  get rejected(): ReadonlySet<number> {
    return this.#rejected;
  }

  /** Hashes of texts of the file that make something pending when they come back. */
  get pendingTexts(): string[] {
    return this.#snapshots.pendingTexts(this.#rejected);
  }

  /** True when something was accepted, or typed as proposed, that no saved file has yet. */
  get isAheadOfFile(): boolean {
    const pending = new Set(this.#withTakenIn(this.#hunks));
    return this.#saved.hunks.some(({ id }) => !pending.has(id) && !this.#rejected.has(id));
  }

  /** True when the current text no longer has something that was accepted since the file was saved. */
  get hasLostAcceptance(): boolean {
    const known = new Set([...this.#withTakenIn(this.#hunks), ...acceptedIds(this.#decisions)]);
    return this.#saved.hunks.some(({ id }) => !known.has(id) && !this.#rejected.has(id));
  }

  /** Ids of changes that are accepted in the editor, but in no saved file yet. */
  get unsaved(): number[] {
    const saved = new Set(acceptedIds(this.#saved.decisions));
    return acceptedIds(this.#decisions).filter(id => !saved.has(id));
  }

  /** The file's lines at the last save. */
  get savedText(): readonly string[] {
    return this.#saved.text;
  }

  /** The file's lines if all that is pending were accepted. */
  proposed(): string[] {
    return applyEdits(this.#current, this.#hunks.map(editOf));
  }

  /** The edit of the file that accepts a hunk; report success with `didAccept`. */
  edit(hunk: Hunk): LineEdit {
    return editOf(hunk);
  }

  /** Call before the file takes the edits of these hunks: a text that holds them is known from now on. */
  willAccept(ids: readonly number[]): void {
    const accepted = this.#hunks.filter(({ id }) => ids.includes(id));
    if (accepted.length === 0) return;
    this.#remember();
    const { pending } = acceptHunks(this.#hunks, new Set(ids));
    this.#rememberAs(applyEdits(this.#current, accepted.map(editOf)), pending);
  }

  /** Call once the file holds the edits of these hunks; `now` are its lines. */
  didAccept(hunks: readonly Hunk[], now: readonly string[]): void {
    this.#isUndoing = false;
    this.#remember();
    this.#accept(new Set(hunks.map(({ id }) => id)));
    this.#steps.push(hunks.map(editOf));
    if (sameLines(this.#current, now)) this.#current = now;
    else this.#rebase(now);
    this.#remember();
  }

  reject(ids: readonly number[]): void {
    const hunks = this.#hunks.filter(({ id }) => ids.includes(id));
    if (hunks.length === 0) return;
    this.#hunks = this.#hunks.filter(({ id }) => !ids.includes(id));
    this.#rejected = new Set([...this.#rejected, ...this.#withTakenIn(hunks)]);
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
      const wanted = new Set(this.#withTakenIn(last.hunks));
      this.#rejected = new Set([...this.#rejected].filter(id => !wanted.has(id)));
      const hunks = this.#restore(last.hunks);
      if (hunks.length > 0) return { kind: 'rejected-restored', hunks };
    }
    return undefined;
  }

  /**
   * Call after every change of the file but those of `didAccept`.
   * @param change what the editor reported, which spares the comparison of all lines.
   */
  didChange(
    now: readonly string[],
    undoOrRedo: boolean,
    change?: FileChange,
  ): 'snapshot' | 'rebased' | 'unchanged' {
    const edits = change?.before === this.#current ? change.edits : undefined;
    if (edits ? edits.length === 0 : sameLines(this.#current, now)) {
      this.#current = now;
      return 'unchanged';
    }
    const isUndoing = this.#isUndoing;
    this.#isUndoing = false;
    if (isUndoing && this.#takeBack(now)) return 'snapshot';
    if (undoOrRedo && this.#recall(now, edits)) return 'snapshot';
    const changes = edits ?? changesBetween(this.#current, now);
    const back = undoOrRedo ? this.#takenBackBy(changes) : [];
    this.#rebase(now, changes);
    return this.#restore(back).length > 0 ? 'snapshot' : 'rebased';
  }

  /** Call once the file on disk holds the current lines. */
  didSave(): void {
    this.#saved = { text: this.#current, hunks: this.#hunks, decisions: this.#decisions };
  }

  /**
   * Call when the editor's text was thrown away and `now` are the lines of the file on disk: what was accepted since the
   * last save and is not in them is pending again.
   */
  didRevert(now: readonly string[]): void {
    this.#isUndoing = false;
    this.#remember();
    this.#steps.push(changesBetween(this.#current, now));
    const { text } = this.#saved;
    const { hunks, decisions, wantedAgain } = revertedState(
      this.#saved,
      this.#decisions,
      this.#rejected,
    );
    this.#current = text;
    this.#hunks = hunks;
    this.#decisions = decisions;
    this.#restore(wantedAgain);
    if (!sameLines(text, now)) this.#move(now, changesBetween(text, now));
    this.#current = now;
    this.#remember();
    this.didSave();
  }

  /**
   * Continues with the file as it is found after a restart, or after it was closed.
   * @param isDirty whether the editor holds text that is not saved; the last edits may be missing in it.
   */
  resume(now: readonly string[], isDirty: boolean): void {
    if (sameLines(this.#current, now)) this.#current = now;
    else if (!isDirty && sameLines(this.#saved.text, now)) this.didRevert(now);
    else if (!this.#recall(now)) {
      const before = this.openState();
      const { unsaved } = this;
      const { length } = this.#steps;
      const text = this.#current;
      if (isDirty) {
        this.#rebase(now);
        const stillAccepted = new Set(acceptedIds(this.#decisions));
        if (unsaved.every(id => stillAccepted.has(id))) return;
        this.#steps.length = length;
        this.#current = text;
        this.#load(before);
      }
      const saved = this.#saved;
      this.didRevert(now);
      if (isDirty) this.#saved = saved;
    }
    if (!isDirty) this.didSave();
  }

  /** The edits of the file since the last call; each step in the lines that the one before left. */
  takeSteps(): (readonly LineEdit[])[] {
    const steps = this.#steps;
    this.#steps = [];
    return steps;
  }

  /** Everything but the text and what belongs to other texts. */
  openState(): OpenState {
    return {
      hunks: this.#hunks,
      rejected: [...this.#rejected],
      decisions: this.#decisions,
      takenIn: [...this.#takenIn],
    };
  }

  /** Takes in what was stored: edits of the file that lead to the lines `now`, and what was decided then. */
  replay(steps: readonly (readonly LineEdit[])[], now: readonly string[], state?: OpenState): void {
    this.#remember();
    if (state) this.#load(state);
    else for (const edits of steps) this.#move(applyEdits(this.#current, edits), edits);
    this.#current = now;
    this.#remember();
  }

  toJSON(): ReviewState {
    const { text, hunks, decisions } = this.#saved;
    return {
      version: 2,
      current: this.#current,
      ...this.openState(),
      saved: {
        edits: text === this.#current ? [] : changesBetween(this.#current, text),
        hunks,
        decisions,
      },
      snapshots: this.#snapshots.toJSON(),
    };
  }

  static fromJSON(json: unknown): ReviewModel | undefined {
    const state = readReviewState(json);
    if (!state) return undefined;
    const model = new ReviewModel(state.current, state.current);
    model.#load(state);
    const { edits, hunks, decisions } = state.saved;
    const text = edits.length === 0 ? state.current : applyEdits(state.current, edits);
    model.#saved = { text, hunks, decisions };
    model.#snapshots.load(state.snapshots);
    return model;
  }

  #load({ hunks, rejected, decisions, takenIn }: OpenState): void {
    this.#hunks = hunks;
    this.#rejected = new Set(rejected);
    this.#decisions = decisions;
    this.#takenIn.clear();
    for (const [id, ids] of takenIn) this.#takenIn.set(id, ids);
  }

  #accept(ids: ReadonlySet<number>): void {
    const accepted = this.#hunks.filter(({ id }) => ids.has(id));
    const { pending, inverses } = acceptHunks(this.#hunks, ids);
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
    this.#steps.push(edits);
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
  #recall(now: readonly string[], edits?: readonly LineEdit[]): boolean {
    const snapshot = this.#snapshots.get(now);
    if (!snapshot) return false;
    const changes = edits ?? changesBetween(this.#current, now);
    // A hunk that was rejected then and is wanted again is missing in the snapshot.
    const wantedAgain = this.#hunks.filter(
      ({ id }) => snapshot.rejected.has(id) && !this.#rejected.has(id),
    );
    const moved = rebaseHunks(wantedAgain, changes, this.#current).hunks;
    const hunks = snapshot.hunks.filter(({ id }) => !this.#rejected.has(id));
    const pending = new Set(hunks.map(({ id }) => id));
    const gone = this.#hunks.filter(hunk => !pending.has(hunk.id) && !wantedAgain.includes(hunk));
    const isRedo = gone.length > 0 && sameLines(applyEdits(this.#current, gone.map(editOf)), now);
    const back = isRedo ? [] : this.#takenBackBy(changes).filter(({ id }) => !pending.has(id));
    if (isRedo) this.#accept(new Set(gone.map(({ id }) => id)));
    else this.#moveDecisions(changes);
    this.#decisions = this.#decisions
      .map(decision => ({
        ...decision,
        hunks: decision.hunks.filter(({ id }) => !pending.has(id)),
      }))
      .filter(decision => decision.hunks.length > 0);
    this.#steps.push(changes);
    this.#current = now;
    this.#hunks = hunks;
    this.#restore([...moved, ...back]);
    return true;
  }

  /** Acceptances that these edits of the current lines take back; pending in the lines after them. */
  #takenBackBy(edits: readonly LineEdit[]): Hunk[] {
    return this.#decisions.flatMap(({ kind, hunks }) =>
      kind === 'accept' ? takenBack(hunks, edits) : [],
    );
  }

  #rebase(
    now: readonly string[],
    edits: readonly LineEdit[] = changesBetween(this.#current, now),
  ): void {
    this.#steps.push(edits);
    this.#move(now, edits);
  }

  #move(now: readonly string[], edits: readonly LineEdit[]): void {
    const { hunks, lost, merged } = rebaseHunks(this.#hunks, edits, this.#current);
    if (lost) this.#remember();
    this.#takeIn(merged);
    this.#moveDecisions(edits);
    this.#hunks = hunks;
    this.#current = now;
  }

  /** Call before `#current` changes by these edits. */
  #moveDecisions(edits: readonly LineEdit[]): void {
    const moved = this.#decisions.map(({ kind, hunks }): Decision => {
      const rebased = rebaseHunks(hunks, edits, this.#current);
      if (kind === 'reject') this.#takeIn(rebased.merged);
      const isKept = ({ id }: Hunk) => kind === 'reject' || !rebased.merged.has(id);
      return { kind, hunks: rebased.hunks.filter(isKept) };
    });
    this.#decisions = moved.filter(({ hunks }) => hunks.length > 0);
  }

  /** Makes hunks pending again, but for those whose lines another pending hunk has taken. */
  #restore(hunks: readonly Hunk[]): readonly Hunk[] {
    const isFree = (hunk: Hunk) =>
      !this.#hunks.some(other => other.id === hunk.id || overlaps(hunk, editOf(other)));
    const restored = hunks.filter(isFree);
    this.#hunks = [...this.#hunks, ...restored].sort(
      (a, b) => a.at - b.at || a.removed.length - b.removed.length || a.id - b.id,
    );
    return restored;
  }

  #takeIn(merged: ReadonlyMap<number, readonly number[]>): void {
    for (const [id, ids] of merged)
      this.#takenIn.set(id, [...new Set([...(this.#takenIn.get(id) ?? []), ...ids])]);
  }

  #withTakenIn(hunks: readonly Hunk[]): number[] {
    const ids = new Set(hunks.map(({ id }) => id));
    for (const id of ids) for (const other of this.#takenIn.get(id) ?? []) ids.add(other);
    return [...ids];
  }

  #remember(): void {
    this.#rememberAs(this.#current, this.#hunks);
  }

  #rememberAs(text: readonly string[], hunks: readonly Hunk[]): void {
    this.#snapshots.set(text, { hunks, rejected: this.#rejected });
  }
}
