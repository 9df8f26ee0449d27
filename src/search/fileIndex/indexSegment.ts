const decoder = new TextDecoder();

/** A file that is in an index, and which state of it was read. */
export interface IndexedFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly stamp: string;
}

/** Files by the parts of their words, as they are stored. */
export interface SegmentTables {
  readonly files: readonly IndexedFile[];
  /** All parts of words, sorted by their bytes, one after the other; part n starts at `partStarts[n]`. */
  readonly parts: Uint8Array;
  readonly partStarts: Uint32Array;
  /**
   * For each part the files that have it, each as the distance from the last one and, when it is not 1, the number
   * of times. Numbers have 7 bits in each byte, the lowest ones first.
   */
  readonly lists: Uint8Array;
  readonly listStarts: Uint32Array;
}

/** A part to look for. Longer ones that begin so count too, unless it is whole. */
export interface WantedPart {
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

/** Some of the files of an index. It does not change; a file that does is read into another segment. */
export class IndexSegment {
  readonly tables: SegmentTables;

  constructor(tables: SegmentTables) {
    this.tables = tables;
  }

  get files(): readonly IndexedFile[] {
    return this.tables.files;
  }

  /** The parts that begin with these bytes: from the first one up to the second, which is not one of them. */
  beginningWith(prefix: Uint8Array): readonly [from: number, to: number] {
    return [this.#firstNotBelow(prefix, false), this.#firstNotBelow(prefix, true)];
  }

  wordOf(part: number): string {
    const { parts, partStarts } = this.tables;
    return decoder.decode(parts.subarray(partStarts[part], partStarts[part + 1]));
  }

  /** The part that these bytes are, as a range like that of `beginningWith`, which is empty without it. */
  equalTo(part: Uint8Array): readonly [from: number, to: number] {
    const { partStarts } = this.tables;
    const [from, to] = this.beginningWith(part);
    // The shortest one is the first.
    const isEqual =
      to > from && (partStarts[from + 1] ?? 0) - (partStarts[from] ?? 0) === part.length;
    return [from, isEqual ? from + 1 : from];
  }

  /** The parts that a wanted one is, as `beginningWith` has them. */
  rangeOf({ bytes, isWhole }: WantedPart): readonly [from: number, to: number] {
    return isWhole ? this.equalTo(bytes) : this.beginningWith(bytes);
  }

  has(part: WantedPart): boolean {
    const [from, to] = this.rangeOf(part);
    return to > from;
  }

  /** Calls `onFile` for each file with the part, in their order. */
  filesWith(part: number, onFile: (file: number, times: number) => void): void {
    const { lists, listStarts } = this.tables;
    const reader = new NumberReader(lists, listStarts[part] ?? 0);
    const end = listStarts[part + 1] ?? 0;
    let file = -1;
    while (reader.at < end) {
      const head = reader.next();
      file += (head >>> 1) + 1;
      onFile(file, (head & 1) === 0 ? 1 : reader.next());
    }
  }

  #firstNotBelow(prefix: Uint8Array, isAfter: boolean): number {
    let low = 0;
    let high = this.tables.partStarts.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.#compare(middle, prefix);
      if (order < 0 || (isAfter && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** 0 when the part begins with the prefix. */
  #compare(part: number, prefix: Uint8Array): number {
    const { parts, partStarts } = this.tables;
    const start = partStarts[part] ?? 0;
    const length = (partStarts[part + 1] ?? 0) - start;
    for (let at = 0; at < prefix.length; at++) {
      if (at >= length) return -1;
      const order = (parts[start + at] ?? 0) - (prefix[at] ?? 0);
      if (order !== 0) return order;
    }
    return 0;
  }
}

/** Reads numbers of {@link SegmentTables.lists}. */
class NumberReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  next(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
}
