import type { StoredAlignment } from './alignment/alignment';
import { type Content, sameContent } from './content';
import type { NoTextReason } from './fileText';
import type { RootRecord } from './rootRecords';

/** Who wrote, as far as is known; times are in milliseconds since the epoch. */
export interface WriteLabel {
  readonly from: number;
  readonly to: number;
  readonly agent?: string;
  readonly session?: string;
  readonly turn?: string;
  readonly tool?: string;
  /** Several agents were at work. */
  readonly isShared?: true;
}

export interface TrackedFile {
  /** The bytes that were last reviewed. */
  readonly baseline: Content;
  readonly now: Content;
  readonly labels: readonly WriteLabel[];
  /** The user edited lines of a change. */
  readonly isEdited?: true;
  /** Why it is decided as a whole. */
  readonly reason?: NoTextReason;
  readonly isGenerated?: true;
  /** The changes, once a decision or an edit made them; undefined: those of a diff. */
  readonly alignment?: StoredAlignment;
}

/** A file before and after a decision. */
export interface DecidedFile {
  readonly path: string;
  readonly before: TrackedFile;
  readonly after: TrackedFile;
  /** The decision edited only an unsaved document: ids of its texts before and after. */
  readonly buffer?: { readonly from: string; readonly to: string };
}

/** A decision that can be undone. */
export interface StoredDecision {
  readonly id: number;
  readonly kind: 'keep' | 'undo';
  readonly at: number;
  readonly files: readonly DecidedFile[];
}

/** Writes that were about to be made. */
export interface PlannedWrites {
  readonly at: number;
  readonly files: readonly DecidedFile[];
  /** The decision that they undo; undefined: they undo changes. */
  readonly reverts?: number;
}

export interface RootState {
  /** By path. A path without an entry is as git has it, or unknown. */
  readonly files: ReadonlyMap<string, TrackedFile>;
  /** Oldest first. */
  readonly decisions: readonly StoredDecision[];
  readonly planned?: PlannedWrites;
}

/** A path with its new entry; null removes it. */
export type FileUpdate = readonly [path: string, file: TrackedFile | null];

export const emptyState: RootState = { files: new Map(), decisions: [] };

const maxDecisions = 50;
/** Files in all decisions together; the last one is kept whatever its size. */
const maxDecidedFiles = 5000;

export const isPending = ({ baseline, now }: TrackedFile): boolean => !sameContent(baseline, now);

/** The state after a record. */
export function reduceState(state: RootState, record: RootRecord): RootState {
  switch (record.kind) {
    case 'checkpoint':
      return record.state;
    case 'files': {
      const settled = new Set(record.settled);
      const reverted = record.reverted;
      const decisions = without(
        state.decisions,
        ({ id }, path) =>
          settled.has(path) || (id === reverted?.decision && path === reverted.path),
      );
      return { ...state, files: updated(state.files, record.files), decisions };
    }
    case 'kept':
      return {
        ...state,
        files: updated(state.files, record.files.map(updateOf)),
        decisions: pushed(state.decisions, 'keep', record),
      };
    case 'undoing':
      return { ...state, planned: record.planned };
    case 'undone':
      return {
        files: updated(state.files, record.files.map(updateOf)),
        decisions: pushed(state.decisions, 'undo', record),
      };
    case 'reverted':
      break;
  }
  const { decision, left } = record;
  return {
    files: updated(state.files, record.files),
    decisions: without(state.decisions, ({ id }, path) => id === decision && !left.includes(path)),
  };
}

const updateOf = ({ path, after }: DecidedFile): FileUpdate => [path, after];

function updated(
  files: ReadonlyMap<string, TrackedFile>,
  updates: readonly FileUpdate[],
): ReadonlyMap<string, TrackedFile> {
  if (updates.length === 0) return files;
  const result = new Map(files);
  for (const [path, file] of updates) {
    if (file) result.set(path, file);
    else result.delete(path);
  }
  return result;
}

function without(
  decisions: readonly StoredDecision[],
  isRemoved: (decision: StoredDecision, path: string) => boolean,
): readonly StoredDecision[] {
  const rest = decisions.map(decision => {
    const files = decision.files.filter(({ path }) => !isRemoved(decision, path));
    return files.length === decision.files.length ? decision : { ...decision, files };
  });
  const isSame = rest.every((decision, at) => decision === decisions[at]);
  return isSame ? decisions : rest.filter(({ files }) => files.length > 0);
}

function pushed(
  decisions: readonly StoredDecision[],
  kind: StoredDecision['kind'],
  { at, files }: { readonly at: number; readonly files: readonly DecidedFile[] },
): readonly StoredDecision[] {
  if (files.length === 0) return decisions;
  const id = (decisions.at(-1)?.id ?? 0) + 1;
  const all = [...decisions, { id, kind, at, files }];
  let first = all.length - 1;
  let count = files.length;
  for (; first > 0 && all.length - first < maxDecisions; first--) {
    count += all[first - 1]?.files.length ?? 0;
    if (count > maxDecidedFiles) break;
  }
  return all.slice(first);
}

/**
 * Ids of the contents that the state refers to. `needed` are those of pending files and of decisions that can be undone;
 * `reviewed` are baselines that a file may be compared with later.
 */
export function contentsOf(state: RootState): {
  readonly needed: ReadonlySet<string>;
  readonly reviewed: ReadonlySet<string>;
} {
  const needed = new Set<string>();
  const reviewed = new Set<string>();
  for (const file of state.files.values()) addFile(file, isPending(file) ? needed : reviewed);
  const decided = [
    ...state.decisions.flatMap(({ files }) => files),
    ...(state.planned?.files ?? []),
  ];
  for (const { before, after, buffer } of decided) {
    addFile(before, needed);
    addFile(after, needed);
    if (buffer) needed.add(buffer.from).add(buffer.to);
  }
  return { needed, reviewed };
}

function addFile({ baseline, now }: TrackedFile, ids: Set<string>): void {
  for (const content of [baseline, now]) if (content.kind === 'file') ids.add(content.id);
}
