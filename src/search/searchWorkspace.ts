import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import { excludesOf, usesIgnoreFiles } from '../platform/egress/paths/workspaceRules';
import type { SearchIndexes } from './fileIndex/folderIndexes';
import { findRipgrep } from './workspace/findRipgrep';
import { Sandbox, toPosixPath } from './workspace/sandbox';
import type { SearchWorkspace } from './workspace/workspace';

/** What one search covers: the workspace for the tools, and its URIs for the editor. */
export interface SearchTarget {
  readonly workspace: SearchWorkspace;
  /** In the order of the workspace's roots. */
  readonly roots: readonly vscode.Uri[];
}

/** @throws {UserError} when there is no local folder to search in. */
export function searchableFolders(): vscode.WorkspaceFolder[] {
  const all = vscode.workspace.workspaceFolders ?? [];
  const local = all.filter(({ uri }) => uri.scheme === 'file');
  if (local.length > 0) return local;
  throw new UserError(
    all.length > 0
      ? vscode.l10n.t('This workspace is not on a disk, so its files cannot be searched.')
      : vscode.l10n.t('Open a folder to search in it.'),
    { title: vscode.l10n.t('Open Folder…'), command: 'vscode.openFolder' },
  );
}

/**
 * @param folder to search in; without one, the whole workspace is searched.
 * @param indexes of the folders of the workspace
 * @throws {UserError} when there is no local folder to search in.
 */
export async function openSearchTarget(
  folder?: vscode.Uri,
  indexes?: SearchIndexes,
): Promise<SearchTarget> {
  const all = searchableFolders();
  const owner = folder && vscode.workspace.getWorkspaceFolder(folder);
  if (folder) await checkFolder(folder, owner, all);
  const roots: vscode.Uri[] = [];
  for (const uri of folder ? [folder] : all.map(({ uri: root }) => root)) {
    // A missing folder would shift the indexes of the others.
    const isThere = await realpath(uri.fsPath).then(
      () => true,
      () => false,
    );
    if (isThere) roots.push(uri);
  }
  if (roots.length === 0) {
    throw new UserError(vscode.l10n.t('The folder to search in does not exist.'));
  }
  const owners = owner ? [owner] : all;
  const below = owner && folder ? toPosixPath(path.relative(owner.uri.fsPath, folder.fsPath)) : '';
  return {
    roots,
    workspace: {
      roots: roots.map(({ fsPath }) => fsPath),
      rgPath: await ripgrepPath(),
      excludes: excludesOf(owners, below),
      useIgnoreFiles: usesIgnoreFiles(),
      usesGit: vscode.workspace.isTrusted,
      indexes: folder ? undefined : indexes,
      unsaved: await unsavedTexts(),
    },
  };
}

/** Refuses a folder that leads out of the workspace, through a link or a path from an agent. */
async function checkFolder(
  folder: vscode.Uri,
  owner: vscode.WorkspaceFolder | undefined,
  all: readonly vscode.WorkspaceFolder[],
): Promise<void> {
  // Its path may be that of a folder on the disk.
  if (folder.scheme !== 'file') {
    throw new UserError(
      vscode.l10n.t('This folder is not on a disk, so its files cannot be searched.'),
    );
  }
  const isOpen = all.some(({ uri }) => uri.toString() === owner?.uri.toString());
  const sandbox = await Sandbox.open({
    roots: all.map(({ uri }) => uri.fsPath),
    excludes: excludesOf(all, ''),
    useIgnoreFiles: usesIgnoreFiles(),
  });
  const place = isOpen ? await sandbox.resolve(folder.fsPath).catch(() => undefined) : undefined;
  if (!place?.isDirectory) {
    throw new UserError(
      vscode.l10n.t(
        'Only a folder of this workspace that is not hidden, ignored or excluded can be searched.',
      ),
    );
  }
}

async function unsavedTexts(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty || document.uri.scheme !== 'file') continue;
    const real = await realpath(document.uri.fsPath).catch(() => undefined);
    if (real !== undefined) texts.set(real, document.getText());
  }
  return texts;
}

let ripgrep: Promise<string | undefined> | undefined;

/** Path of the ripgrep that is run, looked up once. */
export async function ripgrepPath(): Promise<string | undefined> {
  return (ripgrep ??= findRipgrep(vscode.env.appRoot));
}
