import * as vscode from 'vscode';

const windowKey = 'splice.reviews.window';

/** Where reviews are stored. Windows without a folder share one storage, so each has a folder of its own in it. */
export function reviewFolder({
  storageUri,
  globalStorageUri,
  workspaceState,
}: vscode.ExtensionContext): vscode.Uri {
  if (storageUri) return vscode.Uri.joinPath(storageUri, 'reviews');
  const known = workspaceState.get(windowKey);
  const own =
    typeof known === 'string' ? known : `${Date.now().toString(36)}-${process.pid.toString(36)}`;
  // The same after a reload of this window.
  if (own !== known) void workspaceState.update(windowKey, own);
  return vscode.Uri.joinPath(windowsFolder({ globalStorageUri }), own);
}

/** The folders of all windows that have no workspace folder. */
export function windowsFolder({
  globalStorageUri,
}: Pick<vscode.ExtensionContext, 'globalStorageUri'>): vscode.Uri {
  return vscode.Uri.joinPath(globalStorageUri, 'reviews');
}

/** Whether the last session left something open; cheap, because it is asked at each start of a window. */
export async function hasStoredReviews(context: vscode.ExtensionContext): Promise<boolean> {
  if (context.storageUri) return (await namesIn(reviewFolder(context))).some(isJournal);
  const root = windowsFolder(context);
  for (const name of await namesIn(root))
    if ((await namesIn(vscode.Uri.joinPath(root, name))).some(isJournal)) return true;
  return false;
}

const isJournal = (name: string): boolean => name.endsWith('.journal');

async function namesIn(folder: vscode.Uri): Promise<string[]> {
  try {
    return (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
  } catch (error) {
    const isMissing = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
    // Any other failure is told where the reviews are read.
    return isMissing ? [] : ['unknown.journal'];
  }
}
