import path from 'node:path';
import * as vscode from 'vscode';
import { isRecord } from '../../../base/typeGuards';
import { hasSecret } from '../secrets/secretText';
import { ClearedFile } from '../sending';
import { anchored, type Exclude, globsBelow, type SiblingExclude } from './excludes';
import { type PathRefusal, PathRules } from './pathRules';
import { isPrivate } from './privateNames';
import { realPlaceOf } from './realPaths';

/** Why a file is not sent without asking. */
export type FileRefusal = PathRefusal | 'secret';

/**
 * The excludes of all given folders.
 * @param below the searched folder, relative to its workspace folder
 * @param sections whose `exclude` counts
 */
export function excludesOf(
  folders: readonly vscode.WorkspaceFolder[],
  below: string,
  sections: readonly ('files' | 'search')[] = ['files', 'search'],
): Exclude[] {
  const globs = new Set<string>();
  const siblings: SiblingExclude[] = [];
  for (const { uri } of folders) {
    for (const section of sections) {
      const value = vscode.workspace.getConfiguration(section, uri).get<unknown>('exclude');
      for (const [glob, isOn] of Object.entries(value ?? {})) {
        const when = isRecord(isOn) ? isOn['when'] : undefined;
        if (isOn === true) globs.add(glob);
        else if (typeof when === 'string') siblings.push({ glob, when });
      }
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

/** Only the user settings may include ignored files, because a repository brings its own workspace settings. */
export function usesIgnoreFiles(): boolean {
  const setting = vscode.workspace.getConfiguration('search').inspect<unknown>('useIgnoreFiles');
  return setting?.globalValue !== false;
}

/** Why a file must not be sent without asking; undefined where it may. */
export async function fileRefusal(uri: vscode.Uri, text: string): Promise<FileRefusal | undefined> {
  return (await pathRefusal(uri)) ?? (hasSecret(text) ? 'secret' : undefined);
}

/** Clears a file whose text may be sent, or returns why not. */
export async function clearFile(
  uri: vscode.Uri,
  text: string,
): Promise<ClearedFile | { readonly refusal: FileRefusal }> {
  const refusal = await fileRefusal(uri, text);
  return refusal ? { refusal } : cleared(uri, text, false);
}

/** A file that the user agreed to send, after being told its name and why it would be refused. */
export function agreedFile(uri: vscode.Uri, text: string): ClearedFile {
  return cleared(uri, text, true);
}

/** The reason as a sentence for the user. */
export function refusalText(refusal: FileRefusal): string {
  const { t } = vscode.l10n;
  switch (refusal) {
    case 'private':
      return t('Files with such a name often contain keys or passwords.');
    case 'secret':
      return t('It seems to hold a key or a password.');
    case 'ignored':
      return t('An ignore file of the workspace excludes it.');
    default:
      return t('The setting files.exclude or search.exclude excludes it.');
  }
}

function cleared(uri: vscode.Uri, text: string, isAgreed: boolean): ClearedFile {
  return new ClearedFile(vscode.workspace.asRelativePath(uri), text, isAgreed);
}

/** Checks the real path, with symbolic links resolved. */
async function pathRefusal(uri: vscode.Uri): Promise<PathRefusal | undefined> {
  if (uri.scheme === 'untitled') return undefined;
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const { real, inFolder } = await realPlaceOf(uri);
  if (!folder || !inFolder) {
    // Outside of a workspace there are no rules: only the names of the file and its folder are checked.
    const plain = folder
      ? path.posix.relative(folder.uri.path, uri.path)
      : (real?.replaceAll(path.sep, '/') ?? uri.path);
    const isHidden = isPrivate(plain.split('/').slice(-2).join('/'));
    return isHidden || (real !== undefined && isPrivate(path.basename(real)))
      ? 'private'
      : undefined;
  }
  const excludes = excludesOf([folder], '').map(anchored);
  const rules = new PathRules({ excludes, useIgnoreFiles: usesIgnoreFiles() });
  return rules.refusal(inFolder.root, inFolder.below, false);
}
