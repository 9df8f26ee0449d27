import { hashOf } from '../lineEdit';
import { ReviewModel } from '../reviewModel';
import { isEditsOf, readOpenState } from '../reviewState';
import { applyEdits } from '../rebase';
import { decodeJournal, type Entry, type Steps } from './records';

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
        if (this.#isTextKnown && Array.isArray(record.ids)) model.willAccept(record.ids);
        break;
      case 'decided':
        if (!this.#step(model, record, record.state)) {
          this.#lost++;
          if (Array.isArray(record.state?.rejected)) this.#rejected = record.state.rejected;
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
    { steps, hash }: { readonly steps: Steps; readonly hash: string },
    state?: unknown,
  ): boolean {
    if (!this.#isTextKnown) return false;
    const now = after(model.current, steps);
    const known = now && state !== undefined ? readOpenState(state, now) : undefined;
    const isGood = now && hashOf(now) === hash && (state === undefined || known !== undefined);
    if (isGood) model.replay(steps, now, known);
    else this.#isTextKnown = false;
    return isGood === true;
  }
}

function after(lines: readonly string[], steps: unknown): readonly string[] | undefined {
  if (!Array.isArray(steps)) return undefined;
  let now = lines;
  for (const edits of steps) {
    if (!isEditsOf(edits, now)) return undefined;
    now = applyEdits(now, edits);
  }
  return now;
}
