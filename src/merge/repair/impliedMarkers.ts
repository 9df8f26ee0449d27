import { columnsOf, isFiller, type Line } from '../lines';
import { declaredName } from '../place/declaredName';
import { LinePattern } from '../similarity';
import type { Section, Snippet } from '../snippet/sections';

/** Lines of a section that start at its outermost depth, behind a blank line. */
interface Item {
  readonly from: number;
  readonly to: number;
}

/** The lines of the file that are not blank. */
interface FileLine {
  readonly trimmed: string;
  readonly indent: number;
}

/**
 * Adds the markers that a snippet of several declarations lacks: where the file has something else between two of
 * them, and the snippet does not show it, that was left out and not deleted.
 *
 * @param original the lines of the original.
 */
export function withImpliedMarkers(snippet: Snippet, original: () => readonly string[]): Snippet {
  const [section] = snippet.sections;
  if (snippet.markers > 0 || !section) return snippet;
  const items = itemsOf(section.lines);
  if (items.length < 2) return snippet;
  const file = new ShownFile(original(), section.lines);
  if (file.isWhole()) return snippet;
  const starts = items.slice(1).flatMap((item, k) => {
    const before = items[k];
    return before && file.leavesOut(before, item) ? [item.from] : [];
  });
  return starts.length === 0
    ? snippet
    : { ...snippet, sections: splitAt(section, starts), markers: starts.length };
}

function itemsOf(lines: readonly Line[]): Item[] {
  const least = minIndent(lines);
  const starts = lines.flatMap(({ indent, trimmed }, at) => {
    const isFirst = at === 0 || (lines[at - 1]?.indent ?? 0) < 0;
    return isFirst && indent === least && !closes.test(trimmed) ? [at] : [];
  });
  return starts.map((from, k) => ({ from, to: starts[k + 1] ?? lines.length }));
}

const minIndent = (lines: readonly Line[]): number =>
  lines.reduce((most, { indent }) => (indent < 0 ? most : Math.min(most, indent)), Infinity);

const closes = /^(?:[)\]}]|end\b|<\/|else\b|elif\b|except\b|finally\b|catch\b)/;
const comments = /^(?:@|#|\/\/|\/?\*|--|"""|'''|\[|\{$)/;

const maxComparisons = 50_000;

class ShownFile {
  readonly #file: readonly FileLine[];
  readonly #lines: readonly Line[];
  readonly #shown: ReadonlySet<string>;
  readonly #places = new Map<string, number>();
  /** The outermost lines of the snippet that are not in the file. */
  readonly #fresh: readonly LinePattern[];
  readonly #names: ReadonlySet<string>;
  #comparisons = 0;

  constructor(original: readonly string[], lines: readonly Line[]) {
    this.#file = original
      .map(text => ({ trimmed: text.trim(), indent: columnsOf(text) }))
      .filter(({ trimmed }) => trimmed !== '');
    this.#lines = lines;
    this.#shown = new Set(lines.map(({ trimmed }) => trimmed));
    this.#file.forEach(({ trimmed }, at) =>
      this.#places.set(trimmed, this.#places.has(trimmed) ? -1 : at),
    );
    const least = minIndent(lines);
    const fresh = lines.filter(
      ({ trimmed, indent }) => indent === least && !this.#places.has(trimmed) && !isFiller(trimmed),
    );
    this.#fresh = fresh.map(({ trimmed }) => new LinePattern(trimmed));
    this.#names = new Set(fresh.flatMap(({ trimmed }) => declaredName(trimmed) ?? []));
  }

  /** True when the snippet starts and ends like the file, above and below all declarations. */
  isWhole(): boolean {
    const first = this.#file[0]?.trimmed ?? '';
    const isTop = first === this.#lines[0]?.trimmed && declaredName(first) === undefined;
    return isTop && this.#file.at(-1)?.trimmed === this.#lines.at(-1)?.trimmed;
  }

  /** True when the file has something at the depth of the items, between them, that the snippet does not show. */
  leavesOut(one: Item, two: Item): boolean {
    const from = this.#anchors(one).at(-1);
    const [to] = this.#anchors(two);
    if (from === undefined || to === undefined || from >= to) return false;
    const depth = this.#depthOf(two);
    return this.#file
      .slice(from + 1, to)
      .some(
        ({ trimmed, indent }) =>
          indent <= depth &&
          !this.#shown.has(trimmed) &&
          !closes.test(trimmed) &&
          !comments.test(trimmed) &&
          !isFiller(trimmed) &&
          !this.#isChanged(trimmed),
      );
  }

  /** The places of the lines of an item that are in the file once. */
  #anchors({ from, to }: Item): number[] {
    return this.#lines.slice(from, to).flatMap(({ trimmed }) => {
      const place = this.#places.get(trimmed) ?? -1;
      return place < 0 || isFiller(trimmed) ? [] : [place];
    });
  }

  /** The indentation in the file of the outermost lines of an item. */
  #depthOf({ from, to }: Item): number {
    const lines = this.#lines.slice(from, to);
    const least = minIndent(lines);
    for (const { trimmed, indent } of lines) {
      const place = this.#places.get(trimmed) ?? -1;
      if (place >= 0) return Math.max(0, (this.#file[place]?.indent ?? 0) - (indent - least));
    }
    return least;
  }

  /** True when a line of the snippet is the new form of this line. */
  #isChanged(trimmed: string): boolean {
    const name = declaredName(trimmed);
    if (name !== undefined && this.#names.has(name)) return true;
    this.#comparisons += this.#fresh.length;
    // More changed lines are rewritten code, of which nothing was left out.
    if (this.#comparisons > maxComparisons) return true;
    return this.#fresh.some(
      pattern =>
        trimmed.length >= pattern.minLength &&
        trimmed.length <= pattern.maxLength &&
        pattern.ratio(trimmed) > 0,
    );
  }
}

function splitAt(section: Section, starts: readonly number[]): Section[] {
  const columns = minIndent(section.lines);
  return [0, ...starts].map((from, k) => {
    const lines = section.lines.slice(from, starts[k] ?? section.lines.length);
    const last = lines.findLastIndex(({ indent }) => indent >= 0);
    return {
      lines: lines.slice(0, last + 1),
      markerAbove: k === 0 ? section.markerAbove : columns,
      markerBelow: k === starts.length ? section.markerBelow : columns,
    };
  });
}
