import type { Block } from '../block';
import { edgeWorth, lineWorth } from '../costs';
import type { FileIndex } from '../fileIndex';
import type { Matches } from '../matches';

/** The first or the last row of a block. */
export interface Edge {
  /** The worth of each of its matches, in addition to the worth of the line. */
  readonly worth: readonly number[];
  readonly fits: readonly EdgeFit[];
}

/**
 * Whether the first or the last row of a section is a line of the file, one that occurs with its neighbours in
 * many places (`common`), only similar to a line of the file, or new.
 */
export type EdgeFit = 'exact' | 'common' | 'similar' | 'new';

/** Longer runs of equal lines add no information. */
const maxRun = 12;

/** The edge of a block; `step` is 1 for its first row, -1 for its last. */
export function edgeOf(block: Block, matches: Matches, file: FileIndex, step: 1 | -1): Edge {
  const row = step === 1 ? 0 : block.ids.length - 1;
  const from = matches.starts[row] ?? 0;
  const to = matches.starts[row + 1] ?? 0;
  if (file.placesOf(block.ids[row] ?? -1).length === 0) {
    const worth: number[] = [];
    const fits: EdgeFit[] = [];
    const factor = (edgeWorth.similar * edgeWorth.run) / lineWorth.similarHigh;
    for (let k = from; k < to; k++) {
      worth.push((matches.worth[k] ?? 0) * factor);
      fits.push('similar');
    }
    return { worth, fits };
  }
  return edgeAt(block, matches.at.slice(from, to), file, step);
}

/** The number of runs of at least this length: the rarer a run, the more it is worth. */
const asLong = new Int32Array(maxRun + 2);

/** The edge of a block whose row is at these places of the file. */
export function edgeAt(
  block: Block,
  places: readonly number[],
  file: FileIndex,
  step: 1 | -1,
): Edge {
  const row = step === 1 ? 0 : block.ids.length - 1;
  const worth: number[] = [];
  const fits: EdgeFit[] = [];
  const runs: number[] = [];
  asLong.fill(0);
  for (const place of places) {
    const run = runAt(block, file, row, place, step);
    runs.push(run);
    asLong[run] = (asLong[run] ?? 0) + 1;
  }
  for (let run = maxRun; run > 0; run--) asLong[run] = (asLong[run] ?? 0) + (asLong[run + 1] ?? 0);
  for (let k = 0; k < places.length; k++) {
    const run = runs[k] ?? 0;
    const isMoved = file.indents[places[k] ?? 0] !== block.indents[row];
    const isFiller = isFillerOnly(block, file, row, run, step);
    const share = (isFiller ? edgeWorth.filler : 1) * (isMoved ? edgeWorth.moved : 1);
    worth.push((edgeWorth.run * share) / (asLong[run] ?? 1));
    fits.push(isFiller ? 'common' : 'exact');
  }
  return { worth, fits };
}

/** The number of rows from the edge that equal the lines of the file from `place`. */
function runAt({ ids }: Block, file: FileIndex, row: number, place: number, step: 1 | -1): number {
  let run = 0;
  while (
    run < maxRun &&
    run < ids.length &&
    ids[row + run * step] === file.ids[place + run * step]
  ) {
    run++;
  }
  return run;
}

function isFillerOnly(
  { ids }: Block,
  file: FileIndex,
  row: number,
  run: number,
  step: 1 | -1,
): boolean {
  for (let k = 0; k < run; k++) {
    if (!file.isFiller(ids[row + k * step] ?? 0)) return false;
  }
  return true;
}
