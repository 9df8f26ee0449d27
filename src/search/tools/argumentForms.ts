import { isRecord, parseJson } from '../../base/typeGuards';
import { toolLimits } from './toolText';

type Fields = Readonly<Record<string, unknown>>;

/** Ranges of lines as text: in a field of their own in any form, or as a first and a last line. */
export function rangesOfCall(fields: Fields): string | undefined {
  const lines = fields['lines'] ?? fields['ranges'] ?? fields['line_range'] ?? fields['range'];
  const text = rangesIn(lines);
  return text === undefined || text === '' ? startToEnd(fields) : text;
}

function rangesIn(lines: unknown): string | undefined {
  if (typeof lines === 'string') return lines;
  if (typeof lines === 'number') return String(lines);
  // What cannot be read is named in the error that it gets.
  if (isRecord(lines)) return startToEnd(lines) ?? JSON.stringify(lines);
  if (!Array.isArray(lines)) return undefined;
  return lines
    .slice(0, toolLimits.ranges + 1)
    .map(part => (Array.isArray(part) ? part.join('-') : (rangesIn(part) ?? String(part))))
    .join(',');
}

function startToEnd(fields: Fields): string | undefined {
  const start = firstNumber(fields, ['start_line', 'start', 'startLine', 'from', 'first']);
  const end = firstNumber(fields, ['end_line', 'end', 'endLine', 'to', 'last']);
  if (start === undefined) return end === undefined ? undefined : `1-${end}`;
  return `${start}-${end ?? start}`;
}

function firstNumber(fields: Fields, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'number') return value;
    if (typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value)) return Number(value);
  }
  return undefined;
}

/** The answer of a model as `parseFinish` reads it. */
interface FinishText {
  readonly text: string;
  /** The first part that names no file, as JSON; undefined when all of it is clear. */
  readonly unclear: string | undefined;
}

/** Reads texts, lists of texts or objects, objects of a path to its lines, and these as JSON. */
export function finishText(given: unknown): FinishText {
  if (given === undefined || given === null) return { text: '', unclear: undefined };
  const value = typeof given === 'string' ? fromJson(given) : given;
  // One more than are read, so that too many are noticed.
  const entries = (Array.isArray(value) ? value : [value]).slice(0, toolLimits.finishFiles + 1);
  const texts = entries.map(entryText);
  const at = texts.indexOf(undefined);
  return {
    text: texts.filter(text => text !== undefined).join('\n'),
    unclear: at < 0 ? undefined : JSON.stringify(entries[at] ?? null).slice(0, 100),
  };
}

function fromJson(text: string): unknown {
  const isJson = /^\s*[[{]/.test(text) && text.length <= toolLimits.finishChars;
  return (isJson ? parseJson(text) : undefined) ?? text;
}

/** Undefined when the entry names no file. */
function entryText(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry;
  if (!isRecord(entry)) return undefined;
  const name = fileNameIn(entry);
  if (name !== undefined) return withRanges(name, rangesOfCall(entry));
  const texts = Object.entries(entry)
    .slice(0, toolLimits.finishFiles + 1)
    .map(([path, lines]) => withRanges(path, rangesIn(lines)));
  return texts.length > 0 ? texts.join('\n') : undefined;
}

export function fileNameIn(fields: Fields): string | undefined {
  const name = fields['path'] ?? fields['file'] ?? fields['file_path'] ?? fields['filename'];
  return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}

const withRanges = (path: string, ranges: string | undefined): string =>
  ranges === undefined || ranges === '' ? path : `${path}:${ranges}`;
