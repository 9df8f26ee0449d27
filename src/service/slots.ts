import { AbortError } from './time';

/** Of every 24 slots, 4 stay free for calls that somebody waits for. */
const reservedShare = 4 / 24;

interface Waiting {
  readonly isBackground: boolean;
  readonly start: () => void;
}

/**
 * A limit on what runs at once. Calls that somebody waits for go first and have a share of their own;
 * within each kind, first come, first served.
 */
export class Slots {
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

  /** Slots above a smaller limit are not taken away, only not given out again. */
  resize(max: number): void {
    // Not a number: one at a time is the only limit that cannot be wrong.
    this.#max = max >= 1 ? Math.floor(max) : 1;
    this.#maxBackground = Math.max(1, this.#max - Math.ceil(this.#max * reservedShare));
    this.#next();
  }

  /** A slot that is free now; the result gives it back, once. */
  tryTake(isBackground: boolean): (() => void) | undefined {
    if (!this.#isFree(isBackground)) return undefined;
    this.#start(isBackground);
    return this.#giveBack(isBackground);
  }

  /** Waits for a slot. @throws {AbortError} as soon as `signal` is aborted while waiting. */
  async take(isBackground: boolean, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw new AbortError();
    const taken = this.tryTake(isBackground);
    if (taken) return taken;
    await this.#wait(isBackground, signal);
    return this.#giveBack(isBackground);
  }

  #giveBack(isBackground: boolean): () => void {
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
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
      const waiting: Waiting = {
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
        // Counted before it runs, so that nobody else takes the slot in between.
        this.#start(waiting.isBackground);
        waiting.start();
      }
    }
  }
}

/** First in, first out; a Set keeps the order and removes from the middle at no cost. */
class Queue {
  readonly #items = new Set<Waiting>();

  add(item: Waiting): void {
    this.#items.add(item);
  }

  remove(item: Waiting): void {
    this.#items.delete(item);
  }

  first(): Waiting | undefined {
    return this.#items.values().next().value;
  }
}
