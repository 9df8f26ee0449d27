import { append } from '../../../../base/arrays';
import { type AlignedPart, alignLines, joinAdjacent } from './alignment';
import { alignWithin, clustersOf, hullOf } from './editClusters';

/**
 * The parts after another program has written again. Parts that the write does not touch stay as they are, and lines that
 * it does not touch stay equal: a new diff of the baseline may take lines of the user for lines that moved.
 *
 * @param parts what differs between `baseline` and `now`.
 * @param written the lines that replaced the lines `now`.
 * @param changes what differs between `now` and `written`.
 */
export function composeWrites(
  baseline: readonly string[],
  now: readonly string[],
  parts: readonly AlignedPart[],
  written: readonly string[],
  changes: readonly AlignedPart[] = alignLines(now, written),
): AlignedPart[] {
  const texts = { baseline, now, edited: written };
  const edits = changes.map(({ baseStart, baseCount, start, count, isEdited }) => ({
    at: baseStart,
    count: baseCount,
    to: start,
    toCount: count,
    isEdited,
  }));
  const result: AlignedPart[] = [];
  let shift = 0;
  /** Lines of the file minus lines of the baseline, above. */
  let offset = 0;
  for (const cluster of clustersOf(texts, parts, edits)) {
    const [part] = cluster.parts;
    const [edit] = cluster.edits;
    if (part && !edit) result.push({ ...part, start: part.start + shift });
    else if (edit && !part) {
      result.push({
        baseStart: edit.at - offset,
        baseCount: edit.count,
        start: edit.to,
        count: edit.toCount,
        isEdited: edit.isEdited === true,
      });
    } else {
      const isEdited = [...cluster.parts, ...cluster.edits].some(one => one.isEdited);
      append(result, alignWithin(texts, hullOf(cluster), 0, isEdited));
    }
    for (const { toCount, count } of cluster.edits) shift += toCount - count;
    for (const { count, baseCount } of cluster.parts) offset += count - baseCount;
  }
  return joinAdjacent(result);
}
