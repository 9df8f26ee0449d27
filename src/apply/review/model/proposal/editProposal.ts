import { AbsorbedHunks } from '../absorbedHunks';
import { restoreHunks } from '../formatting/joinHunks';
import { rebaseOver } from '../formatting/reformatHunks';
import { changeBy } from '../formatting/splitChange';
import {
  applyEdits,
  changesBetween,
  editOfHunk,
  type Hunk,
  insertHunks,
  rebaseHunks,
  sameLines,
} from '../rebase';
import type { LineSpan } from '../reviewCursor';
import type { Decision, FullState, OpenState, SavedState } from '../reviewState';
import { inProposal, retypeHunks } from './retypeHunks';

/** The part of a review's model that is needed here. */
export interface EditedModel {
  readonly current: readonly string[];
  readonly hunks: readonly Hunk[];
  readonly saved: SavedState;
  proposed(): readonly string[];
  openState(): OpenState;
}

/**
 * The state after the user has edited the proposed text: accepting all that is pending leads to exactly these lines,
 * decisions stay. Undefined when nothing changed.
 *
 * @param conflicts lines that changed in the file while the user typed them.
 */
export function editProposal(
  model: EditedModel,
  lines: readonly string[],
  conflicts: readonly LineSpan[] = [],
): Required<FullState> | undefined {
  const before = model.proposed();
  const state = model.openState();
  const { saved } = model;
  const firstId = nextIdOf(state, saved);
  const typed = typedHunks(before, lines, firstId);
  if (typed.length === 0) return undefined;
  const extraId = firstId + typed.length;
  const { hunks: retyped, merged } = retypeHunks(model.current, model.hunks, typed, extraId);
  const hunks = inProposal(retyped).map(({ hunk, start, end }) =>
    conflicts.some(range => start <= range.end && range.start <= end)
      ? { ...hunk, conflict: true }
      : hunk,
  );
  const absorbed = new AbsorbedHunks();
  absorbed.load(state.takenIn);
  absorbed.add(merged);
  const isSavedText = model.hunks === saved.hunks && sameLines(model.current, saved.text);
  return {
    ...state,
    hunks,
    decisions: state.decisions.flatMap(decision => stillUndoable(decision, hunks, model.current)),
    takenIn: absorbed.entries(),
    saved: isSavedText
      ? { ...saved, hunks }
      : // Far from the ids above, so that a hunk has the same one in both only if it is the same.
        editSaved(model, typed, absorbed, extraId + hunks.length),
  };
}

/** What the user typed in the lines `before`, one hunk for each edit; their ids follow one another. */
const typedHunks = (
  before: readonly string[],
  after: readonly string[],
  firstId: number,
): readonly Hunk[] =>
  changesBetween(before, after).map(({ at, count, lines }, index) => ({
    id: firstId + index,
    at,
    removed: before.slice(at, at + count),
    inserted: lines,
    conflict: false,
  }));

/** The decision without the rejected hunks that cannot return: the user typed another change of the same words. */
function stillUndoable(
  { kind, hunks }: Decision,
  pending: readonly Hunk[],
  current: readonly string[],
): Decision[] {
  if (kind === 'accept') return [{ kind, hunks }];
  const left = hunks.filter(hunk => restoreHunks(pending, [hunk], current).added.length > 0);
  return left.length === 0 ? [] : [{ kind, hunks: left }];
}

/** The first id that no change of the review has had. */
export const nextIdOf = (state: OpenState, saved: SavedState): number =>
  1 + Math.max(0, ...knownIds(state, saved));

/** What a decision, a conflict or a change has as its id. */
function knownIds({ hunks, rejected, decisions, takenIn }: OpenState, saved: SavedState): number[] {
  const ofDecisions = [...decisions, ...saved.decisions].flatMap(decision => decision.hunks);
  return [
    ...[...hunks, ...saved.hunks, ...ofDecisions].map(({ id }) => id),
    ...rejected,
    ...takenIn.flatMap(([id, ids]) => [id, ...ids]),
  ];
}

/** Makes the edits of the proposed text in the state of the last save, too: it returns when the file is reverted. */
function editSaved(
  model: EditedModel,
  typed: readonly Hunk[],
  absorbed: AbsorbedHunks,
  extraId: number,
): SavedState {
  const { saved, hunks } = model;
  const rejected = new Set(model.openState().rejected);
  const pending = new Set(hunks.map(({ id }) => id));
  const open = saved.hunks.filter(({ id }) => !rejected.has(id));
  const before = model.proposed();
  const then = applyEdits(saved.text, open.map(editOfHunk));
  const moved = rebaseOver(
    typed,
    changeBy('undo', before, changesBetween(before, then), then),
  ).hunks;
  const retyped = retypeHunks(
    saved.text,
    open,
    moved.map(hunk => ({ ...hunk, conflict: false })),
    extraId,
    // An accepted change stays one that the saved file lacks.
    id => !pending.has(id),
  );
  // Changes that are separate in the current text: a decision on one of them must not be one on the others.
  const isMixed = (hunk: Hunk) => {
    const known = new Set(absorbed.idsOf([hunk]));
    return retyped.sources.get(hunk.id)?.some(id => !known.has(id)) === true;
  };
  const newId = extraId + retyped.hunks.length;
  const named = retyped.hunks.map((hunk, index) =>
    isMixed(hunk) ? { ...hunk, id: newId + index } : hunk,
  );
  const decided = saved.hunks.filter(({ id }) => rejected.has(id));
  return { ...saved, hunks: insertHunks(named, decided).all };
}

/**
 * What the user typed, brought into the proposed text of now.
 *
 * @param base the proposed text that the user saw while typing.
 * @returns the new lines, and those of them that the proposal has changed as well.
 */
export function typedOver(
  base: readonly string[],
  typed: readonly string[],
  now: readonly string[],
): { readonly lines: readonly string[]; readonly conflicts: readonly LineSpan[] } {
  if (sameLines(base, now)) return { lines: typed, conflicts: [] };
  const edits = typedHunks(base, typed, 1);
  const { hunks } = rebaseHunks(edits, changesBetween(base, now), base);
  return {
    lines: applyEdits(now, hunks.map(editOfHunk)),
    conflicts: inProposal(hunks).flatMap(({ hunk, start, end }) =>
      hunk.conflict ? [{ start, end }] : [],
    ),
  };
}
