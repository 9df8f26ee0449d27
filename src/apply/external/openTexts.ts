import * as vscode from 'vscode';
import { splitLines } from '../../base/text/textLines';
import { editFile } from '../changeset/editFile';
import { changesBetween } from '../review/model/rebase';
import type { OpenTexts } from './core/tracker';

/** The documents of a root that are open in the editor. */
export class OpenDocuments implements OpenTexts {
  readonly #folder: vscode.Uri;

  constructor(folder: vscode.Uri) {
    this.#folder = folder;
  }

  get(path: string): { readonly text: string; readonly isDirty: boolean } | undefined {
    const document = this.#documentOf(path);
    return document && { text: document.getText(), isDirty: document.isDirty };
  }

  async edit(
    path: string,
    before: string,
    after: string,
  ): Promise<'done' | 'changed' | 'readOnly' | 'failed'> {
    const document = this.#documentOf(path);
    if (!document || document.getText() !== before) return 'changed';
    const wasDirty = document.isDirty;
    const edits = changesBetween(splitLines(before), splitLines(after));
    const result = await editFile(document, edits);
    if (result !== 'applied') return result;
    // Unsaved text of the user stays unsaved.
    return wasDirty || (await document.save()) ? 'done' : 'failed';
  }

  #documentOf(path: string): vscode.TextDocument | undefined {
    const uri = vscode.Uri.joinPath(this.#folder, path).toString();
    return vscode.workspace.textDocuments.find(
      document => !document.isClosed && document.uri.toString() === uri,
    );
  }
}
