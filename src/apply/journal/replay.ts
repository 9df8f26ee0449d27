import { hashOf } from '../lineEdit';
import { ReviewModel } from '../reviewModel';
import type { LineEdit } from '../lineEdit';
import { applyEdits } from '../rebase';
import { isEditsOf, readOpenState } from '../reviewState';
import { isRecord } from '../../service/guards';
import { decodeJournal, type Entry } from './records';

export interface Replayed {
  readonly meta: unknown;
  readonly model: ReviewModel;
  /** Another review took the place of this one. */
  readonly isReplaced: boolean;
  /** Time of the last record, in milliseconds since 1970. */
  readonly time: number;
  /** Records that are missing, cut off, damaged or could not be used. */
  readonly lost: number;
}

/**
 * The review that a journal tells of; undefined when it has no checkpoint that can be read.
 *
 * Where records are missing, the text may no longer be known. From there on only what is said by the ids of changes
 * counts: a change that was rejected stays so, and one that was accepted is found in the file or is pending again.
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
  #isReplaced = false;
  #time = 0;
  #lost: number;
  /** Whether the text of the model is that of the journal. */
  #isTextKnown = true;
  /** What was rejected at last, where only ids count. */
  #rejected: readonly number[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(lost: number) {
    this.#lost = lost;
  }

  add({ writer, number, time, record }: Entry): void {
    const last = this.#numbers.get(writer);
    if (last !== undefined && number <= last) return;
    if (last !== undefined && number > last + 1) this.#lost++;
    this.#numbers.set(writer, number);
    this.#time = Math.max(this.#time, time);
    if (record.kind === 'checkpoint') {
      const model = ReviewModel.fromJSON(record.state);
      if (!model) {
        this.#lost++;
        return;
      }
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
      hashOf(edited.lines) === hash &&
      (stored === undefined || state !== undefined);
    if (isGood) model.replay(edited.steps, edited.lines, state);
    else this.#isTextKnown = false;
    return isGood;
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
