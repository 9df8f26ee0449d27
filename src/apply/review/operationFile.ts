import * as vscode from 'vscode';
import { splitLines } from '../../base/text/textLines';
import { UserError } from '../../base/userError';
import type { FileOperation } from './model/fileOperation';
import { hashLines, type LineEdit } from './model/lineEdit';
import { applyEdits, sameLines } from './model/rebase';

const { t } = vscode.l10n;

/** The lines of a file that does not exist, or of one that is empty. */
const noLines: readonly string[] = [''];

/** Tells the review of a path from the review of the file's lines. */
export const pathSubject = (uri: vscode.Uri): vscode.Uri => uri.with({ fragment: pathFragment });

const pathFragment = 'path';

/** The present text of a subject, whatever the operation of its review. */
export async function linesOfSubject(subject: vscode.Uri): Promise<readonly string[]> {
  const uri = subject.with({ fragment: '' });
  const showsPath = subject.fragment === pathFragment;
  return linesOfOperation({ kind: 'create', uri: uri.toString(), showsPath });
}

/** The URI that the review of an operation is filed under. */
export function subjectOfOperation({ uri, showsPath }: FileOperation): vscode.Uri {
  const parsed = vscode.Uri.parse(uri);
  return showsPath ? pathSubject(parsed) : parsed;
}

/** What the review of an operation shows: the lines now, and those that it proposes. */
export async function linesOfOperation(operation: FileOperation): Promise<readonly string[]> {
  const uri = vscode.Uri.parse(operation.uri);
  const isThere = await exists(uri);
  if (operation.kind === 'rename') {
    const newUri = vscode.Uri.parse(operation.newUri);
    return [pathOf(!isThere && (await exists(newUri)) ? newUri : uri)];
  }
  if (!isThere) return noLines;
  if (operation.showsPath) return [pathOf(uri)];
  return splitLines((await vscode.workspace.openTextDocument(uri)).getText());
}

/**
 * Adds the file operation that leads from one text of a review to another.
 *
 * @param documents takes the documents whose text the edit changes.
 * @throws {UserError} when a file is in the way, or is gone.
 */
export async function addOperation(
  edit: vscode.WorkspaceEdit,
  operation: FileOperation,
  { before, edits }: { readonly before: readonly string[]; readonly edits: readonly LineEdit[] },
  documents: vscode.TextDocument[],
): Promise<readonly string[]> {
  const after = applyEdits(before, edits);
  const uri = vscode.Uri.parse(operation.uri);
  if (operation.kind === 'rename') {
    const newUri = vscode.Uri.parse(operation.newUri);
    const [from, to] = after[0] === pathOf(newUri) ? [uri, newUri] : [newUri, uri];
    if (!(await exists(from))) throw gone(from);
    if (await exists(to)) throw taken(to);
    edit.renameFile(from, to);
    return after;
  }
  const isThere = await exists(uri);
  if (sameLines(after, noLines)) {
    if (!isThere) throw gone(uri);
    edit.deleteFile(uri);
  } else if (isThere) {
    if (operation.showsPath) throw taken(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    documents.push(document);
    const all = new vscode.Range(0, 0, document.lineCount, 0);
    edit.replace(uri, document.validateRange(all), after.join('\n'));
  } else edit.createFile(uri, { contents: bytesOf(operation, after) });
  return after;
}

/** The bytes of a file that will be deleted, to be stored first. Undefined where its text in the editor is newer. */
export async function bytesBeforeDelete(operation: FileOperation): Promise<string | undefined> {
  const uri = vscode.Uri.parse(operation.uri);
  const isDirty = vscode.workspace.textDocuments.some(
    document => document.uri.toString() === operation.uri && document.isDirty,
  );
  if (isDirty || !(await exists(uri))) return undefined;
  return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('base64');
}

function bytesOf(operation: FileOperation, lines: readonly string[]): Uint8Array {
  if (operation.kind === 'rename' || operation.showsPath) return new Uint8Array();
  const { deleted } = operation;
  // The file as it was, with its encoding and line ends, if it is the same text.
  return deleted?.hash === hashLines(lines)
    ? Buffer.from(deleted.bytes, 'base64')
    : new TextEncoder().encode(lines.join('\n'));
}

export async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Whether a file has a text: on disk, or in an editor only. */
export async function isPresent(uri: vscode.Uri): Promise<boolean> {
  const id = uri.toString();
  const document = vscode.workspace.textDocuments.find(each => each.uri.toString() === id);
  // VS Code keeps the document of a deleted file for a while.
  return document?.isUntitled || document?.isDirty || exists(uri);
}

export const pathOf = (uri: vscode.Uri): string => vscode.workspace.asRelativePath(uri);

const taken = (uri: vscode.Uri): UserError =>
  new UserError(t('{0} exists by now, so nothing was changed.', pathOf(uri)));

const gone = (uri: vscode.Uri): UserError =>
  new UserError(t('{0} no longer exists, so nothing was changed.', pathOf(uri)));
