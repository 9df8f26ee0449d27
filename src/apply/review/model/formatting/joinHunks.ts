import { diffLines } from '../../../../merge';
import type { LineEdit } from '../lineEdit';
import { applyEdits, editOfHunk, type Hunk, insertHunks, overlaps, sameLines } from '../rebase';

export interface Restored {
  readonly all: Hunk[];
  readonly added: Hunk[];
  /** The ids of the hunks that were joined to one, by the id of that hunk. */
  readonly merged: ReadonlyMap<number, readonly number[]>;
  /** The hunks that change the same words as another pending one, so that they are not added. */
  readonly left: readonly Hunk[];
}

/**
 * Adds hunks to sorted ones, but for those that are there already. One whose lines another hunk has taken is joined with
 * it if they change different words: a formatter may have put what both of them change on one line.
 */
export function restoreHunks(
  hunks: readonly Hunk[],
  more: readonly Hunk[],
  current: readonly string[],
): Restored {
  let { all, added } = insertHunks(hunks, more);
  const merged = new Map<number, readonly number[]>();
  const left: Hunk[] = [];
  for (const hunk of more) {
    if (all.some(({ id }) => id === hunk.id)) continue;
    const takers = all.filter(other => overlaps(hunk, editOfHunk(other)));
    const [first] = takers;
    const joined = joinHunks(takers, hunk, current);
    if (!first || !joined) {
      left.push(hunk);
      continue;
    }
    const before = [...takers, hunk].flatMap(({ id }) => [id, ...(merged.get(id) ?? [])]);
    merged.set(first.id, [...new Set(before)]);
    all = all.flatMap(other =>
      other === first ? [joined] : takers.includes(other) ? [] : [other],
    );
    added = [...added.filter(other => !takers.includes(other)), joined];
  }
  return { all, added, merged, left };
}

function joinHunks(
  takers: readonly Hunk[],
  hunk: Hunk,
  current: readonly string[],
): Hunk | undefined {
  const [first] = takers;
  if (!first) return undefined;
  const all = [...takers, hunk];
  const at = Math.min(...all.map(each => each.at));
  const end = Math.max(...all.map(each => each.at + each.removed.length));
  const removed = current.slice(at, end);
  const result = (hunks: readonly Hunk[]) =>
    applyEdits(
      removed,
      hunks.map(each => editOfHunk({ ...each, at: each.at - at })),
    );
  const inserted = mergeWords(removed, result(takers), result([hunk]));
  if (!inserted || sameLines(inserted, removed)) return undefined;
  return { id: first.id, at, removed, inserted, conflict: all.some(({ conflict }) => conflict) };
}

interface Word {
  readonly text: string;
  /** What is in front of it: white space, and a trailing comma or semicolon. */
  readonly space: string;
}

/** The lines with the changes of both; undefined when they change the same words. White space changes as words do. */
function mergeWords(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): string[] | undefined {
  const words = [base, ours, theirs].map(wordsOf);
  const [old = [], our = [], their = []] = words;
  const ourEdits = editsBetween(old, our);
  const theirEdits = editsBetween(old, their);
  const spaced = withSpaceOf(their, theirEdits, { old, our, ourEdits });
  const edits: (LineEdit & { readonly words: readonly Word[] })[] = [];
  let shift = 0;
  let index = 0;
  for (const edit of theirEdits) {
    const end = edit.at + edit.count;
    for (let other = ourEdits[index]; other && other.at + other.count < edit.at; ) {
      shift += other.lines.length - other.count;
      other = ourEdits[++index];
    }
    const other = ourEdits[index];
    if (!other || end < other.at) edits.push({ ...edit, at: edit.at + shift });
    else if (!isSameEdit(edit, other)) return undefined;
  }
  const merged = edits
    .toReversed()
    .reduce<readonly Word[]>(
      (all, { at, count, words: inserted }) => all.toSpliced(at, count, ...inserted),
      spaced,
    );
  return merged
    .map(({ space, text }) => space + text)
    .join('')
    .split('\n');
}

/**
 * Our words with the white space that they have changed in front of words which both have kept. That in front of other
 * words is part of their edits.
 */
function withSpaceOf(
  their: readonly Word[],
  theirEdits: readonly LineEdit[],
  {
    old,
    our,
    ourEdits,
  }: {
    readonly old: readonly Word[];
    readonly our: readonly Word[];
    readonly ourEdits: readonly LineEdit[];
  },
): Word[] {
  const result = [...our];
  const ourIndexes = keptIndexes(old.length, ourEdits);
  const theirIndexes = keptIndexes(old.length, theirEdits);
  const behindEdits = new Set(theirEdits.map(({ at, count }) => at + count));
  for (const [index, { text, space }] of old.entries()) {
    const ourIndex = ourIndexes[index] ?? -1;
    const ours = our[ourIndex];
    const theirs = their[theirIndexes[index] ?? -1];
    if (!ours || !theirs || theirs.space === space || theirs.space === ours.space) continue;
    // White space that both have changed belongs to their edit only if it is right behind it.
    if (ours.space === space || behindEdits.has(index)) {
      result[ourIndex] = { text, space: theirs.space };
    }
  }
  return result;
}

/** The index of each word after the edits; undefined for a word that they remove. */
function keptIndexes(length: number, edits: readonly LineEdit[]): (number | undefined)[] {
  const indexes: (number | undefined)[] = Array.from({ length }, (_, index) => index);
  let shift = 0;
  let end = 0;
  for (const { at, count, lines } of edits) {
    for (; end < at; end++) indexes[end] = end + shift;
    for (; end < at + count; end++) indexes[end] = undefined;
    shift += lines.length - count;
  }
  for (; end < length; end++) indexes[end] = end + shift;
  return indexes;
}

const isSameEdit = (a: LineEdit, b: LineEdit): boolean =>
  a.at === b.at && a.count === b.count && sameLines(a.lines, b.lines);

/** The last word is empty, for the space behind the others. */
function wordsOf(lines: readonly string[]): Word[] {
  const text = lines.join('\n');
  const words: Word[] = [];
  let end = 0;
  const add = (word: string, at: number) => {
    words.push({ text: word, space: text.slice(end, at) });
    end = at + word.length;
  };
  const found = [...text.matchAll(/[\p{L}\p{N}_$]+|\S/gu)];
  for (const [index, match] of found.entries()) {
    const next = found[index + 1]?.[0];
    const isLineEnd = (text[match.index + 1] ?? '\n') === '\n';
    const isForm =
      (match[0] === ',' && next !== undefined && ')]}>'.includes(next)) ||
      (match[0] === ';' && isLineEnd);
    if (!isForm) add(match[0], match.index);
  }
  add('', text.length);
  return words;
}

function editsBetween(
  before: readonly Word[],
  after: readonly Word[],
): (LineEdit & { readonly words: readonly Word[] })[] {
  const changes = diffLines(
    before.map(({ text }) => text),
    after.map(({ text }) => text),
  );
  return changes.map(({ oldStart, oldCount, newStart, newCount }) => {
    const words = after.slice(newStart, newStart + newCount);
    return { at: oldStart, count: oldCount, lines: words.map(({ text }) => text), words };
  });
}
