import { JournalFolder } from '../../../../../src/apply/review/journal/journalFolder';
import { replay } from '../../../../../src/apply/review/journal/replay';
import type { FileOperation } from '../../../../../src/apply/review/model/fileOperation';
import {
  type EditorText,
  type JournaledReview,
  StaleChangeError,
} from '../../../../../src/apply/review/model/journaledReview';
import { hashLines } from '../../../../../src/apply/review/model/lineEdit';
import { applyEdits, sameLines } from '../../../../../src/apply/review/model/rebase';
import { type Hunk, ReviewModel } from '../../../../../src/apply/review/model/reviewModel';
import { EndedReviews } from '../../../../../src/apply/review/store/endedReviews';
import { ReviewStore } from '../../../../../src/apply/review/store/reviewStore';
import { MemoryDisk } from '../journal/memoryDisk';
import { randomOf } from '../journal/world';

type Lines = readonly string[];
interface Opened {
  readonly id: string;
  readonly journaled: JournaledReview;
}

/** What a review proposes: each line stands nowhere else; for a deletion or a rename there is only one such line. */
interface Proposal {
  readonly id: string;
  readonly operation: FileOperation | undefined;
  readonly subject: string;
  readonly tokens: ReadonlyMap<string, number>;
}

interface Editor {
  buffer: Lines;
  history: Lines[];
  at: number;
}

const noLines: Lines = [''];
/** A file is in the way, or is gone. */
export class Refused extends Error {}

export const actions = [
  'accept',
  'accept',
  'acceptAll',
  'reject',
  'reject',
  'type',
  'type',
  'undoLast',
  'undoLast',
  'undo',
  'redo',
  'save',
  'close',
  'reload',
  'write',
  'checkout',
] as const;
export type Action = (typeof actions)[number];

/** A window with the reviews of one answer. The order of calls is that of `ReviewRegistry` and `ReviewDecisions`. */
export class SetWorld {
  readonly random: () => number;
  readonly disk = new Map<string, Lines>();
  readonly editors = new Map<string, Editor>();
  readonly open = new Map<string, JournaledReview>();
  readonly proposals: Proposal[] = [];
  /** Lines that were in a saved file at some time: what others do with it is their decision. */
  readonly saved = new Set<string>();
  /** Files in which the user accepted a conflict, which replaces what the user typed. */
  readonly overwritten = new Set<string>();
  readonly failures: unknown[] = [];
  readonly #journals = new MemoryDisk();
  readonly #first = new Map<string, Lines>();
  #session = 0;
  #typed = 0;
  #store = this.#newStore();
  #ended = this.#newEnded();

  constructor(seed: number) {
    this.random = randomOf(seed);
    const count = 1 + this.pick(8);
    for (let n = 0; n < count; n++) this.#propose(n);
  }

  pick(count: number): number {
    return Math.floor(this.random() * count);
  }

  oneOf<T>(items: readonly T[]): T | undefined {
    return items[this.pick(Math.max(items.length, 1))];
  }

  async act(action: Action): Promise<void> {
    const reviews = [...this.open.values()];
    const review = this.oneOf(reviews);
    const path = this.oneOf([...this.editors.keys()]);
    switch (action) {
      case 'accept':
      case 'reject': {
        const hunk = review && this.oneOf(review.model.hunks);
        if (hunk) await this.decide(review, action, [hunk]);
        break;
      }
      case 'acceptAll':
        for (const each of reviews) {
          const clean = each.model.hunks.filter(({ conflict }) => !conflict);
          if (clean.length > 0) await this.decide(each, 'accept', clean);
        }
        break;
      case 'undoLast':
        await this.undoLast(this.random() < 0.5 ? review : undefined);
        break;
      case 'reload':
        await this.#reload();
        break;
      default:
        if (path !== undefined) await this.#inEditor(path, action);
    }
    for (const [name, lines] of this.disk)
      for (const line of lines) this.saved.add(`${name} ${line}`);
    for (const { operation, subject, tokens } of this.proposals) {
      if (operation?.kind === 'create') continue;
      if (operation && this.#linesOf(operation).some(line => tokens.has(line)))
        this.saved.add(subject);
    }
  }

  /** False when the change differs from what the user saw, or a file is in the way. */
  async decide(
    review: JournaledReview,
    how: 'accept' | 'reject',
    some: readonly Hunk[],
  ): Promise<boolean> {
    const { operation, uri } = review.meta;
    const hunks = operation ? review.model.hunks : some;
    try {
      if (how === 'reject') await review.reject(hunks.map(({ id }) => id));
      else {
        if (hunks.some(({ conflict }) => conflict)) this.overwritten.add(uri);
        await review.accept(hunks, this.#textOf(review));
        if (operation) await review.fileSaved();
      }
    } catch (error) {
      if (!(error instanceof StaleChangeError || error instanceof Refused)) throw error;
      return false;
    } finally {
      this.#endIfDecided(review);
    }
    return true;
  }

  async undoLast(active: JournaledReview | undefined): Promise<boolean> {
    if (active?.model.canUndo) return this.#undo(active);
    const { uri, changeSet } = active?.meta ?? {};
    const ended = await this.#ended.last(uri, changeSet?.id);
    if (!ended) return false;
    const { id, journaled } = ended;
    journaled.fileChanged(this.#textOf(journaled).lines(), false);
    this.open.set(id, journaled);
    return this.#undo(journaled);
  }

  /** Undoes a decision of an open review, else of the last one that ended; false when there is none. */
  async undoAny(): Promise<boolean> {
    const open = [...this.open.values()].find(({ model }) => model.canUndo);
    const isUndone = await this.undoLast(open);
    // A review without anything pending is back among the ended ones.
    return isUndone;
  }

  /**
   * Proposed lines that are neither pending, nor in the editor, nor rejected, and that were never saved.
   * @param isWhole reads the journals of ended reviews, too, which takes most of the time.
   */
  async missing(isWhole: boolean): Promise<string[]> {
    const lost: string[] = [];
    for (const { id, subject, tokens, operation } of this.proposals) {
      const open = this.open.get(id)?.model;
      if (!open && !isWhole) continue;
      const model = open ?? (await this.#stored(id));
      const there = operation ? this.#linesOf(operation) : this.#editor(subject).buffer;
      const pending = model?.hunks.flatMap(({ inserted }) => inserted) ?? [];
      for (const [token, hunk] of tokens) {
        const isKnown = there.includes(token) || pending.includes(token);
        const isRejected = model?.rejected.has(hunk) === true;
        const wasSaved =
          this.saved.has(`${subject} ${token}`) || (operation && this.saved.has(subject));
        if (!isKnown && !isRejected && !wasSaved) lost.push(`${subject} ${token}`);
      }
    }
    return lost;
  }

  /** What the user typed, by file. */
  typed(): Map<string, string[]> {
    return new Map(
      [...this.editors].map(([path, { buffer }]) => [
        path,
        buffer.filter(line => line.startsWith('typed')),
      ]),
    );
  }

  close(): void {
    this.#store.dispose();
  }

  #propose(n: number): void {
    const kind = this.oneOf(['edit', 'edit', 'create', 'delete', 'rename'] as const) ?? 'edit';
    const uri = `f${n}`;
    const lines = Array.from({ length: 12 }, (_, at) => `line ${n}.${at}`);
    const content = kind === 'create' ? undefined : lines;
    if (content) this.disk.set(uri, content);
    if (content) this.#first.set(uri, content);
    if (kind === 'edit') {
      const proposed = lines.flatMap((line, at) => {
        if (at % 3 !== 1 || this.random() < 0.2) return [line];
        return this.random() < 0.5 ? [`new ${n}.${at}`] : [line, `new ${n}.${at}`];
      });
      this.#editor(uri);
      // An edit that changes nothing opens no review.
      if (sameLines(lines, proposed)) proposed.push(`new ${n}.12`);
      return this.#add(n, uri, lines, proposed);
    }
    const showsPath = kind === 'rename' || this.random() < 0.2;
    if (showsPath && kind !== 'rename' && content) this.disk.set(uri, noLines);
    const operation: FileOperation =
      kind === 'rename'
        ? { kind, uri, newUri: `renamed ${n}`, showsPath: true }
        : { kind, uri, showsPath };
    const now = this.#linesOf(operation);
    const created = showsPath ? [uri] : [`new ${n}.0`, `new ${n}.1`];
    const proposed = kind === 'rename' ? [`renamed ${n}`] : kind === 'delete' ? noLines : created;
    this.#add(n, showsPath ? `${uri}#path` : uri, now, proposed, operation);
  }

  #add(n: number, uri: string, lines: Lines, proposed: Lines, operation?: FileOperation): void {
    const model = new ReviewModel(lines, proposed);
    const tokens = model.hunks.flatMap(({ id, inserted }) =>
      inserted.map(line => [line, id] as const),
    );
    this.proposals.push({ id: `r${n}`, operation, subject: uri, tokens: new Map(tokens) });
    const review = this.#store.add(`r${n}`, model, {
      uri,
      languageId: 'text',
      createdAt: n,
      origin: { engine: 'local', ms: 1, findings: [] },
      changeSet: { id: 'set', createdAt: 1, size: 8, index: n },
      ...(operation && { operation }),
    });
    this.open.set(`r${n}`, review);
  }

  #editor(path: string): Editor {
    const lines = this.disk.get(path) ?? noLines;
    const editor = this.editors.get(path) ?? { buffer: lines, history: [lines], at: 0 };
    this.editors.set(path, editor);
    return editor;
  }

  #isDirty(path: string): boolean {
    return !sameLines(this.#editor(path).buffer, this.disk.get(path) ?? noLines);
  }

  #put(path: string, lines: Lines): void {
    const editor = this.#editor(path);
    editor.history = [...editor.history.slice(0, editor.at + 1), lines];
    editor.at++;
    editor.buffer = lines;
  }

  #linesOf(operation: FileOperation): Lines {
    const isThere = this.disk.has(operation.uri);
    if (operation.kind === 'rename') {
      return [!isThere && this.disk.has(operation.newUri) ? operation.newUri : operation.uri];
    }
    if (!isThere) return noLines;
    return operation.showsPath ? [operation.uri] : (this.disk.get(operation.uri) ?? noLines);
  }

  #textOf({ meta: { operation, uri } }: JournaledReview): EditorText {
    if (!operation) {
      return {
        lines: () => this.#editor(uri).buffer,
        edit: async edits => this.#put(uri, applyEdits(this.#editor(uri).buffer, edits)),
      };
    }
    return {
      lines: () => this.#linesOf(operation),
      edit: async edits => this.#operate(operation, applyEdits(this.#linesOf(operation), edits)),
    };
  }

  #operate(operation: FileOperation, after: Lines): void {
    const { disk } = this;
    if (operation.kind === 'rename') {
      const { uri, newUri } = operation;
      const [from, to] = after[0] === newUri ? [uri, newUri] : [newUri, uri];
      const lines = disk.get(from);
      if (!lines || disk.has(to)) throw new Refused();
      disk.delete(from);
      disk.set(to, lines);
      return;
    }
    const { uri, showsPath } = operation;
    if (sameLines(after, noLines)) {
      if (!disk.delete(uri)) throw new Refused();
    } else if (showsPath && disk.has(uri)) throw new Refused();
    else disk.set(uri, showsPath ? noLines : after);
  }

  async #undo(review: JournaledReview): Promise<boolean> {
    try {
      const isUndone = await review.undo(async () => this.#textOf(review));
      if (isUndone && review.meta.operation) await review.fileSaved();
      return isUndone;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return false;
    } finally {
      this.#endIfDecided(review);
    }
  }

  async #inEditor(path: string, action: Action): Promise<void> {
    const editor = this.#editor(path);
    const reviews = [...this.open.values()].filter(({ meta }) => meta.uri === path);
    const changed = (isUndo: boolean) => {
      for (const review of reviews) {
        review.fileChanged(editor.buffer, isUndo);
        this.#endIfDecided(review);
      }
    };
    switch (action) {
      case 'type': {
        const at = this.pick(editor.buffer.length);
        const count = editor.buffer[at]?.startsWith('line') && this.random() < 0.5 ? 1 : 0;
        const edit = { at, count, lines: [`typed ${this.#typed++}`] };
        this.#put(path, applyEdits(editor.buffer, [edit]));
        return changed(false);
      }
      case 'undo':
      case 'redo': {
        const text = editor.history[editor.at + (action === 'undo' ? -1 : 1)];
        if (!text) return;
        editor.at += action === 'undo' ? -1 : 1;
        editor.buffer = text;
        const hash = hashLines(text);
        const isKnown = reviews.some(({ model }) => model.pendingTexts.includes(hash));
        changed(true);
        const back = isKnown ? undefined : await this.#ended.recall(path, hash);
        if (!back) return;
        back.journaled.fileChanged(text, true);
        return this.#returned(back);
      }
      case 'save':
        this.disk.set(path, editor.buffer);
        for (const review of reviews) await review.fileSaved();
        return this.#ended.saved(path);
      case 'close': {
        const lines = this.disk.get(path) ?? noLines;
        Object.assign(editor, { buffer: lines, history: [lines], at: 0 });
        this.#ended.closed(path);
        for (const review of reviews) {
          if (review.model.isAheadOfFile) await review.resume(lines, false);
          else review.fileChanged(lines, false);
          this.#endIfDecided(review);
        }
        for (const review of await this.#ended.unsaved(path)) {
          await review.journaled.resume(lines, false);
          this.#returned(review);
        }
        return;
      }
      default: {
        if (this.#isDirty(path)) return;
        const lines =
          action === 'checkout' ? this.#first.get(path) : ['from elsewhere', ...editor.buffer];
        if (!lines || sameLines(lines, editor.buffer)) return;
        this.disk.set(path, lines);
        this.#put(path, lines);
        changed(false);
      }
    }
  }

  #endIfDecided(review: JournaledReview): void {
    const id = [...this.open].find(([, other]) => other === review)?.[0];
    if (id === undefined || review.model.hunks.length > 0) return;
    this.open.delete(id);
    this.#ended.add({ id, journaled: review });
  }

  #returned(review: Opened): void {
    if (review.journaled.model.hunks.length === 0) this.#ended.putBack(review);
    else this.open.set(review.id, review.journaled);
  }

  /** Hot exit keeps what is not saved. */
  async #reload(): Promise<void> {
    this.#store.dispose();
    await new Promise(setImmediate);
    for (const editor of this.editors.values()) {
      editor.history = [editor.buffer];
      editor.at = 0;
    }
    this.#store = this.#newStore();
    this.#ended = this.#newEnded();
    this.open.clear();
    for (const { id, review } of (await this.#store.load()).stored) {
      const { operation, uri } = review.meta;
      await review.resume(this.#textOf(review).lines(), !operation && this.#isDirty(uri));
      this.#returned({ id, journaled: review });
    }
  }

  /** A review that has ended, as its journal tells. */
  async #stored(id: string): Promise<ReviewModel | undefined> {
    await new Promise(setImmediate);
    return replay((await this.#store.folder.read(id))?.text ?? '')?.model;
  }

  #newEnded(): EndedReviews<Opened> {
    return new EndedReviews(this.#store, (id, journaled) => ({ id, journaled }));
  }

  #newStore(): ReviewStore {
    return new ReviewStore(
      new JournalFolder(this.#journals.mount(), '/reviews'),
      { writer: `window ${this.#session++}`, clock: () => this.#journals.time },
      { didFail: error => this.failures.push(error) },
    );
  }
}
