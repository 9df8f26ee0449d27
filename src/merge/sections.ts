import { cleanLines } from './cleanSnippet';
import { isMarkerLine } from './markers';
import { splitLines } from './text';
import { columnsOf, type Line, toLine } from './lines';

/** Consecutive lines of the snippet between two markers, without the blank lines at either end. */
export interface Section {
  lines: Line[];
  /** Columns of the marker above; undefined when there is none. */
  markerAbove: number | undefined;
  /** Columns of the marker below; undefined when there is none. */
  markerBelow: number | undefined;
  /** Blank lines trimmed at the top. */
  blanksAbove?: number;
  /** Blank lines trimmed at the bottom. */
  blanksBelow?: number;
}

export interface Snippet {
  sections: Section[];
  markers: number;
}

/** Cuts a snippet at its markers; a line that stands in the original is no marker. */
export function readSnippet(update: string, original: ReadonlySet<string>): Snippet {
  const texts = cleanLines(splitLines(update.replace(/^\uFEFF/, '')), original);
  const isMarker = (text: string): boolean => isMarkerLine(text) && !original.has(text.trim());
  const sections: Section[] = [];
  let lines: Line[] = [];
  let above: number | undefined;
  let markers = 0;
  const close = (below: number | undefined): void => {
    if (lines.some(hasText)) {
      sections.push(toSection(lines, above, below));
    }
    lines = [];
    above = below ?? above;
  };
  for (const text of texts) {
    if (isMarker(text)) {
      markers++;
      close(columnsOf(text));
    } else {
      lines.push(toLine(text));
    }
  }
  close(undefined);
  return { sections, markers };
}

/** Blank lines at the edge of a section belong to the gap that the marker stands for, not to the code. */
function toSection(
  lines: readonly Line[],
  markerAbove: number | undefined,
  markerBelow: number | undefined,
): Section {
  const first = lines.findIndex(hasText);
  const last = lines.findLastIndex(hasText);
  return {
    lines: lines.slice(first, last + 1),
    markerAbove,
    markerBelow,
    blanksAbove: first,
    blanksBelow: lines.length - 1 - last,
  };
}

function hasText({ trimmed }: Line): boolean {
  return trimmed !== '';
}
