import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { hasSecret } from '../secretText';
import { type Exclude, type SiblingExclude, anchored, globsBelow } from './excludes';
import { isRecord } from '../../service/guards';
import { type PathRefusal, PathRules } from './pathRules';
import { isPrivate } from './privateNames';
import { ClearedFile } from './sending';

/** Why a file does not leave without a question. */
export type FileRefusal = PathRefusal | 'secret';

/**
 * What any of the folders excludes.
 * @param below the folder that is looked at, relative to its workspace folder
 */
export function excludesOf(folders: readonly vscode.WorkspaceFolder[], below: string): Exclude[] {
  const globs = new Set<string>();
  const siblings: SiblingExclude[] = [];
  for (const { uri } of folders)
    for (const section of ['files', 'search']) {
      const value = vscode.workspace.getConfiguration(section, uri).get<unknown>('exclude');
      for (const [glob, isOn] of Object.entries(value ?? {})) {
        const when = isRecord(isOn) ? isOn['when'] : undefined;
        if (isOn === true) globs.add(glob);
        else if (typeof when === 'string') siblings.push({ glob, when });
      }
    }
  if (below === '') return [...globs, ...siblings];
  return [
    ...new Set([...globs].flatMap(glob => globsBelow(glob, below))),
    ...siblings.flatMap(({ glob, when }) =>
      globsBelow(glob, below).map(one => ({ glob: one, when })),
    ),
  ];
}

/** Only the user may let ignored files in: the settings of a repository are whoever wrote it's. */
export function usesIgnoreFiles(): boolean {
  const setting = vscode.workspace.getConfiguration('search').inspect<unknown>('useIgnoreFiles');
  return setting?.globalValue !== false;
}

/** What speaks against sending a file; undefined where nothing does. */
export async function fileRefusal(uri: vscode.Uri, text: string): Promise<FileRefusal | undefined> {
  return (await pathRefusal(uri)) ?? (hasSecret(text) ? 'secret' : undefined);
}

/** A file that nothing speaks against, for a call that sends its text; else why not. */
export async function clearFile(
  uri: vscode.Uri,
  text: string,
): Promise<ClearedFile | { readonly refusal: FileRefusal }> {
  const refusal = await fileRefusal(uri, text);
  return refusal ? { refusal } : cleared(uri, text, false);
}

/** A file that the user was asked about by name, and told what speaks against it. */
export function agreedFile(uri: vscode.Uri, text: string): ClearedFile {
  return cleared(uri, text, true);
}

/** The reason as a sentence. */
export function refusalText(refusal: FileRefusal): string {
  const { t } = vscode.l10n;
  switch (refusal) {
    case 'private':
      return t('Files with such a name often hold keys or passwords.');
    case 'secret':
      return t('It seems to hold a key or a password.');
    case 'ignored':
      return t('An ignore file of the workspace leaves it out.');
    default:
      return t('The settings files.exclude or search.exclude leave it out.');
  }
}

function cleared(uri: vscode.Uri, text: string, isAgreed: boolean): ClearedFile {
  return new ClearedFile(vscode.workspace.asRelativePath(uri), text, isAgreed);
}

/** The real path decides, not the one that a link gives. */
async function pathRefusal(uri: vscode.Uri): Promise<PathRefusal | undefined> {
  if (uri.scheme === 'untitled') return undefined;
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const isOnDisk = uri.scheme === 'file' && folder?.uri.scheme === 'file';
  const [root, real] = await Promise.all(
    [folder?.uri.fsPath, uri.fsPath].map(async file =>
      file === undefined || !isOnDisk ? undefined : realpath(file).catch(() => undefined),
    ),
  );
  const below =
    root === undefined || real === undefined
      ? undefined
      : path.relative(root, real).replaceAll(path.sep, '/');
  const isInside = below !== undefined && !path.isAbsolute(below) && !/^\.\.(?:\/|$)/.test(below);
  if (!folder || !isInside || root === undefined) {
    // Elsewhere there are no rules of a workspace: the name of the file and of its folder speak.
    const plain = folder ? path.posix.relative(folder.uri.path, uri.path) : (real ?? uri.path);
    const isHidden = isPrivate(plain.split('/').slice(-2).join('/'));
    return isHidden || (real !== undefined && isPrivate(path.basename(real)))
      ? 'private'
      : undefined;
  }
  const excludes = excludesOf([folder], '').map(anchored);
  const rules = new PathRules({ excludes, useIgnoreFiles: usesIgnoreFiles() });
  return rules.refusal(root, below, false);
}
