import type { Hunk } from './rebase';

export interface Row {
  readonly kind: ' ' | '-' | '+';
  /** 1-based line in the file as it is now; absent on a '+' row. */
  readonly oldLine?: number;
  /** 1-based line in the file with all that is pending accepted; absent on a '-' row. */
  readonly newLine?: number;
  /** The id of the hunk that the row belongs to. */
  readonly hunk?: number;
}

export interface HunkPlace {
  readonly id: number;
  /** 0-based row of the hunk's first removed line, or else of its first inserted one. */
  readonly firstRow: number;
  readonly removedRows: number;
  readonly insertedRows: number;
  /** 0-based line in the file as it is now. */
  readonly fileLine: number;
}

export interface View {
  /** The rows' texts, joined by '\n'. */
  readonly text: string;
  readonly rows: readonly Row[];
  readonly hunks: readonly HunkPlace[];
  readonly hunkAtRow: (row: number) => number | undefined;
  readonly rowOfHunk: (id: number) => number | undefined;
  /** The hunk to go to from a row, not counting the one that the row is in. */
  readonly nextHunk: (row: number, direction: 1 | -1, wrap: boolean) => number | undefined;
  /** The 0-based line of the file that a row shows; for an inserted row, the line that it would stand before. */
  readonly fileLineOfRow: (row: number) => number;
}

/** One text that shows a file with removed lines above inserted ones, and how its rows relate to the file. */
export function buildView(model: { current: readonly string[]; hunks: readonly Hunk[] }): View {
  const texts: string[] = [];
  const rows: Row[] = [];
  const hunks: HunkPlace[] = [];
  let fileLine = 0;
  let newLine = 1;

  const addUnchanged = (end: number) => {
    for (; fileLine < end; fileLine++) {
      texts.push(model.current[fileLine] ?? '');
      rows.push({ kind: ' ', oldLine: fileLine + 1, newLine: newLine++ });
    }
  };
  for (const { id, at, removed, inserted } of model.hunks) {
    addUnchanged(at);
    hunks.push({
      id,
      firstRow: rows.length,
      removedRows: removed.length,
      insertedRows: inserted.length,
      fileLine: at,
    });
    for (const line of removed) {
      texts.push(line);
      rows.push({ kind: '-', oldLine: ++fileLine, hunk: id });
    }
    for (const line of inserted) {
      texts.push(line);
      rows.push({ kind: '+', newLine: newLine++, hunk: id });
    }
  }
  addUnchanged(model.current.length);

  const places = new Map(hunks.map(hunk => [hunk.id, hunk]));
  return {
    text: texts.join('\n'),
    rows,
    hunks,
    hunkAtRow: row => rows[row]?.hunk,
    rowOfHunk: id => places.get(id)?.firstRow,
    nextHunk: (row, direction, wrap) => nextHunk(hunks, rows[row]?.hunk, row, direction, wrap),
    fileLineOfRow: row => fileLineOfRow(rows, places, row),
  };
}

function nextHunk(
  hunks: readonly HunkPlace[],
  own: number | undefined,
  row: number,
  direction: 1 | -1,
  wrap: boolean,
): number | undefined {
  const others = hunks.filter(({ id }) => id !== own);
  const next =
    direction === 1
      ? (others.find(({ firstRow }) => firstRow > row) ?? (wrap ? hunks[0] : undefined))
      : (others.findLast(({ firstRow }) => firstRow < row) ?? (wrap ? hunks.at(-1) : undefined));
  return next?.id;
}

function fileLineOfRow(
  rows: readonly Row[],
  places: ReadonlyMap<number, HunkPlace>,
  row: number,
): number {
  const shown = rows[Math.min(Math.max(row, 0), rows.length - 1)];
  if (!shown) return 0;
  if (shown.oldLine !== undefined) return shown.oldLine - 1;
  const place = places.get(shown.hunk ?? -1);
  return place ? place.fileLine + place.removedRows : 0;
}
