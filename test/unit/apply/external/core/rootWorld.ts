import {
  type Content,
  contentOf,
  sameContent,
} from '../../../../../src/apply/external/core/content';
import {
  editorText,
  hasByteOrderMark,
  linesWithEnds,
} from '../../../../../src/apply/external/core/fileText';
import type {
  Contents,
  DiskFiles,
  OpenTexts,
  UnmodifiedFiles,
  WriteResult,
} from '../../../../../src/apply/external/core/ports';
import { type PendingFile, RootTracker } from '../../../../../src/apply/external/core/tracker';
import { RootJournal } from '../../../../../src/apply/external/store/rootJournal';
import { MemoryDisk } from '../../review/journal/memoryDisk';

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
const contentOfBytes = (bytes: Uint8Array | undefined): Content =>
  bytes ? contentOf(bytes, 'sha1') : { kind: 'absent' };

const wordsOf = (lines: readonly string[]) => lines.map(line => line.trimEnd()).join(' ');

/** Contents in memory, of which a power failure loses those that were not flushed. */
export class MemoryContents implements Contents {
  readonly stored = new Map<string, Uint8Array>();
  readonly flushed = new Set<string>();
  isFull = false;

  async has(id: string): Promise<boolean> {
    return this.stored.has(id);
  }

  async get(id: string): Promise<Uint8Array | undefined> {
    return this.stored.get(id);
  }

  async put(id: string, bytes: Uint8Array, isFlushed = false): Promise<void> {
    if (!this.stored.has(id)) {
      if (this.isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      this.stored.set(id, bytes);
    }
    if (isFlushed) this.flushed.add(id);
  }

  async flush(id: string): Promise<boolean> {
    if (this.stored.has(id)) this.flushed.add(id);
    return this.stored.has(id);
  }

  losePower(): void {
    for (const id of this.stored.keys()) if (!this.flushed.has(id)) this.stored.delete(id);
  }
}

/** A document as an editor has it. */
export interface OpenDocument {
  text: string;
  /** The text when it was last the same as its file. */
  clean: string;
  readonly end: string;
  readonly hasMark: boolean;
}

export const isDirty = ({ text, clean }: OpenDocument): boolean => text !== clean;

/** A folder with files, an editor, git and other programs, and the tracker of the folder. */
export class RootWorld {
  readonly files = new Map<string, Uint8Array>();
  /** What git has; undefined: there is no git. */
  git: Map<string, Uint8Array> | undefined = new Map();
  /** What git has from earlier commits, by id. */
  readonly blobs = new Map<string, Uint8Array>();
  readonly documents = new Map<string, OpenDocument>();
  readonly contents = new MemoryContents();
  readonly journalDisk = new MemoryDisk();
  readonly readOnly = new Set<string>();
  readonly unreadable = new Set<string>();
  readonly errors: unknown[] = [];
  /** Called in each write to a file, before it happens. */
  onWrite: (path: string) => void = () => {};
  /** Changes the text of each save. */
  format: (path: string, text: string) => string = (_, text) => text;
  lock = { isOwner: true, confirm: async () => this.lock.isOwner };
  time = 1000;
  #session = 0;
  /** Events that the editor sends while the tracker is busy. */
  #events: Promise<unknown>[] = [];
  journal!: RootJournal;
  tracker!: RootTracker;

  static async of(files: Readonly<Record<string, string>> = {}): Promise<RootWorld> {
    const world = new RootWorld();
    for (const [path, text] of Object.entries(files)) {
      world.files.set(path, bytesOf(text));
      world.git?.set(path, bytesOf(text));
    }
    await world.start();
    return world;
  }

  /** Starts another session of the extension. */
  async start(): Promise<number> {
    this.#events = [];
    this.journal = new RootJournal({
      folder: '/external/one',
      ops: this.journalDisk.mount(),
      lock: this.lock,
      writer: `window ${this.#session++}`,
      clock: () => this.time,
      onError: error => this.errors.push(error),
    });
    const { state, lost } = await this.journal.load();
    this.tracker = new RootTracker(
      {
        disk: this.disk,
        open: this.editor,
        unmodified: this.unmodified,
        contents: this.contents,
        log: this.journal,
        clock: () => this.time++,
        onError: error => this.errors.push(error),
      },
      state,
    );
    await this.tracker.start();
    return lost;
  }

  /** Closes the window and opens it again. */
  async reload(): Promise<number> {
    await this.settled();
    this.journal.close();
    return this.start();
  }

  /** Resolves when all that the editor has sent is done. */
  async settled(): Promise<void> {
    const events = this.#events;
    this.#events = [];
    await Promise.all(events);
    await this.tracker.whenIdle(async () => {});
  }

  /** The files as the session sees them that runs now: once it has crashed, it reads and writes nothing any more. */
  get disk(): DiskFiles {
    const session = this.#session;
    const live = async <T>(run: () => T | undefined): Promise<T> => {
      const isAlive = () => this.#session === session && !this.journalDisk.isDead;
      const result = isAlive() ? run() : undefined;
      await Promise.resolve();
      return result === undefined || !isAlive() ? new Promise<T>(() => {}) : result;
    };
    return {
      read: async path => {
        if (this.unreadable.has(path)) throw Object.assign(new Error(path), { code: 'EACCES' });
        return (await live(() => ({ bytes: this.files.get(path) }))).bytes;
      },
      replace: async (path, expected, bytes) => live(() => this.#write(path, expected, bytes)),
      trash: async (path, expected) => live(() => this.#write(path, expected, undefined)),
    };
  }

  get editor(): OpenTexts {
    return {
      get: path => {
        const document = this.documents.get(path);
        return document && { text: document.text, isDirty: isDirty(document) };
      },
      edit: async (path, before, after) => {
        const document = this.documents.get(path);
        if (document?.text !== before) return 'changed';
        const wasClean = !isDirty(document);
        document.text = after;
        if (wasClean) this.#events.push(this.#save(path, document));
        return 'done';
      },
    };
  }

  get unmodified(): UnmodifiedFiles {
    return {
      algorithm: 'sha1',
      contentOf: async path => this.git && contentOfBytes(this.git.get(path)),
      blob: async id =>
        this.blobs.get(id) ??
        [...(this.git?.values() ?? [])].find(bytes => contentOf(bytes, 'sha1').id === id),
    };
  }

  /** The user commits a file; git keeps what it had before. */
  commit(path: string): void {
    const { git } = this;
    const before = git?.get(path);
    if (before) this.blobs.set(contentOf(before, 'sha1').id, before);
    const bytes = this.files.get(path);
    if (bytes) git?.set(path, bytes);
    else git?.delete(path);
  }

  text(path: string): string | undefined {
    return textOf(this.files.get(path));
  }

  /** Another program writes or removes a file; editors without unsaved edits load it again. */
  async write(path: string, text: string | undefined): Promise<void> {
    this.put(path, text);
    await this.reloadDocument(path);
    await this.see(path);
  }

  async see(...paths: string[]): Promise<void> {
    const at = this.time++;
    await this.tracker.sawDisk(paths, { from: at, to: at });
  }

  put(path: string, text: string | undefined): void {
    if (text === undefined) this.files.delete(path);
    else this.files.set(path, bytesOf(text));
  }

  async open(path: string): Promise<OpenDocument> {
    const lines = linesWithEnds(this.text(path) ?? '');
    const returns = lines.filter(line => line.endsWith('\r\n')).length;
    const end = 2 * returns > lines.length ? '\r\n' : '\n';
    const text = editorText(lines, end);
    const document = { text, clean: text, end, hasMark: hasByteOrderMark(lines) };
    this.documents.set(path, document);
    await this.tracker.loaded(path, text);
    return document;
  }

  async reloadDocument(path: string): Promise<void> {
    const document = this.documents.get(path);
    if (document && !isDirty(document) && this.files.has(path)) await this.open(path);
  }

  type(path: string, text: string): void {
    const document = this.documents.get(path);
    if (document) document.text = text;
  }

  /** The user saves; the event comes when the bytes are on disk. */
  async save(path: string): Promise<void> {
    const document = this.documents.get(path);
    if (document) await this.#save(path, document);
  }

  /** Opens a file if it is not, types and saves. */
  async edit(path: string, text: string): Promise<void> {
    if (!this.documents.has(path)) await this.open(path);
    this.type(path, text);
    await this.save(path);
  }

  pending(path: string): PendingFile | undefined {
    return this.tracker.pending.find(file => file.path === path);
  }

  /** Changes of a file as `-old +new`, a line apart by a space. */
  async drawn(path: string): Promise<string[] | undefined> {
    const found = await this.tracker.changes(path);
    return found?.changes.map(
      ({ baseLines, lines, isEdited }) =>
        `-${wordsOf(baseLines)} +${wordsOf(lines)}${isEdited ? ' *' : ''}`,
    );
  }

  /** A selection of changes by their numbers; all without. */
  async select(path: string, ...numbers: number[]) {
    const { version } = this.pending(path) ?? { version: 'none' };
    if (numbers.length === 0) return { path, version };
    const found = await this.tracker.changes(path);
    return { path, version, changes: numbers.map(at => found?.changes[at]?.id ?? 'none') };
  }

  async keep(path: string, ...numbers: number[]) {
    const [decided] = await this.tracker.keep([await this.select(path, ...numbers)]);
    return decided?.outcome;
  }

  async undo(path: string, ...numbers: number[]) {
    const [decided] = await this.tracker.undo([await this.select(path, ...numbers)]);
    await this.settled();
    return decided?.outcome;
  }

  async undoDecision() {
    const decided = await this.tracker.undoDecision();
    await this.settled();
    return decided.map(({ outcome }) => outcome);
  }

  async #save(path: string, document: OpenDocument): Promise<void> {
    const { clean } = document;
    document.text = this.format(path, document.text);
    document.clean = document.text;
    this.put(path, (document.hasMark ? '\uFEFF' : '') + document.text);
    await this.tracker.saved(path, clean, document.text);
  }

  #write(path: string, expected: Content, bytes: Uint8Array | undefined): WriteResult | undefined {
    this.onWrite(path);
    if (this.journalDisk.isDead) return undefined;
    if (this.readOnly.has(path)) return 'readOnly';
    if (!sameContent(contentOfBytes(this.files.get(path)), expected)) return 'changed';
    if (bytes) this.files.set(path, bytes);
    else this.files.delete(path);
    this.#events.push(this.reloadDocument(path));
    return 'done';
  }
}
