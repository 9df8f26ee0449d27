import { sentence } from '../../../base/sentence';
import { isPath } from '../../../markdown';
import { numberedNewFile, numberedRowsAt } from '../../../merge';
import { snippetPart, type TextNaming } from '../content';
import { type EditPart, part } from '../operations';

/** What the terminals of coding agents show of an edit: a line that names the file, and its diff with line numbers. */

/** A longer line names no file. In characters. */
const maxLength = 400;
const bullets = /^[\s⏺●•·⎿└├╰─✓✔✎✏*]+/;
const verb =
  /^(?:update|edit|multi-?edit|write(?: ?file writing to)?|create|patch|updated|edited|added|created|wrote|modified)\b:?\s*/i;
/** `(+2 -1)` */
const counts = /\s\(\+\d{1,7}(?:[ ,]{1,3}-\d{1,7})?\)$/;
const named = /^\(?([^()]+)\)?$/;

/** The file in a line such as `⏺ Update(src/a.ts)`, `• Edited src/a.ts (+2 -1)`, `└ src/a.ts (+2 -1)`. */
export function transcriptPath(line: string): string | undefined {
  if (line.length > maxLength) return undefined;
  const text = line.trim().replace(bullets, '');
  const bare = text.replace(verb, '');
  const subject = withoutEdit(bare.replace(counts, ''));
  // A path alone is a heading, if at all.
  if (text === line.trim() && (bare === text || subject === bare) && !/^\(.*\)$/.test(bare))
    return undefined;
  const path = named.exec(subject)?.[1]?.trim() ?? '';
  return isPath(path) ? path : undefined;
}

/** Without `: old => new` behind the name. */
function withoutEdit(text: string): string {
  const at = text.indexOf(': ');
  return at >= 0 && text.includes(' => ', at) ? text.slice(0, at) : text;
}

const omitted = /^\s*(?:…|\.{3})\s*\+?(\d+) (?:more )?lines?\b/i;

/** The part for a line that stands for some that the terminal does not show. */
export function omittedPart(line: string, path: string | undefined): EditPart | undefined {
  const count = line.length > maxLength ? undefined : omitted.exec(line)?.[1];
  if (count === undefined) return undefined;
  const reason = sentence(
    count === '1'
      ? 'The terminal did not show 1 line here. Expand the edit in the terminal, and copy it again.'
      : 'The terminal did not show {0} lines here. Expand the edit in the terminal, and copy it again.',
    count,
  );
  return part(line.trim(), { kind: 'none', path, reason });
}

/** The part that a diff with line numbers is. */
export function numberedPart(lines: readonly string[], naming: TextNaming): EditPart {
  const source = lines.join('\n');
  const text = naming.path === undefined ? undefined : numberedNewFile(lines);
  return text === undefined || naming.path === undefined
    ? snippetPart(source, { path: naming.path })
    : part(source, { kind: 'create', path: naming.path, text });
}

const boxed = /^\s*│.*│\s*$/;
const edge = /^\s*[╭╰┌└├].*[╮╯┐┘┤]\s*$/;

/** Lines without the frame that a terminal draws around a diff with line numbers; the same array where there is none. */
export function unboxed(lines: readonly string[]): readonly string[] {
  if (!lines.some(line => boxed.test(line))) return lines;
  const inner = lines.map(line => {
    if (edge.test(line)) return '';
    return boxed.test(line) ? line.trim().slice(1, -1).trimEnd() : line;
  });
  for (let at = 0; at < inner.length; at++) {
    const rows = inner[at] === lines[at] ? undefined : numberedRowsAt(inner, at);
    if (rows?.isDiff) return inner;
    if (rows) at = rows.end - 1;
  }
  return lines;
}
