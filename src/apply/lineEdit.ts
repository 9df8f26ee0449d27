import { createHash } from 'node:crypto';

/** Replace `count` lines from line `at` (0-based) by `lines`. */
export interface LineEdit {
  readonly at: number;
  readonly count: number;
  readonly lines: readonly string[];
}

/** A replacement in an editor's terms; lines and UTF-16 characters are 0-based, the end is exclusive. */
export interface TextEdit {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
  readonly text: string;
}

/** A document's lines as an editor counts them: text that ends in a line end has a last line of ''. */
export interface LinesSnapshot {
  readonly lines: readonly string[];
  readonly eol: string;
}

/**
 * Edits of whole lines as edits of text. The last line has no line end of its own, so an edit that reaches it takes the
 * line end before it. Edits must not overlap; their order is free, except that insertions at one place keep it.
 *
 * An editor cannot hold a document of no lines: removing all of them leaves one empty line, and the inverse is missing.
 */
export function toTextEdits(edits: readonly LineEdit[], document: LinesSnapshot): TextEdit[] {
  return joinTouching(edits).map(edit => toTextEdit(edit, document));
}

export function toTextEdit(
  { at, count, lines: inserted }: LineEdit,
  document: LinesSnapshot,
): TextEdit {
  const { lines, eol } = document;
  const end = at + count;
  if (end < lines.length) {
    const text = inserted.map(line => line + eol).join('');
    return { startLine: at, startCharacter: 0, endLine: end, endCharacter: 0, text };
  }
  const endLine = Math.max(lines.length - 1, 0);
  const endCharacter = lines[endLine]?.length ?? 0;
  if (at === 0) {
    return { startLine: 0, startCharacter: 0, endLine, endCharacter, text: inserted.join(eol) };
  }
  return {
    startLine: at - 1,
    startCharacter: lines[at - 1]?.length ?? 0,
    endLine,
    endCharacter,
    text: inserted.map(line => eol + line).join(''),
  };
}

/** Edits side by side become one: at the end of a file, both would claim the line end between them. */
function joinTouching(edits: readonly LineEdit[]): LineEdit[] {
  const sorted = edits.toSorted((a, b) => a.at - b.at || a.count - b.count);
  const joined: LineEdit[] = [];
  for (const edit of sorted) {
    const last = joined.at(-1);
    if (last && last.at + last.count === edit.at) {
      joined.pop();
      joined.push({
        at: last.at,
        count: last.count + edit.count,
        lines: [...last.lines, ...edit.lines],
      });
    } else joined.push(edit);
  }
  return joined;
}

const hashes = new WeakMap<readonly string[], string>();

/** Names a text. Computed once for each array, which nobody changes after it is made. */
export function hashOf(lines: readonly string[]): string {
  const known = hashes.get(lines);
  if (known !== undefined) return known;
  const hash = createHash('sha1').update(lines.join('\n')).digest('base64');
  hashes.set(lines, hash);
  return hash;
}
