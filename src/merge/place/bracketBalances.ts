import { addBalance, addBalanceOfCodes, pairKinds, usesTags } from '../brackets';
import type { BlockPlace } from './aligner';
import { type Block, equalEnds } from './block';
import type { FileIndex } from './fileIndex';

/** A larger difference is no worse. */
const maxDifference = 4;

/** Compares the brackets and tags of a section with those of the lines that it would replace. */
export class BracketBalances {
  readonly #file: FileIndex;
  readonly #tags: boolean;
  /** Sums of all lines before a position, `PAIRS` numbers each; made at the first use. */
  #before: Int32Array | undefined;
  readonly #own = new Map<Block, Int32Array>();

  constructor(file: FileIndex, path: string) {
    this.#file = file;
    this.#tags = usesTags(path);
  }

  /** True when the section opens as many brackets as the lines of the place. */
  isSame({ ids }: Block, { start, end }: BlockPlace): boolean {
    // Lines on both sides cancel out, which most do: first the equal ones at both ends.
    const old = this.#file.ids;
    const { above, below } = equalEnds(ids, start, end, this.#file);
    if (above + below === ids.length && start + above + below === end) return true;
    const replaced = new Int32Array(pairKinds);
    const shown = new Int32Array(pairKinds);
    for (let at = start + above; at < end - below; at++) this.#addLine(old[at] ?? 0, replaced, 0);
    for (let row = above; row < ids.length - below; row++) this.#addLine(ids[row] ?? 0, shown, 0);
    return replaced.every((sum, kind) => sum === shown[kind]);
  }

  /** By how many brackets the section and the lines of the place differ, up to `maxDifference`. */
  difference(block: Block, { start, end }: BlockPlace): number {
    const before = (this.#before ??= this.#sums(this.#file.ids));
    let own = this.#own.get(block);
    if (!own) this.#own.set(block, (own = this.#sums(block.ids).slice(-pairKinds)));
    let off = 0;
    for (let kind = 0; kind < pairKinds; kind++) {
      const old = (before[end * pairKinds + kind] ?? 0) - (before[start * pairKinds + kind] ?? 0);
      off += Math.abs((own[kind] ?? 0) - old);
    }
    return Math.min(off, maxDifference);
  }

  #sums(ids: readonly number[]): Int32Array {
    const sums = new Int32Array((ids.length + 1) * pairKinds);
    for (let at = 0; at < ids.length; at++) {
      const from = (at + 1) * pairKinds;
      for (let kind = from; kind < from + pairKinds; kind++) {
        sums[kind] = sums[kind - pairKinds] ?? 0;
      }
      this.#addLine(ids[at] ?? 0, sums, from);
    }
    return sums;
  }

  #addLine(id: number, sums: Int32Array, into: number): void {
    const file = this.#file;
    if (!file.hasLine(id)) {
      addBalance(file.textOf(id), this.#tags, sums, into);
      return;
    }
    addBalanceOfCodes(file.codes, file.startOf(id), file.endOf(id), this.#tags, sums, into);
  }
}
