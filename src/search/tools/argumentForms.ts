import { isRecord } from '../../base/typeGuards';
import { toolLimits } from './toolText';

type Fields = Readonly<Record<string, unknown>>;

/** Ranges of lines as text: in a field of their own in any form, or as a first and a last line. */
export function rangesOf(fields: Fields): string | undefined {
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
