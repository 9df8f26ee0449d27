/** The weight of a line such as `}`, which is equal to many others. */
const fillerWeight = 0.3;
const insertionCost = 0.002;
const deletionCost = 0.06;
const noWord = /^\W*$/;
const markerLine = /^\s*(?:\/\/|#|--|\/\*|\{\/\*|<!--)?\s*(?:\.{3}|rest of the code)/;

const unreached = -1e9;
const [equal, inserted, skipped, left, deleted] = [1, 2, 3, 4, 5];

/**
 * A merge by nothing but the longest common subsequence of the lines, in which a marker stands for any lines of the
 * file. It is the reference for the speed of the merge: the least that has to be done, without a look at what is unclear
 * or damaged. Undefined when there is no alignment.
 */
export function lcsMerge(original: string, update: string): string | undefined {
  const lines = original.replaceAll('\r\n', '\n').split('\n');
  const shown = update.replaceAll('\r\n', '\n').split('\n');
  const known = new Set(lines.map(line => line.trim()));
  const isMarker = (line: string): boolean => markerLine.test(line) && !known.has(line.trim());
  // The file may go on above and below.
  const rows = ['...', ...shown, '...'];
  const marks = rows.map(isMarker);
  const texts = lines.map(line => line.trim());
  const rowTexts = rows.map(row => row.trim());
  const width = lines.length + 1;
  const score = new Float32Array((rows.length + 1) * width).fill(unreached);
  const steps = new Uint8Array((rows.length + 1) * width);
  score[0] = 0;
  const reach = (to: number, value: number, step: number): void => {
    if (value <= (score[to] ?? 0)) return;
    score[to] = value;
    steps[to] = step;
  };
  for (let row = 0; row < rows.length; row++) {
    const text = rowTexts[row] ?? '';
    const weight = noWord.test(text) ? fillerWeight : 1;
    for (let line = 0; line <= lines.length; line++) {
      const at = row * width + line;
      const value = score[at] ?? unreached;
      if (value <= unreached) continue;
      if (marks[row]) {
        if (line < lines.length) reach(at + 1, value, skipped);
        reach(at + width, value, left);
        continue;
      }
      if (line < lines.length && texts[line] === text) reach(at + width + 1, value + weight, equal);
      reach(at + width, value - insertionCost, inserted);
      if (line < lines.length) reach(at + 1, value - deletionCost, deleted);
    }
  }
  return traced(lines, rows, steps);
}

function traced(
  lines: readonly string[],
  rows: readonly string[],
  steps: Uint8Array,
): string | undefined {
  const merged: string[] = [];
  let row = rows.length;
  let line = lines.length;
  while (row > 0 || line > 0) {
    const step = steps[row * (lines.length + 1) + line];
    if (step === equal) {
      row--;
      merged.push(lines[--line] ?? '');
    } else if (step === inserted) merged.push(rows[--row] ?? '');
    else if (step === skipped) merged.push(lines[--line] ?? '');
    else if (step === left) row--;
    else if (step === deleted) line--;
    else return undefined;
  }
  return merged.reverse().join('\n');
}
