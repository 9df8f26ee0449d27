import { AbortError, type Clock } from '../../../src/service/time';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Time that passes only in {@link VirtualTime.to}; timers fire in their order. */
export class VirtualTime implements Clock {
  #now = 1_700_000_000_000;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new AbortError());
      const cancel = this.after(ms, resolve);
      signal.addEventListener('abort', () => {
        cancel();
        reject(new AbortError());
      });
    });
  }

  /** Lets `ms` pass; promises settle between two timers. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settle();
      const [next] = [...this.#timers].toSorted((a, b) => a.at - b.at);
      if (!next || next.at > end) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
    await settle();
  }
}

/** Everything that waits for nothing but promises is done after it. */
async function settle(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}

/** Numbers from 0 to 1, the same in each run. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
