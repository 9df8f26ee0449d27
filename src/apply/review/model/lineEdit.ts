import { createHash } from 'node:crypto';

/** Replaces `count` lines from line `at` (0-based) with `lines`. */
export interface LineEdit {
  readonly at: number;
  readonly count: number;
  readonly lines: readonly string[];
  /** The `rank` of the part of a change that the edit decides. */
  readonly rank?: readonly number[];
}

/** A replacement in an editor's terms; lines and UTF-16 characters are 0-based, the end is exclusive. */
export interface TextEdit {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
  readonly text: string;
}

/** A document's lines as an editor counts them: text that ends with a newline has an empty last line. */
export interface LinesSnapshot {
  readonly lines: readonly string[];
  readonly eol: string;
}

/**
 * Converts line edits to text edits. The last line has no newline of its own, so an edit that reaches it includes the
 * newline before it. Edits must not overlap and may be unsorted; insertions at the same place keep their order.
 *
 * A document always has at least one line: removing all lines leaves an empty one, so that edit cannot be inverted.
 */
export function toTextEdits(edits: readonly LineEdit[], document: LinesSnapshot): TextEdit[] {
  return joinTouching(edits).map(edit => toTextEdit(edit, document));
}

function toTextEdit({ at, count, lines: inserted }: LineEdit, document: LinesSnapshot): TextEdit {
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

/** Joins adjacent edits: at the end of a file, both would include the newline between them. */
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

/** Hash of a text. Cached per array, which is never modified. */
export function hashLines(lines: readonly string[]): string {
  const known = hashes.get(lines);
  if (known !== undefined) return known;
  const hash = createHash('sha1').update(lines.join('\n')).digest('base64');
  hashes.set(lines, hash);
  return hash;
}
