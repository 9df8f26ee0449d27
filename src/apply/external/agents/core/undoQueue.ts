import { isRecord } from '../../../../base/typeGuards';
import type { PendingFile } from '../../core/tracker';

/** An undo that waits until the agent that is at work has ended its turn. */
export interface QueuedUndo {
  /** URI of the file. */
  readonly id: string;
  /** What the file was when the user decided; only a file that is decided as a whole must still be the same. */
  readonly version: string;
  /** Ids; absent for a file that is decided as a whole. */
  readonly changes?: readonly string[];
}

/** Undos that wait, one entry per file. Lives in the memory of the workspace, so that a reload keeps it. */
export class UndoQueue {
  #waiting: readonly QueuedUndo[];

  /** @param stored of an earlier session; what is no queued undo in it is left out. */
  constructor(stored: unknown) {
    this.#waiting = Array.isArray(stored) ? stored.filter(isQueued) : [];
  }

  get all(): readonly QueuedUndo[] {
    return this.#waiting;
  }

  of(id: string): QueuedUndo | undefined {
    return this.#waiting.find(each => each.id === id);
  }

  /** More changes of the same file wait together. */
  add(undo: QueuedUndo): void {
    const known = this.of(undo.id);
    const changes =
      known?.changes && undo.changes
        ? [...new Set([...known.changes, ...undo.changes])]
        : undo.changes;
    const joined = { ...undo, ...(changes && { changes }) };
    this.#waiting = [...this.#waiting.filter(({ id }) => id !== undo.id), joined];
  }

  /** Takes all out that wait, or those of one file. */
  take(id?: string): readonly QueuedUndo[] {
    const taken = this.#waiting.filter(each => id === undefined || each.id === id);
    this.#waiting = this.#waiting.filter(each => !taken.includes(each));
    return taken;
  }
}

/** What is left of an undo that has waited. */
export interface StillThere {
  /** Ids; absent for a file that is decided as a whole. */
  readonly changes?: readonly string[];
  /** Whether that is all of it. */
  readonly isAll: boolean;
}

/**
 * Compares what was to be undone with what a file is now. An id stands for the content of a change, so that one which is
 * there again, or still, is what the user has seen.
 * @param changes of the file now; undefined when it is decided as a whole
 * @returns undefined when nothing is left
 */
export function stillThere(
  queued: QueuedUndo,
  pending: Pick<PendingFile, 'version'>,
  changes: readonly { readonly id: string }[] | undefined,
): StillThere | undefined {
  if (!queued.changes || !changes) {
    const isSame = !queued.changes && !changes && queued.version === pending.version;
    return isSame ? { isAll: true } : undefined;
  }
  const ids = new Set(changes.map(({ id }) => id));
  const left = queued.changes.filter(id => ids.has(id));
  if (left.length === 0) return undefined;
  return { changes: left, isAll: left.length === queued.changes.length };
}

function isQueued(value: unknown): value is QueuedUndo {
  if (!isRecord(value)) return false;
  const { id, version, changes } = value;
  return (
    typeof id === 'string' &&
    typeof version === 'string' &&
    (changes === undefined ||
      (Array.isArray(changes) && changes.every(each => typeof each === 'string')))
  );
}
