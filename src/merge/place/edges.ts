import type { Block } from './block';
import { EDGE, WORTH } from './costs';
import type { FileIndex } from './fileIndex';
import type { Matches } from './matches';

/** The first or the last row of a block. */
export interface Edge {
  /** What each of its matches is worth beside its line's own worth. */
  readonly worth: readonly number[];
  readonly fits: readonly EdgeFit[];
}

/**
 * Whether the first or the last row of a section is a line of the file, one that with its neighbours
 * many places have (`common`), only similar to a line of the file, or new.
 */
export type EdgeFit = 'exact' | 'common' | 'similar' | 'new';

/** Longer runs of equal lines say no more. */
const MAX_RUN = 12;

/** The edge of a block; `step` is 1 for its first row, -1 for its last. */
export function edgeOf(block: Block, matches: Matches, file: FileIndex, step: 1 | -1): Edge {
  const row = step === 1 ? 0 : block.ids.length - 1;
  const from = matches.starts[row] ?? 0;
  const to = matches.starts[row + 1] ?? 0;
  const worth: number[] = [];
  const fits: EdgeFit[] = [];
  if (file.placesOf(block.ids[row] ?? -1).length === 0) {
    const factor = (EDGE.similar * EDGE.run) / WORTH.similarHigh;
    for (let k = from; k < to; k++) {
      worth.push((matches.worth[k] ?? 0) * factor);
      fits.push('similar');
    }
    return { worth, fits };
  }
  const runs: number[] = [];
  // How many runs are as long as this, or longer: the rarer a run, the more it says.
  const asLong: number[] = [];
  for (let k = from; k < to; k++) {
    const run = runAt(block, file, row, matches.at[k] ?? 0, step);
    runs.push(run);
    asLong[run] = (asLong[run] ?? 0) + 1;
  }
  for (let run = MAX_RUN; run > 0; run--) asLong[run] = (asLong[run] ?? 0) + (asLong[run + 1] ?? 0);
  for (let k = from; k < to; k++) {
    const run = runs[k - from] ?? 0;
    const isMoved = file.indents[matches.at[k] ?? 0] !== block.indents[row];
    const isFiller = isFillerOnly(block, file, row, run, step);
    const share = (isFiller ? EDGE.filler : 1) * (isMoved ? EDGE.moved : 1);
    worth.push((EDGE.run * share) / (asLong[run] ?? 1));
    fits.push(isFiller ? 'common' : 'exact');
  }
  return { worth, fits };
}

/** How many rows from the edge on equal the lines of the file from `place` on. */
function runAt({ ids }: Block, file: FileIndex, row: number, place: number, step: 1 | -1): number {
  let run = 0;
  while (
    run < MAX_RUN &&
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

/** The edge of the same block read backwards. */
export function mirroredEdge({ worth, fits }: Edge): Edge {
  return { worth: worth.toReversed(), fits: fits.toReversed() };
}
