import type { JournalFolder, StoredJournal } from './journal/journalFolder';
import type { JournalTarget, JournalWriter } from './journal/journalWriter';
import { encodeEntry } from './journal/records';
import { replay } from './journal/replay';
import { JournaledReview } from './journaledReview';
import { readMeta, type ReviewMeta } from './reviewMeta';
import type { ReviewModel } from './reviewModel';

/** The one rule about age: a review is forgotten so long after the last thing that happened to it, in milliseconds. */
export const maxAgeMs = 30 * 24 * 3600 * 1000;
/** Reviews that ended are kept for Undo within these bounds, too. */
const maxHistory = { ageMs: maxAgeMs, count: 500, bytes: 100e6 };
/** The first pause after a failed write, in milliseconds; each further one is twice as long. */
const firstRetryMs = 5000;
const longestRetryMs = 60_000;

export interface StoredReview {
  readonly id: string;
  readonly review: JournaledReview;
  /** Records that were damaged or missing. */
  readonly lost: number;
}

/** Why a stored review does not come back. */
export interface LostReview {
  readonly id: string;
  readonly why: 'expired' | 'damaged' | 'unreadable';
  readonly error?: unknown;
}

export interface StoreEvents {
  /** Told of the first failure until all is written again. */
  readonly didFail: (error: unknown) => void;
  readonly didRecover?: () => void;
}

/** The journals of this window's reviews. */
export class ReviewStore implements JournalTarget {
  readonly folder: JournalFolder;
  readonly writer: string;
  readonly clock: () => number;
  readonly #events: StoreEvents;
  readonly #failing = new Set<JournalWriter>();
  readonly #reviews = new Map<string, JournaledReview>();
  #retryMs = firstRetryMs;
  #timer: NodeJS.Timeout | undefined;

  /** @param writer a name that no other window has. */
  constructor(
    folder: JournalFolder,
    { writer, clock }: { readonly writer: string; readonly clock: () => number },
    events: StoreEvents,
  ) {
    this.folder = folder;
    this.writer = writer;
    this.clock = clock;
    this.#events = events;
  }

  /** Starts the journal of a new review. */
  add(id: string, model: ReviewModel, meta: ReviewMeta): JournaledReview {
    const review = new JournaledReview(id, model, meta, this);
    this.#reviews.set(id, review);
    void review.store();
    return review;
  }

  /**
   * What the last session left open, the newest first.
   * @throws when the folder is there and cannot be read.
   */
  async load(): Promise<{ stored: StoredReview[]; lost: LostReview[] }> {
    const stored: StoredReview[] = [];
    const lost: LostReview[] = [];
    for (const journal of await this.folder.readOpen(this.clock())) {
      const found = this.#read(journal);
      if ('why' in found) lost.push(found);
      else stored.push(found);
    }
    await this.#tidy(lost);
    stored.sort((a, b) => b.review.meta.createdAt - a.review.meta.createdAt);
    return { stored, lost };
  }

  /** A review that ended, to undo what was decided in it; undefined when it is not stored any more. */
  async revive(id: string): Promise<StoredReview | undefined> {
    const journal = await this.folder.read(id);
    const found = journal && this.#read(journal);
    if (!found || 'why' in found) return undefined;
    await this.folder.reopen(id);
    return found;
  }

  /** Ids of reviews that ended, the newest first. */
  async ended(): Promise<string[]> {
    return (await this.folder.history()).map(({ id }) => id);
  }

  /**
   * Lets go of a review in which nothing is open: its journal stays, in the history once the file is saved.
   * @returns false when the journal does not have everything, so that the review must be kept.
   */
  async release(id: string): Promise<boolean> {
    const review = this.#reviews.get(id);
    if (!review) return true;
    await review.flush();
    await review.settled();
    if (!review.isEnded || !review.isWritten) return false;
    review.close();
    this.#reviews.delete(id);
    // A journal that cannot be moved is looked at again at the next start.
    if (!review.model.isAheadOfFile) await this.folder.end(id).catch(this.#events.didFail);
    return true;
  }

  /** The file of a review that was released is saved with what was accepted in it. */
  async releasedWasSaved(id: string): Promise<void> {
    const { writer, clock } = this;
    const time = clock();
    // The window names itself once more: the numbers of its records begin anew.
    const own = `${writer}-saved-${time}`;
    const entry = encodeEntry({ writer: own, number: 0, time, record: { kind: 'saved' } });
    try {
      await this.folder.append(id, `\n${entry}`);
      await this.folder.end(id);
    } catch (error) {
      this.#events.didFail(error);
    }
  }

  didFail(journal: JournalWriter, error: unknown): void {
    if (this.#failing.size === 0) this.#events.didFail(error);
    this.#failing.add(journal);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#retryMs = Math.min(2 * this.#retryMs, longestRetryMs);
      void this.retry();
    }, this.#retryMs);
    this.#timer.unref?.();
  }

  didWrite(journal: JournalWriter): void {
    if (!this.#failing.delete(journal) || this.#failing.size > 0) return;
    this.#retryMs = firstRetryMs;
    this.#events.didRecover?.();
  }

  /** Writes what could not be written; resolves to whether that is done. */
  async retry(): Promise<boolean> {
    await Promise.all([...this.#failing].map(async journal => journal.retry()));
    return this.#failing.size === 0;
  }

  /** Writes what is not yet written, at once. */
  dispose(): void {
    clearTimeout(this.#timer);
    for (const review of this.#reviews.values()) review.close();
  }

  /** What cannot be tidied up stays, and keeps nothing else from coming back. */
  async #tidy(lost: readonly LostReview[]): Promise<void> {
    try {
      for (const { id, why } of lost) {
        if (why === 'expired') await this.folder.remove(id);
        // Kept, but not told of again at each start.
        if (why === 'damaged') await this.folder.end(id);
      }
      await this.folder.prune(this.clock(), maxHistory);
    } catch (error) {
      this.#events.didFail(error);
    }
  }

  #read({ id, text, error }: StoredJournal): StoredReview | LostReview {
    if (text === undefined) return { id, why: 'unreadable', error };
    const replayed = replay(text);
    const meta = readMeta(replayed?.meta);
    if (!replayed || !meta) return { id, why: 'damaged' };
    if (this.clock() - replayed.time > maxAgeMs) return { id, why: 'expired' };
    const { model, isReplaced, lost } = replayed;
    const review = new JournaledReview(id, model, meta, this, { isStored: true, isReplaced });
    this.#reviews.set(id, review);
    return { id, review, lost };
  }
}
