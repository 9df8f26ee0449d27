import { spanLimits } from '../weights';
import type { FileText } from './fileText';
import type { LanguageHeads } from './languages';
import type { NamedPlace } from './namedPlaces';
import { indentOf, type ResultSpan, spansOf } from './spans';

/** Lines above and below one that the query names. */
const linesAround = 10;

const isStatement: ReadonlySet<NamedPlace['kind']> = new Set(['route', 'handler', 'textUse']);

/** Spans with what the query names first. */
export function withNamed(
  spans: ResultSpan[],
  text: string,
  { hits, named }: FileText,
  weights: readonly number[],
  language?: LanguageHeads,
): ResultSpan[] {
  const place = named.toSorted((a, b) => b.worth - a.worth)[0];
  if (!place) return spans;
  // Nothing else in the file says more of a request, or of a text.
  if (place.kind === 'uiText') return [{ startLine: place.line, endLine: place.line }];
  if (isStatement.has(place.kind)) return [statementAt(place.line, text)];
  const inLine = hits.filter(({ line }) => line === place.line);
  const own = spans.find(
    ({ startLine, endLine }) => startLine <= place.line && place.line <= endLine,
  );
  const [fresh] =
    inLine.length > 0 ? spansOf(text, inLine, weights, spanLimits.maxLines, language) : [];
  const first = own ?? fresh ?? around(place.line, text);
  return withFirst(first, spans);
}

/** Signs and words in a line that is no deeper than a statement and belongs to it. */
const belongs = /^\s*(?:[)\]}{]|end\b)/;
const annotation = /^\s*(?:@|#?\[)/;

/** The lines of a statement or of a definition that a line begins, or whose first argument it is. */
function statementAt(given: number, text: string): ResultSpan {
  const rows = text.split('\n', given + spanLimits.maxLines - 1);
  const line = /\(\s*$/.test(rows[given - 2] ?? '') ? given - 1 : given;
  const indent = indentOf(rows[line - 1] ?? '');
  let isHead = !annotation.test(rows[line - 1] ?? '');
  let endLine = line;
  for (let at = line + 1; at <= rows.length; at++) {
    const row = rows[at - 1] ?? '';
    if (indentOf(row) <= indent && !belongs.test(row)) {
      if (isHead) break;
      isHead = !annotation.test(row);
    }
    if (row.trim() !== '') endLine = at;
  }
  return { startLine: line, endLine };
}

/** Some lines above and below a line, as far as the text has them. */
export function around(line: number, text: string): ResultSpan {
  const last = text.split('\n').length;
  const middle = Math.min(line, last);
  return {
    startLine: Math.max(1, middle - linesAround),
    endLine: Math.min(last, middle + linesAround),
  };
}

/** Spans after one that comes first, without those that overlap it. */
export const withFirst = (first: ResultSpan, spans: readonly ResultSpan[]): ResultSpan[] => [
  first,
  ...spans.filter(span => span.endLine < first.startLine || span.startLine > first.endLine),
];
