import * as vscode from 'vscode';
import { excludesOf } from '../../platform/egress/paths/workspaceRules';

/** Listing more would take seconds. */
const maxFiles = 20_000;

/** A list is dropped this long after its last use, in milliseconds: the watcher has a cost in a busy folder. */
const keptMs = 10 * 60_000;

interface KeptList {
  readonly uris: readonly vscode.Uri[];
  readonly excluded: string;
  readonly dispose: () => void;
}

let kept: KeptList | undefined;
let timer: NodeJS.Timeout | undefined;

/**
 * The files of the workspace that the settings do not exclude. Listing takes VS Code about half a second for 10,000
 * files, so the list is kept until a file appears or disappears.
 */
export async function listedUris(token: vscode.CancellationToken): Promise<readonly vscode.Uri[]> {
  clearTimeout(timer);
  timer = setTimeout(forget, keptMs);
  timer.unref();
  const excludes = excluded();
  if (kept?.excluded === excludes) return kept.uris;
  forget();
  let isCurrent = true;
  const changed = (): void => {
    isCurrent = false;
    forget();
  };
  // It must watch before the list is made, or a file that appears meanwhile would be missed.
  const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
  const listeners = [
    watcher,
    watcher.onDidCreate(changed),
    watcher.onDidDelete(changed),
    vscode.workspace.onDidChangeWorkspaceFolders(changed),
    vscode.workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('files.exclude')) changed();
    }),
  ];
  const dispose = (): void => void vscode.Disposable.from(...listeners).dispose();
  const uris = await vscode.workspace.findFiles('**/*', excludes, maxFiles, token);
  if (isCurrent && !token.isCancellationRequested) {
    kept?.dispose();
    kept = { uris, excluded: excludes, dispose };
  } else dispose();
  return uris;
}

function forget(): void {
  kept?.dispose();
  kept = undefined;
}

/** `findFiles` applies `files.exclude`, but not `search.exclude`. Braces within braces mean nothing in a glob. */
function excluded(): string {
  const excludes = excludesOf(vscode.workspace.workspaceFolders ?? [], '');
  const globs = new Set(['**/node_modules/**']);
  for (const glob of excludes) {
    if (typeof glob === 'string' && !/[{},]/.test(glob)) globs.add(glob);
  }
  return `{${[...globs].join(',')}}`;
}
