/**
 * The service's own time. It stands still until a test moves it, or runs at `speed` times real time.
 * Whatever depends on it is worked out when it is asked for, so no timer keeps a test alive.
 */
export class VirtualClock {
  #atMs: number;
  #since: number;
  #speed: number;

  /** @param startMs ms since the epoch. */
  constructor(startMs = Date.now(), speed = 0) {
    this.#atMs = startMs;
    this.#since = performance.now();
    this.#speed = speed;
  }

  /** ms since the epoch. */
  now(): number {
    return Math.round(this.#atMs + (performance.now() - this.#since) * this.#speed);
  }

  /** Unix seconds. */
  seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  advance(ms: number): void {
    if (!(ms >= 0)) throw new RangeError('time only moves on');
    this.#atMs += ms;
  }

  /** 0 stops it, 1 is real time, 60 lets a minute pass each second. */
  set speed(speed: number) {
    this.#atMs = this.now();
    this.#since = performance.now();
    this.#speed = speed;
  }
}

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
