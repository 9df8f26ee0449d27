import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

/** A path with its symbolic links resolved; undefined where there is nothing. */
export async function realPathOf(file: string): Promise<string | undefined> {
  return realpath(file).catch(() => undefined);
}

/** The path of `file` relative to `root`, with `/`; undefined where it is not in it. */
export function pathBelow(root: string, file: string): string | undefined {
  const below = path.relative(root, file).replaceAll(path.sep, '/');
  return path.isAbsolute(below) || below.split('/')[0] === '..' ? undefined : below;
}

/** Where a file is once links are resolved. */
export interface RealPlace {
  readonly real: string | undefined;
  /** The real path of the workspace folder that the file was opened in, and the file's path in it. */
  readonly inFolder: { readonly root: string; readonly below: string } | undefined;
}

const nowhere: RealPlace = { real: undefined, inFolder: undefined };

/** All undefined for what is not on a disk of this machine. */
export async function realPlaceOf(uri: vscode.Uri): Promise<RealPlace> {
  if (uri.scheme !== 'file') return nowhere;
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const [root, real] = await Promise.all([
    folder?.scheme === 'file' ? realPathOf(folder.fsPath) : undefined,
    realPathOf(uri.fsPath),
  ]);
  const below = root === undefined || real === undefined ? undefined : pathBelow(root, real);
  const isIn = root !== undefined && below !== undefined;
  return { real, inFolder: isIn ? { root, below } : undefined };
}

/** Whether a file, or the folder that a new one would be in, is in the workspace once links are resolved. */
export async function isInWorkspace(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== 'file') return vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  let existing = uri.fsPath;
  let real = await realPathOf(existing);
  while (real === undefined) {
    // A link to nothing: what is written through it could end up anywhere.
    if (await isLink(existing)) return false;
    const parent = path.dirname(existing);
    if (parent === existing) return false;
    existing = parent;
    real = await realPathOf(existing);
  }
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const root = folder.uri.scheme === 'file' ? await realPathOf(folder.uri.fsPath) : undefined;
    if (root !== undefined && pathBelow(root, real) !== undefined) return true;
  }
  return false;
}

async function isLink(file: string): Promise<boolean> {
  return lstat(file).then(
    found => found.isSymbolicLink(),
    () => false,
  );
}
