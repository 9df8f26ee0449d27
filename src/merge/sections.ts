import { isMarkerLine } from './markers';
import { splitLines } from './text';
import { columnsOf, type Line, toLine } from './lines';

/** Consecutive lines of the snippet between two markers. */
export interface Section {
  lines: Line[];
  /** Columns of the marker above; undefined when there is none. */
  markerAbove: number | undefined;
  /** Columns of the marker below; undefined when there is none. */
  markerBelow: number | undefined;
}

export interface Snippet {
  sections: Section[];
  markers: number;
}

/** Cuts a snippet at its markers; a line that stands in the original is no marker. */
export function readSnippet(update: string, original: ReadonlySet<string>): Snippet {
  const texts = unfence(splitLines(update.replace(/^\uFEFF/, '')), original);
  const isMarker = (text: string): boolean => isMarkerLine(text) && !original.has(text.trim());
  const sections: Section[] = [];
  let lines: Line[] = [];
  let above: number | undefined;
  let markers = 0;
  const close = (below: number | undefined): void => {
    if (lines.some(line => line.trimmed !== '')) {
      sections.push({ lines, markerAbove: above, markerBelow: below });
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
  dropDecoration(sections);
  return { sections, markers };
}

/** Removes a code fence round the whole snippet. */
function unfence(texts: string[], original: ReadonlySet<string>): string[] {
  const first = texts.findIndex(text => text.trim() !== '');
  const last = texts.findLastIndex(text => text.trim() !== '');
  const fence = /^(```+|~~~+)/.exec(texts[first]?.trim() ?? '')?.[1];
  if (fence && last > first && texts[last]?.trim() === fence && !original.has(fence)) {
    return texts.slice(first + 1, last);
  }
  return texts;
}

/** Blank lines at the ends of the snippet never mean anything; beside markers they do unless all markers have them. */
function dropDecoration(sections: Section[]): void {
  const first = sections[0];
  const last = sections.at(-1);
  if (!first || !last) {
    return;
  }
  if (first.markerAbove === undefined) {
    trimTop(first);
  }
  if (last.markerBelow === undefined) {
    trimBottom(last);
  }
  let sides = 0;
  let blank = 0;
  for (const { lines, markerAbove, markerBelow } of sections) {
    if (markerAbove !== undefined) {
      sides++;
      blank += lines[0]?.trimmed === '' ? 1 : 0;
    }
    if (markerBelow !== undefined) {
      sides++;
      blank += lines.at(-1)?.trimmed === '' ? 1 : 0;
    }
  }
  if (sides > 1 && blank === sides) {
    for (const section of sections) {
      trimTop(section);
      trimBottom(section);
    }
  }
}

function trimTop({ lines }: Section): void {
  while (lines[0]?.trimmed === '') {
    lines.shift();
  }
}

function trimBottom({ lines }: Section): void {
  while (lines.at(-1)?.trimmed === '') {
    lines.pop();
  }
}
