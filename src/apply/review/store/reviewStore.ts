import type { HistoryLimits, JournalFolder, StoredJournal } from '../journal/journalFolder';
import type { JournalTarget, JournalWriter } from '../journal/journalWriter';
import { encodeEntry } from '../journal/records';
import { replay } from '../journal/replay';
import { JournaledReview } from '../model/journaledReview';
import { type ReviewMeta, readMeta } from '../model/reviewMeta';
import type { ReviewModel } from '../model/reviewModel';

/** A review is deleted this long after its last event, in milliseconds. */
export const maxAgeMs = 30 * 24 * 3600 * 1000;
/** How long the history is not pruned again, in milliseconds. */
const pruneIntervalMs = 3600 * 1000;
/** Delay before the first retry of a failed write, in milliseconds; it doubles with each retry. */
const firstRetryMs = 5000;
const maxRetryMs = 60_000;

export interface StoredReview {
  readonly id: string;
  readonly review: JournaledReview;
  /** Number of records that were damaged or missing. */
  readonly lost: number;
}

/** A stored review that cannot be restored. */
export interface LostReview {
  readonly id: string;
  readonly why: 'expired' | 'damaged' | 'unreadable';
  readonly error?: unknown;
}

export interface StoreEvents {
  /** Called for the first failure, and again only after everything was written. */
  readonly didFail: (error: unknown) => void;
  readonly didRecover?: () => void;
}

/** How ended reviews are kept. */
export interface HistoryPolicy {
  /** Read at each use, because they are settings. */
  readonly limits: () => HistoryLimits;
  /** The API keys, none of which may be in an entry. */
  readonly apiKeys: () => Promise<readonly string[]>;
  readonly onError: (error: unknown) => void;
}

const defaultPolicy: HistoryPolicy = {
  limits: () => ({ ageMs: maxAgeMs, bytes: 50e6 }),
  apiKeys: async () => [],
  onError: () => {},
};

/** The journals of this window's reviews. */
export class ReviewStore implements JournalTarget {
  readonly folder: JournalFolder;
  readonly writer: string;
  readonly clock: () => number;
  readonly #events: StoreEvents;
  readonly #failing = new Set<JournalWriter>();
  readonly #reviews = new Map<string, JournaledReview>();
  readonly #policy: HistoryPolicy;
  /** Reviews that ended in this window: an undo in the editor may need them again. */
  readonly #endedHere = new Set<string>();
  #prunedAt: number | undefined;
  #retryMs = firstRetryMs;
  #timer: NodeJS.Timeout | undefined;

  /** @param writer a name that is unique to this window. */
  constructor(
    folder: JournalFolder,
    { writer, clock }: { readonly writer: string; readonly clock: () => number },
    events: StoreEvents,
    policy = defaultPolicy,
  ) {
    this.folder = folder;
    this.writer = writer;
    this.clock = clock;
    this.#events = events;
    this.#policy = policy;
  }

  /** Starts the journal of a new review. */
  add(id: string, model: ReviewModel, meta: ReviewMeta): JournaledReview {
    const review = new JournaledReview(id, model, meta, this);
    this.#reviews.set(id, review);
    void review.store();
    return review;
  }

  /**
   * The open reviews of the last session, newest first.
   * @throws when the folder exists but cannot be read.
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

  /** Reads an ended review, to undo its decisions; undefined when it is no longer stored. */
  async revive(id: string): Promise<StoredReview | undefined> {
    const journal = await this.folder.read(id);
    const found = journal && this.#read(journal);
    if (!found || 'why' in found) return undefined;
    await this.folder.reopen(id);
    return found;
  }

  /** Ids of ended reviews, newest first. */
  async ended(): Promise<string[]> {
    return (await this.folder.history()).map(({ id }) => id);
  }

  /**
   * Releases a review without undecided changes. Its journal moves to the history once the file is saved.
   * @returns false when the review must be kept in memory: its journal is incomplete, or holds an API key.
   */
  async release(id: string): Promise<boolean> {
    const review = this.#reviews.get(id);
    if (!review) return true;
    await review.flush();
    await review.settled();
    const isSecret = await this.#holdsKey(id);
    if (!review.isEnded || !review.isWritten) return false;
    if (isSecret) {
      // Until the file is saved, the journal is what a crash leaves of the decisions.
      if (!review.model.isAheadOfFile) await this.folder.remove(id).catch(this.#events.didFail);
      return false;
    }
    review.close();
    this.#reviews.delete(id);
    // A journal that cannot be moved is handled at the next start.
    if (!review.model.isAheadOfFile) await this.#end(id).catch(this.#events.didFail);
    return true;
  }

  /** Whether a journal holds an API key, as the file that it is of may. */
  async #holdsKey(id: string): Promise<boolean> {
    const keys = await this.#policy.apiKeys();
    if (keys.length === 0) return false;
    const { text = '' } = (await this.folder.read(id)) ?? {};
    return keys.some(key => text.includes(JSON.stringify(key).slice(1, -1)));
  }

  async #end(id: string): Promise<void> {
    await this.folder.end(id);
    this.#endedHere.add(id);
    const isDue = this.clock() - (this.#prunedAt ?? Number.NEGATIVE_INFINITY) > pruneIntervalMs;
    if (isDue) await this.prune().catch(this.#policy.onError);
  }

  /** Deletes from the history what exceeds its limits. */
  async prune(): Promise<void> {
    this.#prunedAt = this.clock();
    await this.folder.prune(this.clock(), this.#policy.limits(), this.#endedHere);
  }

  /** Call when the file of a released review was saved with its accepted changes. */
  async releasedWasSaved(id: string): Promise<void> {
    const { writer, clock } = this;
    const time = clock();
    // A new writer name, because the sequence numbers start again.
    const own = `${writer}-saved-${time}`;
    const entry = encodeEntry({ writer: own, number: 0, time, record: { kind: 'saved' } });
    try {
      await this.folder.append(id, `\n${entry}`);
      await this.#end(id);
    } catch (error) {
      this.#events.didFail(error);
    }
  }

  didFail(journal: JournalWriter, error: unknown): void {
    if (this.#failing.size === 0) this.#events.didFail(error);
    this.#failing.add(journal);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#retryMs = Math.min(2 * this.#retryMs, maxRetryMs);
      void this.retry();
    }, this.#retryMs);
    this.#timer.unref?.();
  }

  didWrite(journal: JournalWriter): void {
    if (!this.#failing.delete(journal) || this.#failing.size > 0) return;
    this.#retryMs = firstRetryMs;
    this.#events.didRecover?.();
  }

  /** Retries failed writes; resolves to whether everything is written. */
  async retry(): Promise<boolean> {
    await Promise.all([...this.#failing].map(async journal => journal.retry()));
    return this.#failing.size === 0;
  }

  /** Writes the rest synchronously. */
  dispose(): void {
    clearTimeout(this.#timer);
    for (const review of this.#reviews.values()) review.close();
  }

  /** Removes what cannot be restored. Failures are reported but do not stop the rest from being restored. */
  async #tidy(lost: readonly LostReview[]): Promise<void> {
    try {
      for (const { id, why } of lost) {
        if (why === 'expired') await this.folder.remove(id);
        // Kept in the history, but not reported again at each start.
        if (why === 'damaged') await this.folder.end(id);
      }
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
    const { model, start, isReplaced, lost } = replayed;
    const stored = { isStored: true, isReplaced, start };
    const review = new JournaledReview(id, model, meta, this, stored);
    this.#reviews.set(id, review);
    return { id, review, lost };
  }
}
