import { sentence } from '../../../base/sentence';
import { splitLines } from '../../../base/text/textLines';
import {
  type Edited,
  type MergedFile,
  mergeOperation,
  type TextOperation,
} from '../mergeOperation';
import { shownLines } from '../shownText';
import { cellsOf, isNotebook, withCell } from './notebookFile';

/** Makes an operation's change in the file of a notebook: in its JSON, or in the one cell that code is for. */
export function editNotebook(before: string, operation: TextOperation, file: MergedFile): Edited {
  const cells = cellsOf(before);
  if (!cells || isJsonEdit(operation)) {
    const merged = mergeOperation(before, operation, file);
    return merged.kind === 'edited' && cells && !isNotebook(merged.text) ? broken : merged;
  }
  const edited = cells.map(cell =>
    mergeOperation(cell.text, operation, { ...file, path: cell.name, isTouched: true }),
  );
  const chosen = onlyCell(
    operation,
    cells.map(({ text }) => text),
    edited,
  );
  if ('reason' in chosen) return { kind: 'refused', reason: chosen.reason };
  const cell = cells[chosen.at];
  return cell === undefined
    ? broken
    : { ...chosen.edit, text: withCell(before, cell, chosen.edit.text) };
}

const broken: Edited = {
  kind: 'refused',
  reason: sentence('The file would no longer be a notebook.'),
};

/** Names in the JSON of a notebook. */
const jsonName =
  /^["'](?:cells|cell_type|source|metadata|outputs|nbformat\w*|execution_count|id)["']\s*:/;
/** A line of code as the JSON has it. */
const jsonLine = /^"(?:[^"\\]|\\.)*",?$/;

/** Whether an operation shows the JSON of a notebook, and not the code of a cell. */
export function isJsonEdit(operation: TextOperation): boolean {
  if (operation.kind === 'insert') return true;
  const lines = shownLines(operation).map(line => line.trim());
  return (
    lines.length === 0 ||
    lines.some(line => jsonName.test(line)) ||
    lines.filter(line => jsonLine.test(line)).length * 2 > lines.length
  );
}

type Merged = Extract<Edited, { kind: 'edited' }>;

/**
 * The one cell that takes an edit.
 *
 * @param texts of the cells.
 * @param edited what the operation makes of each.
 */
export function onlyCell(
  operation: TextOperation,
  texts: readonly string[],
  edited: readonly Edited[],
): { readonly at: number; readonly edit: Merged } | Extract<Edited, { kind: 'refused' }> {
  const shown = new Set(shownLines(operation).map(line => line.trim()));
  const taking = edited.flatMap((edit, at) => {
    if (edit.kind === 'refused') return [];
    const lines = new Set(splitLines(texts[at] ?? '').map(line => line.trim()));
    return [{ at, edit, held: [...lines].filter(line => shown.has(line)).length }];
  });
  // New lines can be put at the end of any cell.
  const most = Math.max(0, ...taking.map(({ held }) => held));
  const holding = taking.filter(({ held }) => held === most);
  const certain = holding.filter(({ edit }) => edit.certain);
  const fitting = certain.length > 0 ? certain : holding;
  const [only, second] = fitting;
  if (!only) {
    return { kind: 'refused', reason: sentence('It fits none of the cells of the notebook.') };
  }
  if (!second) return only;
  const cells = fitting.map(({ at }) => at + 1).join(', ');
  return {
    kind: 'refused',
    reason: sentence('It fits several cells of the notebook: {0}. Say which one is meant.', cells),
  };
}
