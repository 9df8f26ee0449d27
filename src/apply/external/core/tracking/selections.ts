import { partsAfterUndo } from '../alignment/alignment';
import { type Content, sameContent } from '../content';
import {
  changesAfterKeep,
  changesOfParts,
  type ExternalChange,
  fileChanges,
  keepChanges,
  partOf,
  undoChanges,
} from '../fileChanges';
import type { PendingFile } from '../pendingFiles';
import type { TrackedFile } from '../rootState';
import type { FileLines, TrackedRoot } from './trackedRoot';

/** Changes of a pending file, as the user saw them. */
export interface Selection {
  readonly path: string;
  readonly version: string;
  /** Ids; all changes when left out. */
  readonly changes?: readonly string[];
}

/** `edited`: the user's own lines would go, which needs `isConfirmed`; `lost`: the old bytes are gone. */
/** `otherWindow`: another window decides about this folder. */
export type Outcome =
  | 'done'
  | 'stale'
  | 'conflict'
  | 'readOnly'
  | 'otherWindow'
  | 'lost'
  | 'edited'
  | 'failed';

export interface Decided {
  readonly path: string;
  readonly outcome: Outcome;
  /** Why it failed. */
  readonly error?: unknown;
}

/** A selection of changes that are still as the user saw them. */
export interface Selected {
  readonly pending: PendingFile;
  /** Undefined: the whole file. */
  readonly changes: FileLines | undefined;
  readonly ids: ReadonlySet<string>;
}

/** A second selection of a file is of a version that the first one ends. */
export function firstOfEachPath(selections: readonly Selection[]): ReadonlySet<Selection> {
  const byPath = new Map<string, Selection>();
  for (const selection of selections.toReversed()) byPath.set(selection.path, selection);
  return new Set(byPath.values());
}

/** What a selection means now; undefined when it is stale. */
export async function select(
  root: TrackedRoot,
  pending: PendingFile | undefined,
  { version, changes: ids }: Selection,
): Promise<Selected | undefined> {
  if (pending?.version !== version) return undefined;
  if (ids === undefined) return { pending, changes: undefined, ids: new Set() };
  const lines = await linesOfPending(root, pending);
  const known = new Set(lines?.changes.map(({ id }) => id));
  const chosen = new Set(ids);
  if (!lines || chosen.size === 0 || ids.some(id => !known.has(id))) return undefined;
  if (chosen.size === known.size) return { pending, changes: undefined, ids: chosen };
  return pending.whole ? undefined : { pending, changes: lines, ids: chosen };
}

/** Lines and changes of a pending file, of a renamed one those since before it was renamed. */
export async function linesOfPending(
  root: TrackedRoot,
  { path, from, baseline, now }: PendingFile,
): Promise<FileLines | undefined> {
  const file = root.state.files.get(path);
  if (!file) return undefined;
  if (from === undefined) return root.fileLines(path, file);
  const before = await root.linesOf(baseline);
  const lines = before && (await root.linesOf(now));
  return lines && { baseline: before, lines, changes: fileChanges(path, before, lines) };
}

/** The file once some of its changes are kept; stores its new baseline. */
export async function fileAfterKeep(
  root: TrackedRoot,
  path: string,
  file: TrackedFile,
  { baseline, lines, changes }: FileLines,
  ids: ReadonlySet<string>,
): Promise<TrackedFile> {
  const kept = changes.filter(({ id }) => ids.has(id));
  const after = keepChanges(baseline, kept);
  const content = await root.storeLines(after, true);
  return alignedFile(
    root,
    path,
    { ...file, baseline: content },
    { baseline: after, lines, changes: changesAfterKeep(changes, ids) },
  );
}

/** The file once some of its changes are undone; stores its new bytes. */
export async function fileAfterUndo(
  root: TrackedRoot,
  path: string,
  file: TrackedFile,
  { baseline, lines: before, changes }: FileLines,
  ids: ReadonlySet<string>,
): Promise<TrackedFile> {
  const undone = changes.filter(({ id }) => ids.has(id));
  const lines = undoChanges(before, undone);
  const now = await root.storeLines(lines, true);
  const parts = changes.map(change => ({ ...partOf(change), id: change.id }));
  const rest = partsAfterUndo(parts, ({ id }) => ids.has(id));
  return alignedFile(
    root,
    path,
    { ...file, now },
    { baseline, lines, changes: changesOfParts(path, baseline, lines, rest) },
  );
}

async function alignedFile(
  root: TrackedRoot,
  path: string,
  file: TrackedFile,
  lines: FileLines,
): Promise<TrackedFile> {
  // Several changes may come to nothing: a line that moved back to its place, for example.
  if (sameContent(file.baseline, file.now)) return reviewed(file.now);
  const result = await root.alignedFile(path, file, lines.changes.map(partOf));
  if (result.alignment) root.rememberChanges(result, lines);
  return result;
}

/** The entry of a file of which nothing is pending. */
export const reviewed = (content: Content): TrackedFile => ({
  baseline: content,
  now: content,
  labels: [],
});

/** Whether undoing would remove lines that the user typed. */
export function removesTyping(
  file: TrackedFile,
  changes: readonly ExternalChange[] | undefined,
): boolean {
  return changes ? changes.some(({ isEdited }) => isEdited) : file.isEdited === true;
}
