import { encodeEntry, type JournalRecord } from './records';
import type { JournalFolder } from './journalFolder';

/** A journal is written anew when it has grown by this many characters, and to twice its first size. */
const minGrowth = 256 * 1024;
/** The same by the number of records: each costs time when the journal is read. */
const maxRecords = 200;
/** The longest that a decision waits for a disk that does not answer, in milliseconds. */
const maxWaitMs = 2000;

/** Where records go, and who is told when they cannot be written. */
export interface JournalTarget {
  readonly folder: JournalFolder;
  /** The name of this window in journals. */
  readonly writer: string;
  readonly clock: () => number;
  /** Told of each failure; calls `retry` when it is time to try again. */
  didFail(journal: JournalWriter, error: unknown): void;
  didWrite(journal: JournalWriter): void;
}

/**
 * Writes one journal, a record after the other. After a failure the whole journal is written anew at the next try: as a
 * draft that takes the place of the old one when it is complete, so that what is stored is never cut.
 */
export class JournalWriter {
  readonly id: string;
  readonly #target: JournalTarget;
  readonly #checkpoint: () => JournalRecord;
  /** Encoded records that are not yet on the disk. */
  #unwritten: string[] = [];
  #needsCheckpoint: boolean;
  #number = 0;
  #firstSize = 0;
  #grownBy = 0;
  #recordCount = 0;
  #isCreating = false;
  /** A line that another writer left unfinished must not swallow our first one. */
  #prefix = '\n';
  #writing: Promise<void> | undefined;
  #isClosed = false;

  /** @param checkpoint all that is known now. */
  constructor(
    id: string,
    target: JournalTarget,
    checkpoint: () => JournalRecord,
    { isStored }: { readonly isStored: boolean },
  ) {
    this.id = id;
    this.#target = target;
    this.#checkpoint = checkpoint;
    this.#needsCheckpoint = !isStored;
  }

  /** False while something that happened is not on the disk. */
  get isWritten(): boolean {
    return !this.#needsCheckpoint && !this.#isCreating && this.#unwritten.length === 0;
  }

  /** Resolves when the record is on the disk, when that failed, or when the disk took too long. */
  async append(record: JournalRecord): Promise<void> {
    if (this.#isClosed) return;
    if (!this.#needsCheckpoint || this.#writing) this.#unwritten.push(this.#encode(record));
    await this.#write();
  }

  /** Writes the journal anew. */
  async rewrite(): Promise<void> {
    if (this.#isClosed) return;
    this.#needsCheckpoint = true;
    await this.#write();
  }

  /** Tries again what failed. */
  async retry(): Promise<void> {
    await this.#write();
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** Writes what is not yet written, at once; what is under way may come a second time. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.isWritten) return;
    const { folder } = this.#target;
    try {
      if (this.#needsCheckpoint || this.#isCreating)
        folder.createNow(this.id, this.#encode(this.#checkpoint()));
      else folder.appendNow(this.id, `\n${this.#unwritten.join('')}`);
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
      // A checkpoint of later has all that these records say.
      this.#needsCheckpoint = true;
      this.#unwritten = [];
      if (!this.#isClosed) this.#target.didFail(this, error);
    } finally {
      // At once, not with the promise: what comes between must start anew.
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
      // Gone, or a full disk: only a whole journal tells whether it still can be written.
      this.#needsCheckpoint = true;
      return;
    }
    this.#prefix = '';
    this.#grownBy += text.length;
    this.#recordCount += batch.length;
    this.#unwritten.splice(0, batch.length);
    if (this.#recordCount > maxRecords || this.#grownBy > Math.max(minGrowth, 2 * this.#firstSize))
      this.#needsCheckpoint = true;
  }

  #encode(record: JournalRecord): string {
    const { writer, clock } = this.#target;
    return encodeEntry({ writer, number: this.#number++, time: clock(), record });
  }
}
