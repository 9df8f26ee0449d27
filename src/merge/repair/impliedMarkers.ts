import { isFiller, type Line } from '../lines';
import { declaredName } from '../place/declaredName';
import type { FileIndex } from '../place/fileIndex';
import { LinePattern } from '../similarity';
import type { Section, Snippet } from '../snippet/sections';

/** Lines of a section that start at its outermost depth, behind a blank line. */
interface Item {
  readonly from: number;
  readonly to: number;
}

/**
 * Adds the markers that a snippet of several declarations lacks: where the file has something else between two of
 * them, and the snippet does not show it, that was left out and not deleted. Two that are changed and in another order
 * than in the file are listed, and not moved.
 */
export function withImpliedMarkers(snippet: Snippet, file: () => FileIndex): Snippet {
  const [section] = snippet.sections;
  if (snippet.markers > 0 || !section) return snippet;
  const items = itemsOf(section.lines);
  if (items.length < 2) return snippet;
  const shown = new ShownFile(file(), section.lines);
  if (shown.isWhole()) return snippet;
  const starts = items.slice(1).flatMap((item, k) => {
    const before = items[k];
    return before && (shown.leavesOut(before, item) || shown.isReversed(before, item))
      ? [item.from]
      : [];
  });
  return starts.length === 0
    ? snippet
    : { ...snippet, sections: splitAt(section, starts), markers: starts.length };
}

function itemsOf(lines: readonly Line[]): Item[] {
  const columns = minIndent(lines);
  const starts = lines.flatMap(({ indent, trimmed }, at) => {
    const isFirst = at === 0 || (lines[at - 1]?.indent ?? 0) < 0;
    return isFirst && indent === columns && !closes.test(trimmed) ? [at] : [];
  });
  return starts.map((from, k) => ({ from, to: starts[k + 1] ?? lines.length }));
}

const minIndent = (lines: readonly Line[]): number =>
  lines.reduce((most, { indent }) => (indent < 0 ? most : Math.min(most, indent)), Infinity);

const closes = /^(?:[)\]}]|end\b|<\/|else\b|elif\b|except\b|finally\b|catch\b)/;
const comments = /^(?:@|#|\/\/|\/?\*|--|"""|'''|\[|\{$)/;

const maxComparisons = 50_000;

/** The outermost lines of a snippet that are not in the file. */
interface NewLines {
  readonly patterns: readonly LinePattern[];
  readonly names: ReadonlySet<string>;
}

function newLines(lines: readonly Line[], file: FileIndex): NewLines {
  const columns = minIndent(lines);
  const found = lines.filter(
    ({ trimmed, indent }) => indent === columns && !file.known.has(trimmed) && !isFiller(trimmed),
  );
  return {
    patterns: found.map(({ trimmed }) => new LinePattern(trimmed)),
    names: new Set(found.flatMap(({ trimmed }) => declaredName(trimmed) ?? [])),
  };
}

/** The file as a snippet without markers shows it. */
class ShownFile {
  #shownTexts: ReadonlySet<string> | undefined;
  #newLines: NewLines | undefined;
  #comparisons = 0;

  constructor(
    readonly file: FileIndex,
    readonly lines: readonly Line[],
  ) {}

  get #shown(): ReadonlySet<string> {
    return (this.#shownTexts ??= new Set(this.lines.map(({ trimmed }) => trimmed)));
  }

  get #fresh(): NewLines {
    return (this.#newLines ??= newLines(this.lines, this.file));
  }

  /** True when the snippet starts and ends like the file, above and below all declarations. */
  isWhole(): boolean {
    const { file, lines } = this;
    const first = file.textOf(file.ids[0] ?? -1);
    const last = file.textOf(file.ids.at(-1) ?? -1);
    const isTop = first === lines[0]?.trimmed && declaredName(first) === undefined;
    return isTop && last === lines.at(-1)?.trimmed;
  }

  /** True when the file has something at the depth of the items, between them, that the snippet does not show. */
  leavesOut(one: Item, two: Item): boolean {
    const { file } = this;
    const from = this.#anchors(one).at(-1);
    const [to] = this.#anchors(two);
    if (from === undefined || to === undefined || from >= to) return false;
    const depth = this.#depthOf(two);
    return file.ids.slice(from + 1, to).some((id, nth) => {
      const text = file.textOf(id);
      return (
        (file.indents[from + 1 + nth] ?? 0) <= depth &&
        !this.#shown.has(text) &&
        !closes.test(text) &&
        !comments.test(text) &&
        !file.isFiller(id) &&
        !this.#isChanged(text)
      );
    });
  }

  /** True when the file has both declarations, in the other order, and other lines in one of them. */
  isReversed(one: Item, two: Item): boolean {
    const first = this.#headerOf(one);
    const second = this.#headerOf(two);
    if (first === undefined || second === undefined || first <= second) return false;
    return this.lines
      .slice(one.from, two.to)
      .some(({ trimmed, indent }) => indent >= 0 && !this.file.known.has(trimmed));
  }

  /** The place of the line that declares the item, if the file has it once. */
  #headerOf({ from, to }: Item): number | undefined {
    const header = this.lines
      .slice(from, to)
      .find(({ trimmed }) => declaredName(trimmed) !== undefined);
    return header && this.#placeOf(header.trimmed);
  }

  /** The place of a line that is in the file once. */
  #placeOf(trimmed: string): number | undefined {
    const places = this.file.placesOf(this.file.numberOf(trimmed));
    return places.length === 1 ? places[0] : undefined;
  }

  #anchors({ from, to }: Item): number[] {
    return this.lines
      .slice(from, to)
      .flatMap(({ trimmed }) => (isFiller(trimmed) ? [] : (this.#placeOf(trimmed) ?? [])));
  }

  /** The indentation in the file of the outermost lines of an item. */
  #depthOf({ from, to }: Item): number {
    const lines = this.lines.slice(from, to);
    const columns = minIndent(lines);
    for (const { trimmed, indent } of lines) {
      const place = this.#placeOf(trimmed);
      if (place !== undefined) {
        return Math.max(0, (this.file.indents[place] ?? 0) - (indent - columns));
      }
    }
    return columns;
  }

  /** True when a line of the snippet is the new form of this line. */
  #isChanged(trimmed: string): boolean {
    const name = declaredName(trimmed);
    const { names, patterns } = this.#fresh;
    if (name !== undefined && names.has(name)) return true;
    this.#comparisons += patterns.length;
    // More changed lines are rewritten code, of which nothing was left out.
    if (this.#comparisons > maxComparisons) return true;
    return patterns.some(
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
