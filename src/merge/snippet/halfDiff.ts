import type { KnownLines } from './knownLines';
import { isMarkerLine } from './markers';

/** The lines of a snippet by the diff mark at their start. */
interface Marks {
  removed: string[];
  added: string[];
  context: string[];
}

/**
 * Applies the marks of a diff without hunk headers: drops removed lines and strips the marks of the others. The original
 * tells a diff from a list: it contains the removed lines without their mark, and no line with its mark.
 */
export function appliedHalfDiff(lines: string[], known: KnownLines): string[] {
  const marks = marksOf(lines, known);
  if (!marks || !isDiff(marks, known)) {
    return lines;
  }
  const width = widthOfMarks(marks);
  const hasContextMarks = marks.context.every(line => line.startsWith(' '.repeat(width)));
  return lines.flatMap(line => {
    if (line.startsWith('-')) {
      return [];
    }
    const isMarked = line.startsWith('+') || (hasContextMarks && line.startsWith(' '));
    if (!isMarked) {
      return [line];
    }
    const rest = line.slice(1);
    return [width === 2 && rest.startsWith(' ') ? rest.slice(1) : rest];
  });
}

/** True when the lines are a diff without hunk headers. */
export function isHalfDiff(lines: string[], known: KnownLines): boolean {
  const marks = marksOf(lines, known);
  return marks !== undefined && isDiff(marks, known);
}

/** Undefined when the original contains a line with its mark, so that the mark is code. */
function marksOf(lines: readonly string[], known: KnownLines): Marks | undefined {
  const marks: Marks = { removed: [], added: [], context: [] };
  let isMarked = false;
  for (const line of lines) {
    const first = line.charCodeAt(0);
    if (first === 43 || first === 45) {
      if (known.has(line.trim())) {
        return undefined;
      }
      isMarked = true;
      (first === 43 ? marks.added : marks.removed).push(line);
    }
  }
  if (!isMarked) {
    return undefined;
  }
  marks.context = lines.filter(
    line => !/^[-+]/.test(line) && line.trim() !== '' && !isMarkerLine(line),
  );
  return marks;
}

function isDiff({ removed, added, context }: Marks, known: KnownLines): boolean {
  const stands = (line: string): boolean => known.has(line.slice(1).trim());
  const gone = removed.filter(line => line.trim() !== '-');
  if (!gone.every(stands)) {
    return false;
  }
  const isContext = context.every(line => known.has(line.trim()));
  if (gone.length > 0) {
    return isContext && (added.length > 0 || context.length > 0);
  }
  // Additions alone could be a list or a sum.
  return (
    context.length > 0 &&
    isContext &&
    removed.length === 0 &&
    (context.every(line => line.startsWith(' ')) || ![...known].some(line => line.startsWith('+')))
  );
}

/** 2 when each mark is followed by a space that is no indentation; the space before the star of a comment is ignored. */
function widthOfMarks({ removed, added, context }: Marks): 1 | 2 {
  const marked = [...removed, ...added]
    .map(line => line.slice(1))
    .filter(text => !/^\s*(?:\*|$)/.test(text));
  if (marked.length === 0 || !marked.every(text => text.startsWith(' '))) {
    return 1;
  }
  const odd = marked.filter(text => blanksOf(text) % 2 === 1).length;
  const oddContext = context.filter(text => blanksOf(text) % 2 === 1).length;
  return odd * 2 > marked.length && oddContext * 2 <= context.length ? 2 : 1;
}

function blanksOf(text: string): number {
  return text.length - text.trimStart().length;
}
