import { randomUUID } from 'node:crypto';
import path from 'node:path';

/** The file system operations that a journal folder needs. */
export interface FileOps {
  makeFolder(folder: string): Promise<void>;
  list(folder: string): Promise<string[]>;
  read(file: string): Promise<Uint8Array>;
  /** `size` in bytes, `time` of the last change in milliseconds since the epoch. */
  stat(file: string): Promise<{ readonly size: number; readonly time: number }>;
  /** Writes a new file and waits until it is flushed to disk. */
  write(file: string, text: string): Promise<void>;
  /** Rejects when the file does not exist. */
  append(file: string, text: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(file: string): Promise<void>;
  /** Synchronous variants for shutdown, because VS Code does not wait for promises then. */
  readonly now: {
    makeFolder(folder: string): void;
    write(file: string, text: string): void;
    append(file: string, text: string): void;
    rename(from: string, to: string): void;
  };
}

export interface StoredJournal {
  readonly id: string;
  /** Undefined when the file exists but cannot be read. */
  readonly text: string | undefined;
  readonly error?: unknown;
}

const suffix = '.journal';
const draftSuffix = '.draft';
/** A draft older than this was left behind by a window that crashed, in milliseconds. */
const maxDraftAgeMs = 3600 * 1000;

/** The journals of open reviews, and a history of those that ended. */
export class JournalFolder {
  readonly #ops: FileOps;
  readonly #folder: string;
  readonly #history: string;

  constructor(ops: FileOps, folder: string) {
    this.#ops = ops;
    this.#folder = folder;
    this.#history = path.join(folder, 'history');
  }

  /**
   * Replaces a journal atomically: the old one stays intact until the new one is complete.
   * @param isWanted called right before the replacement.
   */
  async create(id: string, text: string, isWanted: () => boolean): Promise<void> {
    const draft = this.#draft(id);
    await this.#ops.makeFolder(this.#folder);
    try {
      await this.#ops.write(draft, text);
      if (isWanted()) await this.#ops.rename(draft, this.#file(id));
    } catch (error) {
      await this.#ops.remove(draft).catch(() => undefined);
      throw error;
    }
  }

  async append(id: string, text: string): Promise<void> {
    await this.#ops.append(this.#file(id), text);
  }

  createNow(id: string, text: string): void {
    const draft = this.#draft(id);
    this.#ops.now.makeFolder(this.#folder);
    this.#ops.now.write(draft, text);
    this.#ops.now.rename(draft, this.#file(id));
  }

  appendNow(id: string, text: string): void {
    this.#ops.now.append(this.#file(id), text);
  }

  /** The journals of open reviews. */
  async readOpen(now: number): Promise<StoredJournal[]> {
    const names = await this.#list(this.#folder);
    for (const name of names) {
      if (name.endsWith(draftSuffix)) {
        await this.#removeOldDraft(path.join(this.#folder, name), now);
      }
    }
    return Promise.all(
      names.filter(isJournal).map(name => this.#read(path.join(this.#folder, name))),
    );
  }

  /** A journal, open or in the history; undefined when there is none. */
  async read(id: string): Promise<StoredJournal | undefined> {
    for (const file of [this.#file(id), path.join(this.#history, id + suffix)]) {
      const stored = await this.#read(file);
      if (!isMissing(stored.error)) return stored;
    }
    return undefined;
  }

  /** Moves a journal to the history. */
  async end(id: string): Promise<void> {
    await this.#ops.makeFolder(this.#history);
    await this.#ops.rename(this.#file(id), path.join(this.#history, id + suffix));
  }

  /** Moves a journal out of the history, if it is there. */
  async reopen(id: string): Promise<void> {
    await this.#ops
      .rename(path.join(this.#history, id + suffix), this.#file(id))
      .catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
  }

  async remove(id: string): Promise<void> {
    await this.#ops.remove(this.#file(id));
  }

  /** The journals of the history, newest first. */
  async history(): Promise<{ id: string; time: number; size: number }[]> {
    const found: { id: string; time: number; size: number }[] = [];
    for (const name of (await this.#list(this.#history)).filter(isJournal)) {
      const { time, size } = await this.#ops.stat(path.join(this.#history, name));
      found.push({ id: name.slice(0, -suffix.length), time, size });
    }
    return found.sort((a, b) => b.time - a.time);
  }

  /** Keeps the history within limits: age in milliseconds, number of journals, and bytes. */
  async prune(
    now: number,
    max: { readonly ageMs: number; readonly count: number; readonly bytes: number },
  ): Promise<void> {
    let bytes = 0;
    for (const [index, { id, time, size }] of (await this.history()).entries()) {
      bytes += size;
      if (now - time > max.ageMs || index >= max.count || bytes > max.bytes) {
        await this.#ops.remove(path.join(this.#history, id + suffix));
      }
    }
  }

  async #list(folder: string): Promise<string[]> {
    try {
      return await this.#ops.list(folder);
    } catch (error) {
      // A missing folder means that nothing was stored yet; anything else is a failure.
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async #read(file: string): Promise<StoredJournal> {
    const id = path.basename(file, suffix);
    try {
      return { id, text: new TextDecoder().decode(await this.#ops.read(file)) };
    } catch (error) {
      return { id, text: undefined, error };
    }
  }

  async #removeOldDraft(file: string, now: number): Promise<void> {
    try {
      if (now - (await this.#ops.stat(file)).time > maxDraftAgeMs) await this.#ops.remove(file);
    } catch (error) {
      // Another window has removed it.
      if (!isMissing(error)) throw error;
    }
  }

  #file(id: string): string {
    return path.join(this.#folder, id + suffix);
  }

  #draft(id: string): string {
    return path.join(this.#folder, `${id}-${randomUUID().slice(0, 8)}${draftSuffix}`);
  }
}

const isJournal = (name: string): boolean => name.endsWith(suffix);

/** Whether a file does not exist, as opposed to a file that cannot be read. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
