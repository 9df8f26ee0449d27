import { AbortError, type Clock } from '../../../src/base/async/clock';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Time that moves only when it is told to, with the promises that hang on it. */
export class VirtualTime implements Clock {
  #now: number;
  #monotonic = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs = Date.UTC(2026, 10, 20, 12)) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#monotonic + Math.max(0, ms), run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new AbortError();
    await new Promise<void>((resolve, reject) => {
      const cancel = this.after(ms, resolve);
      signal.addEventListener('abort', () => {
        cancel();
        reject(new AbortError());
      });
    });
  }

  /** Runs every timer that falls due, each at its time. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonic + ms;
    await settle();
    for (;;) {
      let next: Timer | undefined;
      for (const timer of this.#timers)
        if (timer.at <= end && (!next || timer.at < next.at)) next = timer;
      if (!next) break;
      this.#move(Math.max(0, next.at - this.#monotonic));
      this.#timers.delete(next);
      next.run();
      await settle();
    }
    this.#move(end - this.#monotonic);
  }

  /** Moves on until the promise, which must not reject, is settled. */
  async until<T>(promise: Promise<T>, stepMs = 10): Promise<T> {
    const settled = new AbortController();
    void promise.then(() => settled.abort());
    while (!settled.signal.aborted) await this.advance(stepMs);
    return promise;
  }

  /** The computer sleeps: the wall clock goes on, timers do not. */
  sleepComputer(ms: number): void {
    this.#now += ms;
  }

  #move(ms: number): void {
    this.#monotonic += ms;
    this.#now += ms;
  }
}

/** Lets all promises run that are not waiting for time. */
async function settle(): Promise<void> {
  await new Promise(resolve => setImmediate(resolve));
}

/** Repeatable chance, 0 to 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
