import { type JournalTarget, JournalWriter } from '../journal/journalWriter';
import type { JournalRecord } from '../journal/records';
import { type StartState, toStoredStart } from '../journal/startState';
import { changeBy } from './formatting/splitChange';
import { hashLines, type LineEdit } from './lineEdit';
import type { DocumentChange } from './lineSnapshot';
import { divideChanges } from './proposal/divideChanges';
import { editProposal } from './proposal/editProposal';
import type { SelectedLines } from './proposal/splitHunk';
import { changesBetween, sameLines } from './rebase';
import type { LineSpan } from './reviewCursor';
import type { ReviewMeta } from './reviewMeta';
import type { Hunk, ReviewModel } from './reviewModel';
import { type FullState, type OpenState, toStoredSaved } from './reviewState';

/** Delay before edits of the user are journaled, in milliseconds. */
const typingDelayMs = 2000;

/** The text of the reviewed file in the editor. */
export interface EditorText {
  lines(): readonly string[];
  /** Makes the edits in the editor; rejects when they could not be made. */
  edit(edits: readonly LineEdit[]): Promise<void>;
}

/** The change to accept differs from what the user saw. */
export class StaleChangeError extends Error {}

/**
 * A review and its journal: every event is recorded, in an order that allows recovery wherever the window crashes. An
 * acceptance is recorded before the editor has it, and counts as safe once the file is saved with it.
 */
export class JournaledReview {
  readonly model: ReviewModel;
  /** Stored with the next checkpoint. */
  meta: ReviewMeta;
  readonly #journal: JournalWriter;
  #timer: NodeJS.Timeout | undefined;
  #isReplaced: boolean;
  /** An undo, a redo or a save may have moved changes to places that do not follow from the edits alone. */
  #isRecalled = false;
  /** The text and state before the last changes, if they only formatted the file. */
  #unformatted: { readonly text: readonly string[]; readonly state: OpenState } | undefined;

  constructor(
    id: string,
    model: ReviewModel,
    meta: ReviewMeta,
    target: JournalTarget,
    {
      isStored = false,
      isReplaced = false,
      start,
    }: {
      readonly isStored?: boolean;
      readonly isReplaced?: boolean;
      /** What a stored review began with. */
      readonly start?: StartState | undefined;
    } = {},
  ) {
    this.model = model;
    this.meta = meta;
    const first = isStored ? start : { text: model.current, hunks: model.hunks };
    this.#isReplaced = isReplaced;
    model.takeSteps();
    const checkpoint = (): JournalRecord => {
      model.takeSteps();
      this.#isRecalled = false;
      return {
        kind: 'checkpoint',
        meta: this.meta,
        state: model.toJSON(),
        start: first ? toStoredStart(first, model.current) : null,
      };
    };
    this.#journal = new JournalWriter(id, target, checkpoint, { isStored });
  }

  /** Nothing is left to decide. */
  get isEnded(): boolean {
    return this.model.hunks.length === 0;
  }

  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  /** True when the journal is complete, so that the review can be restored from it. */
  get isWritten(): boolean {
    return this.#timer === undefined && this.#journal.isWritten;
  }

  /** Writes the whole review to its journal. */
  async store(): Promise<void> {
    await this.#journal.rewrite();
  }

  /**
   * Accepts changes as the user saw them: one edit of the file, one undo step.
   * @throws {StaleChangeError} when they are no longer the same.
   */
  async accept(hunks: readonly Hunk[], file: EditorText): Promise<readonly Hunk[]> {
    const { model } = this;
    const seen = new Map(hunks.map(({ id, conflict }) => [id, conflict]));
    model.didChange(file.lines(), false);
    model.willAccept([...seen.keys()]);
    void this.flush();
    await this.#journal.append({ kind: 'accepting', ids: [...seen.keys()] });
    model.didChange(file.lines(), false);
    const now = model.hunks.filter(({ id }) => seen.has(id));
    const isSame = now.every(({ id, conflict }) => seen.get(id) === conflict);
    if (now.length !== seen.size || !isSame) throw new StaleChangeError();
    await file.edit(now.map(hunk => model.edit(hunk)));
    model.didAccept(now, file.lines());
    await this.#decided();
    return now;
  }

  async reject(ids: readonly number[]): Promise<void> {
    this.model.reject(ids);
    await this.#decided();
  }

  /** Undoes the last decision, in the file too; false when there is none. */
  async undo(file: () => Promise<EditorText>): Promise<boolean> {
    const undone = this.model.undo();
    if (!undone) return false;
    if (undone.kind === 'accepted') {
      const text = await file();
      await text.edit(undone.edits);
      this.model.didChange(text.lines(), false);
    }
    await this.#decided();
    return true;
  }

  /** Makes the lines what is proposed; false when they are that already. */
  async propose(lines: readonly string[], conflicts: readonly LineSpan[] = []): Promise<boolean> {
    const { model } = this;
    const state = editProposal(model, lines, conflicts);
    if (state) await this.#replaceState(state);
    return state !== undefined;
  }

  /**
   * Makes the selected lines of changes to changes of their own, which can be decided apart.
   *
   * @param selections by the id of the change.
   * @returns the ids of the changes with these lines.
   */
  async divide(selections: ReadonlyMap<number, SelectedLines>): Promise<readonly number[]> {
    const { state, selected } = divideChanges(this.model, selections);
    if (state) await this.#replaceState(state);
    return selected;
  }

  /** Ends the review because another one replaces it. Its accepted changes are still tracked. */
  async replace(): Promise<void> {
    this.#isReplaced = true;
    this.model.reject(this.model.hunks.map(({ id }) => id));
    await this.#decided();
    await this.#journal.append({ kind: 'replaced' });
  }

  /**
   * Call when the file's text may have changed; false when it did not. Undo and redo may restore changes, and what formats
   * the file for a save does not count as a change by the user.
   */
  fileChanged(
    now: readonly string[],
    isUndoOrRedo: boolean,
    change?: DocumentChange,
    bySave = false,
  ): boolean {
    const { model } = this;
    const before = { text: model.current, state: model.openState() };
    const result = model.didChange(now, isUndoOrRedo, change, bySave);
    if (result === 'unchanged') return false;
    if (isUndoOrRedo || bySave || !isFormatted(before.text, now, change)) {
      this.#unformatted = undefined;
    } else this.#unformatted ??= before;
    if (result === 'snapshot') {
      this.#isRecalled = true;
      void this.flush();
    } else this.#timer ??= setTimeout(() => void this.flush(), typingDelayMs);
    return true;
  }

  /**
   * Call when the file is about to be saved: if the last changes only formatted it, they may belong to the save and do not
   * count as changes by the user.
   * @returns whether that changed the review.
   */
  willSave(): boolean {
    const { model } = this;
    const before = this.#unformatted;
    const now = model.current;
    this.#unformatted = undefined;
    if (!before || sameLines(before.text, now)) return false;
    void this.flush();
    model.replay([], before.text, before.state);
    model.didChange(now, false, undefined, true);
    // The journal has these edits already.
    model.takeSteps();
    void this.#decided();
    return true;
  }

  /** Call when the file on disk has the current lines. */
  async fileSaved(): Promise<void> {
    // Both records describe the text of this moment, so there must be no `await` between them.
    void this.flush();
    this.#unformatted = undefined;
    this.model.didSave();
    await this.#journal.append({ kind: 'saved' });
  }

  /** Call when the editor's text was discarded, or when the file is opened after a restart. */
  async resume(now: readonly string[], isDirty: boolean): Promise<void> {
    const { model } = this;
    const { hunks, current } = model;
    const wasAhead = model.isAheadOfFile;
    this.#unformatted = undefined;
    void this.flush();
    model.resume(now, isDirty);
    const isSame = model.hunks === hunks && sameLines(current, now);
    if (!isSame) await this.store();
    else if (!isDirty && wasAhead) await this.#journal.append({ kind: 'saved' });
  }

  /** Call when a document is no longer dirty without a save event: its text may have been discarded. */
  async becameClean(now: readonly string[]): Promise<boolean> {
    const { model } = this;
    if (!model.isAheadOfFile || !(sameLines(model.saved.text, now) || model.hasLostAcceptance)) {
      return false;
    }
    await this.resume(now, false);
    return true;
  }

  /** Records the edits of the user. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isRecalled) return this.#decided();
    const steps = this.model.takeSteps();
    if (steps.length === 0) return;
    await this.#journal.append({ kind: 'edited', steps, hash: hashLines(this.model.current) });
  }

  async settled(): Promise<void> {
    await this.#journal.settled();
  }

  /** Writes the rest synchronously, because VS Code does not wait for promises at shutdown. */
  close(): void {
    if (this.#timer) void this.flush();
    this.#journal.close();
  }

  /** Takes over another form of what is pending; the text of the file stays. */
  async #replaceState(state: Required<FullState>): Promise<void> {
    const { model } = this;
    void this.flush();
    model.replay([], model.current, state);
    this.#unformatted = undefined;
    await this.#journal.append({
      kind: 'proposed',
      steps: model.takeSteps(),
      hash: hashLines(model.current),
      state: model.openState(),
      saved: toStoredSaved(model.saved, model.current),
    });
  }

  async #decided(): Promise<void> {
    this.#isRecalled = false;
    this.#unformatted = undefined;
    await this.#journal.append({
      kind: 'decided',
      steps: this.model.takeSteps(),
      hash: hashLines(this.model.current),
      state: this.model.openState(),
    });
  }
}

/** Whether a change leaves the code the same but for its form. */
function isFormatted(
  before: readonly string[],
  now: readonly string[],
  change: DocumentChange | undefined,
): boolean {
  const edits = change?.before === before ? change.edits : changesBetween(before, now);
  return changeBy('save', before, edits, now).content.length === 0;
}
