import { diffLines } from '../../../../merge';
import type { LineEdit } from '../lineEdit';
import { applyEdits } from '../rebase';
import { CodeAlignment, isSameCode } from './codeAlignment';

/** A change of the file as two steps. */
export interface SplitChange {
  readonly before: readonly string[];
  /** Edits of `before` that leave the code the same but for its form; no two of them touch. */
  readonly formatting: readonly LineEdit[];
  /** The lines after the first step. */
  readonly formatted: readonly string[];
  /** The other edits, of the lines `formatted`. */
  readonly content: readonly LineEdit[];
}

/** A change by the user, whose blanks are as intended as the rest. */
export function contentChange(before: readonly string[], edits: readonly LineEdit[]): SplitChange {
  return { before, formatting: [], formatted: before, content: edits };
}

/**
 * A change by the user, by what formats the file when it is saved, or by an undo or redo of either. `edits` lead from the
 * lines `before` to `after`.
 */
export function changeBy(
  cause: 'user' | 'save' | 'undo',
  before: readonly string[],
  edits: readonly LineEdit[],
  after: readonly string[],
): SplitChange {
  if (cause === 'user') return contentChange(before, edits);
  const { formatting, content } = split(before, edits, after);
  if (cause === 'undo' && formatting.length === 0) return contentChange(before, edits);
  return {
    before,
    formatting,
    formatted: formatting.length === 0 ? before : applyEdits(before, formatting),
    content: cause === 'save' ? content.flatMap(lineByLine) : content,
  };
}

/** Edits of the file, each relative to the result of the one before. */
export function stepsOf({ formatting, content }: SplitChange): (readonly LineEdit[])[] {
  return [formatting, content].filter(edits => edits.length > 0);
}

/** Separates what only formats the code from what changes it. */
function split(
  before: readonly string[],
  edits: readonly LineEdit[],
  after: readonly string[],
): Pick<SplitChange, 'formatting' | 'content'> {
  const splitter = new ChangeSplitter(before, after);
  for (let index = 0; index < edits.length; ) index = splitter.add(edits, index);
  return splitter;
}

/** One edit per line where that is possible, so that a conflict takes in no change but its own. */
function lineByLine(edit: LineEdit): LineEdit[] {
  const { at, count, lines } = edit;
  if (count !== lines.length) return [edit];
  return lines.map((line, index) => ({ at: at + index, count: 1, lines: [line] }));
}

/** Runs of edits that are compared as one may cover all lines this many times. */
const maxPasses = 10;

class ChangeSplitter {
  readonly formatting: LineEdit[] = [];
  readonly content: LineEdit[] = [];
  readonly #before: readonly string[];
  readonly #after: readonly string[];
  /** Lines that the edits so far have added. */
  #growth = 0;
  /** Lines that the formatting so far has added. */
  #formattingGrowth = 0;
  #budget: number;

  constructor(before: readonly string[], after: readonly string[]) {
    this.#before = before;
    this.#after = after;
    this.#budget = maxPasses * (before.length + 1);
  }

  /** Takes the edit at `index`, and those that belong to it; returns the index of the next one. */
  add(edits: readonly LineEdit[], index: number): number {
    const edit = edits[index];
    if (!edit) return index + 1;
    const end = this.#addRun(edits, index);
    if (end !== undefined) return end;
    this.#addParts(edit);
    return index + 1;
  }

  /** Joins as many edits, and the lines between them, as it takes to have the same code before and after. */
  #addRun(edits: readonly LineEdit[], first: number): number | undefined {
    const at = edits[first]?.at ?? 0;
    const afterAt = at + this.#growth;
    const alignment = new CodeAlignment(
      { lines: this.#before, start: at, end: at },
      { lines: this.#after, start: afterAt, end: afterAt },
    );
    let growth = this.#growth;
    let end = at;
    for (let index = first; index < edits.length && this.#budget > 0; index++) {
      const edit = edits[index];
      if (!edit) break;
      this.#budget -= edit.at + edit.count - end;
      end = edit.at + edit.count;
      growth += growthOf(edit);
      const comparison = alignment.compareTo(end, end + growth);
      if (comparison === 'different') break;
      if (comparison === 'unfinished') continue;
      this.#growth = growth;
      const lines = this.#after.slice(afterAt, end + growth);
      this.#addFormatting({ at, count: end - at, lines });
      return index + 1;
    }
    return undefined;
  }

  /** Splits an edit at the lines that are the same but for their blanks and quotes. */
  #addParts({ at, count, lines }: LineEdit): void {
    const removed = this.#before.slice(at, at + count);
    const afterAt = at + this.#growth;
    let end = 0;
    let newEnd = 0;
    const addEqual = (to: number) => {
      for (; end < to; end++, newEnd++) {
        const line = lines[newEnd] ?? '';
        if (line !== removed[end]) this.#addFormatting({ at: at + end, count: 1, lines: [line] });
      }
    };
    for (const change of diffLines(removed.map(withoutForm), lines.map(withoutForm))) {
      addEqual(change.oldStart);
      const start = at + change.oldStart;
      const newStart = afterAt + change.newStart;
      const part: LineEdit = {
        at: start,
        count: change.oldCount,
        lines: lines.slice(change.newStart, change.newStart + change.newCount),
      };
      const isSame = isSameCode(
        { lines: this.#before, start, end: start + change.oldCount },
        { lines: this.#after, start: newStart, end: newStart + change.newCount },
      );
      if (isSame) this.#addFormatting(part);
      else this.#addContent(part);
      end += change.oldCount;
      newEnd += change.newCount;
    }
    addEqual(removed.length);
    this.#growth += lines.length - count;
  }

  #addFormatting(edit: LineEdit): void {
    this.#formattingGrowth += growthOf(edit);
    const last = this.formatting.at(-1);
    if (last && last.at + last.count === edit.at) {
      this.formatting.pop();
      const lines = [...last.lines, ...edit.lines];
      this.formatting.push({ at: last.at, count: last.count + edit.count, lines });
    } else this.formatting.push(edit);
  }

  #addContent(edit: LineEdit): void {
    this.content.push({ ...edit, at: edit.at + this.#formattingGrowth });
  }
}

const growthOf = ({ lines, count }: LineEdit): number => lines.length - count;

const withoutForm = (line: string): string =>
  line.replaceAll(/[\s\uFEFF]/g, '').replaceAll("'", '"');
