import * as vscode from 'vscode';
import { UserError } from '../../base/userError';

/** VS Code gives extensions no documents over 50 MB; merging files over this size is of no use. */
const maxBytes = 5 * 1024 * 1024;
/** How far to look for a NUL byte, as git does. */
const probedBytes = 8000;

/**
 * Opens the file that an edit goes to.
 *
 * @throws {UserError} when it is too large, binary, a folder, or missing.
 */
export async function readTarget(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const name = vscode.workspace.asRelativePath(uri);
  if (openNotebook(uri)?.isDirty) {
    throw new UserError(
      vscode.l10n.t(
        '{0} has changes in the notebook editor that are not saved. Save it, then apply the edit again.',
        name,
      ),
    );
  }
  const isOpen = vscode.workspace.textDocuments.some(
    document => document.uri.toString() === uri.toString(),
  );
  if (!isOpen || uri.scheme === 'file') await refuseUnfit(uri, name, isOpen);
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    if (document.getText().slice(0, probedBytes).includes('\0')) throw binary(name);
    return document;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw isBinaryFailure(error)
      ? binary(name)
      : new UserError(vscode.l10n.t('{0} cannot be opened as text.', name));
  }
}

/** The notebook that the file is open as. */
export const openNotebook = (uri: vscode.Uri): vscode.NotebookDocument | undefined =>
  vscode.workspace.notebookDocuments.find(
    notebook => !notebook.isClosed && notebook.uri.toString() === uri.toString(),
  );

async function refuseUnfit(uri: vscode.Uri, name: string, isOpen: boolean): Promise<void> {
  let stat: vscode.FileStat;
  try {
    stat = await vscode.workspace.fs.stat(uri);
  } catch {
    if (isOpen) return;
    throw new UserError(vscode.l10n.t('{0} does not exist.', name));
  }
  if (stat.type & vscode.FileType.Directory) {
    throw new UserError(vscode.l10n.t('{0} is a folder. Pick a file.', name));
  }
  if (stat.size > maxBytes) {
    const megabytes = Math.round(stat.size / 1024 / 1024);
    throw new UserError(
      vscode.l10n.t('{0} is {1} MB. Splice applies edits to files of up to 5 MB.', name, megabytes),
    );
  }
}

const binary = (name: string) =>
  new UserError(vscode.l10n.t('{0} is a binary file, so an edit cannot be applied to it.', name));

const isBinaryFailure = (error: unknown) => error instanceof Error && /binary/i.test(error.message);
