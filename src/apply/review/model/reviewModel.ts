import { AbsorbedHunks } from './absorbedHunks';
import {
  acceptancesRevertedBy,
  acceptedIds,
  rebaseDecisions,
  type Undone,
  withoutHunks,
} from './decisionHistory';
import type { LineEdit } from './lineEdit';
import type { DocumentChange } from './lineSnapshot';
import {
  acceptHunks,
  applyEdits,
  changesBetween,
  editOfHunk,
  type Hunk,
  hunksBetween,
  insertHunks,
  rebaseHunks,
  sameLines,
  undoneHunks,
} from './rebase';
import {
  type Decision,
  type OpenState,
  readReviewState,
  revertedState,
  type SavedState,
  type StoredReviewState,
} from './reviewState';
import { TextSnapshots } from './textSnapshots';

export type { Hunk } from './rebase';

/**
 * The review of one proposed change of one file. Hunks are always relative to the current text of the file: decisions and
 * edits move them. The texts are never diffed again, which would shift the borders of hunks while the user reads.
 *
 * Undo in the editor knows nothing of hunks, so the model remembers the hunks of earlier texts of the file and restores
 * them when such a text returns. It also remembers the state of the last save: changes accepted since then become
 * pending again when the editor's text is discarded.
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
  #steps: (readonly LineEdit[])[] = [];

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
    return this.#decisions.length > 0;
  }

  /** The decision that `undo` would undo. */
  get lastDecision(): Decision['kind'] | undefined {
    return this.#decisions.at(-1)?.kind;
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
    const pending = new Set(this.#absorbed.idsOf(this.#hunks));
    return this.#saved.hunks.some(({ id }) => !pending.has(id) && !this.#rejected.has(id));
  }

  /** True when the current text lacks a change that was accepted since the last save. */
  get hasLostAcceptance(): boolean {
    const known = new Set([...this.#absorbed.idsOf(this.#hunks), ...acceptedIds(this.#decisions)]);
    return this.#saved.hunks.some(({ id }) => !known.has(id) && !this.#rejected.has(id));
  }

  /** Ids of changes that were accepted but not saved yet. */
  get unsaved(): number[] {
    const saved = new Set(acceptedIds(this.#saved.decisions));
    return acceptedIds(this.#decisions).filter(id => !saved.has(id));
  }

  /** The file's lines at the last save. */
  get savedText(): readonly string[] {
    return this.#saved.text;
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
    this.#rejected = new Set([...this.#rejected, ...this.#absorbed.idsOf(hunks)]);
    this.#decisions = [...this.#decisions, { kind: 'reject', hunks }];
  }

  /**
   * Undoes the last decision: directly if it was a rejection; by edits for the caller to make if it was an acceptance.
   * Lines that changed since then stay as they are.
   */
  undo(): Undone | undefined {
    for (let last = this.#decisions.at(-1); last; last = this.#decisions.at(-1)) {
      if (last.kind === 'accept') {
        this.#isUndoing = true;
        return { kind: 'accepted', edits: last.hunks.map(editOfHunk) };
      }
      this.#decisions = this.#decisions.slice(0, -1);
      const wanted = new Set(this.#absorbed.idsOf(last.hunks));
      this.#rejected = new Set([...this.#rejected].filter(id => !wanted.has(id)));
      const hunks = this.#restore(last.hunks);
      if (hunks.length > 0) return { kind: 'rejected-restored', hunks };
    }
    return undefined;
  }

  /**
   * Call after every change of the file except those reported to `didAccept`.
   * @param change as reported by the editor, which avoids comparing all lines.
   */
  didChange(
    now: readonly string[],
    undoOrRedo: boolean,
    change?: DocumentChange,
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
    this.#rebase(now, changes);
    return this.#restore(back).length > 0 ? 'snapshot' : 'rebased';
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
   * Continues with the current text of the file after a restart, or after it was closed.
   * @param isDirty whether the editor has unsaved text, which may lack the last edits.
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

  /** The edits of the file since the last call, each relative to the result of the one before. */
  takeSteps(): (readonly LineEdit[])[] {
    const steps = this.#steps;
    this.#steps = [];
    return steps;
  }

  /** The state that belongs to the current text. */
  openState(): OpenState {
    return {
      hunks: this.#hunks,
      rejected: [...this.#rejected],
      decisions: this.#decisions,
      takenIn: this.#absorbed.entries(),
    };
  }

  /** Replays stored edits of the file that lead to the lines `now`, and the state after them. */
  replay(steps: readonly (readonly LineEdit[])[], now: readonly string[], state?: OpenState): void {
    this.#remember();
    if (state) this.#load(state);
    else for (const edits of steps) this.#move(applyEdits(this.#current, edits), edits);
    this.#current = now;
    this.#remember();
  }

  toJSON(): StoredReviewState {
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
    this.#absorbed.load(takenIn);
  }

  #accept(ids: ReadonlySet<number>): void {
    const accepted = this.#hunks.filter(({ id }) => ids.has(id));
    const { pending, inverses } = acceptHunks(this.#hunks, ids);
    this.#moveDecisions(accepted.map(editOfHunk));
    this.#decisions = [...this.#decisions, { kind: 'accept', hunks: inverses }];
    this.#current = applyEdits(this.#current, accepted.map(editOfHunk));
    this.#hunks = pending;
  }

  /** Completes `undo` of an acceptance if `now` is exactly the result of its edits. */
  #takeBack(now: readonly string[]): boolean {
    const last = this.#decisions.at(-1);
    const edits = last?.hunks.map(editOfHunk) ?? [];
    if (!last || !sameLines(applyEdits(this.#current, edits), now)) return false;

    this.#decisions = this.#decisions.slice(0, -1);
    this.#moveDecisions(edits);
    this.#hunks = rebaseHunks(this.#hunks, edits, this.#current).hunks;
    this.#current = now;
    this.#steps.push(edits);
    this.#restore(undoneHunks(last.hunks));
    return true;
  }

  /** Restores the hunks of an earlier text; false when the text is unknown. */
  #recall(now: readonly string[], edits?: readonly LineEdit[]): boolean {
    const snapshot = this.#snapshots.get(now);
    if (!snapshot) return false;
    const changes = edits ?? changesBetween(this.#current, now);
    // The snapshot lacks hunks that were rejected then and have been restored since.
    const wantedAgain = this.#hunks.filter(
      ({ id }) => snapshot.rejected.has(id) && !this.#rejected.has(id),
    );
    const moved = rebaseHunks(wantedAgain, changes, this.#current).hunks;
    const hunks = snapshot.hunks.filter(({ id }) => !this.#rejected.has(id));
    const pending = new Set(hunks.map(({ id }) => id));
    const gone = this.#hunks.filter(hunk => !pending.has(hunk.id) && !wantedAgain.includes(hunk));
    const isRedo =
      gone.length > 0 && sameLines(applyEdits(this.#current, gone.map(editOfHunk)), now);
    const back = isRedo
      ? []
      : acceptancesRevertedBy(this.#decisions, changes).filter(({ id }) => !pending.has(id));
    if (isRedo) this.#accept(new Set(gone.map(({ id }) => id)));
    else this.#moveDecisions(changes);
    this.#decisions = withoutHunks(this.#decisions, pending);
    this.#steps.push(changes);
    this.#current = now;
    this.#hunks = hunks;
    this.#restore([...moved, ...back]);
    return true;
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
    this.#absorbed.add(merged);
    this.#moveDecisions(edits);
    this.#hunks = hunks;
    this.#current = now;
  }

  /** Call before `#current` changes by these edits. */
  #moveDecisions(edits: readonly LineEdit[]): void {
    const { decisions, merged } = rebaseDecisions(this.#decisions, edits, this.#current);
    for (const each of merged) this.#absorbed.add(each);
    this.#decisions = decisions;
  }

  /** Makes hunks pending again, except those whose lines overlap another pending hunk. */
  #restore(hunks: readonly Hunk[]): readonly Hunk[] {
    const { all, added } = insertHunks(this.#hunks, hunks);
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
