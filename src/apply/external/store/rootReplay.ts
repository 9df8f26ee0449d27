import { decodeEntries } from '../../review/journal/records';
import { readRootRecord } from '../core/rootRecords';
import { emptyState, type RootState, reduceState } from '../core/rootState';

export interface ReplayedRoot {
  readonly state: RootState;
  /** Whether there is a readable checkpoint. */
  readonly isKnown: boolean;
  /** Number of records that are missing or damaged. */
  readonly lost: number;
}

/** Restores the state of a root from its journal. */
export function replayRoot(text: string): ReplayedRoot {
  const { entries, damagedLines } = decodeEntries(text, readRootRecord);
  const numbers = new Map<string, number>();
  let state = emptyState;
  let isKnown = false;
  let lost = damagedLines;
  for (const { writer, number, record } of entries) {
    const last = numbers.get(writer);
    // Written twice, when a window closed while it was writing.
    if (last !== undefined && number <= last) continue;
    if (last !== undefined && number > last + 1) lost++;
    numbers.set(writer, number);
    if (record.kind === 'checkpoint') isKnown = true;
    if (isKnown) state = reduceState(state, record);
    else lost++;
  }
  return { state, isKnown, lost };
}
