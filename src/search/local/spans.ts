import { trimEndOf } from '../../base/scan';
import { type Hit, isDeclaration } from './fileText';
import { SPAN } from './weights';
import { bestWindows } from './windows';

/** Lines, 1-based and inclusive. */
export type Span = { readonly startLine: number; readonly endLine: number };

/**
 * The parts of a file to look at, best first. A part is the definition that most of the query falls
 * into, or the lines around the hits where that is too long. `lines` is what all parts may have
 * together.
 */
export function spansOf(
  text: string,
  hits: readonly Hit[],
  weights: readonly number[],
  lines: number,
): Span[] {
  const rows = text.split('\n');
  const count = rows.at(-1) === '' ? rows.length - 1 : rows.length;
  if (hits.length === 0) {
    // Only the path says something; its head tells what the file is.
    return count === 0 ? [] : [{ startLine: 1, endLine: Math.min(count, SPAN.head) }];
  }
  const windows = bestWindows(hits, weights, SPAN.window, SPAN.windows, SPAN.least);
  const spans: Span[] = [];
  let left = lines;
  for (const { firstLine, lastLine } of windows) {
    const span = widen(rows, count, firstLine, lastLine, Math.min(SPAN.longest, left));
    const near = spans.findIndex(other => lengthOf(union(other, span)) <= SPAN.longest);
    const other = spans[near];
    if (other) {
      const both = union(other, span);
      if (lengthOf(both) - lengthOf(other) <= left) {
        spans[near] = both;
        left -= lengthOf(both) - lengthOf(other);
      }
    } else if (spans.length < SPAN.most && left >= SPAN.shortest) {
      const fresh = cutOverlap(span, spans);
      if (fresh) {
        spans.push(fresh);
        left -= lengthOf(fresh);
      }
    }
  }
  return withoutOverlap(spans);
}

const lengthOf = ({ startLine, endLine }: Span): number => endLine - startLine + 1;

const union = (a: Span, b: Span): Span => ({
  startLine: Math.min(a.startLine, b.startLine),
  endLine: Math.max(a.endLine, b.endLine),
});

/** A span that grew may have reached the next one. */
function withoutOverlap(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of spans) {
    const fresh = cutOverlap(span, kept);
    if (fresh) kept.push(fresh);
  }
  return kept;
}

/** From the declaration above the first line to the end of its block, as far as `most` lines go. */
function widen(
  rows: readonly string[],
  count: number,
  firstLine: number,
  lastLine: number,
  most: number,
): Span {
  const head = headOf(rows, firstLine, most);
  let startLine = head ?? Math.max(1, firstLine - SPAN.above);
  if (lastLine - startLine + 1 > most) startLine = Math.max(1, firstLine - SPAN.above);
  const end = head === undefined ? undefined : endOfBlock(rows, count, head);
  const wanted = Math.max(end ?? 0, lastLine + SPAN.below);
  const endLine = Math.min(count, wanted, startLine + most - 1);
  return { startLine, endLine: Math.max(startLine, endLine) };
}

const indentOf = (row: string): number => {
  const at = row.search(/\S/);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
};

/** The nearest line above that declares what the line is in. */
function headOf(rows: readonly string[], line: number, reach: number): number | undefined {
  let indent = indentOf(rows[line - 1] ?? '');
  if (isDeclaration(rows[line - 1] ?? '')) return line;
  for (let at = line - 1; at >= 1 && at > line - reach; at--) {
    const row = rows[at - 1] ?? '';
    const inner = indentOf(row);
    if (inner < indent || (inner === indent && inner === 0)) {
      if (isDeclaration(row)) return at;
      indent = Math.min(indent, inner);
    }
  }
  return undefined;
}

/** `end`, or closing brackets, of which one is no `>`, and nothing but `;`, `,` and `)` after that one. */
function closesBlock(text: string): boolean {
  if (/^end\b/.test(text)) return true;
  const tail = trimEndOf(text, ';,)').length;
  for (let at = 0; ')]}>'.includes(text[at] ?? ' '); at++)
    if (at >= tail - 1 && text[at] !== '>') return true;
  return false;
}

function endOfBlock(rows: readonly string[], count: number, head: number): number {
  const indent = indentOf(rows[head - 1] ?? '');
  for (let at = head + 1; at <= count; at++) {
    const row = rows[at - 1] ?? '';
    if (indentOf(row) <= indent) {
      if (closesBlock(row.trim())) return at;
      if (!/^\s*[){\]]/.test(row)) return at - 1;
    }
  }
  return count;
}

/** The part of a span that no earlier one has; the larger end when one lies within. */
function cutOverlap(span: Span, earlier: readonly Span[]): Span | undefined {
  let { startLine, endLine } = span;
  for (const other of earlier) {
    if (endLine < other.startLine || startLine > other.endLine) continue;
    if (other.startLine - startLine >= endLine - other.endLine) {
      endLine = other.startLine - 1;
    } else startLine = other.endLine + 1;
  }
  return startLine <= endLine ? { startLine, endLine } : undefined;
}
