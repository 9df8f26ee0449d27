import type { LineEdit } from '../lineEdit';
import { applyEdits, editOfHunk, type Hunk, hunksBetween } from '../rebase';

/** Pending hunks after their proposed text was edited. */
export interface Retyped {
  readonly hunks: readonly Hunk[];
  /** The ids of the hunks that became one, by the id of that hunk. */
  readonly merged: ReadonlyMap<number, readonly number[]>;
  /** The ids of the hunks whose lines a hunk of the edited lines contains, by its id. */
  readonly sources: ReadonlyMap<number, readonly number[]>;
}

/** A hunk with its lines in the proposed text; the end is exclusive. */
interface Placed {
  readonly hunk: Hunk;
  readonly start: number;
  readonly end: number;
}

/** Hunks and edits that touch each other, and the lines of the proposed text that they cover. */
interface Cluster {
  readonly hunks: readonly Hunk[];
  readonly typed: readonly Hunk[];
  readonly start: number;
  readonly end: number;
}

/**
 * The hunks that lead from the lines `base` to the edited proposal. Hunks that no edit touches keep their borders; an edit
 * away from all hunks becomes one of its own.
 *
 * @param typed edits of the proposed text, from top to bottom, with ids for the hunks that they become.
 * @param extraId the first of the ids for further hunks.
 * @param isPreferred whether a hunk of this id should pass it on, where several become one.
 */
export function retypeHunks(
  base: readonly string[],
  hunks: readonly Hunk[],
  typed: readonly Hunk[],
  extraId: number,
  isPreferred: (id: number) => boolean = () => false,
): Retyped {
  const proposed = applyEdits(base, hunks.map(editOfHunk));
  const result: Hunk[] = [];
  const merged = new Map<number, readonly number[]>();
  const sources = new Map<number, readonly number[]>();
  let nextId = extraId;
  let placedIndex = 0;
  let typedIndex = 0;
  /** Lines that the hunks above insert more than they remove. */
  let shift = 0;
  const placed = inProposal(hunks);
  while (placedIndex < placed.length || typedIndex < typed.length) {
    const next = placed[placedIndex];
    const edit = typed[typedIndex];
    if (next && (!edit || next.end < edit.at)) {
      result.push(next.hunk);
      shift += growthOf(next.hunk);
      placedIndex++;
      continue;
    }
    const cluster = clusterFrom(placed, placedIndex, typed, typedIndex);
    placedIndex += cluster.hunks.length;
    typedIndex += cluster.typed.length;
    const at = cluster.start - shift;
    for (const hunk of cluster.hunks) shift += growthOf(hunk);
    const before = base.slice(at, cluster.end - shift);
    const edits = cluster.typed.map(
      (hunk): LineEdit => ({ ...editOfHunk(hunk), at: hunk.at - cluster.start }),
    );
    const after = applyEdits(proposed.slice(cluster.start, cluster.end), edits);
    const parts = hunksBetween(before, after).map(part => ({ ...part, at: part.at + at }));
    const named = nameParts(parts, cluster, isPreferred, () => nextId++);
    result.push(...named.hunks);
    for (const [id, ids] of named.merged) merged.set(id, ids);
    for (const [id, ids] of named.sources) sources.set(id, ids);
  }
  return { hunks: result, merged, sources };
}

const growthOf = ({ removed, inserted }: Hunk): number => inserted.length - removed.length;

export function inProposal(hunks: readonly Hunk[]): Placed[] {
  let shift = 0;
  return hunks.map(hunk => {
    const start = hunk.at + shift;
    shift += growthOf(hunk);
    return { hunk, start, end: start + hunk.inserted.length };
  });
}

/** A hunk and an edit touch if nothing is between them. */
const touches = (
  { start, end }: { readonly start: number; readonly end: number },
  { at, removed }: Hunk,
): boolean => start <= at + removed.length && at <= end;

function clusterFrom(
  placed: readonly Placed[],
  placedStart: number,
  typed: readonly Hunk[],
  typedStart: number,
): Cluster {
  let placedEnd = placedStart;
  let typedEnd = typedStart;
  const meetsAnEdit = (each: Placed) =>
    typed.slice(typedStart, typedEnd).some(edit => touches(each, edit));
  const meetsAHunk = (edit: Hunk) =>
    placed.slice(placedStart, placedEnd).some(each => touches(each, edit));
  // Either the edit is the first of both, or it touches the first hunk.
  typedEnd++;
  for (;;) {
    const hunk = placed[placedEnd];
    const edit = typed[typedEnd];
    if (hunk && meetsAnEdit(hunk)) placedEnd++;
    else if (edit && meetsAHunk(edit)) typedEnd++;
    else break;
  }
  const hunks = placed.slice(placedStart, placedEnd);
  const edits = typed.slice(typedStart, typedEnd);
  return {
    hunks: hunks.map(({ hunk }) => hunk),
    typed: edits,
    start: Math.min(...hunks.map(({ start }) => start), ...edits.map(({ at }) => at)),
    end: Math.max(
      ...hunks.map(({ end }) => end),
      ...edits.map(({ at, removed }) => at + removed.length),
    ),
  };
}

/** Gives the parts of a cluster the ids of the hunks that they come from, or new ones. */
function nameParts(
  parts: readonly Hunk[],
  { hunks, typed }: Cluster,
  isPreferred: (id: number) => boolean,
  newId: () => number,
): Retyped {
  const merged = new Map<number, readonly number[]>();
  const sourceIds = new Map<number, readonly number[]>();
  const free = new Set(hunks);
  let typedId = typed[0]?.id;
  const named = parts.map(part => {
    const sources = hunks.filter(hunk => touches(linesOf(part), hunk));
    const heirs = sources.filter(hunk => free.has(hunk));
    const heir = heirs.find(({ id }) => isPreferred(id)) ?? heirs[0];
    const id = heir?.id ?? typedId ?? newId();
    if (!heir) typedId = undefined;
    for (const hunk of heirs) free.delete(hunk);
    sourceIds.set(
      id,
      sources.map(hunk => hunk.id),
    );
    if (heirs.length > 1) merged.set(id, [id, ...heirs.map(hunk => hunk.id)]);
    return { ...part, id, conflict: sources.some(({ conflict }) => conflict) };
  });
  return { hunks: named, merged, sources: sourceIds };
}

const linesOf = ({ at, removed }: Hunk): { start: number; end: number } => ({
  start: at,
  end: at + removed.length,
});
