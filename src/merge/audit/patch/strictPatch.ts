import { newSide, oldSide, type PatchHunk } from '../../patch/hunks';
import { LineFinder } from '../../patch/lineFinder';

/**
 * The lines of the file after a patch each of whose hunks stands there as it is, at one place only or at that of its
 * number; undefined when one does not, so that the patch needs to be read more freely.
 */
export function linesAsSaid(
  before: readonly string[],
  hunks: readonly PatchHunk[],
): string[] | undefined {
  const finder = new LineFinder(before);
  const edits: { from: number; to: number; fresh: readonly string[] }[] = [];
  for (const { lines, start } of hunks) {
    const old = oldSide(lines);
    const at = placeOf(old, start, before, finder);
    if (at === undefined) return undefined;
    edits.push({ from: at, to: at + old.length, fresh: newSide(lines) });
  }
  edits.sort((a, b) => a.from - b.from || a.to - b.to);
  const after: string[] = [];
  let row = 0;
  for (const { from, to, fresh } of edits) {
    if (from < row) return undefined;
    for (const line of before.slice(row, from)) after.push(line);
    for (const line of fresh) after.push(line);
    row = to;
  }
  for (const line of before.slice(row)) after.push(line);
  return after;
}

function placeOf(
  old: readonly string[],
  start: number | undefined,
  before: readonly string[],
  finder: LineFinder,
): number | undefined {
  if (old.length === 0) return before.length === 0 ? 0 : start;
  const { places, closeness } = finder.find(old);
  if (closeness !== 0) return undefined;
  return places.length === 1 ? places[0] : places.find(place => place === start);
}
