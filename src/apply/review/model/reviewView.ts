import type { Hunk } from './rebase';

interface ViewRow {
  readonly kind: ' ' | '-' | '+';
  /** 1-based line in the current file; absent on a '+' row. */
  readonly oldLine?: number;
  /** 1-based line in the proposed file; absent on a '-' row. */
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
  /** 0-based line in the current file. */
  readonly fileLine: number;
  /** 0-based line in the proposed file, in which all pending changes are accepted. */
  readonly proposedLine: number;
}

export interface ReviewView {
  /** The rows' texts, joined by '\n'. */
  readonly text: string;
  readonly rows: readonly ViewRow[];
  readonly hunks: readonly HunkPlace[];
  readonly lineCounts: {
    readonly unified: number;
    readonly proposed: number;
    readonly file: number;
  };
}

/** The unified text of a review, with removed lines above inserted ones, and how its rows relate to the file. */
export function buildReviewView(model: {
  current: readonly string[];
  hunks: readonly Hunk[];
}): ReviewView {
  const texts: string[] = [];
  const rows: ViewRow[] = [];
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
      proposedLine: newLine - 1,
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

  return {
    text: texts.join('\n'),
    rows,
    hunks,
    lineCounts: { unified: rows.length, proposed: newLine - 1, file: fileLine },
  };
}
