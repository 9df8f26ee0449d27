import * as vscode from 'vscode';

const windowKey = 'splice.reviews.window';

/** Where reviews are stored. Windows without a workspace share one storage location, so each has a subfolder. */
export function reviewFolder({
  storageUri,
  globalStorageUri,
  workspaceState,
}: vscode.ExtensionContext): vscode.Uri {
  if (storageUri) return vscode.Uri.joinPath(storageUri, 'reviews');
  const known = workspaceState.get(windowKey);
  const own =
    typeof known === 'string' ? known : `${Date.now().toString(36)}-${process.pid.toString(36)}`;
  // Stays the same when this window is reloaded.
  if (own !== known) void workspaceState.update(windowKey, own);
  return vscode.Uri.joinPath(windowsFolder({ globalStorageUri }), own);
}

/** The parent folder of all windows without a workspace. */
function windowsFolder({
  globalStorageUri,
}: Pick<vscode.ExtensionContext, 'globalStorageUri'>): vscode.Uri {
  return vscode.Uri.joinPath(globalStorageUri, 'reviews');
}

/** Whether the last session left open reviews. Cheap, because it runs at each activation. */
export async function hasStoredReviews(context: vscode.ExtensionContext): Promise<boolean> {
  if (context.storageUri) return (await namesIn(reviewFolder(context))).some(isJournal);
  const root = windowsFolder(context);
  for (const name of await namesIn(root)) {
    if ((await namesIn(vscode.Uri.joinPath(root, name))).some(isJournal)) return true;
  }
  return false;
}

const isJournal = (name: string): boolean => name.endsWith('.journal');

async function namesIn(folder: vscode.Uri): Promise<string[]> {
  try {
    return (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
  } catch (error) {
    const isMissing = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
    // Other failures are reported when the reviews are read.
    return isMissing ? [] : ['unknown.journal'];
  }
}
