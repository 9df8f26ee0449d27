/** What a token is made of. */
export const tokenKind = { name: 1, path: 2, number: 3, hex: 4, compound: 5, word: 6 } as const;

/** How the query contains a token. */
export const queryMatch = { none: 0, word: 1, token: 2 } as const;
/** Further distinct tokens are ignored. Only hashes or a memory dump have so many. */
const maxTokens = 3_000_000;

/** Assigns ids to the tokens of a text, by hash and in the order of their first occurrence. */
export class TokenTable {
  count = 0;
  kinds: Uint8Array<ArrayBuffer>;
  queryMatches: Uint8Array<ArrayBuffer>;
  /** Open addressing: pairs of a hash and an id plus one; 0 marks a free slot. */
  #slots: Int32Array;
  #mask: number;

  constructor(characters: number) {
    const slots = 2 ** Math.min(22, Math.max(10, Math.ceil(Math.log2(characters / 64 + 1))));
    this.#slots = new Int32Array(2 * slots);
    this.#mask = slots - 1;
    this.kinds = new Uint8Array(slots);
    this.queryMatches = new Uint8Array(slots);
  }

  /** The id of the token; -1 when the table is full. */
  idOf(hash: number, kind: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = (hash ^ (hash >>> 13)) & mask;
    for (;;) {
      const known = slots[2 * slot + 1] ?? 0;
      if (known === 0) break;
      if (slots[2 * slot] === hash) return known - 1;
      slot = (slot + 1) & mask;
    }
    if (this.count >= maxTokens) return -1;
    const number = this.count++;
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = this.count;
    this.kinds[number] = kind;
    if (this.count * 3 > (mask + 1) * 2) this.#grow();
    return number;
  }

  addQueryMatch(token: number, how: number): void {
    if (token >= 0 && (this.queryMatches[token] ?? 0) < how) this.queryMatches[token] = how;
  }

  #grow(): void {
    const old = this.#slots;
    const mask = this.#mask * 2 + 1;
    const slots = new Int32Array(2 * (mask + 1));
    for (let at = 0; at < old.length; at += 2) {
      const number = old[at + 1] ?? 0;
      if (number === 0) continue;
      const hash = old[at] ?? 0;
      let slot = (hash ^ (hash >>> 13)) & mask;
      while ((slots[2 * slot + 1] ?? 0) !== 0) slot = (slot + 1) & mask;
      slots[2 * slot] = hash;
      slots[2 * slot + 1] = number;
    }
    this.#slots = slots;
    this.#mask = mask;
    this.kinds = enlargedBytes(this.kinds, mask + 1);
    this.queryMatches = enlargedBytes(this.queryMatches, mask + 1);
  }
}

export function enlargedInts(
  array: Int32Array<ArrayBuffer>,
  length: number,
): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}

export function enlargedBytes(
  array: Uint8Array<ArrayBuffer>,
  length: number,
): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(array);
  return larger;
}
