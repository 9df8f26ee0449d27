import { append } from '../../../base/arrays';
import { splitLines } from '../../../base/text/textLines';
import { diffLines } from '../../../merge';
import type { LineEdit } from './lineEdit';
import { applyEdits } from './rebase';

/** A change of a document as an editor reports it; lines and characters are 0-based, the end is exclusive. */
export interface TextChange {
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly text: string;
}

export interface ChangedLines {
  /** Sorted and without overlaps, in the lines before the change. */
  readonly edits: readonly LineEdit[];
  /** The lines after the change; a new array. */
  readonly lines: readonly string[];
}

/** A change of the file as the editor reported it: sorted edits of the lines `before`. */
export interface DocumentChange {
  readonly before: readonly string[];
  readonly edits: readonly LineEdit[];
}

/** With more changes in one event, the lines are read again: each change costs a splice. */
const maxChanges = 200;

/**
 * Applies the changes that an editor reports, so that the text need not be split again. VS Code reports the ranges of all
 * changes in one event relative to the text before it, from last to first.
 *
 * @returns undefined when the changes do not fit these lines, which must then be read again.
 */
export function changedLines(
  before: readonly string[],
  changes: readonly TextChange[],
): ChangedLines | undefined {
  if (changes.length > maxChanges) return undefined;
  const edits: LineEdit[] = [];
  for (const group of groupsByLine(changes)) {
    const edit = editOfGroup(before, group);
    if (!edit) return undefined;
    append(edits, withoutEqualLines(before, edit));
  }
  return { edits, lines: edits.length === 0 ? before : spliced(before, edits) };
}

/** Groups changes that share a line, from top to bottom. */
function groupsByLine(changes: readonly TextChange[]): TextChange[][] {
  // Insertions at one place are also reported from last to first.
  const sorted = changes
    .toReversed()
    .sort(
      ({ range: a }, { range: b }) =>
        a.start.line - b.start.line || a.start.character - b.start.character,
    );
  const groups: TextChange[][] = [];
  let lastLine = -1;
  for (const change of sorted) {
    const group = groups.at(-1);
    if (group && change.range.start.line <= lastLine) group.push(change);
    else groups.push([change]);
    lastLine = Math.max(lastLine, change.range.end.line);
  }
  return groups;
}

function editOfGroup(
  before: readonly string[],
  group: readonly TextChange[],
): LineEdit | undefined {
  const first = group[0]?.range.start;
  if (!first) return undefined;
  let text = '';
  let at = { line: first.line, character: 0 };
  for (const { range, text: inserted } of group) {
    const { start, end } = range;
    const isAhead =
      start.line > at.line || (start.line === at.line && start.character >= at.character);
    if (!isAhead || end.line >= before.length) return undefined;
    text += textBetween(before, at, start) + inserted;
    at = end;
  }
  const last = before[at.line] ?? '';
  text += last.slice(at.character);
  return { at: first.line, count: at.line - first.line + 1, lines: splitLines(text) };
}

type Place = TextChange['range']['start'];

function textBetween(lines: readonly string[], start: Place, end: Place): string {
  if (start.line === end.line) {
    return (lines[start.line] ?? '').slice(start.character, end.character);
  }
  return [
    (lines[start.line] ?? '').slice(start.character),
    ...lines.slice(start.line + 1, end.line),
    (lines[end.line] ?? '').slice(0, end.character),
  ].join('\n');
}

/** Reduces an edit to the lines that differ. A single line is compared directly, without a diff. */
function withoutEqualLines(before: readonly string[], { at, count, lines }: LineEdit): LineEdit[] {
  if (count === 1 && lines.length === 1) {
    return before[at] === lines[0] ? [] : [{ at, count, lines }];
  }
  return diffLines(before.slice(at, at + count), lines).map(change => ({
    at: at + change.oldStart,
    count: change.oldCount,
    lines: lines.slice(change.newStart, change.newStart + change.newCount),
  }));
}

function spliced(before: readonly string[], edits: readonly LineEdit[]): readonly string[] {
  const [edit] = edits;
  if (edits.length > 1 || !edit) return applyEdits(before, edits);
  if (edit.count === 1 && edit.lines.length === 1) {
    const lines = before.slice();
    lines[edit.at] = edit.lines[0] ?? '';
    return lines;
  }
  return before.slice(0, edit.at).concat(edit.lines, before.slice(edit.at + edit.count));
}
