import { JournalFolder } from '../../../../../src/apply/review/journal/journalFolder';
import type {
  EditorText,
  JournaledReview,
} from '../../../../../src/apply/review/model/journaledReview';
import type { LineEdit } from '../../../../../src/apply/review/model/lineEdit';
import { applyEdits } from '../../../../../src/apply/review/model/rebase';
import { type Hunk, ReviewModel } from '../../../../../src/apply/review/model/reviewModel';
import { ReviewStore } from '../../../../../src/apply/review/store/reviewStore';
import { MemoryDisk } from './memoryDisk';

/** Numbers between 0 and 1 that a seed decides (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const same = (a: readonly string[], b: readonly string[]) => a.join('\n') === b.join('\n');

/** One file with its review, in an editor with undo, redo, hot exit, Revert File and Don't Save. */
class OpenFile implements EditorText {
  disk: readonly string[];
  buffer: readonly string[];
  /** What hot exit has; may be older than the buffer. */
  backup: readonly string[] | undefined;
  history: (readonly string[])[];
  at = 0;
  /** Counts restarts. */
  session = 0;
  review: JournaledReview | undefined;
  /** The inserted line of each change, which stands nowhere else. */
  readonly tokens: readonly string[];
  /** For each of them, the id of its change. */
  readonly ids = new Map<string, number>();
  readonly #disk: MemoryDisk;

  constructor(lines: readonly string[], tokens: readonly string[], disk: MemoryDisk) {
    this.disk = lines;
    this.buffer = lines;
    this.history = [lines];
    this.tokens = tokens;
    this.#disk = disk;
  }

  get isDirty(): boolean {
    return !same(this.disk, this.buffer);
  }

  lines(): readonly string[] {
    return this.buffer;
  }

  async edit(edits: readonly LineEdit[]): Promise<void> {
    await this.#pause();
    this.put(applyEdits(this.buffer, edits));
    await this.#pause();
  }

  /** Gives way to others; a dead host does not come back. */
  async #pause(): Promise<void> {
    const { session } = this;
    await Promise.resolve();
    if (this.#disk.isDead || this.session !== session) await new Promise(() => {});
  }

  put(lines: readonly string[]): void {
    this.history = [...this.history.slice(0, this.at + 1), lines];
    this.at++;
    this.buffer = lines;
  }
}

export type Action = (typeof actions)[number];
export const actions = [
  'accept',
  'accept',
  'acceptAll',
  'reject',
  'reject',
  'rejectAll',
  'type',
  'type',
  'propose',
  'undoInFile',
  'redoInFile',
  'undoDecision',
  'save',
  'revert',
  'dontSave',
  'changeOnDisk',
  'reload',
  'reloadWithoutBackup',
] as const;

/** A window with files under review. The order of calls is that of `Reviews`, without a window. */
export class World {
  readonly disk = new MemoryDisk();
  readonly files: OpenFile[] = [];
  readonly random: () => number;
  failures: unknown[] = [];
  /** Lines of changes that the user rejected, by file; none of them needs to come back. */
  readonly rejected = new Map<OpenFile, Set<string>>();
  /** Lines of changes that were in the saved file at some time. */
  readonly saved = new Map<OpenFile, Set<string>>();
  store: ReviewStore;
  #typed = 0;
  #session = 0;

  constructor(seed: number) {
    this.random = randomOf(seed);
    this.store = this.#newStore();
  }

  pick(count: number): number {
    return Math.floor(this.random() * count);
  }

  /** A file of 30 lines and a proposal with a few changes, each with a line that stands nowhere else. */
  start(name: number): OpenFile {
    const lines = Array.from({ length: 30 }, (_, n) => `line ${n}`);
    const proposed: string[] = [];
    const tokens: string[] = [];
    lines.forEach((line, n) => {
      if (n % 4 !== 2 || this.random() < 0.3) {
        proposed.push(line);
        return;
      }
      const token = `new ${name}.${n}`;
      tokens.push(token);
      if (this.random() < 0.5) proposed.push(line);
      proposed.push(token);
    });
    const file = new OpenFile(lines, tokens, this.disk);
    const model = new ReviewModel(lines, proposed);
    for (const { id, inserted } of model.hunks) for (const line of inserted) file.ids.set(line, id);
    file.review = this.store.add(`r${name}`, model, {
      uri: String(this.files.length),
      languageId: 'text',
      createdAt: name,
      origin: { engine: 'local', ms: 1, findings: [] },
    });
    this.files.push(file);
    this.rejected.set(file, new Set());
    this.saved.set(file, new Set());
    return file;
  }

  async act(file: OpenFile, action: Action): Promise<void> {
    const { review } = file;
    if (!review) return;
    const hunks = review.model.hunks;
    const one = hunks[this.pick(Math.max(hunks.length, 1))];
    switch (action) {
      case 'accept':
        if (one) await review.accept([one], file);
        break;
      case 'acceptAll':
        if (hunks.length > 0)
          await review.accept(
            hunks.filter(({ conflict }) => !conflict),
            file,
          );
        break;
      case 'reject':
        if (one) await this.#reject(file, [one]);
        break;
      case 'rejectAll':
        await this.#reject(file, hunks);
        break;
      case 'type':
        this.#type(file);
        break;
      case 'propose':
        await this.#propose(file, review);
        break;
      case 'undoInFile':
      case 'redoInFile': {
        const at = file.at + (action === 'undoInFile' ? -1 : 1);
        const text = file.history[at];
        if (!text) break;
        file.at = at;
        file.buffer = text;
        review.fileChanged(text, true);
        break;
      }
      case 'undoDecision':
        await review.undo(async () => file);
        this.rejected.set(
          file,
          new Set(file.tokens.filter(token => this.#isRejected(file, token))),
        );
        break;
      case 'save': {
        if (this.random() < 0.5) this.#format(file);
        file.disk = file.buffer;
        file.backup = undefined;
        for (const token of file.tokens)
          if (file.disk.includes(token)) this.saved.get(file)?.add(token);
        await review.fileSaved();
        break;
      }
      case 'revert':
      case 'dontSave':
        if (!file.isDirty) break;
        file.put(file.disk);
        file.backup = undefined;
        if (action === 'dontSave') file.history = [file.disk];
        if (action === 'dontSave') file.at = 0;
        await review.resume(file.disk, false);
        break;
      case 'changeOnDisk':
        if (file.isDirty) break;
        file.disk = ['from elsewhere', ...file.disk];
        file.put(file.disk);
        review.fileChanged(file.disk, false);
        break;
      case 'reload':
      case 'reloadWithoutBackup':
        // Nobody waits for what the last typing left to write.
        if (this.random() < 0.5) await review.flush();
        this.store.dispose();
        for (const each of this.files)
          each.backup = action === 'reload' && each.isDirty ? each.buffer : undefined;
        await this.restart();
        break;
    }
    for (const each of this.files)
      if (each.isDirty && this.random() < 0.7) each.backup = each.buffer;
  }

  /** The window is back: files as hot exit or the disk has them, reviews as their journals tell. */
  async restart(): Promise<void> {
    this.store = this.#newStore();
    for (const file of this.files) {
      file.review = undefined;
      file.session++;
      file.buffer = file.backup ?? file.disk;
      file.history = [file.buffer];
      file.at = 0;
    }
    const { stored } = await this.store.load();
    for (const { review } of stored) {
      const file = this.files[Number(review.meta.uri)];
      if (!file) continue;
      file.review = review;
      await review.resume(file.buffer, file.isDirty);
    }
  }

  /** Changes that are neither in the editor nor pending, and that nobody rejected. */
  missing(file: OpenFile): string[] {
    const pending = file.review?.model.hunks.flatMap(({ inserted }) => inserted) ?? [];
    return file.tokens.filter(token => {
      if (file.buffer.includes(token) || pending.includes(token)) return false;
      if (this.rejected.get(file)?.has(token) || this.saved.get(file)?.has(token)) return false;
      // The user was told that this decision could not be stored; the one before it is listed.
      return this.failures.length === 0 || !this.#isRejected(file, token);
    });
  }

  /** Changes that are in the editor and are pending, too. */
  offeredTwice(file: OpenFile): string[] {
    const pending = file.review?.model.hunks.flatMap(({ inserted }) => inserted) ?? [];
    return file.tokens.filter(token => file.buffer.includes(token) && pending.includes(token));
  }

  #isRejected(file: OpenFile, token: string): boolean {
    return file.review?.model.rejected.has(file.ids.get(token) ?? -1) === true;
  }

  async #reject(file: OpenFile, hunks: readonly Hunk[]): Promise<void> {
    const rejected = this.rejected.get(file);
    const lines = new Set(hunks.flatMap(({ inserted }) => inserted));
    for (const token of file.tokens) if (lines.has(token)) rejected?.add(token);
    await file.review?.reject(hunks.map(({ id }) => id));
  }

  /** Typing that leaves the lines of changes alone that are in the file. */
  #type(file: OpenFile): void {
    const own = new Set(file.tokens.values());
    const at = this.pick(file.buffer.length);
    const line = file.buffer[at];
    if (line === undefined) return;
    const text = `typed ${this.#typed++}`;
    const isInserted = own.has(line) || this.random() < 0.5;
    const edits = [{ at, count: isInserted ? 0 : 1, lines: [text] }];
    const before = file.buffer;
    file.put(applyEdits(before, edits));
    file.review?.fileChanged(file.buffer, false, { before, edits });
  }

  /** Typing in the proposal that leaves the lines of changes alone. */
  async #propose(file: OpenFile, review: JournaledReview): Promise<void> {
    const own = new Set(file.tokens);
    const proposed = review.model.proposed();
    const at = this.pick(proposed.length);
    const isInserted = own.has(proposed[at] ?? '') || this.random() < 0.5;
    const lines = [`proposed ${this.#typed++}`];
    await review.propose(applyEdits(proposed, [{ at, count: isInserted ? 0 : 1, lines }]));
    for (const { id, inserted } of review.model.hunks)
      for (const line of inserted) if (own.has(line)) file.ids.set(line, id);
  }

  /** What formats the file when it is saved: all lines with or without a semicolon, but for those of changes. */
  #format(file: OpenFile): void {
    const own = new Set(file.tokens);
    const end = this.random() < 0.5 ? ';' : '';
    file.put(file.buffer.map(line => (own.has(line) ? line : line.replace(/;?$/, end))));
    file.review?.fileChanged(file.buffer, false, undefined, true);
  }

  #newStore(): ReviewStore {
    return new ReviewStore(
      new JournalFolder(this.disk.mount(), '/reviews'),
      { writer: `window ${this.#session++}`, clock: () => this.disk.time },
      { didFail: error => this.failures.push(error) },
    );
  }
}
