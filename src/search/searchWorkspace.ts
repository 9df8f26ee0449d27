import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { excludesOf, usesIgnoreFiles } from '../host/egress/workspaceRules';
import { UserError } from '../host/errors';
import { findProgram } from './process';
import { Sandbox, slashes } from './sandbox';
import type { SearchWorkspace } from './workspace';

/** What one search looks at: the workspace for the tools, and the addresses for the editor. */
export interface SearchTarget {
  readonly workspace: SearchWorkspace;
  /** In the order of the workspace's roots. */
  readonly roots: readonly vscode.Uri[];
}

/**
 * @param folder that alone is searched; the whole workspace without it.
 * @throws {UserError} when there is no folder on a disk to search in.
 */
export async function openSearchTarget(folder?: vscode.Uri): Promise<SearchTarget> {
  const all = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (all.length === 0)
    throw new UserError(
      vscode.workspace.workspaceFolders?.length
        ? vscode.l10n.t('This workspace is not on a disk, so its files cannot be searched.')
        : vscode.l10n.t('Open a folder to search in it.'),
    );
  const owner = folder && vscode.workspace.getWorkspaceFolder(folder);
  if (folder) await checkFolder(folder, owner, all);
  const roots: vscode.Uri[] = [];
  for (const uri of folder ? [folder] : all.map(({ uri: root }) => root)) {
    // A folder that is gone would shift the indexes of the others.
    const isThere = await realpath(uri.fsPath).then(
      () => true,
      () => false,
    );
    if (isThere) roots.push(uri);
  }
  if (roots.length === 0)
    throw new UserError(vscode.l10n.t('The folder to search in does not exist.'));
  const owners = owner ? [owner] : all;
  const below = owner && folder ? slashes(path.relative(owner.uri.fsPath, folder.fsPath)) : '';
  return {
    roots,
    workspace: {
      roots: roots.map(({ fsPath }) => fsPath),
      rgPath: await ripgrepPath(),
      excludes: excludesOf(owners, below),
      useIgnoreFiles: usesIgnoreFiles(),
      usesGit: vscode.workspace.isTrusted,
      unsaved: await unsavedTexts(),
    },
  };
}

/** A link, or a name that an agent gave, must not lead out of the workspace. */
async function checkFolder(
  folder: vscode.Uri,
  owner: vscode.WorkspaceFolder | undefined,
  all: readonly vscode.WorkspaceFolder[],
): Promise<void> {
  const isOpen = all.some(({ uri }) => uri.toString() === owner?.uri.toString());
  const sandbox = await Sandbox.open({
    roots: all.map(({ uri }) => uri.fsPath),
    excludes: excludesOf(all, ''),
    useIgnoreFiles: usesIgnoreFiles(),
  });
  const place = isOpen ? await sandbox.resolve(folder.fsPath).catch(() => undefined) : undefined;
  if (!place?.isDirectory)
    throw new UserError(
      vscode.l10n.t(
        'Only a folder of this workspace that is not hidden, ignored or excluded can be searched.',
      ),
    );
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

let found: Promise<string | undefined> | undefined;

/** The ripgrep that VS Code brings along, else the one on PATH; undefined where there is none. */
async function ripgrepPath(): Promise<string | undefined> {
  return (found ??= findRipgrep());
}

async function findRipgrep(): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const here = `${process.platform}-${process.arch}`;
  const packages = [
    path.join('@vscode', 'ripgrep-universal', 'bin', here),
    path.join('@vscode', 'ripgrep', 'bin'),
    path.join('vscode-ripgrep', 'bin'),
  ];
  for (const folder of packages)
    for (const modules of ['node_modules', 'node_modules.asar.unpacked']) {
      const file = await findProgram(path.join(vscode.env.appRoot, modules, folder, name));
      if (file !== undefined) return file;
    }
  return findProgram('rg');
}
