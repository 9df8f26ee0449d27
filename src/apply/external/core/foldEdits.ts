import { append } from '../../../base/arrays';
import { applyChanges } from '../../../merge';
import { type AlignedPart, joinAdjacent } from './alignment/alignment';
import { alignWithin, clustersOf, hullOf } from './alignment/editClusters';
import { newForms, userEdits } from './alignment/userEdits';

export interface FoldedEdits {
  /** The baseline with the edits that touch no part. */
  readonly baseline: readonly string[];
  /** What differs between that baseline and the edited lines; the parts that the edits touch are marked as edited. */
  readonly parts: readonly AlignedPart[];
  /** The given parts that the edits touch. */
  readonly touched: readonly AlignedPart[];
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
