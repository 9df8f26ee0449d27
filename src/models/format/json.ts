/**
 * Copies any value as plain JSON: no functions, non-finite numbers, cycles, lone surrogates or `__proto__`.
 * Values that cannot be copied are omitted from objects and become null in arrays.
 */
export class JsonCopy {
  readonly #open = new Set<object>();
  readonly #depth: number;
  #left: number;

  /** @param values maximum number of values @param depth objects and arrays below it are omitted */
  constructor({ values, depth }: { readonly values: number; readonly depth: number }) {
    this.#left = values;
    this.#depth = depth;
  }

  /**
   * `undefined` for values that JSON cannot represent.
   * @throws {RangeError} if there are too many values. Errors of getters are passed on.
   */
  of(value: unknown): unknown {
    if (--this.#left < 0) throw new RangeError('too many values');
    if (typeof value === 'string') return wellFormed(value);
    if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
    if (typeof value === 'boolean' || value === null) return value;
    if (typeof value !== 'object' || this.#open.has(value) || this.#open.size >= this.#depth) {
      return undefined;
    }
    this.#open.add(value);
    const copy = Array.isArray(value) ? this.#list(value) : this.#record(value);
    this.#open.delete(value);
    return copy;
  }

  #list(list: readonly unknown[]): unknown[] {
    // Not `map`, which keeps holes; the limit is checked first because a sparse array can be huge.
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

/** Replaces lone surrogates, which UTF-8 cannot encode: services reject requests that contain one. */
export function wellFormed(text: string): string {
  return /\p{Surrogate}/u.test(text) ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text;
}
