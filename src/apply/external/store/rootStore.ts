import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Clock } from '../../../base/async/clock';
import type { FileOps } from '../../review/journal/journalFolder';
import { nodeFileOps } from '../../review/journal/nodeFileOps';
import { contentsOf, type RootState } from '../core/rootState';
import type { RootTracker } from '../core/tracker';
import { ContentStore, defaultLimits, type StoreLimits } from './contentStore';
import { RootJournal } from './rootJournal';
import { type LockOwner, RootLock } from './rootLock';

export interface RootStoreOptions {
  /** `external/<root id>` in the extension's storage, the same for all windows that open the root. */
  readonly folder: string;
  readonly clock: Clock;
  readonly limits?: StoreLimits;
  readonly ops?: FileOps;
  readonly owner?: LockOwner;
  readonly isAlive?: (pid: number) => boolean;
  readonly onError: (error: unknown) => void;
}

/** How often contents that nobody needs are deleted, in milliseconds. */
const pruneIntervalMs = 3600 * 1000;
/** How often a window that only looks reads what the other one has decided, in milliseconds. */
const followIntervalMs = 5000;

/** Journal, contents and lock of a root. */
export class RootStore {
  readonly contents: ContentStore;
  readonly journal: RootJournal;
  readonly #lock: RootLock;
  readonly #options: RootStoreOptions;
  #cancels: (() => void)[] = [];
  #isClosed = false;

  constructor(options: RootStoreOptions) {
    this.#options = options;
    const { folder, clock, ops = nodeFileOps, owner, isAlive, onError } = options;
    this.contents = new ContentStore(path.join(folder, 'contents'), () => clock.now());
    this.#lock = new RootLock({
      folder,
      clock,
      onError,
      ...(owner && { owner }),
      ...(isAlive && { isAlive }),
    });
    this.journal = new RootJournal({
      folder,
      ops,
      lock: this.#lock,
      writer: randomUUID().slice(0, 8),
      clock: () => clock.now(),
      onError,
    });
  }

  /**
   * Takes the lock if it is free and reads the journal.
   *
   * @throws when the journal exists but cannot be read.
   */
  async open(): Promise<{ readonly state: RootState; readonly lost: number }> {
    await this.#lock.start();
    return this.journal.load();
  }

  /** From now on the tracker follows the lock: it decides when this window has it, else it shows what the other decides. */
  connect(tracker: RootTracker): void {
    const load = async () => (await this.journal.load()).state;
    const resume = () => void tracker.resume(load).catch(this.#options.onError);
    this.#cancels.push(this.#lock.onDidChange(resume));
    this.#every(followIntervalMs, async () => {
      if (!this.#lock.isOwner && (await this.journal.isNewer())) await tracker.resume(load);
    });
    this.#every(pruneIntervalMs, async () => tracker.whenIdle(async state => this.prune(state)));
  }

  /** Deletes contents that nobody needs; with too many left, also baselines that nothing is compared with now. */
  async prune(state: RootState): Promise<void> {
    if (!this.#lock.isOwner) return;
    const { limits = defaultLimits } = this.#options;
    const { needed, reviewed } = contentsOf(state);
    const bytes = await this.contents.prune(limits, new Set([...needed, ...reviewed]));
    if (bytes > limits.maxBytes) await this.contents.prune(limits, needed);
  }

  /** Writes the rest synchronously and gives the lock back. */
  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#cancels) cancel();
    this.#cancels = [];
    this.journal.close();
    this.#lock.release();
  }

  #every(ms: number, run: () => Promise<void>): void {
    let cancel: (() => void) | undefined;
    const next = (): void => {
      cancel = this.#options.clock.after(ms, () => {
        void run()
          .catch(this.#options.onError)
          .finally(() => {
            if (!this.#isClosed) next();
          });
      });
    };
    next();
    this.#cancels.push(() => cancel?.());
  }
}
