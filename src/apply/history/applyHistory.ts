import { createHash } from 'node:crypto';
import type { JournalFolder, StoredJournal } from '../review/journal/journalFolder';
import type { ApplySource, Provenance } from '../review/model/reviewMeta';
import type { ReviewStore } from '../review/store/reviewStore';
import { type AppliedEdit, readAppliedEdit } from './appliedEdit';

/** Journals that are read concurrently. */
const readsAtOnce = 20;

/** A long history is read in steps of this length, in milliseconds, so that the window stays responsive. */
const maxBlockMs = 15;

/** What an edit was made from. */
export interface EditOrigin {
  readonly source: ApplySource;
  /** The text that the user or a tool gave, as far as it is to be kept. */
  readonly answer?: string | undefined;
}

export interface StoredHistory {
  /** The newest first. */
  readonly entries: readonly AppliedEdit[];
  /** Ids of journals that cannot be read. */
  readonly unreadable: readonly string[];
}

export interface HistoryParts {
  readonly store: Pick<ReviewStore, 'prune'>;
  readonly folder: JournalFolder;
  readonly clock: () => number;
  /** False when the user wants no history. */
  readonly isOn: () => boolean;
  /** Replaces API keys. */
  readonly redact: (text: string) => Promise<string>;
  readonly onError: (error: unknown) => void;
}

/**
 * The edits that were applied. An entry is the journal of a review that has ended, and nothing is stored twice. Only the
 * text of an answer is a file of its own, which all files of the answer share.
 */
export class ApplyHistory {
  readonly #parts: HistoryParts;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  get isOn(): boolean {
    return this.#parts.isOn();
  }

  /** Stores the text of an answer in the background, and says what a review has to know of it. */
  provenanceOf(origin: EditOrigin | undefined): Provenance {
    if (!origin) return {};
    const { source, answer } = origin;
    if (answer === undefined || !this.isOn) return { source };
    const id = createHash('sha256').update(answer).digest('hex').slice(0, 32);
    void this.#keep(id, answer);
    return { source, answer: id };
  }

  async #keep(id: string, answer: string): Promise<void> {
    const { folder, redact, onError } = this.#parts;
    try {
      await folder.keepAnswer(id, await redact(answer));
    } catch (error) {
      onError(error);
    }
  }

  /** Deletes what exceeds the limits, and reads the rest. */
  async list(): Promise<StoredHistory> {
    const { store, folder, clock } = this.#parts;
    await store.prune();
    const waiting = (await folder.history()).map(({ id }) => id);
    const journals: StoredJournal[] = await folder.readOpen(clock());
    const readNext = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        const journal = await folder.read(id);
        if (journal) journals.push(journal);
      }
    };
    await Promise.all(Array.from({ length: readsAtOnce }, readNext));
    const entries = new Map<string, AppliedEdit>();
    const unreadable = new Set<string>();
    let since = performance.now();
    for (const { id, text } of journals) {
      if (performance.now() - since > maxBlockMs) {
        await new Promise(setImmediate);
        since = performance.now();
      }
      const entry = text === undefined ? 'unreadable' : readAppliedEdit(id, text);
      if (entry === 'unreadable') unreadable.add(id);
      else if (entry !== 'open') entries.set(id, entry);
    }
    return {
      entries: [...entries.values()].sort((a, b) => b.time - a.time),
      unreadable: [...unreadable],
    };
  }

  /** The answer of an entry, or the snippet that it was merged from; undefined when neither is stored. */
  async answerOf({ meta: { origin } }: AppliedEdit): Promise<string | undefined> {
    const { answer, update } = origin;
    const text = answer === undefined ? undefined : await this.#parts.folder.answer(answer);
    return text ?? update;
  }

  /**
   * Deletes entries, and the answers that no other entry came from.
   *
   * @param others the entries that stay.
   */
  async remove(entries: readonly AppliedEdit[], others: readonly AppliedEdit[]): Promise<void> {
    const { folder } = this.#parts;
    const used = new Set(others.map(({ meta }) => meta.origin.answer));
    for (const { id, meta } of entries) {
      await folder.removeEnded(id);
      const { answer } = meta.origin;
      if (answer !== undefined && !used.has(answer)) await folder.removeAnswer(answer);
    }
  }

  async removeIds(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#parts.folder.removeEnded(id);
  }

  /** Deletes the whole history, but for what protects changes that are not saved yet. */
  async clear(): Promise<void> {
    await this.#parts.folder.clearHistory();
  }
}
