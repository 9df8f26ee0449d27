import { escapeRegex } from '../query/words';
import { languageIn } from './catalogs';
import { isShownAs, type ShownText } from './shownTexts';

/** An entry of a file of texts that may be what a query shows. */
export interface UiText {
  /** The file of the entry, relative to the root. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** The parts of its key, from outside to inside, such as `login` and `failed`. */
  readonly names: readonly string[];
}

const maxLineChars = 2000;
const maxFound = 8;
/** A larger file is data. */
const maxChars = 3_000_000;

/** The entries of a file that may be shown as one of these texts. */
export function uiTextsIn(text: string, file: string, shown: readonly ShownText[]): UiText[] {
  const found: UiText[] = [];
  const rows = text.length > maxChars ? [] : text.split('\n');
  for (const at of linesWith(anchorsOf(shown), text, rows)) {
    const row = rows[at] ?? '';
    const entry = row.length > maxLineChars ? undefined : entryIn(row, rows, at);
    if (!entry || !shown.some(one => isShownAs(entry.value, one))) continue;
    found.push({ file, line: at + 1, names: keyOf(entry.names, rows, at, file) });
    if (found.length === maxFound) break;
  }
  return found;
}

/** One search for all words is faster than a look at each line. */
const anchorsOf = (shown: readonly ShownText[]): RegExp =>
  new RegExp(shown.flatMap(({ anchors }) => anchors.map(escapeRegex)).join('|'), 'gi');

/** The positions of the rows of a text that have a match. */
function* linesWith(pattern: RegExp, text: string, rows: readonly string[]): Generator<number> {
  let at = 0;
  let start = 0;
  for (const { index } of text.matchAll(pattern)) {
    if (index < start) continue;
    for (; at < rows.length; at++) {
      const end = start + (rows[at] ?? '').length;
      if (index <= end) break;
      start = end + 1;
    }
    if (at >= rows.length) return;
    yield at;
    start += (rows[at] ?? '').length + 1;
    at++;
  }
}

interface Entry {
  readonly names: readonly string[];
  readonly value: string;
}

const modifiers = /^(?:export|const|let|var|final|static|readonly|public|String) /;
const nameAtStart = /^(?:"([^"]{1,200})"|'([^']{1,200})'|([\w$.@/-]{1,200}))/;
const separator = /^(?:=>|[:=])/;
const nameOfTag = /\b(?:name|key|id)="([^"]{1,200})"/;
const maxLinesOfTag = 8;

/** The name and the text that a line has. */
function entryIn(row: string, rows: readonly string[], at: number): Entry | undefined {
  const line = row.trim();
  if (line.startsWith('<')) return entryOfTag(line, rows, at);
  const outer = assignedIn(line);
  const inner = outer?.rest.startsWith('{') ? assignedIn(outer.rest.slice(1).trim()) : undefined;
  const { rest } = inner ?? outer ?? {};
  if (!outer || rest === undefined) return undefined;
  const names = [outer, inner].flatMap(one => one?.name.split('.') ?? []);
  const quote = rest[0] ?? '';
  if (quote === '' || !'"\'`'.includes(quote)) return { names, value: rest };
  const end = endOfQuoted(rest, quote);
  return end > 0 ? { names, value: rest.slice(1, end) } : undefined;
}

/** Where the quotation ends that a text begins with; a sign is escaped by `\`, or by a second one. */
function endOfQuoted(text: string, quote: string): number {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote && text[at + 1] === quote) at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

/** What a line gives a value, and that value. */
function assignedIn(line: string): { name: string; rest: string } | undefined {
  let start = line;
  for (let found = modifiers.exec(start); found; found = modifiers.exec(start)) {
    start = start.slice(found[0].length);
  }
  const named = nameAtStart.exec(start);
  if (!named) return undefined;
  const rest = start.slice(named[0].length).trimStart();
  const sign = separator.exec(rest)?.[0];
  const name = named[1] ?? named[2] ?? named[3];
  if (sign === undefined || name === undefined) return undefined;
  return { name, rest: rest.slice(sign.length).trim() };
}

function entryOfTag(line: string, rows: readonly string[], at: number): Entry | undefined {
  const start = line.indexOf('>') + 1;
  const end = line.lastIndexOf('</');
  const above = rows.slice(Math.max(0, at - maxLinesOfTag), at).reverse();
  const name = [line, ...above].map(one => nameOfTag.exec(one)?.[1]).find(one => one !== undefined);
  if (start === 0 || end < start || name === undefined) return undefined;
  const value = line.slice(start, end).replace(/^<!\[CDATA\[/, '');
  return { names: name.split('.'), value: value.replace(/\]\]>$/, '') };
}

/** Says which form or part of a text it is, and not which text. */
const isForm =
  /^(?:message|defaultMessage|value|string|text|zero|one|two|few|many|other|singular|plural)$/;
const section = /^\[([^\][]{1,200})\]/;

/** The parts of the key of an entry, with what it is in. */
function keyOf(
  own: readonly string[],
  rows: readonly string[],
  at: number,
  file: string,
): readonly string[] {
  const isSections = /\.(?:ini|toml)$/i.test(file);
  const owners = isSections ? sectionAbove(rows, at) : ownersOf(rows, at);
  const language = languageIn(file)?.code;
  if (language !== undefined && owners[0]?.split(/[-_]/)[0] === language) owners.shift();
  const names = [...owners, ...own].filter(one => one !== '');
  return names.length > 1 && isForm.test(names.at(-1) ?? '') ? names.slice(0, -1) : names;
}

/** The names of what is less deep around a line, from outside to inside. */
function ownersOf(rows: readonly string[], at: number): string[] {
  const owners: string[] = [];
  let depth = indentOf(rows[at] ?? '');
  for (let above = at - 1; above >= 0 && depth > 0; above--) {
    const row = rows[above] ?? '';
    const own = indentOf(row);
    if (own >= depth || row.trim() === '') continue;
    const line = row.trimEnd();
    const assigned = assignedIn(line.trimStart());
    // Others close something, or are comments, or entries that are not in line.
    const opens = /[{[(]$/.test(line) || /^(?:$|[&#])/.test(assigned?.rest ?? '-');
    if (!opens) continue;
    depth = own;
    if (assigned) owners.unshift(...assigned.name.split('.'));
  }
  return owners;
}

function sectionAbove(rows: readonly string[], at: number): string[] {
  const head = rows.slice(0, at).findLast(row => section.test(row));
  return (head === undefined ? '' : (section.exec(head)?.[1] ?? '')).split('.');
}

const indentOf = (row: string): number => row.length - row.trimStart().length;
