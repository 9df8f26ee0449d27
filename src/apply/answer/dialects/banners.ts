import { isPath } from '../../../markdown';

/** Files below banners, as tools write them that put many files into one text. */

export interface Banner {
  readonly path: string;
  /** The first line of what stands below it. */
  readonly start: number;
  /** The line after the last one of that. */
  readonly end: number;
}

/** A longer line is no banner. In characters. */
const maxLength = 400;
const signs = '=-~*#_+';
/** Number of equal signs on each side of a banner, at least. */
const minSigns = 3;
const label = /^(?:file(?:name|path)?|path)\s{0,9}:/i;
/** What stands below the last file: `END FILE`. */
const ending = /^END (?:OF )?FILES?\b/;
const endName = /^(?:end|eof)\b/i;

const trimmed = (line = ''): string => (line.length > maxLength ? '' : line.trim());

/** The banner that begins at a line, with what stands below it up to the next one. */
export function bannerAt(lines: readonly string[], at: number): Banner | undefined {
  const head = headAt(lines, at);
  if (!head) return undefined;
  let end = head.start;
  while (end < lines.length && !headAt(lines, end) && !isEnd(lines[end])) end++;
  return { ...head, end };
}

function isEnd(line: string | undefined): boolean {
  const text = trimmed(line);
  return ending.test(text) || endName.test(betweenSigns(text) ?? '');
}

function headAt(lines: readonly string[], at: number): { path: string; start: number } | undefined {
  const line = withoutComment(trimmed(lines[at]));
  const inside = line.startsWith('#') || line.startsWith('*') ? undefined : betweenSigns(line);
  const path = inside && withoutLabel(inside);
  if (path !== undefined && isPath(path)) return { path, start: at + 1 };
  if (!isRule(line)) return undefined;
  const named = withoutComment(trimmed(lines[at + 1]));
  const below = label.test(named) ? withoutLabel(named) : '';
  if (!isPath(below)) return undefined;
  const hasSecond = isRule(withoutComment(trimmed(lines[at + 2])));
  return { path: below, start: hasSecond ? at + 3 : at + 2 };
}

const withoutComment = (text: string): string => text.replace(/^(?:\/\/|# )/, '').trim();
const withoutLabel = (text: string): string => text.replace(label, '').trim();

/** Number of signs at the start of a text that are equal to its first one. */
function signsAt(text: string, from: number, step: 1 | -1): number {
  const sign = text.charAt(from);
  if (sign === '' || !signs.includes(sign)) return 0;
  let count = 1;
  while (text.charAt(from + count * step) === sign) count++;
  return count;
}

const isRule = (text: string): boolean =>
  text.length > minSigns && signsAt(text, 0, 1) === text.length;

/** The text of a banner in one line: `==== src/a.ts ====`, `--- File: src/a.ts ---`. */
function betweenSigns(text: string): string | undefined {
  const before = signsAt(text, 0, 1);
  const behind = signsAt(text, text.length - 1, -1);
  if (before < minSigns || behind < minSigns || before + behind >= text.length) return undefined;
  return text.at(0) === text.at(-1) ? text.slice(before, -behind).trim() : undefined;
}
