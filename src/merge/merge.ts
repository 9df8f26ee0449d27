import { type Place, placesOf } from './align';
import { chain, type Reading } from './chain';
import { FileIndex } from './fileIndex';
import { fitIndentation } from './indent';
import { isFiller, type Line, type OriginalText, readOriginal } from './lines';
import { diffLines } from './lineDiff';
import { splitLines } from './text';
import { readSnippet, type Section, type Snippet } from './sections';

/** 1-based, inclusive lines of the original. */
export interface LineRange {
  startLine: number;
  endLine: number;
}

export interface MergeOptions {
  path?: string;
  instruction?: string;
  /** Lines outside of it must not change. */
  range?: LineRange;
}

export type MergeResult =
  | { kind: 'merged'; text: string; certain: boolean }
  | { kind: 'refused'; reason: string };

/** One result the snippet can be read as. */
export interface Outcome {
  text: string;
  score: number;
}

export type Readings =
  | { kind: 'outcomes'; outcomes: Outcome[] }
  | { kind: 'refused'; reason: string };

/** Results closer than this to the best one make it a tie. */
const TIE = 0.12;
const CERTAIN = 0.7;
const MAX_READINGS = 12;
const END_OF_FILE = 0.25;

export function mergeEdit(
  original: string,
  update: string,
  options: MergeOptions = {},
): MergeResult {
  const read = readingsOf(original, update, options);
  if (read.kind === 'refused') {
    return read;
  }
  const [best, second] = read.outcomes;
  if (!best) {
    return refused(`The snippet does not fit ${nameOf(options)}. Select the lines to change.`);
  }
  const margin = second ? best.score - second.score : Infinity;
  if (margin < TIE) {
    return refused(
      `The snippet fits at two places of ${nameOf(options)}. Add more unchanged lines round the change, or select the lines to change.`,
    );
  }
  return { kind: 'merged', text: best.text, certain: margin >= CERTAIN };
}

/** All results that are nearly as good as the best, best first, pairwise different. */
export function readingsOf(original: string, update: string, options: MergeOptions = {}): Readings {
  const source = readOriginal(original);
  const known = new Set(source.lines.map(line => line.trimmed));
  const snippet = readSnippet(update, known);
  const rewrite = (): string =>
    rewritten(
      source,
      update,
      snippet.sections[0] ?? { lines: [], markerAbove: undefined, markerBelow: undefined },
    );
  if (update === original) {
    return only(original);
  }
  if (snippet.sections.length === 0) {
    return snippet.markers > 0
      ? only(original)
      : refused('The snippet is empty, so there is nothing to merge. Ask for the change again.');
  }
  const { range } = options;
  if (range) {
    return withinRange(source, snippet, options, range);
  }
  if (source.lines.every(line => line.trimmed === '')) {
    return snippet.markers > 0
      ? refused(
          `${nameOf(options)} is empty, but the snippet leaves out existing code. Check that it is meant for this file.`,
        )
      : only(rewrite());
  }
  const whole = wholeFile(source, snippet);
  if (whole) {
    return only(rewrite());
  }
  return placed(source, snippet, options);
}

function placed(source: OriginalText, snippet: Snippet, options: MergeOptions): Readings {
  const { sections } = snippet;
  fitIndentation(sections, source.lines);
  const shown = new Set(sections.flatMap(section => section.lines.map(line => line.trimmed)));
  const file = new FileIndex(source.lines, options.path ?? '', shown);
  if (
    !sections.some(section =>
      section.lines.some(line => file.matchesOf(line).some(({ worth }) => worth > 0.5)),
    )
  ) {
    return refused(
      `No line of the snippet stands in ${nameOf(options)}, so there is no telling where it goes. Check that it is meant for this file, or select the lines to change.`,
    );
  }
  const places = sections.map(section => placesOf(section, file));
  addFileEnds(sections, places, source.lines.length);
  if (places.some(found => found.length === 0)) {
    return refused(
      `Part of the snippet shows only new lines, so there is no telling where they go in ${nameOf(options)}. Show the lines before or after them, or select the lines to change.`,
    );
  }
  const readings = chain(sections, places, file, 3, MAX_READINGS);
  if (readings.length === 0) {
    return refused(
      `The parts of the snippet stand in another order than in ${nameOf(options)}. Apply them one by one.`,
    );
  }
  return { kind: 'outcomes', outcomes: outcomesOf(source, sections, readings) };
}

function outcomesOf(
  source: OriginalText,
  sections: readonly Section[],
  readings: readonly Reading[],
): Outcome[] {
  const outcomes = new Map<string, Outcome>();
  for (const { places, score } of readings) {
    const text = render(source, places, sections);
    // Readings that differ in blank lines only are no tie.
    const key =
      readings.length === 1
        ? ''
        : splitLines(text)
            .filter(line => line.trim() !== '')
            .join('\n');
    if (!outcomes.has(key)) {
      outcomes.set(key, { text, score });
    }
  }
  return [...outcomes.values()].sort((a, b) => b.score - a.score);
}

/** A last section after a marker may be new lines for the end of the file, a first one before a marker for its top. */
function addFileEnds(sections: readonly Section[], places: Place[][], end: number): void {
  const last = sections.at(-1);
  if (last && last.markerAbove !== undefined && last.markerBelow === undefined) {
    places.at(-1)?.push({ start: end, end, score: END_OF_FILE });
  }
  const first = sections[0];
  if (first && first.markerAbove === undefined && first.markerBelow !== undefined) {
    places[0]?.unshift({ start: 0, end: 0, score: END_OF_FILE });
  }
}

/** True when a snippet without markers is the whole new file. */
function wholeFile({ lines }: OriginalText, { sections, markers }: Snippet): boolean {
  const [section] = sections;
  if (markers > 0 || !section) {
    return false;
  }
  const solid = lines.filter(line => !isFiller(line.trimmed));
  const shown = new Set(section.lines.map(line => line.trimmed));
  // A snippet that starts or ends amid the file is a part of it.
  const starts = lines.findIndex(line => line.trimmed === section.lines[0]?.trimmed);
  const lastShown = section.lines.at(-1)?.trimmed ?? '';
  const ends = isFiller(lastShown) ? -1 : lines.findLastIndex(line => line.trimmed === lastShown);
  const spare = Math.max(3, lines.length / 20);
  if (starts > spare || (ends >= 0 && ends < lines.length - 1 - spare)) {
    return false;
  }
  const kept = solid.filter(line => shown.has(line.trimmed)).length / Math.max(1, solid.length);
  const head = new Set(section.lines.slice(0, 6).map(line => line.trimmed));
  const tail = new Set(section.lines.slice(-6).map(line => line.trimmed));
  const top = solid.slice(0, 3).some(line => head.has(line.trimmed));
  const bottom = solid.slice(-3).some(line => tail.has(line.trimmed));
  return kept >= 0.8 || (kept >= 0.45 && (top || bottom)) || (kept >= 0.2 && top && bottom);
}

/** Puts the sections at their places. */
function render(
  source: OriginalText,
  places: readonly Place[],
  sections: readonly Section[],
): string {
  const texts: string[] = [];
  const ends: string[] = [];
  const keep = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      texts.push(source.lines[at]?.text ?? '');
      ends.push(source.ends[at] ?? source.eol);
    }
  };
  let at = 0;
  sections.forEach((section, k) => {
    const place = places[k] ?? { start: at, end: at };
    keep(at, place.start);
    at = place.end;
    // Lines that stay keep their bytes: trailing blanks, tabs and line end.
    const old = source.lines.slice(place.start, place.end);
    const changes = diffLines(old.map(keyOf), section.lines.map(keyOf));
    let row = 0;
    let from = place.start;
    for (const change of [...changes, undefined]) {
      const until = change ? place.start + change.oldStart : place.end;
      row += until - from;
      keep(from, until);
      if (change) {
        from = until + change.oldCount;
        for (let added = 0; added < change.newCount; added++) {
          texts.push(section.lines[row++]?.text ?? '');
          ends.push(source.eol);
        }
      }
    }
  });
  keep(at, source.lines.length);
  return source.bom + join(texts, ends, source);
}

function keyOf(line: Line): string {
  return `${line.indent} ${line.trimmed}`;
}

/** The snippet as the new file, with the original's line ends and blank lines at the end. */
function rewritten(source: OriginalText, update: string, section: Section): string {
  const body = splitLines(update.replace(/^\uFEFF/, ''));
  const first = section.lines[0]?.text;
  const start =
    body[0]?.trim() === '' && source.lines[0]?.trimmed !== '' ? body.indexOf(first ?? '') : 0;
  const fenced = isFence(body, source);
  const texts = fenced ? section.lines.map(line => line.text) : body.slice(Math.max(0, start));
  const blanks = trailingBlanks(texts);
  const kept = trailingBlanks(source.lines.map(line => line.trimmed));
  const count = blanks === kept || blanks === 0 ? blanks : blanks - 1;
  const lines = texts.slice(0, texts.length - blanks + count);
  return (
    source.bom +
    join(
      lines,
      lines.map(() => source.eol),
      source,
    )
  );
}

function isFence(body: readonly string[], source: OriginalText): boolean {
  const first = body.find(text => text.trim() !== '')?.trim() ?? '';
  return /^(?:```|~~~)/.test(first) && !source.lines.some(line => line.trimmed === first);
}

function trailingBlanks(texts: readonly string[]): number {
  let count = 0;
  while (count < texts.length && texts[texts.length - 1 - count]?.trim() === '') {
    count++;
  }
  return count;
}

/** Exactly one line end after the last line if the original has one, none otherwise. */
function join(texts: string[], ends: string[], source: OriginalText): string {
  const parts: string[] = [];
  const finalEnd = source.ends.at(-1) ?? '';
  texts.forEach((text, at) => {
    const end = ends[at] ?? '';
    parts.push(text, at === texts.length - 1 ? finalEnd : end === '' ? source.eol : end);
  });
  return parts.join('');
}

/** Merges within the selected lines only; the lines round them stay as they are. */
function withinRange(
  source: OriginalText,
  snippet: Snippet,
  options: MergeOptions,
  range: LineRange,
): Readings {
  const from = Math.max(0, range.startLine - 1);
  const to = Math.min(source.lines.length, Math.max(from, range.endLine));
  const { range: _, ...rest } = options;
  const whole = placed(
    source,
    { ...snippet, sections: snippet.sections.map(part => ({ ...part })) },
    rest,
  );
  const prefix = textOf(source, 0, from);
  const suffix = textOf(source, to, source.lines.length);
  const inside = (text: string): boolean => {
    const end = text.length - suffix.length;
    return (
      end >= prefix.length &&
      text.startsWith(prefix) &&
      text.endsWith(suffix) &&
      (end === prefix.length || suffix === '' || /[\r\n]/.test(text.charAt(end - 1)))
    );
  };
  if (whole.kind === 'outcomes') {
    const outcomes = whole.outcomes.filter(({ text }) => inside(text));
    if (outcomes.length > 0) {
      return { kind: 'outcomes', outcomes };
    }
  }
  if (snippet.markers === 0) {
    fitIndentation(snippet.sections, source.lines);
    return only(render(source, [{ start: from, end: to, score: 0 }], snippet.sections));
  }
  return refused(
    `The snippet does not fit the selected lines of ${nameOf(options)}. Select more lines, or merge it into the whole file.`,
  );
}

function textOf(source: OriginalText, from: number, to: number): string {
  let text = from === 0 ? source.bom : '';
  for (let at = from; at < to; at++) {
    text += (source.lines[at]?.text ?? '') + (source.ends[at] ?? '');
  }
  return text;
}

function only(text: string): Readings {
  return { kind: 'outcomes', outcomes: [{ text, score: 0 }] };
}

function refused(reason: string): { kind: 'refused'; reason: string } {
  return { kind: 'refused', reason };
}

export function nameOf({ path }: MergeOptions): string {
  return path?.split(/[\\/]/).at(-1) || 'the file';
}
