import { JournalWriter, type JournalTarget } from './journal/journalWriter';
import type { JournalRecord } from './journal/records';
import { hashOf, type LineEdit } from './lineEdit';
import { sameLines } from './rebase';
import type { ReviewMeta } from './reviewMeta';
import type { FileChange, Hunk, ReviewModel } from './reviewModel';

/** Quiet time after typing before it is written, in milliseconds. */
const typingDelayMs = 2000;

/** The text of the reviewed file in the editor. */
export interface EditorText {
  lines(): readonly string[];
  /** Makes the edits in the editor; throws when the text did not take them. */
  edit(edits: readonly LineEdit[]): Promise<void>;
}

/** The change that was to be accepted is not what the user saw. */
export class StaleChangeError extends Error {}

/**
 * A review and its journal: each thing that happens to the review is written down, in an order that lets it be found
 * again wherever the window dies. What is accepted is written before the editor has it, and counts as safe once the file
 * is saved with it.
 */
export class JournaledReview {
  readonly model: ReviewModel;
  /** Stored with the next checkpoint. */
  meta: ReviewMeta;
  readonly #journal: JournalWriter;
  #timer: NodeJS.Timeout | undefined;
  #isReplaced: boolean;
  /** Undo or redo in the file may have brought changes back: their places follow from no edit. */
  #isRecalled = false;

  constructor(
    id: string,
    model: ReviewModel,
    meta: ReviewMeta,
    target: JournalTarget,
    { isStored = false, isReplaced = false } = {},
  ) {
    this.model = model;
    this.meta = meta;
    this.#isReplaced = isReplaced;
    model.takeSteps();
    const checkpoint = (): JournalRecord => {
      model.takeSteps();
      this.#isRecalled = false;
      return { kind: 'checkpoint', meta: this.meta, state: model.toJSON() };
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

  /** True when its journal has everything, so that it can be read from there. */
  get isWritten(): boolean {
    return this.#timer === undefined && this.#journal.isWritten;
  }

  /** Stores the review for the first time, or anew. */
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

  /** Takes back the last decision, in the file too; false when there is none. */
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

  /** Ends the review because another one takes its place. What it wrote into the file is still followed. */
  async replace(): Promise<void> {
    this.#isReplaced = true;
    this.model.reject(this.model.hunks.map(({ id }) => id));
    await this.#decided();
    await this.#journal.append({ kind: 'replaced' });
  }

  /** The file's text changed; false when it did not. Undo and redo in the file may bring changes back. */
  fileChanged(now: readonly string[], isUndoOrRedo: boolean, change?: FileChange): boolean {
    const result = this.model.didChange(now, isUndoOrRedo, change);
    if (result === 'unchanged') return false;
    if (result === 'snapshot') {
      this.#isRecalled = true;
      void this.flush();
    } else this.#timer ??= setTimeout(() => void this.flush(), typingDelayMs);
    return true;
  }

  /** The file on disk has the lines of now. */
  async fileSaved(): Promise<void> {
    // Both records are about the text of this moment, so that nothing may be waited for between them.
    void this.flush();
    this.model.didSave();
    await this.#journal.append({ kind: 'saved' });
  }

  /** The editor's text was thrown away, or the file is found after a restart. */
  async resume(now: readonly string[], isDirty: boolean): Promise<void> {
    const { model } = this;
    const { hunks, current } = model;
    const wasAhead = model.isAheadOfFile;
    void this.flush();
    model.resume(now, isDirty);
    const isSame = model.hunks === hunks && sameLines(current, now);
    if (!isSame) await this.store();
    else if (!isDirty && wasAhead) await this.#journal.append({ kind: 'saved' });
  }

  /** The editor says that its text needs no save, and no save was heard of: perhaps it was thrown away. */
  async becameClean(now: readonly string[]): Promise<boolean> {
    const { model } = this;
    if (!model.isAheadOfFile || !(sameLines(model.savedText, now) || model.hasLostAcceptance))
      return false;
    await this.resume(now, false);
    return true;
  }

  /** Writes down what was typed. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isRecalled) return this.#decided();
    const steps = this.model.takeSteps();
    if (steps.length === 0) return;
    await this.#journal.append({ kind: 'edited', steps, hash: hashOf(this.model.current) });
  }

  async settled(): Promise<void> {
    await this.#journal.settled();
  }

  /** Writes what is not yet written, at once, because the window waits for nobody. */
  close(): void {
    if (this.#timer) void this.flush();
    this.#journal.close();
  }

  async #decided(): Promise<void> {
    this.#isRecalled = false;
    await this.#journal.append({
      kind: 'decided',
      steps: this.model.takeSteps(),
      hash: hashOf(this.model.current),
      state: this.model.openState(),
    });
  }
}
