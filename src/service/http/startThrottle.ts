/** Calls that start in one turn of the event loop: a few milliseconds of work. */
const startsPerTurn = 50;

/** Spreads a burst of calls over several turns of the event loop, so that 1,000 at once do not block it. */
export class StartThrottle {
  #starts = 0;
  #waiting: (() => void)[] = [];

  acquire(): Promise<void> | undefined {
    if (this.#starts === 0) setImmediate(() => this.#next());
    if (this.#starts < startsPerTurn) return void this.#starts++;
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  #next(): void {
    const starting = this.#waiting.slice(0, startsPerTurn);
    this.#waiting = this.#waiting.slice(startsPerTurn);
    this.#starts = starting.length;
    if (starting.length > 0) setImmediate(() => this.#next());
    for (const start of starting) start();
  }
}
