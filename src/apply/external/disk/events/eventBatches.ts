import type { Clock } from '../../../../base/async/clock';

/** What happened on disk within a short time. */
export interface DiskBatch {
  /** Files and folders that were created, changed or deleted, relative to the root; none before a scan. */
  readonly paths: readonly string[];
  /** Not each change is known: everything has to be looked at. */
  readonly needsScan: boolean;
  /** Something happened in the data of git. */
  readonly isGitChanged: boolean;
  /** When the first event came, in milliseconds since the epoch. */
  readonly since: number;
}

/** Without another event for so long, a batch is complete, in milliseconds. */
const quietMs = 150;
/** A batch is never older, in milliseconds. */
const maxAgeMs = 1000;
/** With more paths, a scan costs less than looking at each. */
const maxPaths = 2000;

/**
 * Collects events. Programs write many files at once, and editors, formatters and git write a file more than once, so
 * that a single event says little.
 */
export class EventBatches {
  readonly #clock: Clock;
  readonly #onBatch: (batch: DiskBatch) => void;
  #paths = new Set<string>();
  #needsScan = false;
  #isGitChanged = false;
  /** When the first event of the batch came; undefined while there is none. */
  #since: { readonly date: number; readonly monotonic: number } | undefined;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, onBatch: (batch: DiskBatch) => void) {
    this.#clock = clock;
    this.#onBatch = onBatch;
  }

  addPath(below: string): void {
    if (!this.#needsScan) this.#paths.add(below);
    if (this.#paths.size > maxPaths) this.addScan();
    else this.#wait();
  }

  addGit(): void {
    this.#isGitChanged = true;
    this.#wait();
  }

  /** Events may have been lost. */
  addScan(): void {
    this.#needsScan = true;
    this.#paths = new Set();
    this.#wait();
  }

  dispose(): void {
    this.#cancel();
    this.#since = undefined;
  }

  #wait(): void {
    const now = this.#clock.monotonic();
    this.#since ??= { date: this.#clock.now(), monotonic: now };
    this.#cancel();
    const ms = Math.min(quietMs, this.#since.monotonic + maxAgeMs - now);
    this.#cancel = this.#clock.after(ms, () => this.#end());
  }

  #end(): void {
    const batch: DiskBatch = {
      paths: [...this.#paths],
      needsScan: this.#needsScan,
      isGitChanged: this.#isGitChanged,
      since: this.#since?.date ?? this.#clock.now(),
    };
    this.#paths = new Set();
    this.#needsScan = false;
    this.#isGitChanged = false;
    this.#since = undefined;
    this.#onBatch(batch);
  }
}
