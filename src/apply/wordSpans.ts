import { diffWordsWithSpace } from 'diff';

/** Changed characters in one line; `row` counts from the first line of that side, the rest UTF-16 characters. */
export interface WordSpan {
  readonly row: number;
  readonly start: number;
  readonly end: number;
}

export interface WordSpans {
  readonly removed: readonly WordSpan[];
  readonly inserted: readonly WordSpan[];
}

/** In characters, old and new side together; longer hunks cost too much time for what the marks say. */
const longestHunk = 8_000;
/** With less in common, marks on single words are noise. */
const leastCommonShare = 0.25;

const none: WordSpans = { removed: [], inserted: [] };

/** Which words of a hunk differ; nothing when the whole lines differ. */
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
  if (common < longest * leastCommonShare) return none;
  return { removed: oldSide.spans, inserted: newSide.spans };
}

function isLong(...sides: (readonly string[])[]): boolean {
  let length = 0;
  for (const lines of sides) {
    // The line ends between them.
    length += lines.length - 1;
    for (const line of lines) {
      length += line.length;
      if (length >= longestHunk) return true;
    }
  }
  return length >= longestHunk;
}

/** Walks over one side's text and keeps what is marked, cut at line ends. */
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
      // A shifted indentation changes no word.
      const start = this.#column === 0 ? end - part.trimStart().length : this.#column;
      if (isMarked && start < end) this.spans.push({ row: this.#row, start, end });
      this.#column = end;
    });
  }
}
