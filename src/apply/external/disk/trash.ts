import * as vscode from 'vscode';

/**
 * Moves a file to the trash of the system. Where there is none, as in most remote windows, it is deleted: its bytes were
 * stored before, so that the decision can be undone.
 * @param folder of the workspace, whose scheme the file has
 */
export async function moveToTrash(folder: vscode.Uri, file: string): Promise<void> {
  const uri = folder.with({ path: vscode.Uri.file(file).path });
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: true });
  } catch {
    await vscode.workspace.fs.delete(uri);
  }
}
