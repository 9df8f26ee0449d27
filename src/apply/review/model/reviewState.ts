import { isRecord } from '../../../base/typeGuards';
import type { LineEdit } from './lineEdit';
import { applyEdits, changesBetween, type Hunk, sameLines } from './rebase';

/** A decision that can be undone. The hunks are relative to the current text of the file. */
export interface Decision {
  readonly kind: 'accept' | 'reject';
  /** For `accept`, the inverse hunks, which undo it in the file. */
  readonly hunks: readonly Hunk[];
}

/** The hunks of an earlier text of the file. */
export interface Snapshot {
  readonly hunks: readonly Hunk[];
  readonly rejected: ReadonlySet<number>;
  /** The user has edited the proposal since then. */
  readonly isOld?: true;
}

/** The state when the file was last saved, or when the review started. */
export interface SavedState {
  readonly text: readonly string[];
  readonly hunks: readonly Hunk[];
  readonly decisions: readonly Decision[];
}

/** Pending hunks and decisions; the text they belong to is stored elsewhere. */
export interface OpenState {
  readonly hunks: readonly Hunk[];
  readonly rejected: readonly number[];
  readonly decisions: readonly Decision[];
  /** For each conflict, the ids of the hunks that went into it. */
  readonly takenIn: readonly (readonly [number, readonly number[]])[];
}

/** `saved` is set when that state changed as well, because the proposal did. */
export interface FullState extends OpenState {
  readonly saved?: SavedState;
}

/** The stored form of a review, which survives a reload of the window. */
export interface StoredReviewState extends OpenState {
  readonly version: 2;
  readonly current: readonly string[];
  /** As in `SavedState`; `edits` lead from `current` to its text. */
  readonly saved: {
    readonly edits: readonly LineEdit[];
    readonly hunks: readonly Hunk[];
    readonly decisions: readonly Decision[];
  };
  readonly snapshots: readonly {
    readonly hash: string;
    readonly hunks: readonly Hunk[];
    readonly rejected: readonly number[];
    readonly isOld?: true;
  }[];
}

/**
 * The state after the file was reverted to the last save: rejections since then stay, acceptances become pending again.
 * All hunks are relative to the saved text.
 *
 * @param absorbed what went into a hunk since then, which is separate in the saved text.
 */
export function revertedState(
  saved: SavedState,
  decisions: readonly Decision[],
  rejected: ReadonlySet<number>,
  absorbed: { idsOf(hunks: readonly Hunk[]): readonly number[] },
): { hunks: Hunk[]; decisions: Decision[]; wantedAgain: Hunk[] } {
  const isRejected = ({ id }: Hunk) => rejected.has(id);
  const later = decisions
    .filter(({ kind }) => kind === 'reject')
    .map((decision): Decision => {
      const ids = new Set(absorbed.idsOf(decision.hunks));
      return { kind: 'reject', hunks: saved.hunks.filter(({ id }) => ids.has(id)) };
    });
  const earlier = saved.decisions.map(
    ({ kind, hunks }): Decision => ({
      kind,
      hunks: kind === 'reject' ? hunks.filter(isRejected) : hunks,
    }),
  );
  return {
    hunks: saved.hunks.filter(hunk => !isRejected(hunk)),
    decisions: [...earlier, ...later].filter(({ hunks }) => hunks.length > 0),
    wantedAgain: saved.decisions
      .filter(({ kind }) => kind === 'reject')
      .flatMap(({ hunks }) => hunks.filter(hunk => !isRejected(hunk))),
  };
}

export function toStoredSaved(
  { text, hunks, decisions }: SavedState,
  current: readonly string[],
): StoredReviewState['saved'] {
  return { edits: text === current ? [] : changesBetween(current, text), hunks, decisions };
}

export function readSaved({
  current,
  saved,
}: Pick<StoredReviewState, 'current' | 'saved'>): SavedState {
  const { edits, hunks, decisions } = saved;
  return { text: edits.length === 0 ? current : applyEdits(current, edits), hunks, decisions };
}

/** Validates a stored review; undefined when any part is damaged or does not fit the file's lines. */
export function readReviewState(json: unknown): StoredReviewState | undefined {
  if (!isRecord(json) || json['version'] !== 2) return undefined;
  const { current, snapshots } = json;
  if (!isLines(current) || !isListOf(snapshots, isSnapshot)) return undefined;
  const state = readOpenState(json, current);
  const saved = readStoredSaved(json['saved'], current);
  return state && saved && { version: 2, current, ...state, saved, snapshots };
}

/** Validates the stored state of the last save; undefined when it is damaged or belongs to other lines. */
export function readStoredSaved(
  json: unknown,
  current: readonly string[],
): StoredReviewState['saved'] | undefined {
  if (!isRecord(json)) return undefined;
  const { edits, hunks, decisions } = json;
  if (!isEditsOf(edits, current)) return undefined;
  const text = edits.length === 0 ? current : applyEdits(current, edits);
  if (!isHunksOf(hunks, text) || !isListOf(decisions, value => isDecision(value, text))) {
    return undefined;
  }
  return { edits, hunks, decisions };
}

/** Validates the stored state of a review of these lines; undefined when it is damaged or belongs to other lines. */
export function readOpenState(json: unknown, current: readonly string[]): OpenState | undefined {
  if (!isRecord(json)) return undefined;
  const { hunks, rejected, decisions, takenIn } = json;
  if (!isListOf(rejected, isCount) || !isHunksOf(hunks, current)) return undefined;
  if (!isListOf(decisions, value => isDecision(value, current))) return undefined;
  if (!isListOf(takenIn, isTakenIn)) return undefined;
  if (new Set(hunks.map(({ id }) => id)).size < hunks.length) return undefined;
  return { hunks, rejected, decisions, takenIn };
}

/** True for sorted edits that do not overlap and are within the lines. */
export function isEditsOf(value: unknown, lines: readonly string[]): value is LineEdit[] {
  if (!isListOf(value, isLineEdit)) return false;
  return value.every(
    ({ at, count }, index) => at + count <= (value[index + 1]?.at ?? lines.length),
  );
}

function isLineEdit(value: unknown): value is LineEdit {
  return (
    isRecord(value) && isCount(value['at']) && isCount(value['count']) && isLines(value['lines'])
  );
}

function isSnapshot(value: unknown): value is StoredReviewState['snapshots'][number] {
  if (!isRecord(value)) return false;
  const { hash, hunks, rejected, isOld } = value;
  if (isOld !== undefined && isOld !== true) return false;
  return typeof hash === 'string' && isListOf(hunks, isHunk) && isListOf(rejected, isCount);
}

function isTakenIn(value: unknown): value is [number, number[]] {
  return (
    Array.isArray(value) && value.length === 2 && isCount(value[0]) && isListOf(value[1], isCount)
  );
}

function isDecision(value: unknown, current: readonly string[]): value is Decision {
  if (!isRecord(value)) return false;
  const { kind, hunks } = value;
  return (kind === 'accept' || kind === 'reject') && isHunksOf(hunks, current);
}

/** True for sorted hunks of these lines that do not overlap. */
export function isHunksOf(value: unknown, current: readonly string[]): value is Hunk[] {
  if (!isListOf(value, isHunk)) return false;
  return value.every(({ at, removed }, index) => {
    const end = at + removed.length;
    const next = value[index + 1];
    if (end > (next?.at ?? current.length)) return false;
    return sameLines(current.slice(at, end), removed);
  });
}

function isHunk(value: unknown): value is Hunk {
  if (!isRecord(value)) return false;
  const { id, at, removed, inserted, conflict, rank } = value;
  return (
    isCount(id) &&
    isCount(at) &&
    isLines(removed) &&
    isLines(inserted) &&
    typeof conflict === 'boolean' &&
    (rank === undefined || isListOf(rank, isCount))
  );
}

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isLines(value: unknown): value is string[] {
  return isListOf(value, item => typeof item === 'string');
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
