import { type ArrayChange, diffArrays } from 'diff';
import { isBlank } from './lines';

/** Rows of the new text from `top` on; `bottom` is the first one below. */
interface Rows {
  top: number;
  bottom: number;
}

/** The changed rows and as many lines of code above and below them, or more where that says too little. */
export function shownRows(
  before: string[],
  after: string[],
  context: number,
  uniqueEdges = false,
): boolean[] {
  const changes = diffArrays(before, after);
  const edges = uniqueEdges ? uniqueRows(before, after, changes) : new Set(after.keys());
  const known = codeOf(before);
  const shown = after.map(() => false);
  for (const change of changedRows(changes)) {
    let rows = change;
    let [above, below] = [context, context];
    while (above > 0 || below > 0) {
      rows = grown(after, rows, above, below);
      // As the `}` above and the `}` below of a removed function do, that stand in the file just so.
      const saysNothing = known.includes(codeOf(after.slice(rows.top, rows.bottom)));
      above = rows.top > 0 && (saysNothing || !edges.has(rows.top)) ? 1 : 0;
      below = rows.bottom < after.length && (saysNothing || !edges.has(rows.bottom - 1)) ? 1 : 0;
    }
    shown.fill(true, rows.top, rows.bottom);
  }
  return shown;
}

function changedRows(changes: ArrayChange<string>[]): Rows[] {
  const changed: Rows[] = [];
  let row = 0;
  for (const { value, added, removed } of changes) {
    const bottom = removed ? row : row + value.length;
    if (added || removed) {
      changed.push({ top: row, bottom });
    }
    row = bottom;
  }
  return changed;
}

/** Rows of kept lines that stand once in the old and in the new text. */
function uniqueRows(
  before: string[],
  after: string[],
  changes: ArrayChange<string>[],
): Set<number> {
  const isNew = after.map(() => false);
  for (const { top, bottom } of changedRows(changes)) {
    isNew.fill(true, top, bottom);
  }
  const rows = [...after.keys()];
  return new Set(
    rows.filter(row => {
      const line = after[row] ?? '';
      return !isNew[row] && once(before, line) && once(after, line);
    }),
  );
}

const once = (lines: string[], line: string): boolean =>
  lines.indexOf(line) === lines.lastIndexOf(line);

function grown(lines: string[], { top, bottom }: Rows, above: number, below: number): Rows {
  const rows = { top, bottom };
  for (let left = above; left > 0; left--) {
    rows.top = nextCode(lines, rows.top - 1, -1);
  }
  for (let left = below; left > 0; left--) {
    rows.bottom = nextCode(lines, rows.bottom, 1) + 1;
  }
  return { top: Math.max(0, rows.top), bottom: Math.min(lines.length, rows.bottom) };
}

function nextCode(lines: string[], start: number, step: 1 | -1): number {
  let row = start;
  while (lines[row] !== undefined && isBlank(lines[row])) {
    row += step;
  }
  return row;
}

const codeOf = (lines: string[]): string =>
  ['', ...lines.filter(line => !isBlank(line)).map(line => line.trim()), ''].join('\n');
