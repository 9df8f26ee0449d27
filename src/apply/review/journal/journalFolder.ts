import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { isMissing } from '../../../base/fileErrors';

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

/** How much of the history is kept. */
export interface HistoryLimits {
  /** How long after its last event an entry is kept, in milliseconds. */
  readonly ageMs: number;
  /** Size of all entries and answers together. */
  readonly bytes: number;
}

interface StoredFile {
  readonly file: string;
  readonly id: string;
  readonly time: number;
  readonly size: number;
}

const suffix = '.journal';
const answerSuffix = '.txt';
const draftSuffix = '.draft';
/** A draft older than this was left behind by a window that crashed, in milliseconds. */
const maxDraftAgeMs = 3600 * 1000;

/** The journals of open reviews, a history of those that ended, and the answers that they came from. */
export class JournalFolder {
  readonly #ops: FileOps;
  readonly #folder: string;
  readonly #history: string;
  readonly #answers: string;

  constructor(ops: FileOps, folder: string) {
    this.#ops = ops;
    this.#folder = folder;
    this.#history = path.join(folder, 'history');
    this.#answers = path.join(folder, 'answers');
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

  /** Deletes a journal of the history; one that another window has deleted is no failure. */
  async removeEnded(id: string): Promise<void> {
    await this.#removeIfThere(path.join(this.#history, id + suffix));
  }

  /** The journals of the history, newest first. */
  async history(): Promise<{ id: string; time: number; size: number }[]> {
    const files = await this.#files(this.#history, suffix);
    return files.map(({ id, time, size }) => ({ id, time, size }));
  }

  /** Stores the text of an answer, unless it is stored already. */
  async keepAnswer(id: string, text: string): Promise<void> {
    if ((await this.answer(id)) !== undefined) return;
    const draft = this.#draft(id);
    await this.#ops.makeFolder(this.#folder);
    await this.#ops.makeFolder(this.#answers);
    try {
      await this.#ops.write(draft, text);
      await this.#ops.rename(draft, this.#answer(id));
    } catch (error) {
      await this.#ops.remove(draft).catch(() => undefined);
      throw error;
    }
  }

  /** The text of an answer; undefined when it is not stored. */
  async answer(id: string): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await this.#ops.read(this.#answer(id)));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async removeAnswer(id: string): Promise<void> {
    await this.#removeIfThere(this.#answer(id));
  }

  /**
   * Deletes the oldest of the history until the rest is within the limits.
   *
   * @param kept ids of reviews that may still be undone in their editor: age does not count for them.
   */
  async prune(
    now: number,
    max: HistoryLimits,
    kept: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const files = [
      ...(await this.#files(this.#history, suffix)),
      ...(await this.#files(this.#answers, answerSuffix)),
    ].sort((a, b) => b.time - a.time);
    let bytes = 0;
    for (const { file, id, time, size } of files) {
      bytes += size;
      const isOld = now - time > max.ageMs || max.ageMs === 0;
      if ((isOld && !kept.has(id)) || bytes > max.bytes) await this.#removeIfThere(file);
    }
  }

  /** Deletes all journals of the history, and all answers. */
  async clearHistory(): Promise<void> {
    const ended = await this.#files(this.#history, suffix);
    const answers = await this.#files(this.#answers, answerSuffix);
    for (const { file } of [...ended, ...answers]) await this.#removeIfThere(file);
  }

  async #files(folder: string, ending: string): Promise<StoredFile[]> {
    const found: StoredFile[] = [];
    for (const name of (await this.#list(folder)).filter(each => each.endsWith(ending))) {
      const file = path.join(folder, name);
      try {
        found.push({ file, id: name.slice(0, -ending.length), ...(await this.#ops.stat(file)) });
      } catch (error) {
        // Another window has deleted it, or opened its review again.
        if (!isMissing(error)) throw error;
      }
    }
    return found.sort((a, b) => b.time - a.time);
  }

  async #removeIfThere(file: string): Promise<void> {
    await this.#ops.remove(file).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
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

  #answer(id: string): string {
    return path.join(this.#answers, id + answerSuffix);
  }

  #file(id: string): string {
    return path.join(this.#folder, id + suffix);
  }

  #draft(id: string): string {
    return path.join(this.#folder, `${id}-${randomUUID().slice(0, 8)}${draftSuffix}`);
  }
}

const isJournal = (name: string): boolean => name.endsWith(suffix);
