import { append } from '../../../base/arrays';
import { applyChanges } from '../../../merge';
import { type AlignedPart, alignLines, joinAdjacent } from './alignment';
import { lacksEnd, withoutEnd } from './fileText';
import { hasWord, newForms, type UserEdit, userEdits } from './userEdits';

export interface FoldedEdits {
  /** The baseline with the edits that touch no part. */
  readonly baseline: readonly string[];
  /** What differs between that baseline and the edited lines; the parts that the edits touch are marked as edited. */
  readonly parts: readonly AlignedPart[];
  /** The given parts that the edits touch. */
  readonly touched: readonly AlignedPart[];
}

/** Parts and edits that are connected, or one of either. */
interface Cluster {
  readonly parts: AlignedPart[];
  readonly edits: UserEdit[];
}

interface Texts {
  readonly baseline: readonly string[];
  readonly now: readonly string[];
  readonly edited: readonly string[];
}

/**
 * Tells the edits of the user from the changes of others: edits that share no line with a part are made in the baseline
 * as well, so that they are neither pending nor undone with the part beside them.
 *
 * @param parts what differs between `baseline` and `now`.
 * @param edited the lines after the user has edited the lines `now`.
 */
export function foldEdits(
  baseline: readonly string[],
  now: readonly string[],
  parts: readonly AlignedPart[],
  edited: readonly string[],
): FoldedEdits {
  const edits = userEdits(now, edited);
  const forms = newForms({ baseline, now, edited }, parts, edits);
  const texts = { baseline: forms.baseline, now, edited };
  const replacements: { start: number; count: number; lines: readonly string[] }[] = [];
  const result: AlignedPart[] = [];
  const touched: AlignedPart[] = [];
  /** How far the parts below have moved: in the baseline, and in the file. */
  let baseShift = 0;
  let shift = 0;
  /** Lines of the file minus lines of the baseline, above. */
  let offset = 0;
  for (const cluster of clustersOf(texts, parts, edits)) {
    const [part] = cluster.parts;
    const [edit] = cluster.edits;
    if (part && !edit) {
      const moved = {
        ...part,
        baseStart: part.baseStart + baseShift,
        start: part.start + shift,
      };
      const isTouched = forms.edited.has(part);
      if (isTouched) touched.push(part);
      if (forms.changed.has(part)) {
        const isEdited = isTouched || part.isEdited;
        append(result, alignWithin(texts, moved, baseShift, isEdited));
      } else result.push(moved);
    } else if (edit && !part) {
      const lines = edited.slice(edit.to, edit.to + edit.toCount);
      replacements.push({ start: edit.at - offset, count: edit.count, lines });
      baseShift += edit.toCount - edit.count;
    } else {
      const hull = hullOf(cluster);
      const moved = { ...hull, baseStart: hull.baseStart + baseShift };
      append(result, alignWithin(texts, moved, baseShift, true));
      append(touched, cluster.parts);
    }
    for (const { toCount, count } of cluster.edits) shift += toCount - count;
    for (const { count, baseCount } of cluster.parts) offset += count - baseCount;
  }
  return {
    baseline:
      replacements.length === 0 ? texts.baseline : applyChanges(texts.baseline, replacements),
    parts: joinAdjacent(result),
    touched,
  };
}

/** What differs within a range of the baseline, which has moved by `baseShift`, and of the edited lines. */
function alignWithin(
  { baseline, edited }: Texts,
  { baseStart, baseCount, start, count }: Omit<AlignedPart, 'isEdited'>,
  baseShift: number,
  isEdited: boolean,
): AlignedPart[] {
  const from = baseStart - baseShift;
  return alignLines(baseline.slice(from, from + baseCount), edited.slice(start, start + count)).map(
    part => ({
      ...part,
      baseStart: part.baseStart + baseStart,
      start: part.start + start,
      isEdited,
    }),
  );
}

/** The lines of the baseline and of the edited text that a cluster spans. */
function hullOf({ parts, edits }: Cluster): Omit<AlignedPart, 'isEdited'> {
  const [firstPart, lastPart] = [parts[0], parts.at(-1)];
  const [firstEdit, lastEdit] = [edits[0], edits.at(-1)];
  if (!firstPart || !lastPart || !firstEdit || !lastEdit) {
    throw new RangeError('a cluster without a part or without an edit');
  }
  const low = Math.min(firstPart.start, firstEdit.at);
  const high = Math.max(lastPart.start + lastPart.count, lastEdit.at + lastEdit.count);
  const baseStart = firstPart.baseStart - (firstPart.start - low);
  const baseEnd =
    lastPart.baseStart + lastPart.baseCount + high - (lastPart.start + lastPart.count);
  const start = firstEdit.to - (firstEdit.at - low);
  const end = lastEdit.to + lastEdit.toCount + high - (lastEdit.at + lastEdit.count);
  return { baseStart, baseCount: baseEnd - baseStart, start, count: end - start };
}

/** All parts and edits from top to bottom, those that touch in one cluster. */
function clustersOf(
  texts: Texts,
  parts: readonly AlignedPart[],
  edits: readonly UserEdit[],
): Cluster[] {
  const clusters: Cluster[] = [];
  let [nextPart, nextEdit] = [0, 0];
  for (;;) {
    const part = parts[nextPart];
    const edit = edits[nextEdit];
    if (!part && !edit) return clusters;
    const cluster: Cluster = { parts: [], edits: [] };
    clusters.push(cluster);
    if (part && (!edit || isBefore(part, edit, texts))) {
      cluster.parts.push(part);
      nextPart++;
    } else if (edit) {
      cluster.edits.push(edit);
      nextEdit++;
    }
    // Both lists are sorted, so that what comes next touches the last one of the other list, or none.
    for (let hasGrown = true; hasGrown; ) {
      hasGrown = false;
      const [lastPart, lastEdit] = [cluster.parts.at(-1), cluster.edits.at(-1)];
      const [followingPart, followingEdit] = [parts[nextPart], edits[nextEdit]];
      if (lastPart && followingEdit && touches(lastPart, followingEdit, texts)) {
        cluster.edits.push(followingEdit);
        nextEdit++;
        hasGrown = true;
      } else if (followingPart && lastEdit && touches(followingPart, lastEdit, texts)) {
        cluster.parts.push(followingPart);
        nextPart++;
        hasGrown = true;
      }
    }
  }
}

function isBefore(part: AlignedPart, edit: UserEdit, texts: Texts): boolean {
  if (touches(part, edit, texts)) return part.start <= edit.at;
  const areSamePlace = part.count === 0 && edit.count === 0 && part.start === edit.at;
  return part.start + part.count <= edit.at && !areSamePlace;
}

function touches(part: AlignedPart, edit: UserEdit, texts: Texts): boolean {
  const [partEnd, editEnd] = [part.start + part.count, edit.at + edit.count];
  if (part.start < editEnd && edit.at < partEnd) return true;
  const areAdjacent = part.start === editEnd || edit.at === partEnd;
  return areAdjacent && (sharesLine(part, edit, texts) || joinsLines(partEnd, editEnd, texts));
}

/** Whether the user typed a line again that the part had removed. */
function sharesLine(part: AlignedPart, edit: UserEdit, { baseline, edited }: Texts): boolean {
  if (part.baseCount === 0 || edit.toCount === 0) return false;
  const old = new Set(
    baseline.slice(part.baseStart, part.baseStart + part.baseCount).map(withoutEnd),
  );
  return edited
    .slice(edit.to, edit.to + edit.toCount)
    .map(withoutEnd)
    .some(line => old.has(line) && hasWord.test(line));
}

/** Whether both are at the end of a text whose last line has no end, so that one would continue the line of the other. */
function joinsLines(partEnd: number, editEnd: number, { baseline, now, edited }: Texts): boolean {
  const isAtEnd = partEnd === now.length && editEnd === now.length;
  return isAtEnd && [baseline, now, edited].some(lines => lacksEnd(lines.at(-1) ?? '\n'));
}
