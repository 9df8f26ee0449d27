import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { waitFor } from './waitFor';

/** Where VS Code keeps its backups: on a server, and on the desktop. */
const backupFolders = ['data/data/User/Backups', 'data/Backups'];

/** The texts of the backups that VS Code has of untitled documents, each below a line about the document. */
function untitledBackups(): string[] {
  const base = process.env['HOST_TEST_DATA'] ?? assert.fail();
  const folders = backupFolders
    .map(folder => path.join(base, folder))
    .filter(folder => existsSync(folder))
    .flatMap(folder => readdirSync(folder).map(window => path.join(folder, window, 'untitled')))
    .filter(folder => existsSync(folder));
  return folders.flatMap(folder =>
    readdirSync(folder).flatMap(name => {
      try {
        return readFileSync(path.join(folder, name), 'utf8');
      } catch {
        return []; // removed in this moment
      }
    }),
  );
}

/**
 * An untitled document, in front. It takes the name of the one that was closed before, and is filled from the backup of
 * that one as long as there is one.
 */
export async function openUntitled(content: string): Promise<vscode.TextDocument> {
  await waitFor(() => untitledBackups().length === 0, 'the backups of untitled documents to go');
  const document = await vscode.workspace.openTextDocument({ language: 'typescript', content });
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

/**
 * Closes an untitled document as "Don't Save" does, once VS Code has written its backup: one that is being written is
 * removed only after that, and the next document of the same name may come in between.
 */
export async function closeUntitled(document: vscode.TextDocument): Promise<void> {
  const text = document.getText();
  await waitFor(
    () => !document.isDirty || untitledBackups().some(backup => backup.endsWith(text)),
    'the backup of the untitled document',
  );
  await vscode.window.showTextDocument(document, { preview: false });
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}
