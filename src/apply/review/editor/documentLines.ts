import type * as vscode from 'vscode';
import { linesOf } from '../../changeset/editFile';
import type { DocumentChange } from '../model/lineSnapshot';
import { changedLines } from '../model/lineSnapshot';

interface Known {
  readonly version: number;
  readonly lines: readonly string[];
}

/** Caches the lines of documents; each change event updates them without splitting the text again. */
export class DocumentLines {
  readonly #known = new Map<vscode.TextDocument, Known>();

  of(document: vscode.TextDocument): readonly string[] {
    const known = this.#known.get(document);
    if (known?.version === document.version) return known.lines;
    return this.#remember(document, linesOf(document));
  }

  /** The cached lines, which may be older than the last change. */
  known(document: vscode.TextDocument): readonly string[] | undefined {
    return this.#known.get(document)?.lines;
  }

  /** The lines after an event, and the edits that led to them if they are known. */
  after({ document, contentChanges }: vscode.TextDocumentChangeEvent): {
    readonly lines: readonly string[];
    readonly change?: DocumentChange;
  } {
    const before = this.#known.get(document)?.lines;
    const changed = before && changedLines(before, contentChanges);
    if (!before || !changed || !fits(document, changed.lines, changed.edits)) {
      return { lines: this.#remember(document, linesOf(document)) };
    }
    this.#remember(document, changed.lines);
    return { lines: changed.lines, change: { before, edits: changed.edits } };
  }

  forget(document: vscode.TextDocument): void {
    this.#known.delete(document);
  }

  #remember(document: vscode.TextDocument, lines: readonly string[]): readonly string[] {
    this.#known.set(document, { version: document.version, lines });
    return lines;
  }
}

/** Compares the first and the last line of each edit, which differ if an event was missed. */
function fits(
  document: vscode.TextDocument,
  lines: readonly string[],
  edits: DocumentChange['edits'],
): boolean {
  if (lines.length !== document.lineCount) return false;
  let shift = 0;
  return edits.every(({ at, count, lines: inserted }) => {
    const first = at + shift;
    shift += inserted.length - count;
    const places = inserted.length === 0 ? [] : [first, first + inserted.length - 1];
    return places.every(line => document.lineAt(line).text === lines[line]);
  });
}
