import type { KnownLines } from './knownLines';
import { isMarkerLine } from './markers';

/** `function a() { ... }`: the header of a block, and dots for its body. */
const BRACED = /^(\s*)(\S.*\{)\s*(?:\.{3}|…|\/\*+\s*(?:\.{3}|…)?[^*/]*\*+\/)\s*(\}[);,]*)$/;
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
    (BRACED.test(line) || INDENTED.test(line) || line.search(INLINE) > 0) &&
    !known.has(line.trim()) &&
    !isMarkerLine(line)
  );
}

function fullLines(line: string, known: KnownLines): string[] | undefined {
  const [, margin = '', header = '', closer] = BRACED.exec(line) ?? INDENTED.exec(line) ?? [];
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
