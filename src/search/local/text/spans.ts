import { trimEndOf } from '../../../base/text/scan';
import { spanLimits } from '../weights';
import { isDeclaration } from './declarations';
import type { Hit } from './fileText';
import type { LanguageHeads } from './languages';
import { bestWindows } from './windows';

/** Lines, 1-based and inclusive. */
export type ResultSpan = { readonly startLine: number; readonly endLine: number };

/**
 * The spans of a file to show, best first. A span is the definition that contains most of the query, or
 * the lines around the hits when that is too long. `lines` limits all spans together.
 */
export function spansOf(
  text: string,
  hits: readonly Hit[],
  weights: readonly number[],
  lines: number,
  language?: LanguageHeads,
): ResultSpan[] {
  const rows = text.split('\n');
  const count = rows.at(-1) === '' ? rows.length - 1 : rows.length;
  if (hits.length === 0) {
    // Only the path matches, so the start of the file is shown.
    return count === 0 ? [] : [{ startLine: 1, endLine: Math.min(count, spanLimits.headLines) }];
  }
  const windows = bestWindows(
    hits.map(hit => emphasized(hit, weights.length)),
    [...weights, ...weights.map(weight => weight * spanLimits.declaredName)],
    spanLimits.windowLines,
    spanLimits.maxWindows,
    spanLimits.minWindowShare,
  );
  const spans: ResultSpan[] = [];
  let left = lines;
  for (const { firstLine, lastLine } of windows) {
    const limit = Math.min(spanLimits.maxLines, left);
    const span = widen({ rows, count, language }, firstLine, lastLine, limit);
    const near = spans.findIndex(other => lengthOf(union(other, span)) <= spanLimits.maxLines);
    const other = spans[near];
    if (other) {
      const both = union(other, span);
      if (lengthOf(both) - lengthOf(other) <= left) {
        spans[near] = both;
        left -= lengthOf(both) - lengthOf(other);
      }
    } else if (spans.length < spanLimits.maxSpans && left >= spanLimits.minLines) {
      const fresh = cutOverlap(span, spans, hits);
      if (fresh) {
        spans.push(fresh);
        left -= lengthOf(fresh);
      }
    }
  }
  return withoutOverlap(spans, hits);
}

/**
 * The place that declares a name says more of it than those that use it. Its terms count as other terms, too, the
 * more of the name the query has.
 * @param terms of the query; those of names come after them
 */
function emphasized(hit: Hit, terms: number): Hit {
  if (!hit.isDeclared) return hit;
  const { declared } = spanLimits;
  const ofName = hit.matches.map(({ term, factor }) => ({
    term: terms + term,
    factor: (factor * hit.nameShare ** 2) / declared,
  }));
  return { ...hit, quality: hit.quality * declared, matches: [...hit.matches, ...ofName] };
}

const lengthOf = ({ startLine, endLine }: ResultSpan): number => endLine - startLine + 1;

const union = (a: ResultSpan, b: ResultSpan): ResultSpan => ({
  startLine: Math.min(a.startLine, b.startLine),
  endLine: Math.max(a.endLine, b.endLine),
});

/** A span that was widened may overlap the next one. */
function withoutOverlap(spans: readonly ResultSpan[], hits: readonly Hit[]): ResultSpan[] {
  const kept: ResultSpan[] = [];
  for (const span of spans) {
    const fresh = cutOverlap(span, kept, hits);
    if (fresh) kept.push(fresh);
  }
  return kept;
}

interface Rows {
  readonly rows: readonly string[];
  /** Without an empty one at the end. */
  readonly count: number;
  readonly language: LanguageHeads | undefined;
}

/** From the declaration above the first line to the end of its block, as far as `most` lines go. */
function widen(
  { rows, count, language }: Rows,
  firstLine: number,
  lastLine: number,
  maxLines: number,
): ResultSpan {
  const head = headOf(rows, firstLine, maxLines, language);
  let startLine = head ?? Math.max(1, firstLine - spanLimits.linesAbove);
  if (lastLine - startLine + 1 > maxLines) {
    startLine = Math.max(1, firstLine - spanLimits.linesAbove);
  }
  const end = head === undefined ? undefined : endOfBlock(rows, count, head);
  const wanted = Math.max(end ?? 0, lastLine + spanLimits.linesBelow);
  const endLine = Math.min(count, wanted, startLine + maxLines - 1);
  return { startLine, endLine: Math.max(startLine, endLine) };
}

/** Characters before the text of a row; infinite for an empty one. */
export const indentOf = (row: string): number => {
  const at = row.search(/\S/);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
};

const isVariable = /^\s+(?:const|let|var|val)\s/;

/** The nearest declaration that encloses the line. */
function headOf(
  rows: readonly string[],
  line: number,
  reach: number,
  language: LanguageHeads | undefined,
): number | undefined {
  const isHead = (row: string): boolean =>
    isDeclaration(row) || language?.nameIn(row)?.isPart === false;
  let indent = indentOf(rows[line - 1] ?? '');
  let isAboveBrace = false;
  if (isHead(rows[line - 1] ?? '')) return line;
  for (let at = line - 1; at >= 1 && at > line - reach; at--) {
    const row = rows[at - 1] ?? '';
    const inner = indentOf(row);
    if (inner < indent || (inner === indent && inner === 0)) {
      // A call with a function, `var all = map(one =>`, says less than what it is in.
      if (isHead(row) && !(isAboveBrace && isVariable.test(row))) return at;
      // The head of a brace on its own line is no less indented.
      isAboveBrace = row.trim() === '{';
      indent = Math.min(indent, isAboveBrace ? inner + 1 : inner);
    }
  }
  return undefined;
}

/** True for `end`, or for closing brackets other than `>` alone, followed only by `;`, `,` or `)`. */
function closesBlock(text: string): boolean {
  if (/^end\b/.test(text)) return true;
  const tail = trimEndOf(text, ';,)').length;
  for (let at = 0; ')]}>'.includes(text[at] ?? ' '); at++) {
    if (at >= tail - 1 && text[at] !== '>') return true;
  }
  return false;
}

/** A line that is no deeper than a definition and belongs to it: brackets, and in a language with braces more. */
const goesOn = /^\s*[)>{\]]/;
/** Labels such as `public:`, bounds of types, and directives. */
const goesOnInBraces =
  /^\s*(?:(?!try:)\w+:\r?$|(?:public|private|protected) \w+:\r?$|where\b|#\s*(?:if|el|endif))/;
/** Lines from the head of a definition on, among which its first brace is. */
const headLines = 4;

function endOfBlock(rows: readonly string[], count: number, head: number): number {
  const indent = indentOf(rows[head - 1] ?? '');
  const hasBraces = rows.slice(head - 1, head - 1 + headLines).some(row => row.includes('{'));
  for (let at = head + 1; at <= count; at++) {
    const row = rows[at - 1] ?? '';
    if (indentOf(row) <= indent) {
      if (closesBlock(row.trim())) return at;
      if (!goesOn.test(row) && !(hasBraces && goesOnInBraces.test(row))) return at - 1;
    }
  }
  return count;
}

/** The part of a span outside of earlier spans that has hits; the larger remainder when one is inside of it. */
function cutOverlap(
  span: ResultSpan,
  earlier: readonly ResultSpan[],
  hits: readonly Hit[],
): ResultSpan | undefined {
  let { startLine, endLine } = span;
  for (const other of earlier) {
    if (endLine < other.startLine || startLine > other.endLine) continue;
    if (other.startLine - startLine >= endLine - other.endLine) {
      endLine = other.startLine - 1;
    } else {
      startLine = other.endLine + 1;
    }
  }
  return hits.some(({ line }) => line >= startLine && line <= endLine)
    ? { startLine, endLine }
    : undefined;
}
