import { diffWordsWithSpace } from 'diff';

/** Changed characters in one line. `row` is relative to the first line of the side; `start` and `end` are UTF-16 offsets. */
export interface WordSpan {
  readonly row: number;
  readonly start: number;
  readonly end: number;
}

export interface WordSpans {
  readonly removed: readonly WordSpan[];
  readonly inserted: readonly WordSpan[];
}

/** In characters of both sides; for longer hunks, a word diff takes too long. */
const maxHunkLength = 8_000;
/** With less text in common, highlighting single words is noise. */
const minCommonShare = 0.25;

const none: WordSpans = { removed: [], inserted: [] };

/** The words of a hunk that differ; none when the lines differ as a whole. */
export function wordSpans(removed: readonly string[], inserted: readonly string[]): WordSpans {
  if (removed.length === 0 || inserted.length === 0) return none;
  if (isLong(removed, inserted)) return none;
  const before = removed.join('\n');
  const after = inserted.join('\n');

  const oldSide = new Spans();
  const newSide = new Spans();
  let common = 0;
  for (const change of diffWordsWithSpace(before, after)) {
    if (!change.added && !change.removed) common += change.value.trim().length;
    if (!change.added) oldSide.add(change.value, change.removed);
    if (!change.removed) newSide.add(change.value, change.added);
  }
  const longest = Math.max(before.trim().length, after.trim().length);
  if (common < longest * minCommonShare) return none;
  return { removed: oldSide.spans, inserted: newSide.spans };
}

function isLong(...sides: (readonly string[])[]): boolean {
  let length = 0;
  for (const lines of sides) {
    // The line ends between them.
    length += lines.length - 1;
    for (const line of lines) {
      length += line.length;
      if (length >= maxHunkLength) return true;
    }
  }
  return length >= maxHunkLength;
}

/** Collects the marked parts of one side's text, split at line ends. */
class Spans {
  readonly spans: WordSpan[] = [];
  #row = 0;
  #column = 0;

  add(text: string, isMarked: boolean): void {
    text.split('\n').forEach((part, index) => {
      if (index > 0) {
        this.#row++;
        this.#column = 0;
      }
      const end = this.#column + part.length;
      // A changed indentation is no changed word.
      const start = this.#column === 0 ? end - part.trimStart().length : this.#column;
      if (isMarked && start < end) this.spans.push({ row: this.#row, start, end });
      this.#column = end;
    });
  }
}
