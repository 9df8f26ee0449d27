import { splitLines } from '../../base/text/textLines';
import { type Line, toLine } from '../lines';
import { cleanLines } from './cleanSnippet';
import { firstLook, isKnown } from './firstLook';
import type { KnownLines } from './knownLines';
import { continuesComment, isMarkerLine } from './markers';

/** Consecutive lines of the snippet between two markers, without the blank lines at either end. */
export interface Section {
  lines: Line[];
  /** Indentation of the marker above in columns; undefined when there is none. */
  markerAbove: number | undefined;
  /** Indentation of the marker below in columns; undefined when there is none. */
  markerBelow: number | undefined;
  /** Number of blank lines trimmed at the top. */
  blanksAbove?: number;
  /** Number of blank lines trimmed at the bottom. */
  blanksBelow?: number;
}

export interface Snippet {
  /** The cleaned text, without fences and chatter. */
  text: string;
  sections: Section[];
  markers: number;
}

/** Splits a snippet at its markers; a line of the original is no marker. */
export function readSnippet(update: string, original: KnownLines, path = ''): Snippet {
  const text = update.startsWith('\uFEFF') ? update.slice(1) : update;
  const given = original.readLines?.(text) ?? splitLines(text).map(toLine);
  const look = firstLook(given, original);
  const shown = look.mayNeedCleaning ? cleaned(given, original, path) : given;
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
  const texts = (): readonly string[] => (allTexts ??= shown.map(line => line.text));
  let allTexts: readonly string[] | undefined;
  for (let at = 0; at < shown.length; at++) {
    const line = shown[at];
    if (!line) continue;
    const isMarker = look.mayNeedCleaning
      ? hasText(line) && !isKnown(line, original) && isMarkerLine(line.text)
      : look.markers.has(line);
    if (
      isMarker &&
      !continuesComment(texts(), at, line.trimmed) &&
      !(line.trimmed === '...' && isCode(texts(), at, original, path))
    ) {
      markers++;
      close(line.indent);
    } else {
      lines.push(line);
    }
  }
  close(undefined);
  return { text: shown === given ? update : texts().join('\n'), sections, markers };
}

/** The lines that {@link cleanLines} leaves; the same array when it removes nothing. */
function cleaned(given: Line[], original: KnownLines, path: string): Line[] {
  const texts = given.map(line => line.text);
  const left = cleanLines(texts, original, path);
  return left === texts ? given : left.map(toLine);
}

/** True for `...` where it is syntax of the language. */
function isCode(texts: readonly string[], at: number, original: KnownLines, path: string): boolean {
  return isStubBody(texts, at, original) || (rFile.test(path) && isArgument(texts, at));
}

const rFile = /\.r(?:md)?$/i;

/** True for the argument `...` of an R function, which stands for any number of arguments. */
function isArgument(texts: readonly string[], at: number): boolean {
  return /[,(]\s*$/.test(texts[at - 1] ?? '');
}

const maxStubDistance = 30;
const stubCue = /@(?:typing\.)?overload|@(?:abc\.)?abstractmethod|\bProtocol\b/;

/** In Python, `...` is the complete body of a new function that is only declared. */
function isStubBody(texts: readonly string[], at: number, original: KnownLines): boolean {
  const header = texts[at - 1]?.trim() ?? '';
  return (
    /^(?:async )?def .*:$/.test(header) &&
    !original.has(header) &&
    texts.slice(Math.max(0, at - maxStubDistance), at - 1).some(text => stubCue.test(text))
  );
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
