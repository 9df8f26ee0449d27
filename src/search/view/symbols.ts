import { type DeclaredHead, declaredIn, headAt } from '../local/text/heads';
import { headsOf } from '../local/text/languages';

/** Lines above a place in which the declaration around it is looked for. */
const maxLinesAbove = 2000;
/** Columns of a tab. */
const tabWidth = 8;

/** The name that a line of a file declares. */
export const nameDeclaredIn = (line: string, path: string): string | undefined =>
  declaredIn(line, headsOf(path))?.names.at(-1);

/** Languages whose blocks end with their indentation, or with a word. */
const hasNoBraces =
  /\.(?:pyi?|pyx|rb|rake|gemspec|cr|lua|exs?|[eh]rl|jl|nims?|l?hs|purs|elm|mli?|fs[ix]?|sml|clj[cs]?|el|lisp|scm|rkt|fnl|vb|pas|ad[abs]|f\d*|vhdl?|svh?|v|ya?ml|coffee|sql)$/i;
/** Languages with braces whose functions all have a keyword; `launch(job) {` is a call there. */
const hasKeywords = /\.(?:go|rs|kts?|swift|scala|php|gradle|zig)$/i;

const isComment =
  /^\s*(?:\/\/|\/\*|\*(?!\w+\s*\()|#(?!\s*define\b|\w+\s*\()|--|@(?!interface\b|implementation\b|protocol\b|property\b|end\b)|\[[^[\]]*\]\s*$|$)/;
const directive = /^\s*#(?!\w+\s*\()/;
const closing = /^\s*(?:[)\]}]|end\b)/;
/** In a function of Ruby, at the indentation of its head. */
const clause = /^\s*(?:rescue|ensure)\b/;

/**
 * The name of what a line is in: `Queue.close` for a line of that method or its comment, or the heading above
 * it in prose. For imports and comments that only such lines part from a declaration, it is that one.
 * @param at index of the line
 * @param end index of the line after the last one in which a next declaration counts
 */
export function symbolAt(
  lines: readonly string[],
  at: number,
  end: number,
  path: string,
): string | undefined {
  const prose = proseOf(path);
  if (prose) return headingAbove(lines, at, prose);
  let start = at;
  while (start + 1 < lines.length && isAbove(lines[start] ?? '', path)) start++;
  // A comment at the end of a block is deeper than the next declaration.
  const isDeeper = columnOf(lines[at] ?? '') > columnOf(lines[start] ?? '') + 1;
  const isCommented = start > at && !isDeeper && isNextHead(lines, start, path);
  const around = symbolAround(lines, isCommented ? start : at, path);
  if (around !== undefined) return around;
  const next = isComment.test(lines[at] ?? '') ? undefined : afterPreface(lines, at, end);
  return next !== undefined && isNextHead(lines, next, path)
    ? symbolAround(lines, next, path)
    : undefined;
}

/** A comment or a decorator, or the type of a function in C on its own line. */
const isAbove = (text: string, path: string): boolean =>
  isComment.test(text) || (!hasNoBraces.test(path) && /^[A-Za-z_][\w\s*]*$/.test(text));

const isNextHead = (lines: readonly string[], at: number, path: string): boolean =>
  headIn(lines, at, path) !== undefined && !preface.test(lines[at] ?? '');

/** Lines before the first declaration of a file. */
const preface =
  /^(?:import|from|use|using|require|include|package|namespace [\w.\\]+;|#|<\?php|['"]use )/;

/** The line after the comments and imports around a line; undefined where it is no such line. */
function afterPreface(lines: readonly string[], at: number, end: number): number | undefined {
  let first = at;
  while (first > 0 && isInside(lines[first] ?? '')) first--;
  let isImport = false;
  for (let line = first; line < end; line++) {
    const text = lines[line] ?? '';
    if (isComment.test(text) || (isImport && isInside(text))) continue;
    isImport = preface.test(text);
    if (!isImport) return line > at ? line : undefined;
  }
  return undefined;
}

/** Whether a line at the margin above it has begun a statement. */
const isInside = (text: string): boolean => /^[\s)\]}]/.test(text);

const hasMembers = /\.(?:java|cs)$/i;
/** `int size();` */
const isAbstractMethod = (text: string): boolean =>
  text.trimEnd().endsWith(';') && /^\s+\S+\s+[^=]/.test(text.split('(')[0] ?? '');

/** They have no other keyword. */
const constructors = /^(?:constructor|init|deinit)$/;

function headIn(lines: readonly string[], at: number, path: string): DeclaredHead | undefined {
  const needsKeyword = hasKeywords.test(path) || hasNoBraces.test(path);
  const text = lines[at] ?? '';
  const language = headsOf(path);
  const isAbstract = hasMembers.test(path) && isAbstractMethod(text);
  const found =
    needsKeyword || isAbstract
      ? declaredIn(isAbstract ? text.replace(/;\s*$/, ' {') : text, language)
      : headAt(lines, at, language);
  const isNamed = found?.hasKeyword || constructors.test(found?.names[0] ?? '');
  return needsKeyword && !isNamed ? undefined : found;
}

/** Columns before the text of a line; -1 for an empty one. */
function columnOf(text: string): number {
  let column = 0;
  for (const character of text) {
    if (character === '\t') column += tabWidth - (column % tabWidth);
    else if (/\s/.test(character)) column++;
    else return column;
  }
  return -1;
}

function symbolAround(lines: readonly string[], at: number, path: string): string | undefined {
  const names: string[] = [];
  const hasBraces = !hasNoBraces.test(path);
  const first = lines[at] ?? '';
  // The end of a block belongs to it.
  const isEnd = closing.test(first) || (!hasBraces && clause.test(first));
  const isMargin = hasBraces && isAtMargin(first);
  const isInMacro = goesOnBelow(lines[at - 1] ?? '');
  let isMember = false;
  let indent = isEnd ? columnOf(first) + 1 : Number.POSITIVE_INFINITY;
  for (
    let line = isEnd || isMargin ? at - 1 : at;
    line >= Math.max(0, at - maxLinesAbove);
    line--
  ) {
    const text = lines[line] ?? '';
    const own = columnOf(text);
    if (own < 0 || own >= indent) continue;
    const isMacro = isInMacro && goesOnBelow(text);
    if (line < at && !isMacro && isTransparent(text, hasBraces)) continue;
    if (hasBraces && opensAlone.test(text)) {
      // Its head is no less indented.
      indent = own + 1;
      continue;
    }
    const found = headIn(lines, line, path);
    const isAround = line === at || !hasBraces || !isComplete(text);
    if (found && isAround && (names.length === 0 || found.isHolder || isMember)) {
      if (isMember && !found.isObject) names.length = 0;
      isMember = found.isMember === true;
      names.unshift(...found.names);
    }
    // Text at the margin may be that of a string.
    const isText = hasBraces && own === 0 && line < at && !found && !isBlockEdge(text);
    if (!isText) indent = own;
    if (indent <= 0) break;
  }
  return names.length > 0 ? names.slice(-2).join('.') : undefined;
}

/** A line of a macro in C. */
const goesOnBelow = (text: string): boolean => text.endsWith('\\');

/** Whether the indentation of a line says nothing of what is around it. */
const isAtMargin = (text: string): boolean =>
  [directive, label, goesOnWithHead].some(one => one.test(text)) && !/^\s*#\s*define\b/.test(text);

const opensAlone = /^\s*\{\s*(?:\/[/*].*)?$/;
const isBlockEdge = (text: string): boolean => closing.test(text) || isOpen(text);
const isOpen = (text: string): boolean => /[([{]$/.test(withoutComment(text));
const withoutComment = (text: string): string => (text.split(/\/[/*]/)[0] ?? '').trimEnd();

/** A label, such as `public:`. */
const label = /^\s*(?!(?:try|else|finally)\b)\w+(?: \w+)?:\s*$/;
const goesOnWithHead = /^\s*(?:where\b|:)/;

/** Whether a line says nothing of what is around those below it: it may be less indented all the same. */
function isTransparent(text: string, hasBraces: boolean): boolean {
  if (directive.test(text) || (isComment.test(text) && !isOpenDecorator.test(text))) return true;
  if (!hasBraces) return /^\s*[)\]}]/.test(text);
  return goesOnWithHead.test(text) || label.test(text) || reopens(text);
}

const isOpenDecorator = /^\s*@.*[([{,]\s*$/;
/** `} else {`, or the end of parameters such as `) -> bool`. */
const reopens = (text: string): boolean =>
  closing.test(text) && (isOpen(text) || /^\s*\)(?:[^;]*[^;,)\s])?\s*$/.test(text));

/** Whether what a line declares ends with it. */
function isComplete(text: string): boolean {
  const code = withoutComment(text);
  const isVariable = /^\s*(?:\w+\s+)*(?:const|let|var|val)\s/.test(code);
  return /[;}]$/.test(code) || (isVariable && /[\w'"`)\]]$/.test(code));
}

/** How a kind of prose writes headings. */
interface Prose {
  /** The heading is its first group. */
  readonly heading?: RegExp;
  /** The characters of which one, repeated, underlines the text of a heading. */
  readonly underline?: RegExp;
  /** Whether blocks of code are fenced, in which nothing is a heading. */
  readonly hasFences?: boolean;
}

const markdown: Prose = {
  heading: /^#{1,6}\s+(\S.{0,80})/,
  underline: /[=-]/,
  hasFences: true,
};
const plainText: Prose = { underline: /[!-/:-@[-`{-~]/ };
const proseByExtension: Readonly<Record<string, Prose>> = {
  md: markdown,
  mdx: markdown,
  rst: plainText,
  txt: plainText,
  adoc: { heading: /^={1,6}\s+(\S.{0,80})/ },
  org: { heading: /^\*+\s+(\S.{0,80})/ },
  tex: { heading: /^\s*\\(?:part|chapter|(?:sub)*section|paragraph)\*?\{([^}]{1,80})/ },
};

const proseOf = (path: string): Prose | undefined =>
  proseByExtension[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];

const fence = /^ {0,3}(`{3,}|~{3,})(.*)/;

/** The heading above a line. */
function headingAbove(lines: readonly string[], at: number, prose: Prose): string | undefined {
  let found: string | undefined;
  let open = '';
  let since = 0;
  const first = prose === markdown ? endOfFrontMatter(lines) : 0;
  for (let line = first; line <= at; line++) {
    const text = lines[line] ?? '';
    const [, marks = '', info = ''] = (prose.hasFences && fence.exec(text)) || [];
    if (open === '') {
      const title =
        prose.heading?.exec(text)?.[1] ?? (marks ? undefined : underlined(lines, line, prose));
      if (title !== undefined) [found, since] = [title.trim(), line];
      // Else it is code within a line.
      if (!info.includes('`')) open = marks;
    } else if (marks.startsWith(open) && info.trim() === '') open = '';
  }
  return at - since <= maxLinesAbove ? found : undefined;
}

/** The index of the line after the fields at the beginning of a file, or 0. */
function endOfFrontMatter(lines: readonly string[]): number {
  return lines[0]?.trim() === '---'
    ? lines.findIndex((text, at) => at > 0 && text.trim() === '---') + 1
    : 0;
}

const maxHeadingChars = 100;
const minUnderline = 3;

/** A line of text between an empty line, or one of dashes and the like, and another one of these. */
function underlined(
  lines: readonly string[],
  at: number,
  { underline }: Prose,
): string | undefined {
  const text = lines[at] ?? '';
  if (!underline || !isLine(lines[at + 1] ?? '', underline)) return undefined;
  if (text.length > maxHeadingChars || !/^\S/.test(text)) return undefined;
  const before = lines[at - 1] ?? '';
  if (before.trim() !== '' && !isLine(before, underline)) return undefined;
  return /[\p{L}\p{N}]/u.test(text) ? text : undefined;
}

/** Whether a text is one character of these again and again. */
function isLine(text: string, characters: RegExp): boolean {
  const [first = ''] = text;
  const length = text.trimEnd().length;
  return length >= minUnderline && characters.test(first) && text.startsWith(first.repeat(length));
}
