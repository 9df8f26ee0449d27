import { spanLimits } from '../weights';
import type { FileText } from './fileText';
import type { LanguageHeads } from './languages';
import { type ResultSpan, spansOf } from './spans';

/** Lines above and below one that the query names. */
const linesAround = 10;

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
  const inLine = hits.filter(({ line }) => line === place.line);
  const own = spans.find(
    ({ startLine, endLine }) => startLine <= place.line && place.line <= endLine,
  );
  const [fresh] =
    inLine.length > 0 ? spansOf(text, inLine, weights, spanLimits.maxLines, language) : [];
  const first = own ?? fresh ?? around(place.line, text);
  return withFirst(first, spans);
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
