import { AbortError } from './clock';

/** A frame of the window is 16 ms. */
const maxSliceMs = 8;
/** Reading the clock takes as long as the work for a number may. */
const numbersPerLook = 64;

/** Divides long work, so that everything else in the process goes on. */
export class Slices {
  readonly #signal: AbortSignal | undefined;
  readonly #now: () => number;
  #startedAt: number;

  constructor(signal?: AbortSignal, now: () => number = () => performance.now()) {
    this.#signal = signal;
    this.#now = now;
    this.#startedAt = now();
  }

  /** Whether {@link pause} has something to do: for loops that are too short for a call of it. */
  get isDue(): boolean {
    return this.#signal?.aborted === true || this.#now() - this.#startedAt >= maxSliceMs;
  }

  /**
   * Lets other work run when this has run for long enough.
   * @throws {AbortError} when the signal is aborted
   */
  readonly pause = async (): Promise<void> => {
    if (this.#signal?.aborted === true) throw new AbortError();
    if (!this.isDue) return;
    await new Promise(resolve => setImmediate(resolve));
    this.#startedAt = this.#now();
  };

  /**
   * Calls `work` with each number from 0 to `count` - 1.
   * @throws {AbortError} when the signal is aborted
   */
  async each(count: number, work: (number: number) => void): Promise<void> {
    for (let number = 0; number < count; number++) {
      work(number);
      if (number % numbersPerLook === numbersPerLook - 1 && this.isDue) await this.pause();
    }
  }
}
