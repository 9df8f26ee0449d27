import { grown } from '../../base/arrays';
import type { IndexedFile, SegmentTables } from './indexSegment';
import { PartTable } from './partTable';

/** A part is in the lower bits of an occurrence, and how often a file has it above. */
const partBits = 22;
const partMask = 2 ** partBits - 1;
const maxTimes = 2 ** (32 - partBits) - 1;

/** Maximum of pairs of a file and a part in a segment, which limits its memory and the time to build it. */
const maxOccurrences = 3_000_000;

interface ReadFile extends IndexedFile {
  /** Number of its occurrences, which follow those of the files before. */
  readonly count: number;
}

/** Reads files into a new segment. */
export class SegmentBuilder {
  readonly #parts = new PartTable();
  readonly #files: ReadFile[] = [];
  #occurrences = new Uint32Array(1 << 12);
  #length = 0;

  get size(): number {
    return this.#files.length;
  }

  get isFull(): boolean {
    return this.#length >= maxOccurrences || this.#parts.size > partMask / 2;
  }

  /** @param text in UTF-8; empty for a file that is not searched, such as a very large one. */
  add(path: string, stamp: string, text: Uint8Array): void {
    const found = this.#parts.read(text);
    while (this.#length + found.length > this.#occurrences.length) {
      this.#occurrences = grown(this.#occurrences, new Uint32Array(2 * this.#occurrences.length));
    }
    for (const part of found) {
      const times = Math.min(this.#parts.countOf(part), maxTimes);
      this.#occurrences[this.#length++] = times * 2 ** partBits + part;
    }
    this.#files.push({ path, stamp, count: found.length });
  }

  build(): SegmentTables {
    const order = Uint32Array.from({ length: this.#parts.size }, (_, part) => part);
    order.sort((a, b) => Buffer.compare(this.#parts.bytesOf(a), this.#parts.bytesOf(b)));
    const { fileOf, times, ends } = this.#byPart(order);
    const lists = new Numbers();
    const listStarts = new Uint32Array(order.length + 1);
    const partStarts = new Uint32Array(order.length + 1);
    for (let rank = 0; rank < order.length; rank++) {
      let before = -1;
      for (let at = ends[rank] ?? 0; at < (ends[rank + 1] ?? 0); at++) {
        const file = fileOf[at] ?? 0;
        const count = times[at] ?? 1;
        lists.add(2 * (file - before - 1) + (count > 1 ? 1 : 0));
        if (count > 1) lists.add(count);
        before = file;
      }
      listStarts[rank + 1] = lists.length;
      const bytes = this.#parts.bytesOf(order[rank] ?? 0);
      partStarts[rank + 1] = (partStarts[rank] ?? 0) + bytes.length;
    }
    return {
      files: this.#files.map(({ path, stamp }) => ({ path, stamp })),
      parts: Buffer.concat(Array.from(order, part => this.#parts.bytesOf(part))),
      partStarts,
      lists: lists.bytes(),
      listStarts,
    };
  }

  /** The occurrences sorted by their parts; those of the part at rank n are at `ends[n]` to `ends[n + 1]`. */
  #byPart(order: Uint32Array) {
    const rankOf = new Uint32Array(order.length);
    order.forEach((part, rank) => {
      rankOf[part] = rank;
    });
    const ends = new Uint32Array(order.length + 1);
    for (let at = 0; at < this.#length; at++) {
      const rank = rankOf[(this.#occurrences[at] ?? 0) & partMask] ?? 0;
      ends[rank + 1] = (ends[rank + 1] ?? 0) + 1;
    }
    for (let rank = 0; rank < order.length; rank++) {
      ends[rank + 1] = (ends[rank + 1] ?? 0) + (ends[rank] ?? 0);
    }
    const next = ends.slice();
    const fileOf = new Uint32Array(this.#length);
    const times = new Uint16Array(this.#length);
    let at = 0;
    for (const [file, { count }] of this.#files.entries()) {
      for (const end = at + count; at < end; at++) {
        const occurrence = this.#occurrences[at] ?? 0;
        const rank = rankOf[occurrence & partMask] ?? 0;
        const place = next[rank] ?? 0;
        fileOf[place] = file;
        times[place] = occurrence >>> partBits;
        next[rank] = place + 1;
      }
    }
    return { fileOf, times, ends };
  }
}

/** Numbers as {@link SegmentTables.lists} has them. */
class Numbers {
  #bytes = new Uint8Array(1 << 12);
  length = 0;

  add(value: number): void {
    if (this.length + 5 > this.#bytes.length) {
      this.#bytes = grown(this.#bytes, new Uint8Array(2 * this.#bytes.length));
    }
    let rest = value;
    for (; rest > 127; rest >>>= 7) this.#bytes[this.length++] = (rest & 127) | 128;
    this.#bytes[this.length++] = rest;
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }
}
