import type { Hunk } from './rebase';
import { FoldedRows } from './view/foldedRows';

interface ViewRow {
  /** `header`: what the review says of itself; `gap`: one row for unchanged lines that are not shown. */
  readonly kind: ' ' | '-' | '+' | 'header' | 'gap';
  /** 1-based line in the current file; absent on a '+' row; of a gap, its first line. */
  readonly oldLine?: number;
  /** 1-based line in the proposed file; absent on a '-' row; of a gap, its first line. */
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

/** Unchanged lines that are not shown. */
export interface GapPlace {
  /** The row that stands for them. */
  readonly row: number;
  /** 0-based line in the current file of the first one. */
  readonly fileLine: number;
  readonly lineCount: number;
  /** Identifies the gap while other changes are decided: the change below it; 0 at the end of the file. */
  readonly above: number;
}

export interface ReviewView {
  /** The texts of the rows below the header, joined by '\n'; a gap has none of its own. */
  readonly text: string;
  readonly rows: readonly ViewRow[];
  readonly hunks: readonly HunkPlace[];
  readonly gaps: readonly GapPlace[];
  readonly lineCounts: {
    readonly unified: number;
    readonly proposed: number;
    readonly file: number;
  };
}

interface ViewOptions {
  /** Gaps whose lines are shown all the same, as `GapPlace.above` names them. */
  readonly opened?: ReadonlySet<number>;
  readonly gapText?: (lineCount: number) => string;
}

/**
 * The unified text of a review, with removed lines above inserted ones, and how its rows relate to the file. The first row
 * is for the header. A long file is folded to its changes, because an editor takes longer to open, the more rows it has.
 */
export function buildReviewView(
  model: {
    readonly current: readonly string[];
    readonly hunks: readonly Hunk[];
  },
  { opened = new Set(), gapText = count => `⋯ ${count}` }: ViewOptions = {},
): ReviewView {
  const texts: string[] = [];
  const rows: ViewRow[] = [{ kind: 'header' }];
  const hunks: HunkPlace[] = [];
  const gaps: GapPlace[] = [];
  const folded = new FoldedRows(model);
  let fileLine = 0;
  let newLine = 1;

  const addGap = (end: number, above: number) => {
    gaps.push({ row: rows.length, fileLine, lineCount: end - fileLine, above });
    texts.push(gapText(end - fileLine));
    rows.push({ kind: 'gap', oldLine: fileLine + 1, newLine });
    newLine += end - fileLine;
    fileLine = end;
  };
  const addLines = (end: number) => {
    for (; fileLine < end; fileLine++) {
      texts.push(model.current[fileLine] ?? '');
      rows.push({ kind: ' ', oldLine: fileLine + 1, newLine: newLine++ });
    }
  };
  const addUnchanged = (end: number, above: number) => {
    const hidden = opened.has(above) ? [] : folded.between(fileLine, end);
    for (const { start, end: stop } of hidden) {
      addLines(start);
      addGap(stop, above);
    }
    addLines(end);
  };
  for (const { id, at, removed, inserted } of model.hunks) {
    addUnchanged(at, id);
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
  addUnchanged(model.current.length, 0);

  return {
    text: texts.join('\n'),
    rows,
    hunks,
    gaps,
    lineCounts: { unified: rows.length, proposed: newLine - 1, file: fileLine },
  };
}
