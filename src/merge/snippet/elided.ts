import { trimEndOf } from '../../base/scan';
import type { KnownLines } from './knownLines';
import { isMarkerLine } from './markers';

/** `function a() { ... }` ends so. */
const BRACED_END = /\}[);,]*$/;
/** `def a(): ...` */
const INDENTED = /^(\s*)((?:async\s+)?(?:def|class)\s.*:)\s*(?:\.{3}|…)$/;
/** `call(a, /* ... *\/, b)`: only a comment or the one character is certainly no code. */
const INLINE = /\/\*\s*(?:\.{3}|…)[^*/]*\*\/|(?<=[([{,]\s?)…(?=\s?[)\]},])/g;
const LEAST_SHOWN = 4;
const LONGEST = 400;
/** So many lines with dots mean something in the language. */
const MOST_ELIDED = 20;

/** Writes a line that elides its middle as the lines of the original that it stands for, where there is no doubt. */
export function expandElided(lines: string[], known: KnownLines): string[] {
  const eliding = new Set(lines.filter(line => mayElide(line, known)));
  if (eliding.size === 0 || eliding.size > MOST_ELIDED) {
    return lines;
  }
  const expanded = new Map([...eliding].map(line => [line, fullLines(line, known)]));
  return [...expanded.values()].some(full => full !== undefined)
    ? lines.flatMap(line => expanded.get(line) ?? [line])
    : lines;
}

function mayElide(line: string, known: KnownLines): boolean {
  return (
    (line.includes('...') || line.includes('…')) &&
    line.length < LONGEST &&
    (braced(line) !== undefined || INDENTED.test(line) || line.search(INLINE) > 0) &&
    !known.has(line.trim()) &&
    !isMarkerLine(line)
  );
}

/** The margin, the header up to its brace, and the closing brace with what follows; read from the end. */
function braced(line: string): [string, string, string] | undefined {
  const closer = BRACED_END.exec(line);
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
  const [margin = '', header = '', closer] = braced(line) ?? INDENTED.exec(line)?.slice(1) ?? [];
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
  const gaps = [...text.matchAll(INLINE)];
  const [gap] = gaps;
  if (gaps.length !== 1 || !gap) {
    return undefined;
  }
  const head = text.slice(0, gap.index).trimEnd();
  const tail = text.slice(gap.index + gap[0].length).trimStart();
  if (head.length < LEAST_SHOWN || tail === '') {
    return undefined;
  }
  const fitting = [...known].filter(
    full => full.length > head.length + tail.length && full.startsWith(head) && full.endsWith(tail),
  );
  const [only] = fitting;
  const margin = line.slice(0, line.length - line.trimStart().length);
  return only !== undefined && fitting.length === 1 ? [margin + only] : undefined;
}
