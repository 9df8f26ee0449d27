import type { JournalFolder } from './journalFolder';
import { encodeEntry, type JournalRecord } from './records';

/** A journal is rewritten when it has grown by this many characters and by twice its initial size. */
const minGrowth = 256 * 1024;
/** A journal is rewritten after this many records, because each takes time to replay. */
const maxRecords = 200;
/** How long a decision waits for a slow disk, in milliseconds. */
const maxWaitMs = 2000;

/** Where records are written, and who is notified of failures. */
export interface JournalTarget<R = JournalRecord> {
  readonly folder: JournalFolder;
  /** Identifies this window in journals. */
  readonly writer: string;
  readonly clock: () => number;
  /** Called for each failure; calls `retry` later. */
  didFail(journal: JournalWriter<R>, error: unknown): void;
  didWrite(journal: JournalWriter<R>): void;
}

/**
 * Writes one journal, one record after another. After a failure the next attempt rewrites the whole journal, as a draft
 * that replaces the old one when it is complete, so that a stored journal is never truncated.
 */
export class JournalWriter<R = JournalRecord> {
  readonly id: string;
  readonly #target: JournalTarget<R>;
  readonly #checkpoint: () => R;
  /** Its own for each journal that is continued: the sequence numbers start again, and repeated ones are ignored. */
  readonly #name: string;
  static #continued = 0;
  /** Encoded records that are not on disk yet. */
  #unwritten: string[] = [];
  #needsCheckpoint: boolean;
  #number = 0;
  #firstSize = 0;
  #grownBy = 0;
  #recordCount = 0;
  #isCreating = false;
  /** Starts a new line, because another writer may have left its last one unfinished. */
  #prefix = '\n';
  #writing: Promise<void> | undefined;
  #isClosed = false;

  /** @param checkpoint a record of the complete current state. */
  constructor(
    id: string,
    target: JournalTarget<R>,
    checkpoint: () => R,
    { isStored }: { readonly isStored: boolean },
  ) {
    this.id = id;
    this.#target = target;
    this.#checkpoint = checkpoint;
    this.#needsCheckpoint = !isStored;
    this.#name = isStored ? `${target.writer}-${JournalWriter.#continued++}` : target.writer;
  }

  /** False while a record is not on disk yet. */
  get isWritten(): boolean {
    return !this.#needsCheckpoint && !this.#isCreating && this.#unwritten.length === 0;
  }

  /** Resolves when the record is on disk, when writing failed, or after a timeout. */
  async append(record: R): Promise<void> {
    if (this.#isClosed) return;
    if (!this.#needsCheckpoint || this.#writing) this.#unwritten.push(this.#encode(record));
    await this.#write();
  }

  /** Rewrites the journal. */
  async rewrite(): Promise<void> {
    if (this.#isClosed) return;
    this.#needsCheckpoint = true;
    await this.#write();
  }

  /** Retries after a failure. */
  async retry(): Promise<void> {
    await this.#write();
  }

  /** Resolves when no write is in progress. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** Writes the rest synchronously; records of a write in progress may be written twice. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.isWritten) return;
    const { folder } = this.#target;
    try {
      if (this.#needsCheckpoint || this.#isCreating) {
        folder.createNow(this.id, this.#encode(this.#checkpoint()));
      } else folder.appendNow(this.id, `\n${this.#unwritten.join('')}`);
      this.#unwritten = [];
      this.#needsCheckpoint = false;
    } catch (error) {
      this.#target.didFail(this, error);
    }
  }

  async #write(): Promise<void> {
    if (this.isWritten) return;
    this.#writing ??= this.#writeAll();
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>(resolve => {
      timer = setTimeout(resolve, maxWaitMs);
    });
    await Promise.race([this.#writing, tooLong]);
    clearTimeout(timer);
  }

  async #writeAll(): Promise<void> {
    try {
      while (!this.isWritten && !this.#isClosed) {
        if (this.#needsCheckpoint) await this.#writeCheckpoint();
        else await this.#writeRecords();
      }
      if (!this.#isClosed) this.#target.didWrite(this);
    } catch (error) {
      // The next checkpoint contains these records.
      this.#needsCheckpoint = true;
      this.#unwritten = [];
      if (!this.#isClosed) this.#target.didFail(this, error);
    } finally {
      // Reset here and not when the promise resolves: a record in between must start a new write.
      this.#writing = undefined;
    }
  }

  async #writeCheckpoint(): Promise<void> {
    const text = this.#encode(this.#checkpoint());
    this.#unwritten = [];
    this.#needsCheckpoint = false;
    this.#isCreating = true;
    try {
      await this.#target.folder.create(this.id, text, () => !this.#isClosed);
    } finally {
      this.#isCreating = false;
    }
    this.#firstSize = text.length;
    this.#grownBy = 0;
    this.#recordCount = 0;
    this.#prefix = '';
  }

  async #writeRecords(): Promise<void> {
    const batch = [...this.#unwritten];
    const text = this.#prefix + batch.join('');
    try {
      await this.#target.folder.append(this.id, text);
    } catch {
      // The file is gone or the disk is full: rewriting the journal shows which.
      this.#needsCheckpoint = true;
      return;
    }
    this.#prefix = '';
    this.#grownBy += text.length;
    this.#recordCount += batch.length;
    this.#unwritten.splice(0, batch.length);
    if (
      this.#recordCount > maxRecords ||
      this.#grownBy > Math.max(minGrowth, 2 * this.#firstSize)
    ) {
      this.#needsCheckpoint = true;
    }
  }

  #encode(record: R): string {
    const [writer, time] = [this.#name, this.#target.clock()];
    return encodeEntry({ writer, number: this.#number++, time, record });
  }
}
