import { isComment } from '../../lines';
import { declaredName } from '../declaredName';

const importedFrom = /^(?:import|export|from)\b[^'"]*['"]([^'"]+)['"]/;
const key =
  /^(?:[-*+] )?(?:export |static |public |private |const |let |var |val )*["'`]?([\p{L}\p{N}_$@./-]+)["'`]?\s*(?:[:=]|=>)/u;
/** `| name | description |` */
const firstCell = /^\|([^|]+)\|/;
/** `["key", value],` */
const pairKey = /^\[["'`]([^"'`]+)["'`],/;

/** What a line is called: the name that it declares, what it imports from, its key, or its first cell in a table. */
export function entryName(trimmed: string): string | undefined {
  const declared = declaredName(trimmed);
  if (declared !== undefined) return declared;
  if (isHeading(trimmed)) return trimmed;
  for (const pattern of [importedFrom, key, firstCell, pairKey]) {
    const name = pattern.exec(trimmed)?.[1];
    if (name !== undefined) return name.trim();
  }
  return undefined;
}

/** `"key": {`, `name {` */
const namedBlock = /^["']?[\w-]+["']?[:!]? ?\{$/;
/** `it('does', () => {`, `resource "type" "name" {` */
const title =
  /^(?!(?:if|else|elsif|elseif|for|foreach|while|switch|case|catch|return|throw|yield|await)\b)\w[^"'`=]*["'`][^"'`]+["'`]/;
const opener = /[{([]$/;
/** `public async name(` */
const longSignature =
  /^(?:(?:public|private|protected|internal|static|async|export|override|abstract|final) )+[\w$]+\($/;

/** True for the first line of a declaration, or of any other entry with lines of its own. */
export const opensEntry = (trimmed: string): boolean =>
  declaredName(trimmed) !== undefined ||
  namedBlock.test(trimmed) ||
  longSignature.test(trimmed) ||
  (opener.test(trimmed) && title.test(trimmed));

const decorator = /^(?:@\w[\w.]*(?:\(.*\))?|#\[.*\])$/;

/** True for decorators and attributes, which belong to the line below. */
export const isDecorator = (trimmed: string): boolean => decorator.test(trimmed);

/** True for comments, decorators and attributes, which stand above a declaration and belong to it. */
export const isCommentOrDecorator = (trimmed: string): boolean =>
  isComment(trimmed) || isDecorator(trimmed);

const tableOrOpener = /^(?:\[.*\]|[[{(])$/;

/** True for lines that say nothing without the entry below: decorators, headers of TOML tables, `{`. */
export const leadsEntry = (trimmed: string): boolean =>
  isDecorator(trimmed) || tableOrOpener.test(trimmed);

const heading = /^#{2,6} \S/;

/** True for headings of Markdown below the title. */
export const isHeading = (trimmed: string): boolean => heading.test(trimmed);

const branch = /^(?:case\b.*|default):$/;

/** True for a branch of a `switch` or `match`. */
export const isCase = (trimmed: string): boolean => branch.test(trimmed);

const listItem = /^- ["'\w]/;

/** True for items of lists in YAML and Markdown. */
export const isListItem = (trimmed: string): boolean => listItem.test(trimmed);

/** True for lines that start something which ends where the next such line starts. */
export const opensItem = (trimmed: string): boolean =>
  opensEntry(trimmed) || isHeading(trimmed) || isListItem(trimmed) || isCase(trimmed);
