import { ApplyHistory } from '../../../../src/apply/history/applyHistory';
import { JournalFolder } from '../../../../src/apply/review/journal/journalFolder';
import type {
  EditorText,
  JournaledReview,
} from '../../../../src/apply/review/model/journaledReview';
import { applyEdits } from '../../../../src/apply/review/model/rebase';
import type { ReviewMeta } from '../../../../src/apply/review/model/reviewMeta';
import { ReviewModel } from '../../../../src/apply/review/model/reviewModel';
import { ReviewStore } from '../../../../src/apply/review/store/reviewStore';
import { MemoryDisk } from '../review/journal/memoryDisk';

export const metaOf = (more: Partial<ReviewMeta> = {}): ReviewMeta => ({
  uri: 'file:///src/cart.ts',
  languageId: 'typescript',
  createdAt: 1,
  origin: { engine: 'local', ms: 3, findings: [], source: 'clipboard' },
  ...more,
});

/** A file that an editor holds. */
export class EditedFile implements EditorText {
  now: readonly string[];

  constructor(lines: readonly string[]) {
    this.now = lines;
  }

  lines(): readonly string[] {
    return this.now;
  }

  async edit(edits: Parameters<EditorText['edit']>[0]): Promise<void> {
    this.now = applyEdits(this.now, edits);
  }
}

/** The reviews of a window and their history, on a disk in memory. */
export class HistoryWorld {
  readonly disk = new MemoryDisk();
  readonly errors: unknown[] = [];
  apiKey: string | undefined;
  days = 30;
  store: ReviewStore;
  history: ApplyHistory;
  #windows = 0;

  constructor() {
    [this.store, this.history] = this.#open();
  }

  /** Starts the window again. */
  reload(): void {
    this.store.dispose();
    [this.store, this.history] = this.#open();
  }

  #open(): [ReviewStore, ApplyHistory] {
    const folder = new JournalFolder(this.disk.mount(), '/reviews');
    const clock = () => this.disk.time;
    const onError = (error: unknown) => void this.errors.push(error);
    const store = new ReviewStore(
      folder,
      { writer: `window ${this.#windows++}`, clock },
      { didFail: onError },
      {
        limits: () => ({ ageMs: this.days * 24 * 3600 * 1000, bytes: 50e6 }),
        apiKeys: async () => [this.apiKey ?? []].flat(),
        onError,
      },
    );
    const history = new ApplyHistory({
      store,
      folder,
      clock,
      isOn: () => this.days > 0,
      redact: async text =>
        this.apiKey === undefined ? text : text.replaceAll(this.apiKey, '[redacted]'),
      onError,
    });
    return [store, history];
  }

  /**
   * Reviews a proposal, and ends with the file saved.
   *
   * @param wanted ids of the changes to accept; the others are rejected. All by default.
   */
  async apply(
    id: string,
    before: readonly string[],
    proposed: readonly string[],
    { wanted, meta = {} }: { wanted?: readonly number[]; meta?: Partial<ReviewMeta> } = {},
  ): Promise<{ review: JournaledReview; file: EditedFile }> {
    const review = this.store.add(id, new ReviewModel(before, proposed), metaOf(meta));
    const file = new EditedFile(before);
    for (const { id: hunkId } of review.model.hunks) {
      const hunk = review.model.hunks.find(each => each.id === hunkId);
      if (!hunk) continue;
      if (!wanted || wanted.includes(hunkId)) await review.accept([hunk], file);
      else await review.reject([hunkId]);
    }
    await review.fileSaved();
    await this.store.release(id);
    return { review, file };
  }
}
