import { endOfDeclaredName, isDeclaration } from '../local/fileText';

/** Words before a declared name. */
const keywords = new Set(
  'class interface struct enum trait type typedef union def defp defmodule defmacro fn func fun function module namespace package record protocol extension macro_rules! object sub val var let const macro #define'.split(
    ' ',
  ),
);
const variableKeywords = new Set(['val', 'var', 'let', 'const']);
const word = /[\p{L}_$#][\p{L}\p{N}_$]*[!?]?/gu;
/** Kinds of declaration that hold others. */
const holder =
  /^\s*(?:[\w()]+\s+)*?(?:class|interface|struct|trait|impl|object|module|namespace|enum|record|protocol|extension)\b/;
const isComment = /^\s*(?:\/\/|\/?\*|#(?!\s*define\b)|--|@|$)/;
const heading = /^#{1,6}\s+(\S.{0,80})/;

const maxLineChars = 300;
/** Lines above a place in which the declaration around it is looked for. */
const maxLinesAbove = 2000;

/** The name that a line declares. */
export function nameDeclaredIn(line: string): string | undefined {
  if (line.length >= maxLineChars || !isDeclaration(line) || isImported(line)) return undefined;
  if (isLocalVariable(line)) return undefined;
  const text = line.replace(/^\s*pub\([^()]*\)/, '');
  const end = endOfDeclaredName(text);
  // Without the receiver of a method in Go, and without type parameters.
  const head = text.slice(0, end).replaceAll(/\([^()]*\)|<[^<>]*>/g, ' ');
  const words: readonly string[] = head.match(word) ?? [];
  if (words.includes('impl'))
    return words[Math.max(words.indexOf('for'), words.indexOf('impl')) + 1];
  const at = words.findIndex(one => keywords.has(one));
  const isTyped = at >= 0 && variableKeywords.has(words[at] ?? '') && text[end] === '(';
  if (at < 0 || isTyped) return words.at(-1);
  return words.slice(at).find(one => !keywords.has(one) && one !== 'self');
}

/** `type Planned,` in the list of an import. */
const isImported = (line: string): boolean =>
  !line.includes('(') && (line.split('//')[0] ?? '').trimEnd().endsWith(',');

/** Inside of a function, or a field; the function or the class says more. */
const isLocalVariable = (line: string): boolean =>
  /^\s+(?:const|let|var|val)\s/.test(line) && !/=>|\bfunction\b/.test(line);

/**
 * The name of what a line is in: `Queue.close` for a line of that method or its comment, or the heading above
 * it in Markdown. Outside of all declarations it is the next one.
 * @param at index of the line
 * @param end index of the line after the last one in which a next declaration counts
 */
export function symbolAt(
  lines: readonly string[],
  at: number,
  end: number,
  path: string,
): string | undefined {
  if (/\.mdx?$/i.test(path)) return headingAbove(lines, at);
  let start = at;
  while (start + 1 < lines.length && isComment.test(lines[start] ?? '')) start++;
  const isCommented = start > at && nameDeclaredIn(lines[start] ?? '') !== undefined;
  const around = symbolAround(lines, isCommented ? start : at);
  if (around !== undefined) return around;
  const next = lines.slice(at, end).findIndex(line => nameDeclaredIn(line) !== undefined);
  return next < 0 ? undefined : symbolAround(lines, at + next);
}

function symbolAround(lines: readonly string[], at: number): string | undefined {
  const names: string[] = [];
  let indent = Number.POSITIVE_INFINITY;
  for (let line = at; line >= Math.max(0, at - maxLinesAbove) && indent > 0; line--) {
    const text = lines[line] ?? '';
    const own = text.search(/\S/);
    // A closing bracket ends the block of a sibling, whose head is no parent.
    if (own < 0 || own >= indent) continue;
    if (line < at && /^\s*[)\]}]/.test(text)) continue;
    const found = nameDeclaredIn(text);
    indent = own;
    if (found === undefined) continue;
    if (names.length === 0 || holder.test(text)) names.unshift(found);
  }
  return names.length > 0 ? names.slice(-2).join('.') : undefined;
}

function headingAbove(lines: readonly string[], at: number): string | undefined {
  for (let line = at; line >= Math.max(0, at - maxLinesAbove); line--) {
    const found = heading.exec(lines[line] ?? '')?.[1];
    if (found !== undefined) return found.trim();
  }
  return undefined;
}
