import { AbsorbedHunks } from './absorbedHunks';
import {
  acceptancesRevertedBy,
  lastUndoable,
  rebaseDecisions,
  type Undone,
  undoAcceptance,
  withHunks,
  withoutAccepted,
  withoutHunks,
  withRanks,
} from './decisionHistory';
import { restoreHunks } from './formatting/joinHunks';
import { formattingBetween, rebaseOver } from './formatting/reformatHunks';
import { changeBy, contentChange, type SplitChange, stepsOf } from './formatting/splitChange';
import type { LineEdit } from './lineEdit';
import type { DocumentChange } from './lineSnapshot';
import {
  acceptHunks,
  applyEdits,
  changesBetween,
  editOfHunk,
  type Hunk,
  hunksBetween,
  sameLines,
} from './rebase';
import {
  type Decision,
  type FullState,
  readReviewState,
  readSaved,
  revertedState,
  type SavedState,
  type StoredReviewState,
  toStoredSaved,
} from './reviewState';
import { recalledHunks, TextSnapshots } from './textSnapshots';

export type { Hunk } from './rebase';

/**
 * The review of one proposed change of one file. Hunks are always relative to the current text of the file: decisions and
 * edits move them. The texts are never diffed again, which would shift the borders of hunks while the user reads.
 * The hunks of earlier texts return with them, by an undo in the editor or when it discards what was not saved.
 */
export class ReviewModel {
  #current: readonly string[];
  #hunks: readonly Hunk[];
  #rejected: ReadonlySet<number> = new Set();
  #decisions: readonly Decision[] = [];
  readonly #absorbed = new AbsorbedHunks();
  readonly #snapshots = new TextSnapshots();
  #saved: SavedState;
  #isUndoing = false;
  /** Edits of the file since `takeSteps`, each relative to the result of the one before. */
  readonly #steps: (readonly LineEdit[])[] = [];

  constructor(current: readonly string[], proposed: readonly string[]) {
    this.#current = current;
    this.#hunks = hunksBetween(current, proposed);
    this.#saved = { text: current, hunks: this.#hunks, decisions: [] };
  }

  /** The current lines of the file. */
  get current(): readonly string[] {
    return this.#current;
  }

  /** The undecided changes, from top to bottom. */
  get hunks(): readonly Hunk[] {
    return this.#hunks;
  }

  get canUndo(): boolean {
    return this.lastDecision !== undefined;
  }

  /** The decision that `undo` would undo. */
  get lastDecision(): Decision['kind'] | undefined {
    return lastUndoable(this.#decisions, this.#hunks, this.#current)?.decision.kind;
  }

  get rejected(): ReadonlySet<number> {
    return this.#rejected;
  }

  /** Hashes of the file texts that make changes pending when they return. */
  get pendingTexts(): string[] {
    return this.#snapshots.pendingTexts(this.#rejected);
  }

  /** True when a change was accepted, or typed as proposed, that was not saved yet. */
  get isAheadOfFile(): boolean {
    return this.#absorbed.isAnyGone(this.#saved, this.#rejected, this.#hunks);
  }

  /** True when the current text lacks a change that was accepted since the last save. */
  get hasLostAcceptance(): boolean {
    return this.#absorbed.isAnyGone(this.#saved, this.#rejected, this.#hunks, this.#decisions);
  }

  /** Ids of changes that were accepted but not saved yet. */
  get unsaved(): number[] {
    const saved = new Set(this.#absorbed.acceptedIn(this.#saved.decisions));
    return this.#absorbed.acceptedIn(this.#decisions).filter(id => !saved.has(id));
  }

  /** The state of the last save. */
  get saved(): SavedState {
    return this.#saved;
  }

  /** The file's lines if all pending changes were accepted. */
  proposed(): string[] {
    return applyEdits(this.#current, this.#hunks.map(editOfHunk));
  }

  /** The edit of the file that accepts a hunk; report success with `didAccept`. */
  edit(hunk: Hunk): LineEdit {
    return editOfHunk(hunk);
  }

  /** Call before these hunks are applied to the file: the resulting text is recognized from then on. */
  willAccept(ids: readonly number[]): void {
    const accepted = this.#hunks.filter(({ id }) => ids.includes(id));
    if (accepted.length === 0) return;
    this.#remember();
    const { pending } = acceptHunks(this.#hunks, new Set(ids));
    this.#rememberAs(applyEdits(this.#current, accepted.map(editOfHunk)), pending);
  }

  /** Call once these hunks are applied to the file; `now` are its lines. */
  didAccept(hunks: readonly Hunk[], now: readonly string[]): void {
    this.#isUndoing = false;
    this.#remember();
    this.#accept(new Set(hunks.map(({ id }) => id)));
    this.#steps.push(hunks.map(editOfHunk));
    if (sameLines(this.#current, now)) this.#current = now;
    else this.#rebase(now);
    this.#remember();
  }

  reject(ids: readonly number[]): void {
    const hunks = this.#hunks.filter(({ id }) => ids.includes(id));
    if (hunks.length === 0) return;
    this.#hunks = this.#hunks.filter(({ id }) => !ids.includes(id));
    const pending = new Set(this.#hunks.map(({ id }) => id));
    const taken = this.#absorbed.idsOf(hunks).filter(id => !pending.has(id));
    this.#rejected = new Set([...this.#rejected, ...taken]);
    this.#decisions = [...this.#decisions, { kind: 'reject', hunks }];
  }

  /**
   * Undoes the last decision: directly if it was a rejection; by edits for the caller to make if it was an acceptance.
   * Lines that changed since then stay as they are, and so do rejections whose lines another pending change has taken.
   */
  undo(): Undone | undefined {
    const { decision, restored } = lastUndoable(this.#decisions, this.#hunks, this.#current) ?? {};
    if (!decision) return undefined;
    if (!restored) {
      this.#isUndoing = true;
      return { kind: 'accepted', edits: decision.hunks.map(editOfHunk) };
    }
    this.#decisions = withHunks(this.#decisions, decision, restored.left);
    this.#rejected = this.#absorbed.without(this.#rejected, decision.hunks, restored.left);
    this.#absorbed.add(restored.merged);
    this.#hunks = restored.all;
    return { kind: 'rejected-restored', hunks: restored.added };
  }

  /**
   * Call after every change of the file except those reported to `didAccept`.
   * @param change as reported by the editor, which avoids comparing all lines.
   * @param bySave the change is not by the user: it formats the file that is about to be saved.
   * @returns `snapshot` when the state does not follow from the edits alone.
   */
  didChange(
    now: readonly string[],
    undoOrRedo: boolean,
    change?: DocumentChange,
    bySave = false,
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
    const back = undoOrRedo ? acceptancesRevertedBy(this.#decisions, changes) : [];
    const older = undoOrRedo ? this.#snapshots.older(now, this.#rejected) : [];
    const cause = bySave ? 'save' : undoOrRedo ? 'undo' : 'user';
    const step = changeBy(cause, this.#current, changes, now);
    this.#rebase(now, step);
    const restored = [back, older].flatMap(hunks => this.#restore(hunks));
    const isPlain = restored.length === 0 && step.formatting.length === 0 && !bySave;
    return isPlain ? 'rebased' : 'snapshot';
  }

  /** Call once the file on disk holds the current lines. */
  didSave(): void {
    this.#saved = { text: this.#current, hunks: this.#hunks, decisions: this.#decisions };
  }

  /**
   * Call when the editor's text was discarded; `now` are the lines of the file on disk. Changes that were accepted since
   * the last save and are not in it become pending again.
   */
  didRevert(now: readonly string[]): void {
    this.#isUndoing = false;
    this.#remember();
    this.#steps.push(changesBetween(this.#current, now));
    const { text } = this.#saved;
    const reverted = revertedState(this.#saved, this.#decisions, this.#rejected, this.#absorbed);
    this.#current = text;
    this.#hunks = reverted.hunks;
    this.#decisions = reverted.decisions;
    this.#restore(reverted.wantedAgain);
    if (!sameLines(text, now)) this.#move(now, this.#changeTo(now));
    this.#current = now;
    this.#remember();
    this.didSave();
  }

  /**
   * Continues with the current text of the file after a restart, or after it was closed.
   * @param isDirty whether the editor has unsaved text, which may lack the last edits.
   */
  resume(now: readonly string[], isDirty: boolean): void {
    if (sameLines(this.#current, now)) this.#current = now;
    else if (!isDirty && sameLines(this.#saved.text, now)) this.didRevert(now);
    else if (!this.#recall(now)) {
      const before = this.openState();
      const { unsaved } = this;
      const [text, { length }] = [this.#current, this.#steps];
      // What formats the file when it is saved may have done so just before the window died.
      const formatting = formattingBetween(text, now);
      if (isDirty || formatting) {
        this.#rebase(now, formatting);
        const accepted = this.#absorbed.acceptedIn(this.#decisions);
        if (unsaved.every(id => accepted.includes(id))) return isDirty ? undefined : this.didSave();
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

  /** The edits of the file since the last call, each relative to the result of the one before. */
  takeSteps(): (readonly LineEdit[])[] {
    return this.#steps.splice(0);
  }

  /** The state that belongs to the current text. */
  openState(): FullState {
    return {
      hunks: this.#hunks,
      rejected: [...this.#rejected],
      decisions: this.#decisions,
      takenIn: this.#absorbed.entries(),
    };
  }

  /** Replays stored edits of the file that lead to the lines `now`, and the state after them. */
  replay(steps: readonly (readonly LineEdit[])[], now: readonly string[], state?: FullState): void {
    this.#remember();
    if (state) this.#load(state);
    for (const edits of state ? [] : steps) {
      this.#move(applyEdits(this.#current, edits), contentChange(this.#current, edits));
    }
    this.#current = now;
    this.#remember();
  }

  toJSON(): StoredReviewState {
    return {
      version: 2,
      current: this.#current,
      ...this.openState(),
      saved: toStoredSaved(this.#saved, this.#current),
      snapshots: this.#snapshots.toJSON(),
    };
  }

  static fromJSON(json: unknown, state = readReviewState(json)): ReviewModel | undefined {
    if (!state) return undefined;
    const model = new ReviewModel(state.current, state.current);
    model.#load({ ...state, saved: readSaved(state) });
    model.#snapshots.load(state.snapshots);
    return model;
  }

  #load({ hunks, rejected, decisions, takenIn, saved }: FullState): void {
    this.#hunks = hunks;
    this.#rejected = new Set(rejected);
    this.#decisions = decisions;
    this.#absorbed.load(takenIn);
    if (!saved) return;
    this.#saved = saved;
    this.#snapshots.age();
  }

  #accept(ids: ReadonlySet<number>): void {
    const accepted = this.#hunks.filter(({ id }) => ids.has(id));
    const { pending, inverses } = acceptHunks(this.#hunks, ids);
    this.#moveDecisions(contentChange(this.#current, accepted.map(editOfHunk)), true);
    this.#decisions = [...this.#decisions, { kind: 'accept', hunks: inverses }];
    this.#current = applyEdits(this.#current, accepted.map(editOfHunk));
    this.#hunks = pending;
  }

  /** Completes `undo` of an acceptance if `now` is exactly the result of its edits. */
  #takeBack(now: readonly string[]): boolean {
    const last = this.#decisions.findLast(({ kind }) => kind === 'accept');
    const edits = last?.hunks.map(editOfHunk) ?? [];
    if (!last || !sameLines(applyEdits(this.#current, edits), now)) return false;
    this.#decisions = withHunks(this.#decisions, last, []);
    this.#moveDecisions(contentChange(this.#current, edits), true);
    const { hunks, merged } = undoAcceptance(this.#hunks, last.hunks, this.#current);
    this.#hunks = hunks;
    this.#absorbed.add(merged);
    this.#current = now;
    this.#steps.push(edits);
    return true;
  }

  /** Restores the hunks of an earlier text; false when the text is unknown. */
  #recall(now: readonly string[], edits?: readonly LineEdit[]): boolean {
    const snapshot = this.#snapshots.get(now);
    if (!snapshot) return false;
    this.#remember();
    const changes = withRanks(edits ?? changesBetween(this.#current, now), this.#decisions);
    const change = changeBy('undo', this.#current, changes, now);
    const { hunks, restored, gone } = recalledHunks(snapshot, this.#hunks, this.#rejected);
    const redone = applyEdits(this.#current, gone.map(editOfHunk));
    const isRedo = gone.length > 0 && sameLines(redone, now);
    const back = isRedo ? [] : acceptancesRevertedBy(this.#decisions, changes);
    if (isRedo) this.#accept(new Set(gone.map(({ id }) => id)));
    else this.#moveDecisions(change);
    this.#decisions = withoutHunks(this.#decisions, new Set(hunks.map(({ id }) => id)));
    this.#steps.push(changes);
    this.#current = now;
    this.#hunks = hunks;
    this.#restore(rebaseOver(restored, change).hunks);
    this.#restore(back);
    return true;
  }

  #rebase(now: readonly string[], change = this.#changeTo(now)): void {
    this.#steps.push(...stepsOf(change));
    this.#move(now, change);
  }

  /** A change by the user. */
  #changeTo(now: readonly string[]): SplitChange {
    return contentChange(this.#current, changesBetween(this.#current, now));
  }

  #move(now: readonly string[], change: SplitChange): void {
    const { hunks, lost, merged, joined } = rebaseOver(this.#hunks, change);
    const isFormatted = change.formatting.length > 0;
    if (lost || isFormatted) this.#remember();
    for (const each of [joined, merged]) this.#absorbed.add(each);
    this.#moveDecisions(change);
    this.#hunks = hunks;
    this.#current = now;
    if (isFormatted) this.#remember();
  }

  /** Call before `#current` changes. */
  #moveDecisions(change: SplitChange, isOwn = false): void {
    const { decisions, merged } = rebaseDecisions(this.#decisions, change, isOwn);
    for (const each of merged) this.#absorbed.add(each);
    this.#decisions = decisions;
  }

  /** Makes hunks pending again, except those that are accepted or change the same words as another pending hunk. */
  #restore(hunks: readonly Hunk[]): readonly Hunk[] {
    const wanted = withoutAccepted(hunks, this.#decisions);
    const { all, added, merged } = restoreHunks(this.#hunks, wanted, this.#current);
    this.#absorbed.add(merged);
    this.#hunks = all;
    return added;
  }

  #remember(): void {
    this.#rememberAs(this.#current, this.#hunks);
  }

  #rememberAs(text: readonly string[], hunks: readonly Hunk[]): void {
    this.#snapshots.set(text, { hunks, rejected: this.#rejected });
  }
}
