import { AbortError } from '../../base/async/clock';

/** The share that background calls never take: 4 of 24. */
const interactiveShare = 4 / 24;

interface Waiter {
  readonly isBackground: boolean;
  readonly start: () => void;
}

/**
 * Limits how many calls run at once. Calls that the user waits for go first and have a share reserved;
 * within each kind, calls are served in order of arrival.
 */
export class Limiter {
  #max = 1;
  #maxBackground = 1;
  #running = 0;
  #runningBackground = 0;
  readonly #interactive = new Queue();
  readonly #background = new Queue();

  constructor(max: number) {
    this.resize(max);
  }

  get running(): number {
    return this.#running;
  }

  /** A smaller limit does not stop what runs already. */
  resize(max: number): void {
    // For NaN, one at a time is the only limit that cannot be wrong.
    this.#max = max >= 1 ? Math.floor(max) : 1;
    this.#maxBackground = Math.max(1, this.#max - Math.ceil(this.#max * interactiveShare));
    this.#next();
  }

  /** Acquires without waiting; the result releases it, and does nothing when called again. */
  tryAcquire(isBackground: boolean): (() => void) | undefined {
    if (!this.#isFree(isBackground)) return undefined;
    this.#start(isBackground);
    return this.#createRelease(isBackground);
  }

  /** Waits until there is room; the result releases it. @throws {AbortError} as soon as `signal` is aborted while waiting. */
  async acquire(isBackground: boolean, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw new AbortError();
    const release = this.tryAcquire(isBackground);
    if (release) return release;
    await this.#wait(isBackground, signal);
    return this.#createRelease(isBackground);
  }

  #createRelease(isBackground: boolean): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#running--;
      if (isBackground) this.#runningBackground--;
      this.#next();
    };
  }

  #isFree(isBackground: boolean): boolean {
    if (this.#running >= this.#max) return false;
    return !isBackground || this.#runningBackground < this.#maxBackground;
  }

  #start(isBackground: boolean): void {
    this.#running++;
    if (isBackground) this.#runningBackground++;
  }

  #wait(isBackground: boolean, signal: AbortSignal): Promise<void> {
    const queue = isBackground ? this.#background : this.#interactive;
    return new Promise((resolve, reject) => {
      const waiting: Waiter = {
        isBackground,
        start: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      const onAbort = (): void => {
        queue.remove(waiting);
        reject(new AbortError());
      };
      signal.addEventListener('abort', onAbort, { once: true });
      queue.add(waiting);
    });
  }

  #next(): void {
    for (const queue of [this.#interactive, this.#background]) {
      for (let waiting = queue.first(); waiting; waiting = queue.first()) {
        if (!this.#isFree(waiting.isBackground)) break;
        queue.remove(waiting);
        // Counted before it runs, so that no other call takes its place.
        this.#start(waiting.isBackground);
        waiting.start();
      }
    }
  }
}

/** First in, first out. A Set keeps the order and removes from the middle in constant time. */
class Queue {
  readonly #items = new Set<Waiter>();

  add(item: Waiter): void {
    this.#items.add(item);
  }

  remove(item: Waiter): void {
    this.#items.delete(item);
  }

  first(): Waiter | undefined {
    return this.#items.values().next().value;
  }
}
