/** A file in the index of git. */
export interface IndexEntry {
  /** In octal: 100644, 100755, 120000 for a link, 160000 for a submodule. */
  readonly mode: string;
  readonly id: string;
  /** A merge left several versions; the id is that of the first. */
  readonly isUnmerged: boolean;
}

/**
 * What `git ls-files -s -z` lists, kept as the bytes that came: `<mode> <id> <stage>TAB<path>NUL` for each file, in
 * the order of the bytes of the paths. A list of 100,000 files has about 10 MB in this form, and many times that
 * as strings.
 */
export class IndexEntries {
  readonly #bytes: Buffer;
  /** Where the path begins in an entry. */
  readonly #header: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#header = bytes.indexOf(0x09) + 1;
  }

  /** @param below relative to the root, with `/` */
  find(below: string): IndexEntry | undefined {
    const at = this.#indexOf(Buffer.from(below));
    return at === undefined ? undefined : this.#entryAt(at);
  }

  /** The versions of a file that a merge left, by their stage: 1 base, 2 ours, 3 theirs. */
  versions(below: string): ReadonlyMap<number, string> {
    const wanted = Buffer.from(below);
    const versions = new Map<number, string>();
    let at = this.#indexOf(wanted) ?? this.#bytes.byteLength;
    while (at < this.#bytes.byteLength && this.#compare(at, wanted) === 0) {
      versions.set(this.#stageAt(at), this.#idAt(at));
      at = this.#nextOf(at);
    }
    return versions;
  }

  /** All paths below a folder, or all when it is ''. Names that are no UTF-8 are left out. */
  *paths(folder = ''): Generator<string> {
    const start = Buffer.from(folder === '' ? '' : `${folder}/`);
    let last = '';
    for (let at = this.#lowerBound(start); at < this.#bytes.byteLength; at = this.#nextOf(at)) {
      const from = at + this.#header;
      if (!this.#bytes.subarray(from, from + start.byteLength).equals(start)) return;
      const below = this.#pathAt(at);
      if (below !== undefined && below !== last) yield below;
      last = below ?? last;
    }
  }

  /** The folders of submodules. */
  submodules(): string[] {
    const found: string[] = [];
    const mode = Buffer.from('160000 ');
    for (let at = this.#bytes.indexOf(mode); at >= 0; at = this.#bytes.indexOf(mode, at + 1)) {
      const isEntry = at === 0 || this.#bytes[at - 1] === 0;
      const below = isEntry ? this.#pathAt(at) : undefined;
      if (below !== undefined) found.push(below);
    }
    return found;
  }

  /**
   * The paths that only one of the two has, or that both have with different bytes or modes.
   * @param pause is called now and then
   */
  async differences(other: IndexEntries, pause: () => Promise<void>): Promise<string[]> {
    const found = new Set<string>();
    const add = (list: IndexEntries, at: number): void => {
      const below = list.#pathAt(at);
      if (below !== undefined) found.add(below);
    };
    const [ours, theirs] = [this.#bytes, other.#bytes];
    const { start, tail } = await this.#commonEnds(other, pause);
    let [a, b] = [start, start];
    const [endA, endB] = [ours.byteLength - tail, theirs.byteLength - tail];
    for (let steps = 1; a < endA || b < endB; steps++) {
      if (steps % 1000 === 0) await pause();
      const nextA = a < endA ? this.#nextOf(a) : a;
      const nextB = b < endB ? other.#nextOf(b) : b;
      const order = a >= endA ? 1 : b >= endB ? -1 : this.#compareWith(a, nextA, other, b, nextB);
      if (order !== 0) add(order < 0 ? this : other, order < 0 ? a : b);
      else if (ours.compare(theirs, b, nextB, a, nextA) !== 0) add(this, a);
      if (order <= 0) a = nextA;
      if (order >= 0) b = nextB;
    }
    return [...found];
  }

  /** How much is equal at the start and at the end, in whole entries. */
  async #commonEnds(
    other: IndexEntries,
    pause: () => Promise<void>,
  ): Promise<{ start: number; tail: number }> {
    const [ours, theirs] = [this.#bytes, other.#bytes];
    const common = Math.min(ours.byteLength, theirs.byteLength);
    const block = 1 << 16;
    let start = 0;
    for (let size = block; size >= 1; size >>= 4) {
      while (start + size <= common && isEqual(ours, start, theirs, start, size)) {
        start += size;
        if (size === block) await pause();
      }
    }
    // Back to where the first entry begins that is different.
    start = entryStart(ours, start);
    let tail = 0;
    const [endA, endB] = [ours.byteLength, theirs.byteLength];
    for (let size = block; size >= 1; size >>= 4) {
      const fits = (): boolean => start + tail + size <= common;
      while (fits() && isEqual(ours, endA - tail - size, theirs, endB - tail - size, size)) {
        tail += size;
        if (size === block) await pause();
      }
    }
    // Forward to where the first entry begins that is equal as a whole.
    return { start, tail: tail === 0 ? 0 : endA - ours.indexOf(0, endA - tail) - 1 };
  }

  /** The start of the first entry of a path. */
  #indexOf(wanted: Buffer): number | undefined {
    const at = this.#lowerBound(wanted);
    return at < this.#bytes.byteLength && this.#compare(at, wanted) === 0 ? at : undefined;
  }

  /** The start of the first entry whose path is not below `wanted`. */
  #lowerBound(wanted: Buffer): number {
    let low = 0;
    let high = this.#bytes.byteLength;
    while (low < high) {
      const at = entryStart(this.#bytes, (low + high) >> 1);
      if (this.#compare(at, wanted) < 0) low = this.#nextOf(at);
      else high = at;
    }
    return low;
  }

  #compare(at: number, wanted: Buffer): number {
    return this.#bytes.compare(
      wanted,
      0,
      wanted.byteLength,
      at + this.#header,
      this.#nextOf(at) - 1,
    );
  }

  /** By path and stage, as the list is sorted. */
  #compareWith(at: number, end: number, other: IndexEntries, b: number, endB: number): number {
    const order = this.#bytes.compare(
      other.#bytes,
      b + other.#header,
      endB - 1,
      at + this.#header,
      end - 1,
    );
    return order === 0 ? this.#stageAt(at) - other.#stageAt(b) : order;
  }

  #nextOf(at: number): number {
    return this.#bytes.indexOf(0, at + this.#header) + 1;
  }

  #entryAt(at: number): IndexEntry {
    return {
      mode: this.#bytes.toString('latin1', at, at + 6),
      id: this.#idAt(at),
      isUnmerged: this.#stageAt(at) !== 0,
    };
  }

  #idAt(at: number): string {
    return this.#bytes.toString('latin1', at + 7, at + this.#header - 3);
  }

  #stageAt(at: number): number {
    return (this.#bytes[at + this.#header - 2] ?? 0x30) - 0x30;
  }

  #pathAt(at: number): string | undefined {
    return pathText(this.#bytes, at + this.#header, this.#nextOf(at) - 1);
  }
}

/** A path as text; undefined for one that is no UTF-8, which no other part of the editor could open. */
export function pathText(bytes: Buffer, start = 0, end = bytes.byteLength): string | undefined {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\ufffd') ? undefined : text;
}

/** The start of the entry that a place lies in. */
function entryStart(bytes: Buffer, at: number): number {
  return at === 0 ? 0 : bytes.lastIndexOf(0, at - 1) + 1;
}

function isEqual(a: Buffer, startA: number, b: Buffer, startB: number, length: number): boolean {
  return a.compare(b, startB, startB + length, startA, startA + length) === 0;
}
