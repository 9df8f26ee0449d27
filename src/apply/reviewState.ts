import { isRecord } from '../service/guards';
import { type Hunk, sameLines } from './rebase';

/** A decision that can be taken back. The hunks lie in the file as it is now. */
export interface Decision {
  readonly kind: 'accept' | 'reject';
  /** For `accept`, these are the inverse hunks: what to do to the file in order to take it back. */
  readonly hunks: readonly Hunk[];
}

/** What of a review survives a reload of the window. */
export interface ReviewState {
  readonly version: 1;
  readonly current: readonly string[];
  readonly hunks: readonly Hunk[];
  readonly rejected: readonly number[];
  readonly decisions: readonly Decision[];
}

/** Reads what storage holds; undefined when any part is damaged or does not fit the file's lines. */
export function readReviewState(json: unknown): ReviewState | undefined {
  if (!isRecord(json) || json['version'] !== 1) return undefined;
  const { current, hunks, rejected, decisions } = json;
  if (!isLines(current) || !isListOf(rejected, isCount)) return undefined;
  if (!isHunksOf(hunks, current)) return undefined;
  if (!isListOf(decisions, value => isDecision(value, current))) return undefined;
  if (new Set(hunks.map(({ id }) => id)).size < hunks.length) return undefined;
  return { version: 1, current, hunks, rejected, decisions };
}

function isDecision(value: unknown, current: readonly string[]): value is Decision {
  if (!isRecord(value)) return false;
  const { kind, hunks } = value;
  return (kind === 'accept' || kind === 'reject') && isHunksOf(hunks, current);
}

function isHunksOf(value: unknown, current: readonly string[]): value is Hunk[] {
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
  const { id, at, removed, inserted, conflict } = value;
  return (
    isCount(id) &&
    isCount(at) &&
    isLines(removed) &&
    isLines(inserted) &&
    typeof conflict === 'boolean'
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
