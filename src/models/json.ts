/**
 * A copy of anything as plain JSON: no functions, no numbers that JSON lacks, no circles, no half
 * characters, no `__proto__`. What cannot be copied is left out of objects and null in lists.
 */
export class JsonCopy {
  readonly #open = new Set<object>();
  readonly #depth: number;
  #left: number;

  /** @param values how many it may hold @param depth below which objects and lists are left out */
  constructor({ values, depth }: { readonly values: number; readonly depth: number }) {
    this.#left = values;
    this.#depth = depth;
  }

  /**
   * `undefined` for what is no JSON at all.
   * @throws {RangeError} when there are more values than there may be; and what a getter throws.
   */
  of(value: unknown): unknown {
    if (--this.#left < 0) throw new RangeError('too many values');
    if (typeof value === 'string') return wellFormed(value);
    if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
    if (typeof value === 'boolean' || value === null) return value;
    if (typeof value !== 'object' || this.#open.has(value) || this.#open.size >= this.#depth)
      return undefined;
    this.#open.add(value);
    const copy = Array.isArray(value) ? this.#list(value) : this.#record(value);
    this.#open.delete(value);
    return copy;
  }

  #list(list: readonly unknown[]): unknown[] {
    // Not `map`, which keeps holes; the limit comes before a list of millions of them.
    if (list.length > this.#left) throw new RangeError('too many values');
    return Array.from(list, item => this.of(item) ?? null);
  }

  #record(record: object): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(record)) {
      if (key === '__proto__') continue;
      const inner = this.of(value);
      if (inner !== undefined) copy[wellFormed(key)] = inner;
    }
    return copy;
  }
}

/** Half of a character (a lone surrogate) has no form in UTF-8; services refuse a request that has one. */
export function wellFormed(text: string): string {
  return /\p{Surrogate}/u.test(text) ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text;
}
