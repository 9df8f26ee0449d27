/** Runs tasks one after another. A failed task rejects for its caller only. */
export class Sequencer {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const next = this.#last.then(task);
    this.#last = next.catch(() => undefined);
    return next;
  }
}

/** A {@link Sequencer} for each key, kept only while a task for the key waits or runs. */
export class SequencerByKey<K> {
  readonly #last = new Map<K, Promise<unknown>>();

  async run<T>(key: K, task: () => Promise<T>): Promise<T> {
    const next = (this.#last.get(key) ?? Promise.resolve()).then(task);
    const settled = next.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await next;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }

  /** How many keys have a task that waits or runs. */
  get size(): number {
    return this.#last.size;
  }
}
