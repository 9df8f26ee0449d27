import { isDeclaration } from '../local/fileText';

const keyword =
  'class|interface|struct|enum|trait|type|typedef|union|def|defp|defmodule|defmacro|fn|func|fun|function\\*?|module|namespace|package|record|protocol|extension|macro_rules!|object|sub|val|var|let|const|macro';
const name = '[\\p{L}_$#][\\p{L}\\p{N}_$]*[!?]?';
/** The name after the keywords of a declaration, with the receiver of a method in Go before it. */
const declared = new RegExp(
  `(?:^|\\s)(?:(?:${keyword})\\s+)+(?:\\([^()]*\\)\\s*)?((?:${name}(?:\\.|::))*${name})`,
  'u',
);
const implemented = new RegExp(`^\\s*(?:unsafe\\s+)?impl\\b[^{]*?\\bfor\\s+(${name})`, 'u');
const implementing = new RegExp(`^\\s*(?:unsafe\\s+)?impl(?:<[^>]*>)?\\s+(${name})`, 'u');
/** The name before the parameters of a method, or of a function of C. */
const called = new RegExp(`((?:${name}(?:\\.|::))*${name})\\s*(?:<[^<>()]*>\\s*)?\\(`, 'u');
/** Kinds of declaration that hold others. */
const holder =
  /^\s*(?:[\w()]+\s+)*?(?:class|interface|struct|trait|impl|object|module|namespace|enum|record|protocol|extension)\b/;
const heading = /^#{1,6}\s+(\S.{0,80})/;

const maxLineChars = 300;
/** Lines above a place in which the declaration around it is looked for. */
const maxLinesAbove = 2000;

/** The name that a line declares. */
function nameOf(line: string): string | undefined {
  if (line.length >= maxLineChars || !isDeclaration(line)) return undefined;
  const type = implemented.exec(line)?.[1] ?? implementing.exec(line)?.[1];
  return type ?? declared.exec(line)?.[1] ?? called.exec(line)?.[1];
}

/**
 * The name of what a line is in: `Queue.close` for a line of that method, or the heading above it in Markdown.
 * @param at index of the line
 * @returns undefined outside of all declarations
 */
export function symbolAt(lines: readonly string[], at: number, path: string): string | undefined {
  if (/\.mdx?$/i.test(path)) return headingAbove(lines, at);
  const names: string[] = [];
  let indent = Number.POSITIVE_INFINITY;
  for (let line = at; line >= Math.max(0, at - maxLinesAbove) && indent > 0; line--) {
    const text = lines[line] ?? '';
    const own = text.search(/\S/);
    // A closing bracket ends the block of a sibling, whose head is no parent.
    if (own < 0 || own >= indent) continue;
    if (line < at && /^\s*[)\]}]/.test(text)) continue;
    const found = nameOf(text);
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
