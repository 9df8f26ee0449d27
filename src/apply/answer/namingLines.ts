import { isPath, pathFromHeading, withoutPictures } from '../../markdown';

/** Lines of prose that name files, and those that say what happens to one. */

/** What the lines above a block say of it. */
export interface Naming {
  path?: string | undefined;
  isNew: boolean;
  /** An earlier block has the same heading, and nothing nearer names a file. */
  isFurther?: boolean;
  /** The file is named right at the block. */
  isNear?: boolean;
}

const newFile = /\bnew file\b|\bcreate[sd]?\b|\(new\)|\badd(?:s|ed)? (?:a |the )?(?:new )?file\b/i;
const mark = /^(?:#{1,6}|[-*+>]|\d{1,9}[.)])(?=\s)/;
/** A longer line is no heading. */
const maxLength = 300;

/** A line without the marks of headings, lists and quotes at its start. */
function withoutMarks(line: string): string {
  let text = line.trimStart();
  for (let before = ''; text !== before && text.length <= maxLength; ) {
    before = text;
    text = withoutPictures(text.replace(mark, '').trimStart());
  }
  return text;
}

/** Without a remark such as ` (new)` at the end. */
function withoutRemark(text: string): string {
  const at = text.endsWith(')') ? text.indexOf(' (') : -1;
  return at < 0 ? text : text.slice(0, at).trimEnd();
}
const tags = /<\/?(?:summary|b|strong|code|h\d|p|details)>/g;

/** The file that a line names as a heading does: the line is about nothing else. */
export function headingPath(given: string): string | undefined {
  const line = given.replaceAll(tags, '').replace(/^\s*\/\/\s/, '');
  const isHeading = /^\s*(?:#{1,6}\s|\*\*.*\*\*|__.*__)/.test(line) || /:\s*\**$/.test(line);
  const bare = withoutMarks(line)
    .replaceAll(/[*_`"']/g, '')
    .trim();
  return isHeading || isPath(withoutRemark(bare)) ? pathFromHeading(line) : undefined;
}

/** A line that is one word with a dot, as the name of any file is: `NLog.config`, `**Dockerfile.dev**`. */
export function wordWithDot(line: string): string | undefined {
  const word = withoutMarks(line)
    .replaceAll(/[*`"']|:$/g, '')
    .trim();
  return /^[\w@+-]+(?:[.\\/][\w@+-]+)*\.[A-Za-z]\w{0,19}$/.test(word) ? word : undefined;
}

/** The path in a line `<file_path>src/a.ts</file_path>`. */
export function taggedPath(line: string): string | undefined {
  const [, open = '', text = '', close] = /^<(\w+)>([^<]+)<\/(\w+)>$/.exec(line.trim()) ?? [];
  const isName = open === close && /(?:path|file|file_?name)$/i.test(open);
  return isName && isPath(text.trim()) ? text.trim() : undefined;
}

export const isMarkdownHeading = (line: string): boolean => /^\s*#{1,6}\s/.test(line);

export const saysNew = (line: string): boolean => newFile.test(line);

const quote = '[`"\'*]*';
const removal = new RegExp(
  `^(?:please )?(?:deletes?d?|removes?d?|git rm)(?: the)?(?: (?:old|empty|unused|obsolete))*(?: file)?s?:? ${quote}([^\\s\`"'*]+?)${quote}(?: \\([^)]*\\))?\\.?$`,
  'i',
);
const removalBehind = new RegExp(
  `^${quote}([^\\s\`"'*]+?)${quote}:? [([]?deleted?[)\\]]?\\.?$`,
  'i',
);
const renaming = new RegExp(
  `^(?:please )?(?:renames?d?|moves?d?|git mv)(?: the)?(?: file)?:? ${quote}([^\\s\`"'*]+)${quote}(?: \\(old\\))? (?:to|->|→|=>|as|into)? ?${quote}([^\\s\`"'*]+?)${quote}(?: \\(new\\))?\\.?$`,
  'i',
);

export type Statement =
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly newPath: string };

/** What a line says happens to a file, such as ``Delete `src/old.ts`.`` */
export function statementIn(line: string): Statement | undefined {
  if (line.length > maxLength) return undefined;
  const text = withoutMarks(line).replaceAll('**', '').trim();
  const [, from = '', to = ''] = renaming.exec(text) ?? [];
  if (isPath(from) && isPath(to)) return { kind: 'rename', path: from, newPath: to };
  const path = removal.exec(text)?.[1] ?? removalBehind.exec(text)?.[1] ?? '';
  return isPath(path) ? { kind: 'delete', path } : undefined;
}

/** `In src/a.ts, find:`, `Find this line:` */
const beforeLabel =
  /^(?:in (?:the file )?[^\s,]+,? )?(?:before|old|original|current|existing|find|locate|look for|replace|from|change)(?: (?:this|these|the|following|code|version|content|lines?|block|section|part))*\W*$/i;
/** `Replace it with:`, `and change that to:` */
const afterLabel =
  /^(?:and )?(?:then )?(?:(?:replace|change) (?:it|this|that|them) )?(?:after|new|updated|replacement|with|to|becomes?|by)(?: (?:this|these|the|code|version|content|lines?|block|following))*\W*$/i;

/** Labels that also stand above code that is to be merged, where no second block follows. */
export const mayBeOnlyLabel = (line: string): boolean => /^\W*(?:change|replace)\b/i.test(line);

/** Whether a line says that the code below it is the one before or the one after a change. */
export function sideIn(line: string): 'before' | 'after' | undefined {
  const text = withoutMarks(line).replaceAll(/[*_`]/g, '').trim();
  if (beforeLabel.test(text)) return 'before';
  return afterLabel.test(text) ? 'after' : undefined;
}
