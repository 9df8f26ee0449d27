import { trimEndOf } from '../../base/text/scan';
import { marginOf } from '../../base/text/textLines';
import type { KnownLines } from './knownLines';
import { isMarkerLine } from './markers';

/** The end of `function a() { ... }`. */
const bracedEnd = /\}[);,]*$/;
/** `def a(): ...` */
const indentedBody = /^(\s*)((?:async\s+)?(?:def|class)\s.*:)\s*(?:\.{3}|…)$/;
/** `call(a, /* ... *\/, b)`: only a comment or the ellipsis character is certainly no code. */
const inlineElision = /\/\*\s*(?:\.{3}|…)[^*/]*\*\/|(?<=[([{,]\s?)…(?=\s?[)\]},])/g;
const minShownLength = 4;
const maxLineLength = 400;
/** With more such lines, the dots are syntax of the language. */
const maxElidedLines = 20;

/** Expands lines with omitted middle parts to the lines of the original that they stand for, if unambiguous. */
export function expandElided(lines: string[], known: KnownLines): string[] {
  const eliding = new Set(lines.filter(line => mayElide(line, known)));
  if (eliding.size === 0 || eliding.size > maxElidedLines) {
    return lines;
  }
  const expanded = new Map([...eliding].map(line => [line, fullLines(line, known)]));
  return [...expanded.values()].some(full => full !== undefined)
    ? lines.flatMap(line => expanded.get(line) ?? [line])
    : lines;
}

/** True for a line that {@link expandElided} may expand. */
export function mayElide(line: string, known: KnownLines): boolean {
  return (
    (line.includes('...') || line.includes('…')) &&
    line.length < maxLineLength &&
    (braced(line) !== undefined || indentedBody.test(line) || line.search(inlineElision) > 0) &&
    !known.has(line.trim()) &&
    !isMarkerLine(line)
  );
}

/** The indentation, the header up to its brace, and the closing brace with the rest of the line. */
function braced(line: string): [string, string, string] | undefined {
  const closer = bracedEnd.exec(line);
  if (!closer) {
    return undefined;
  }
  const header = withoutDots(line.slice(0, closer.index).trimEnd())?.trimEnd();
  if (!header?.endsWith('{')) {
    return undefined;
  }
  const text = header.trimStart();
  const margin = header.slice(0, header.length - text.length);
  return text.length > 1 ? [margin, text, closer[0]] : undefined;
}

function withoutDots(text: string): string | undefined {
  const dots = ['...', '…'].find(each => text.endsWith(each));
  if (dots !== undefined) {
    return text.slice(0, -dots.length);
  }
  if (!text.endsWith('*/')) {
    return undefined;
  }
  const inner = trimEndOf(text.slice(0, -1), '*');
  const stars = text.length - 1 - inner.length;
  // `/***/` has one run of stars, `/* dots */` has two.
  if (inner.endsWith('/') && stars > 1) {
    return inner.slice(0, -1);
  }
  const open = Math.max(inner.lastIndexOf('*'), inner.lastIndexOf('/'));
  const before = trimEndOf(inner.slice(0, open + 1), '*');
  return before.length <= open && before.endsWith('/') ? before.slice(0, -1) : undefined;
}

function fullLines(line: string, known: KnownLines): string[] | undefined {
  const [margin = '', header = '', closer] =
    braced(line) ?? indentedBody.exec(line)?.slice(1) ?? [];
  if (header !== '') {
    if (!known.has(header)) {
      return undefined;
    }
    const body = `${margin}    ...`;
    return closer === undefined
      ? [margin + header, body]
      : [margin + header, body, margin + closer];
  }
  return fullLine(line, known);
}

/** The one line of the original that starts and ends like this one. */
function fullLine(line: string, known: KnownLines): string[] | undefined {
  const text = line.trim();
  const gaps = [...text.matchAll(inlineElision)];
  const [gap] = gaps;
  if (gaps.length !== 1 || !gap) {
    return undefined;
  }
  const head = text.slice(0, gap.index).trimEnd();
  const tail = text.slice(gap.index + gap[0].length).trimStart();
  if (head.length < minShownLength || tail === '') {
    return undefined;
  }
  const fitting = [...known].filter(
    full => full.length > head.length + tail.length && full.startsWith(head) && full.endsWith(tail),
  );
  const [only] = fitting;
  const margin = marginOf(line);
  return only !== undefined && fitting.length === 1 ? [margin + only] : undefined;
}
