import { isRecord } from '../../../base/typeGuards';
import type { LineEdit } from '../model/lineEdit';
import { hashLines } from '../model/lineEdit';
import { applyEdits } from '../model/rebase';
import { ReviewModel } from '../model/reviewModel';
import {
  isEditsOf,
  readOpenState,
  readReviewState,
  readSaved,
  readStoredSaved,
} from '../model/reviewState';
import { decodeJournal, type JournalEntry, type JournalRecord } from './records';
import { readStart, type StartState } from './startState';

export interface Replayed {
  readonly meta: unknown;
  readonly model: ReviewModel;
  /** What the review began with; undefined when that is no longer known. */
  readonly start: StartState | undefined;
  /** Another review replaced this one. */
  readonly isReplaced: boolean;
  /** Time of the last record, in milliseconds since the epoch. */
  readonly time: number;
  /** Number of records that are missing, truncated, damaged or unusable. */
  readonly lost: number;
}

/**
 * Restores the review of a journal; undefined when the journal has no readable checkpoint.
 *
 * If records are missing, the text may be unknown from there on. Then only the ids of changes are used: a rejected change
 * stays rejected, and an accepted one is found in the file or becomes pending again.
 */
export function replay(text: string): Replayed | undefined {
  const { entries, damagedLines } = decodeJournal(text);
  const journal = new Replay(damagedLines);
  for (const entry of entries) journal.add(entry);
  return journal.result();
}

class Replay {
  #model: ReviewModel | undefined;
  #meta: unknown;
  #start: StartState | undefined;
  #isReplaced = false;
  #time = 0;
  #lost: number;
  /** Whether the text of the model is that of the journal. */
  #isTextKnown = true;
  /** Ids in the last list of rejections, used when the text is unknown. */
  #rejected: readonly number[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(lost: number) {
    this.#lost = lost;
  }

  add({ writer, number, time, record }: JournalEntry): void {
    const last = this.#numbers.get(writer);
    if (last !== undefined && number <= last) return;
    if (last !== undefined && number > last + 1) this.#lost++;
    this.#numbers.set(writer, number);
    this.#time = Math.max(this.#time, time);
    if (record.kind === 'checkpoint') {
      const state = readReviewState(record.state);
      const model = ReviewModel.fromJSON(record.state, state);
      if (!state || !model) {
        this.#lost++;
        return;
      }
      this.#start = readStart(record.start, state) ?? this.#start;
      this.#model = model;
      this.#meta = record.meta;
      this.#isTextKnown = true;
      this.#rejected = [];
      return;
    }
    const model = this.#model;
    if (!model) {
      this.#lost++;
      return;
    }
    switch (record.kind) {
      case 'edited':
        if (!this.#step(model, record)) this.#lost++;
        break;
      case 'accepting':
        if (this.#isTextKnown) model.willAccept(record.ids.map(Number));
        break;
      case 'decided':
        if (!this.#step(model, record, record.state)) {
          this.#lost++;
          this.#rejected = rejectedIn(record.state) ?? this.#rejected;
        }
        break;
      case 'proposed':
        if (!this.#propose(model, record)) {
          this.#lost++;
          this.#rejected = rejectedIn(record.state) ?? this.#rejected;
        }
        break;
      case 'saved':
        if (this.#isTextKnown) model.didSave();
        break;
      case 'replaced':
        this.#isReplaced = true;
        break;
    }
  }

  result(): Replayed | undefined {
    if (!this.#model) return undefined;
    this.#model.reject(this.#rejected);
    return {
      meta: this.#meta,
      model: this.#model,
      start: this.#start,
      isReplaced: this.#isReplaced,
      time: this.#time,
      lost: this.#lost,
    };
  }

  #step(
    model: ReviewModel,
    { steps, hash }: { readonly steps: unknown; readonly hash: unknown },
    stored?: unknown,
  ): boolean {
    if (!this.#isTextKnown) return false;
    const edited = editedBy(model.current, steps);
    const state = edited && stored !== undefined ? readOpenState(stored, edited.lines) : undefined;
    const isGood =
      edited !== undefined &&
      hashLines(edited.lines) === hash &&
      (stored === undefined || state !== undefined);
    if (isGood) model.replay(edited.steps, edited.lines, state);
    else this.#isTextKnown = false;
    return isGood;
  }

  #propose(
    model: ReviewModel,
    record: Extract<JournalRecord, { readonly kind: 'proposed' }>,
  ): boolean {
    if (!this.#step(model, record, record.state)) return false;
    const { current } = model;
    const saved = readStoredSaved(record.saved, current);
    if (!saved) return false;
    model.replay([], current, { ...model.openState(), saved: readSaved({ current, saved }) });
    return true;
  }
}

/** The lines after these steps; undefined when they do not fit. */
function editedBy(
  before: readonly string[],
  stored: unknown,
): { steps: LineEdit[][]; lines: readonly string[] } | undefined {
  if (!Array.isArray(stored)) return undefined;
  const steps: LineEdit[][] = [];
  let lines = before;
  for (const edits of stored) {
    if (!isEditsOf(edits, lines)) return undefined;
    steps.push(edits);
    lines = applyEdits(lines, edits);
  }
  return { steps, lines };
}

function rejectedIn(state: unknown): number[] | undefined {
  const rejected = isRecord(state) ? state['rejected'] : undefined;
  return Array.isArray(rejected) ? rejected.map(Number) : undefined;
}
