import { diffLines } from '../../../merge';
import type { ExternalChange } from '../core/fileChanges';
import { hasByteOrderMark, lacksEnd, withoutEnd } from '../core/fileText';

/** A change where a document shows it. */
export interface ChangePlace {
  readonly change: ExternalChange;
  /** First line, from 0; of a pure removal, the line below it. */
  readonly line: number;
  /** Number of lines that the change has in the document. */
  readonly count: number;
  /** The user has typed within these lines and not saved yet. */
  readonly isTouched: boolean;
}

/**
 * Where a document shows the changes of its file: its text may be ahead of the disk.
 *
 * @param onDisk lines of the file with their line ends.
 * @param shown lines of the document without line ends; one more when the text ends with a line end.
 */
export function changePlaces(
  changes: readonly ExternalChange[],
  onDisk: readonly string[],
  shown: readonly string[],
): ChangePlace[] {
  const disk = withoutEnds(onDisk);
  const edits = isSame(disk, shown) ? [] : diffLines(disk, shown);
  return changes.map(change => {
    const { start, lines } = change;
    const end = start + lines.length;
    let shift = 0;
    let growth = 0;
    let isTouched = false;
    for (const { oldStart, oldCount, newCount } of edits) {
      const oldEnd = oldStart + oldCount;
      const isInside =
        oldCount === 0 ? oldStart > start && oldStart < end : oldStart < end && oldEnd > start;
      if (isInside) {
        isTouched = true;
        growth += newCount - oldCount;
      } else if (oldEnd <= start) shift += newCount - oldCount;
    }
    return {
      change,
      line: Math.min(Math.max(0, start + shift), Math.max(0, shown.length - 1)),
      count: Math.max(0, lines.length + growth),
      isTouched,
    };
  });
}

/** The change that a line belongs to: a pure removal belongs to the line below it. */
export const placeAt = (places: readonly ChangePlace[], line: number): ChangePlace | undefined =>
  places.find(place => line >= place.line && line < place.line + Math.max(1, place.count));

/** The next change below or above a line; undefined when there is none in this file. */
export function nextPlace(
  places: readonly ChangePlace[],
  line: number,
  direction: 1 | -1,
): ChangePlace | undefined {
  return direction === 1
    ? places.find(place => place.line > line)
    : places.findLast(place => place.line < line);
}

/** The lines as an editor counts them: text that ends with a line end has an empty last line. */
function withoutEnds(lines: readonly string[]): string[] {
  const bare = lines.map(withoutEnd);
  if (bare[0] !== undefined && hasByteOrderMark(bare)) bare[0] = bare[0].slice(1);
  if (!lacksEnd(lines.at(-1) ?? '\n')) bare.push('');
  return bare;
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, index) => line === b[index]);
