import { fenceFor } from '../../markdown';
import { functionWordsOf } from '../local/query/functionWords';
import { readRequest } from '../local/query/requestedRoute';
import { otherSpellingOf } from '../local/query/spelling';
import { maxQueryChars } from '../local/query/terms';
import { isShortWord } from '../local/query/words';
import { type ImportLines, importLines } from '../local/text/heads';
import { linesOfText } from '../tools/readFile';
import { symbolAt } from './symbols';

/** Which engine found the results. */
export type SearchEngine = 'model' | 'local' | 'both';

/** Lines of a file, 1-based, inclusive. */
export interface FoundSpan {
  readonly startLine: number;
  readonly endLine: number;
  /** The most descriptive line, without its indentation. */
  readonly title: string;
  /** What the title is in, such as `Queue.close`. */
  readonly symbol?: string | undefined;
  /** The words of the query that the span has, in lower case. */
  readonly words?: readonly string[];
  /** Ranges of query words in the title, as [start, end). */
  readonly highlights: readonly (readonly [number, number])[];
}

export interface FoundFile<Span extends FoundSpan = FoundSpan> {
  /** Index of the workspace's root. */
  readonly root: number;
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** In the order of the lines. */
  readonly spans: readonly Span[];
  /** Relative to the best file, which has 1; absent where the files are not ranked. */
  readonly score?: number | undefined;
  /** Absent where only one engine searched. */
  readonly foundBy?: SearchEngine | undefined;
  /** Whether it is shown at first; absent where that follows from the scores. */
  readonly isSure?: boolean | undefined;
}

/** Spans before their titles are read; `*` is the whole file. */
export interface RawFile extends Omit<FoundFile, 'spans'> {
  readonly ranges: readonly (readonly [number, number])[] | '*';
}

/** Lines of a place. More do not fit on a screen. */
export const maxPlaceLines = 80;
/** Lines that are kept above the title when a longer range is narrowed around it. */
const linesAboveTitle = 5;
/** Files that are shown at first, and the share of the score of the best one that they have at least. */
const maxSureFiles = 8;
const minSureScore = 0.02;

/** The number of files, best first, that are likely what was looked for. */
export function countSure(files: readonly Pick<FoundFile, 'score' | 'isSure'>[]): number {
  if (files.some(({ isSure }) => isSure !== undefined)) {
    return files.filter(({ isSure }) => isSure).length;
  }
  const end = files.findIndex(({ score = 1 }) => score < minSureScore);
  return Math.min(maxSureFiles, end < 0 ? files.length : end);
}

/** Spans with at most this many lines between them are joined. */
const joinGap = 2;

/**
 * Turns ranges of a file into spans: clamped to the text, sorted, joined when close, each with a title.
 * @returns undefined when no range is left, as for an empty file.
 */
export function describeFile(file: RawFile, text: string, query: string): FoundFile | undefined {
  const lines = linesOfText(text);
  if (lines.length === 0) return undefined;
  const ranges = file.ranges === '*' ? [[1, lines.length] as const] : file.ranges;
  const terms = queryPattern(query);
  const imports = importLines(lines);
  const forms = new Map<string, string>();
  const spans = joined(
    ranges.flatMap(range => placesIn(range, lines, terms, imports)),
    lines.length,
  ).map(([startLine, endLine]) => {
    const own = lines.slice(startLine - 1, endLine);
    const at = titleLine(own, terms, imports, startLine - 1);
    const title = shortened((own[at] ?? '').trim());
    return {
      startLine,
      endLine,
      title,
      highlights: highlightsOf(title, terms),
      symbol: title === '' ? undefined : symbolAt(lines, startLine - 1 + at, endLine, file.path),
      words: wordsIn(own.join('\n'), terms, forms),
    };
  });
  if (spans.length === 0) return undefined;
  const { ranges: _, ...found } = file;
  return { ...found, spans };
}

/** A range that is not too long: a longer one is narrowed around the line that says most. */
function placesIn(
  [start, end]: readonly [number, number],
  lines: readonly string[],
  terms: QueryPattern | undefined,
  imports: ImportLines,
): [number, number][] {
  const first = Math.max(1, start);
  const last = Math.min(end, lines.length);
  if (first > last) return [];
  if (last - first < maxPlaceLines) return [[first, last]];
  const best = first + titleLine(lines.slice(first - 1, last), terms, imports, first - 1);
  const from = Math.max(first, Math.min(best - linesAboveTitle, last - maxPlaceLines + 1));
  return [[from, from + maxPlaceLines - 1]];
}

/** Sorts ranges, and joins those that touch unless the result would be too long. */
function joined(
  ranges: readonly (readonly [number, number])[],
  lastLine: number,
): [number, number][] {
  const inside = ranges
    .map(([start, end]): [number, number] => [Math.max(1, start), Math.min(end, lastLine)])
    .filter(([start, end]) => start <= end)
    .sort(([a], [b]) => a - b);
  const all: [number, number][] = [];
  for (const [start, end] of inside) {
    const before = all.at(-1);
    if (!before || start > before[1] + joinGap) {
      all.push([start, end]);
    } else if (Math.max(before[1], end) - before[0] < maxPlaceLines) {
      before[1] = Math.max(before[1], end);
    } else if (end > before[1]) {
      all.push([Math.max(start, before[1] + 1), end]);
    }
  }
  return all;
}

/** The start of a definition in most languages. */
const definition =
  /^(?:export\s|public\s|private\s|protected\s|internal\s|static\s|async\s|abstract\s|final\s|pub(?:\([^)]*\))?\s|default\s|unsafe\s|override\s|inline\s|open\s|sealed\s|data\s|actual\s|expect\s)*(?:function\b|class\b|interface\b|type\s+\w|enum\b|struct\b|trait\b|impl\b|def\b|fn\b|func\b|fun\b|module\b|namespace\b|record\b|object\b|const\s+\w+\s*=\s*(?:async\s*)?(?:\(|function)|macro_rules!|defmodule\b|sub\b)/;
/** `struct {`, whose name is elsewhere. */
const nameless = /^(?:\w+\s+)*(?:class|interface|enum|struct|union|object)\s*\{/;
const maxTitleChars = 160;

/**
 * Index of the line that says most of the query.
 * @param imports of the file
 * @param first index in the file of the first of the lines
 */
function titleLine(
  lines: readonly string[],
  terms: QueryPattern | undefined,
  imports: ImportLines,
  first: number,
): number {
  let best = 0;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const [at, line] of lines.entries()) {
    if (line === '') continue;
    const head = imports.get(first + at);
    // The first line of an import stands for all of them.
    if (head !== undefined && head < first + at && head >= first) continue;
    let end = at + 1;
    if (head === first + at) while (imports.get(first + end) === head) end++;
    const text = lines.slice(at, end).join('\n').trim();
    if (!/\w/.test(text)) continue;
    const words = new Set(matchesIn(text, terms).map(({ term }) => term)).size;
    // A definition counts like one and a half words, an import as much less, but more than a line without any; the
    // first of equal lines wins.
    const isDefinition = definition.test(text) && !nameless.test(text);
    const plain = words > 0 ? words : -1;
    const score = isDefinition ? words + 1.5 : head !== undefined ? plain - 1.5 : plain;
    if (score > bestScore) [best, bestScore] = [at, score];
  }
  return best;
}

const shortened = (title: string): string =>
  /\w/.test(title)
    ? title.length > maxTitleChars
      ? `${title.slice(0, maxTitleChars)}…`
      : title
    : '';

/** Words that are too common to highlight. */
const commonQueryWords = new Set(
  'the and for with from that this where what which when how does into are was has have can should would is in of to a an it do on or by be as at we you my our i'.split(
    ' ',
  ),
);

/** The words of the query and the parts of its identifiers, in lower case, longest first, with the endings that are cut off. */
function stemmedWords(query: string): Map<string, string> {
  const words = query
    .slice(0, maxQueryChars)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\d]{2,}/gu);
  const functionWords = functionWordsOf(query.slice(0, maxQueryChars));
  const stems = [...new Set(words ?? [])]
    .filter(word => !commonQueryWords.has(word) && !functionWords.has(word))
    .flatMap(word => [word, otherSpellingOf(word) ?? []].flat())
    // "uploads" also marks "upload", and "retried" marks "retry".
    .map((word): [string, string] => {
      const ending = word.length > 4 ? /(?:y|ie[ds]|ing|ed|es|s)$/.exec(word)?.[0] : undefined;
      return ending ? [word.slice(0, -ending.length), ending] : [word, ''];
    })
    .sort(([a], [b]) => b.length - a.length);
  return new Map(stems.slice(0, 40));
}

interface QueryPattern {
  /** Matches the terms anywhere, even within words. */
  readonly pattern: RegExp;
  readonly stems: ReadonlyMap<string, string>;
}

function queryPattern(query: string): QueryPattern | undefined {
  const stems = stemmedWords(readRequest(query.slice(0, maxQueryChars)).words);
  if (stems.size === 0) return undefined;
  const sources = [...stems].map(([stem, cut]) =>
    /^(?:y|ie)/.test(cut) ? `${stem}(?=y|ie[drs])` : stem,
  );
  return { pattern: new RegExp(sources.join('|'), 'giu'), stems };
}

interface TermMatch {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** Longer than the ending of any word. */
const maxEndingChars = 16;

/** Where a text has the terms: a cut one to the end of the word, one of two letters only as a whole word. */
function matchesIn(text: string, terms: QueryPattern | undefined): TermMatch[] {
  if (!terms) return [];
  return [...text.matchAll(terms.pattern)].flatMap(({ 0: found, index: start }) => {
    const term = found.toLowerCase();
    const after = start + found.length;
    const rest = text.slice(after, after + maxEndingChars);
    if (isShortWord(term) && (/\p{L}/u.test(text[start - 1] ?? '') || /^\p{L}/u.test(rest))) {
      return [];
    }
    const ending = /\p{Lu}$/u.test(found) ? /^\p{Lu}*/u : /^\p{Ll}*/u;
    const [cut = ''] = terms.stems.get(term) === '' ? [] : (ending.exec(rest) ?? []);
    return [{ term, start, end: after + cut.length }];
  });
}

/**
 * The words of the query that a text has, in lower case.
 * @param forms the form in which the file has a term first, by the term
 */
function wordsIn(
  text: string,
  terms: QueryPattern | undefined,
  forms: Map<string, string>,
): string[] {
  const words = new Set<string>();
  for (const { term, start, end } of matchesIn(text, terms)) {
    const form = forms.get(term) ?? text.slice(start, end).toLowerCase();
    forms.set(term, form);
    words.add(form);
  }
  return [...words];
}

const highlightsOf = (title: string, terms: QueryPattern | undefined): [number, number][] =>
  matchesIn(title, terms).map(({ start, end }) => [start, end]);

/** One edit: the replaced lines, 0-based as in VS Code, and the number of new lines. */
export interface EditedLines {
  readonly startLine: number;
  /** The last line that the edit touches. */
  readonly endLine: number;
  readonly newLines: number;
}

/**
 * Moves spans along with an edit.
 * @param lastLine of the text after the edit, 1-based.
 * @returns the same array when nothing moved.
 */
export function moveSpans<Span extends FoundSpan>(
  spans: readonly Span[],
  { startLine, endLine, newLines }: EditedLines,
  lastLine: number,
): readonly Span[] {
  const first = startLine + 1;
  const last = endLine + 1;
  const delta = newLines - (endLine - startLine + 1);
  if (delta === 0 && lastLine >= (spans.at(-1)?.endLine ?? 0)) return spans;
  return spans.map(span => {
    // An edit above moves the span; an edit that touches it grows or shrinks it.
    let start = span.startLine;
    if (start > last) start += delta;
    else if (start >= first) start = Math.min(start, first + newLines - 1);
    const end = span.endLine < first ? span.endLine : span.endLine + delta;
    const startsAt = clamp(start, 1, lastLine);
    return { ...span, startLine: startsAt, endLine: clamp(end, startsAt, lastLine) };
  });
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, Math.max(least, most)));
}

export type SortOrder = 'relevance' | 'path' | 'modified';

export function countPlaces(files: readonly FoundFile[]): number {
  return files.reduce((sum, { spans }) => sum + spans.length, 0);
}

/** Files and spans whose path or title holds every word of the filter. */
export function filterFiles<Span extends FoundSpan>(
  files: readonly FoundFile<Span>[],
  filter: string,
): readonly FoundFile<Span>[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return files;
  return files.flatMap(file => {
    const spans = file.spans.filter(({ title, symbol }) => {
      const text = `${file.path} ${symbol ?? ''} ${title}`.toLowerCase();
      return words.every(word => text.includes(word));
    });
    return spans.length > 0 ? [{ ...file, spans }] : [];
  });
}

/** `3-8`, or `3` for a single line. */
export function spanLines({
  startLine,
  endLine,
}: Pick<FoundSpan, 'startLine' | 'endLine'>): string {
  return startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
}

/** Lines such as `path:12-40  title`, for pasting. */
export function asText(files: readonly FoundFile[]): string {
  return files
    .flatMap(({ path, spans }) => spans.map(span => `${path}:${spanLines(span)}  ${span.title}`))
    .join('\n');
}

/** Code of one span for {@link asMarkdown}. */
export interface SpanCode {
  readonly path: string;
  readonly span: FoundSpan;
  readonly code: string;
}

/** The found code as context for a chat: a heading and a fenced block per span. */
export function asMarkdown(query: string, parts: readonly SpanCode[]): string {
  const blocks = parts.map(({ path, span, code }) => {
    const fence = fenceFor(code);
    const language = /\.([a-z\d]+)$/i.exec(path)?.[1] ?? '';
    return `### ${path}:${spanLines(span)}\n\n${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}`;
  });
  return [`Code found for: ${query}`, ...blocks].join('\n\n') + '\n';
}

/**
 * The found code in the format of VS Code's search editor. Lines with a word of the query have a colon after
 * their number, as matches have there.
 * @param summary such as `3 places in 2 files`
 */
export function asSearchEditor(query: string, summary: string, parts: readonly SpanCode[]): string {
  const terms = queryPattern(query);
  const out = [`# Query: ${query.replaceAll(/\s+/g, ' ')}`, '', summary];
  let before: SpanCode | undefined;
  for (const part of parts) {
    const { path, span, code } = part;
    out.push(...(before?.path === path ? [''] : ['', `${path}:`]));
    for (const [at, line] of code.split('\n').entries()) {
      const isMatch = matchesIn(line, terms).length > 0;
      out.push(`${String(span.startLine + at).padStart(5)}${isMatch ? ':' : ' '} ${line}`);
    }
    before = part;
  }
  return `${out.join('\n')}\n`;
}
