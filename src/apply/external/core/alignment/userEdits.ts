import { diffLines } from '../../../../merge';
import { lacksEnd, withoutEnd } from '../fileText';
import type { AlignedPart } from './alignment';

/** Lines `at` to `at + count` of the file became lines `to` to `to + toCount`. */
export interface UserEdit {
  readonly at: number;
  readonly count: number;
  readonly to: number;
  readonly toCount: number;
  /** Only some of the edits are the user's. */
  readonly isEdited?: boolean;
}

/**
 * What the user changed, but for line ends, which an editor changes in the whole file at once, and for the form of lines if
 * the editor has formatted them.
 */
export function userEdits(now: readonly string[], edited: readonly string[]): UserEdit[] {
  const edits = editsBy(withoutKind, now, edited);
  return isFormatted(edits, now, edited) ? editsBy(wordsOf, now, edited) : edits;
}

function editsBy(
  form: (line: string) => string,
  now: readonly string[],
  edited: readonly string[],
): UserEdit[] {
  return diffLines(now.map(form), edited.map(form)).map(
    ({ oldStart, oldCount, newStart, newCount }) => ({
      at: oldStart,
      count: oldCount,
      to: newStart,
      toCount: newCount,
    }),
  );
}

/** Without the kind of the line end; a missing end stays. */
const withoutKind = (line: string): string => (lacksEnd(line) ? `${line}\n` : withoutEnd(line));

/** A line without what a formatter changes; of lines without words, only the space. */
function wordsOf(line: string): string {
  const words = line.replace(/[^\p{L}\p{N}]+/gu, '') || line.trim();
  return lacksEnd(line) ? `${words}\n` : words;
}

/** Whether a line that went is among those that came, in another form. */
function isFormatted(
  edits: readonly UserEdit[],
  now: readonly string[],
  edited: readonly string[],
): boolean {
  const gone = new Set<string>();
  for (const { at, count } of edits) {
    for (const line of now.slice(at, at + count)) gone.add(wordsOf(line));
  }
  return edits.some(({ to, toCount }) =>
    edited.slice(to, to + toCount).some(line => hasWord.test(line) && gone.has(wordsOf(line))),
  );
}

export const hasWord = /[\p{L}\p{N}]/u;

export interface NewForms {
  /** With the form that its lines have after the edits. */
  readonly baseline: readonly string[];
  /** The parts of which a line has another form. */
  readonly changed: ReadonlySet<AlignedPart>;
  /** Those of which more than white space is another. */
  readonly edited: ReadonlySet<AlignedPart>;
}

/** Lines that the edits leave in their place may still have another form or another line end. */
export function newForms(
  {
    baseline,
    now,
    edited,
  }: {
    readonly baseline: readonly string[];
    readonly now: readonly string[];
    readonly edited: readonly string[];
  },
  parts: readonly AlignedPart[],
  edits: readonly UserEdit[],
): NewForms {
  const changed = new Set<AlignedPart>();
  const editedParts = new Set<AlignedPart>();
  const result = [...baseline];
  let [partIndex, editIndex, shift, offset] = [0, 0, 0, 0];
  let hasNewEnds = false;
  for (let at = 0; at < now.length; ) {
    const edit = edits[editIndex];
    if (edit && edit.at <= at) {
      shift += edit.toCount - edit.count;
      at = Math.max(at, edit.at + edit.count);
      editIndex++;
      continue;
    }
    let part = parts[partIndex];
    while (part && part.start + part.count <= at) {
      offset += part.count - part.baseCount;
      part = parts[++partIndex];
    }
    const [old, line] = [now[at] ?? '', edited[at + shift] ?? ''];
    if (line !== old) {
      hasNewEnds ||= endOf(line) !== endOf(old);
      if (part && part.start <= at) {
        changed.add(part);
        if (withoutSpaces(line) !== withoutSpaces(old)) editedParts.add(part);
      } else result[at - offset] = line;
    }
    at++;
  }
  const end = hasNewEnds ? onlyEnd(edited) : undefined;
  if (end === undefined) return { baseline: result, changed, edited: editedParts };
  // The whole file has one kind of line ends now; lines that come back when a part is undone get it, too.
  const converted = result.map(line => (lacksEnd(line) ? line : withoutEnd(line) + end));
  return { baseline: converted, changed: new Set(parts), edited: editedParts };
}

const endOf = (line: string): string => line.slice(withoutEnd(line).length);

const withoutSpaces = (line: string): string => line.replace(/\s+/g, '');

/** The line end that all lines have; undefined when there are several, or none. */
function onlyEnd(lines: readonly string[]): string | undefined {
  let found: string | undefined;
  for (const [at, line] of lines.entries()) {
    const end = endOf(line);
    if (end === '' && at === lines.length - 1) continue;
    if (found !== undefined && end !== found) return undefined;
    found = end;
  }
  return found;
}
