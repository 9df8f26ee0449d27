import { lacksEnd, withoutEnd } from '../fileText';
import { type AlignedPart, alignLines } from './alignment';
import { hasWord, type UserEdit } from './userEdits';

/** Parts and edits that are connected, or one of either. */
export interface EditCluster {
  readonly parts: AlignedPart[];
  readonly edits: UserEdit[];
}

export interface EditedTexts {
  readonly baseline: readonly string[];
  readonly now: readonly string[];
  readonly edited: readonly string[];
}

/** What differs within a range of the baseline, which has moved by `baseShift`, and of the edited lines. */
export function alignWithin(
  { baseline, edited }: EditedTexts,
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
export function hullOf({ parts, edits }: EditCluster): Omit<AlignedPart, 'isEdited'> {
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
export function clustersOf(
  texts: EditedTexts,
  parts: readonly AlignedPart[],
  edits: readonly UserEdit[],
): EditCluster[] {
  const clusters: EditCluster[] = [];
  let [nextPart, nextEdit] = [0, 0];
  for (;;) {
    const part = parts[nextPart];
    const edit = edits[nextEdit];
    if (!part && !edit) return clusters;
    const cluster: EditCluster = { parts: [], edits: [] };
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

function isBefore(part: AlignedPart, edit: UserEdit, texts: EditedTexts): boolean {
  if (touches(part, edit, texts)) return part.start <= edit.at;
  const areSamePlace = part.count === 0 && edit.count === 0 && part.start === edit.at;
  return part.start + part.count <= edit.at && !areSamePlace;
}

function touches(part: AlignedPart, edit: UserEdit, texts: EditedTexts): boolean {
  const [partEnd, editEnd] = [part.start + part.count, edit.at + edit.count];
  if (part.start < editEnd && edit.at < partEnd) return true;
  const areAdjacent = part.start === editEnd || edit.at === partEnd;
  return areAdjacent && (sharesLine(part, edit, texts) || joinsLines(partEnd, editEnd, texts));
}

/** Whether the user typed a line again that the part had removed. */
function sharesLine(part: AlignedPart, edit: UserEdit, { baseline, edited }: EditedTexts): boolean {
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
function joinsLines(
  partEnd: number,
  editEnd: number,
  { baseline, now, edited }: EditedTexts,
): boolean {
  const isAtEnd = partEnd === now.length && editEnd === now.length;
  return isAtEnd && [baseline, now, edited].some(lines => lacksEnd(lines.at(-1) ?? '\n'));
}
