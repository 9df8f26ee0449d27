import type { LineEdit } from '../lineEdit';
import { type Anchor, CodeAlignment } from './codeAlignment';

/** What a border between lines is to a hunk; an insertion has only one. */
export type BorderKind = 'start' | 'end' | 'insertion';

/** Lines that were formatted, and the borders in them where hunks may begin and end. */
export class FormattedRegion {
  /** First line before and after the formatting. */
  readonly start: number;
  readonly newStart: number;
  readonly end: number;
  readonly newEnd: number;
  readonly #before: readonly string[];
  readonly #after: readonly string[];
  #anchors: readonly Anchor[] | undefined;
  #lines: ReadonlyMap<number, number> | undefined;

  /** @param shift lines that the formatting above has added. */
  constructor(
    before: readonly string[],
    after: readonly string[],
    { at, count, lines }: LineEdit,
    shift: number,
  ) {
    this.#before = before;
    this.#after = after;
    this.start = at;
    this.end = at + count;
    this.newStart = at + shift;
    this.newEnd = this.newStart + lines.length;
  }

  /**
   * The place of a border, or of the nearest one above that both texts have.
   * @param isAfterComma whether a comma that only one of the texts has may end the line above.
   */
  above(border: number, kind: BorderKind, isAfterComma: boolean): { border: number; now: number } {
    const anchor = this.#all.findLast(
      ({ before, ...each }) => before.low <= border && (isAfterComma || !each.isAfterComma),
    );
    if (!anchor) return { border: this.start, now: this.newStart };
    const { high } = anchor.before;
    return border <= high
      ? { border, now: placeOf(border, kind, anchor) }
      : { border: high, now: anchor.after.high };
  }

  /** The place of a border, or of the nearest one below that both texts have. */
  below(border: number, kind: BorderKind): { border: number; now: number } {
    const anchor = this.#all.find(({ before }) => before.low <= border && border <= before.high);
    if (anchor) return { border, now: placeOf(border, kind, anchor) };
    const next = this.#all.find(({ before }) => border < before.low);
    if (!next) return { border: this.end, now: this.newEnd };
    return { border: next.before.low, now: next.after.low };
  }

  /** Number of blank lines from a border of the formatted lines on. */
  blanksFrom(now: number): number {
    let end = now;
    while (end < this.newEnd && (this.#after[end] ?? '').trim() === '') end++;
    return end - now;
  }

  /** The lines of code that one line of the formatted text took the place of, with that line. */
  get lines(): ReadonlyMap<number, number> {
    this.#lines ??= this.#pairs();
    return this.#lines;
  }

  #pairs(): Map<number, number> {
    const pairs = new Map<number, number>();
    const anchors = this.#all;
    for (const [index, { before, after }] of anchors.entries()) {
      const next = anchors[index + 1];
      const isLine = next?.before.low === before.high + 1 && next.after.low === after.high + 1;
      if (isLine) pairs.set(before.high, after.high);
    }
    return pairs;
  }

  get #all(): readonly Anchor[] {
    this.#anchors ??= this.#align();
    return this.#anchors;
  }

  #align(): readonly Anchor[] {
    const { start, end, newStart, newEnd } = this;
    const alignment = new CodeAlignment(
      { lines: this.#before, start, end },
      { lines: this.#after, start: newStart, end: newEnd },
    );
    if (alignment.compareTo(end, newEnd) === 'same') return alignment.anchors;
    // The lines were joined from several edits; only their outer borders are known then.
    return [edgeAnchor(start, newStart), edgeAnchor(end, newEnd)];
  }
}

const edgeAnchor = (before: number, after: number): Anchor => ({
  before: { low: before, high: before },
  after: { low: after, high: after },
  isAfterComma: false,
});

/** The formatted text may have more or fewer blank lines: a hunk keeps to its own lines, and to its side of them. */
function placeOf(border: number, kind: BorderKind, { before, after }: Anchor): number {
  const blanks = before.high - before.low;
  const above = border - before.low;
  const { low, high } = after;
  if (high - low === blanks) return low + above;
  const isAtLow = above === 0;
  const isAtHigh = above === blanks;
  if (kind === 'start' ? isAtHigh : isAtHigh && !isAtLow) return high;
  return Math.min(low + above, high);
}
