import path from 'node:path';
import { isMissing } from '../../../base/fileErrors';
import { type FileOps, JournalFolder } from '../../review/journal/journalFolder';
import { type JournalTarget, JournalWriter } from '../../review/journal/journalWriter';
import type { RootLog } from '../core/ports';
import { type RootRecord, toStoredRecord } from '../core/rootRecords';
import { emptyState, type RootState } from '../core/rootState';
import { replayRoot } from './rootReplay';

/** Says whether this window may write. */
export interface WriteLock {
  readonly isOwner: boolean;
  /** Reads the lock again: another window may have taken it while this computer slept. */
  confirm(): Promise<boolean>;
}

export interface RootJournalOptions {
  /** The folder of the root; it is not that of the reviews, whose journals are of another kind. */
  readonly folder: string;
  readonly ops: FileOps;
  readonly lock: WriteLock;
  /** Identifies this window in the journal. */
  readonly writer: string;
  /** In milliseconds since the epoch. */
  readonly clock: () => number;
  /** Called for the first failure, and again only after everything was written. */
  readonly onError: (error: unknown) => void;
}

const journalId = 'root';
/** Delay before the first retry of a failed write, in milliseconds; it doubles with each retry. */
const firstRetryMs = 5000;
const maxRetryMs = 60_000;

/** The decision was not stored within the time that a decision waits. */
export class JournalTimeoutError extends Error {
  override readonly name = 'JournalTimeoutError';
}

/** Another window writes this journal. */
export class JournalLockedError extends Error {
  override readonly name = 'JournalLockedError';
}

/** The journal of a root. Only the window that has the lock writes it; the others read. */
export class RootJournal implements RootLog, JournalTarget<unknown> {
  readonly folder: JournalFolder;
  readonly writer: string;
  readonly clock: () => number;
  readonly #options: RootJournalOptions;
  #state: RootState = emptyState;
  #journal: JournalWriter<unknown> | undefined;
  #failure: unknown;
  #loaded = '';
  #isFailing = false;
  #retryMs = firstRetryMs;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RootJournalOptions) {
    this.#options = options;
    this.folder = new JournalFolder(options.ops, options.folder);
    this.writer = options.writer;
    this.clock = options.clock;
  }

  get isReadOnly(): boolean {
    return !this.#journal || !this.#options.lock.isOwner;
  }

  /**
   * Reads the journal, and continues it if this window has the lock.
   *
   * @throws when the journal exists but cannot be read.
   */
  async load(): Promise<{ readonly state: RootState; readonly lost: number }> {
    this.close();
    this.#loaded = await this.#stamp();
    const journals = await this.folder.readOpen(this.clock());
    const stored = journals.find(({ id }) => id === journalId);
    if (stored && stored.text === undefined && !isMissing(stored.error)) throw stored.error;
    const text = stored?.text;
    const { state, isKnown, lost } = replayRoot(text ?? '');
    this.#state = state;
    if (this.#options.lock.isOwner) {
      // What cannot be read is kept for whoever looks for it.
      if (text !== undefined && !isKnown) await this.folder.end(journalId);
      this.#journal = new JournalWriter<unknown>(journalId, this, () => this.#checkpoint(), {
        isStored: isKnown,
      });
    }
    return { state, lost };
  }

  /** Whether another window has written since {@link load}. */
  async isNewer(): Promise<boolean> {
    return (await this.#stamp()) !== this.#loaded;
  }

  async commit(record: RootRecord, after: RootState): Promise<void> {
    const journal = this.#journal;
    if (!journal || this.isReadOnly || !(await this.#options.lock.confirm())) {
      throw new JournalLockedError();
    }
    const before = this.#state;
    this.#state = after;
    this.#failure = undefined;
    await journal.append(toStoredRecord(record));
    if (journal.isWritten) return;
    // The next attempt writes the state without the record.
    this.#state = before;
    const failure: unknown = this.#failure;
    if (failure !== undefined) throw failure;
    void journal.rewrite();
    throw new JournalTimeoutError();
  }

  async note(record: RootRecord, after: RootState): Promise<void> {
    this.#state = after;
    if (!this.#journal || this.isReadOnly) return;
    if (await this.#options.lock.confirm()) await this.#journal.append(toStoredRecord(record));
  }

  didFail(journal: JournalWriter<unknown>, error: unknown): void {
    this.#failure = error;
    if (!this.#isFailing) this.#options.onError(error);
    this.#isFailing = true;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#retryMs = Math.min(2 * this.#retryMs, maxRetryMs);
      if (journal === this.#journal) void journal.retry();
    }, this.#retryMs);
    this.#timer.unref();
  }

  didWrite(): void {
    this.#isFailing = false;
    this.#retryMs = firstRetryMs;
  }

  /** Writes the rest synchronously, because VS Code does not wait for promises at shutdown. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Otherwise another window goes on with the journal.
    if (this.#options.lock.isOwner) this.#journal?.close();
    this.#journal = undefined;
  }

  /** Size and time of the file. */
  async #stamp(): Promise<string> {
    const { ops, folder } = this.#options;
    try {
      const { size, time } = await ops.stat(path.join(folder, `${journalId}.journal`));
      return `${size} ${time}`;
    } catch (error) {
      if (isMissing(error)) return '';
      throw error;
    }
  }

  #checkpoint(): unknown {
    return toStoredRecord({ kind: 'checkpoint', state: this.#state });
  }
}
