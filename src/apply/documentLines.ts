import type * as vscode from 'vscode';
import { linesOf } from './editFile';
import { changedLines } from './lineSnapshot';
import type { FileChange } from './reviewModel';

interface Known {
  readonly version: number;
  readonly lines: readonly string[];
}

/** The lines of documents, split once: each change of the editor makes the next lines from the last ones. */
export class DocumentLines {
  readonly #known = new Map<vscode.TextDocument, Known>();

  of(document: vscode.TextDocument): readonly string[] {
    const known = this.#known.get(document);
    if (known?.version === document.version) return known.lines;
    return this.#remember(document, linesOf(document));
  }

  /** The lines that were read last, perhaps before the last change. */
  known(document: vscode.TextDocument): readonly string[] | undefined {
    return this.#known.get(document)?.lines;
  }

  /** The lines after an event; how they came from the last ones where that is known. */
  after({ document, contentChanges }: vscode.TextDocumentChangeEvent): {
    readonly lines: readonly string[];
    readonly change?: FileChange;
  } {
    const before = this.#known.get(document)?.lines;
    const changed = before && changedLines(before, contentChanges);
    if (!before || !changed || !fits(document, changed.lines, changed.edits))
      return { lines: this.#remember(document, linesOf(document)) };
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

/** Looks at the first and the last line of each edit: an event that was missed shows there. */
function fits(
  document: vscode.TextDocument,
  lines: readonly string[],
  edits: FileChange['edits'],
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
