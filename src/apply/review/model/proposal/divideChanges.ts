import { type Hunk, sameLines } from '../rebase';
import type { FullState } from '../reviewState';
import { type EditedModel, nextIdOf } from './editProposal';
import { type SelectedLines, splitHunk } from './splitHunk';

/** A review in which the selected lines of changes are changes of their own. */
export interface Divided {
  /** Undefined where every selection covers its whole change, so that nothing is to be divided. */
  readonly state: Required<FullState> | undefined;
  /** The ids of the changes with the selected lines. */
  readonly selected: readonly number[];
}

/**
 * Divides changes at the selected lines. All parts accepted together lead to the same text as before.
 * A conflict, and a change that others were joined to, is decided as a whole: it stays as it is.
 *
 * @param selections by the id of the change.
 */
export function divideChanges(
  model: EditedModel,
  selections: ReadonlyMap<number, SelectedLines>,
): Divided {
  const state = model.openState();
  const { saved } = model;
  const joined = new Set(state.takenIn.map(([id]) => id));
  const selected: number[] = [];
  const divided = new Map<number, readonly Hunk[]>();
  let nextId = nextIdOf(state, saved);
  for (const hunk of model.hunks) {
    const lines = selections.get(hunk.id);
    if (!lines) continue;
    const isWhole = hunk.conflict || joined.has(hunk.id);
    const split = isWhole ? undefined : splitHunk(hunk, lines, [nextId, nextId + 1]);
    selected.push(split?.selected.id ?? hunk.id);
    if (!split || split.parts.length === 1) continue;
    divided.set(hunk.id, split.parts);
    nextId += 2;
  }
  if (divided.size === 0) return { state: undefined, selected };
  const before = new Map(model.hunks.map(hunk => [hunk.id, hunk]));
  // The same change is in the state of the last save, where other lines may be above it.
  const divide = (hunk: Hunk): readonly Hunk[] => {
    const parts = divided.get(hunk.id);
    const own = before.get(hunk.id);
    const isSame =
      own && sameLines(own.removed, hunk.removed) && sameLines(own.inserted, hunk.inserted);
    if (!parts || !isSame) return [hunk];
    return parts.map(part => ({ ...part, at: part.at - own.at + hunk.at }));
  };
  const hunks = model.hunks.flatMap(divide);
  const isSaved = model.hunks === saved.hunks;
  return {
    state: {
      ...state,
      hunks,
      saved: {
        ...saved,
        hunks: isSaved ? hunks : saved.hunks.flatMap(divide),
        // A rejection that was undone after the save.
        decisions: saved.decisions.map(({ kind, hunks: decided }) => ({
          kind,
          hunks: kind === 'reject' ? decided.flatMap(divide) : decided,
        })),
      },
    },
    selected,
  };
}
