import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { append } from '../../base/arrays';
import type { Exclude } from '../../platform/egress/paths/excludes';
import { excludesOf, usesIgnoreFiles } from '../../platform/egress/paths/workspaceRules';
import type { ComparedFile } from './contentLookup';
import { FolderList, type ListSettings } from './folderList';
import { filesByReading } from './virtualFiles';

/** Listing and comparing more would take seconds. */
const maxCompared = 20_000;
/** Maximum number of files whose names are known. */
const maxNamed = 50_000;

export interface WorkspaceFile extends ComparedFile {
  readonly uri: vscode.Uri;
  /** The text in the editor, when the file is open. */
  readonly document?: vscode.TextDocument;
}

/** @param root the workspace folder: `asRelativePath` for thousands of files would block the window. */
export function workspaceFile(uri: vscode.Uri, root?: vscode.Uri): WorkspaceFile {
  const start = root && startOf(root);
  return {
    uri,
    path: start && uri.path.startsWith(start) ? uri.path.slice(start.length) : uri.path,
  };
}

/** What is listed of the workspace folders on a disk, by the URI of the folder. */
class FolderLists {
  readonly #lists = new Map<string, FolderList<WorkspaceFile>>();

  /** @throws the reason of `signal`. */
  async filesIn(
    { uri }: vscode.WorkspaceFolder,
    settings: ListSettings,
    signal: AbortSignal,
  ): Promise<WorkspaceFile[]> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const ids = folders.map(folder => folder.uri.toString());
    for (const id of this.#lists.keys()) if (!ids.includes(id)) this.#lists.delete(id);
    const id = uri.toString();
    const start = startOf(uri);
    let list = this.#lists.get(id);
    if (!list) {
      list = new FolderList(uri.fsPath, below => ({
        uri: uri.with({ path: start + below }),
        path: below,
      }));
      this.#lists.set(id, list);
    }
    const files = await list.files(settings, signal);
    // Files in a workspace folder inside of this one belong to that one.
    const inner = folders.map(folder => startOf(folder.uri)).filter(other => other !== start);
    const nested = inner.filter(other => other.startsWith(start));
    return nested.length === 0
      ? files
      : files.filter(file => !nested.some(other => file.uri.path.startsWith(other)));
  }
}

const startOf = ({ path }: vscode.Uri): string => (path.endsWith('/') ? path : `${path}/`);

const compared = new FolderLists();
const named = new FolderLists();

/** Files that an edit without a name may be meant for: those that neither the settings nor ignore files exclude. */
export async function workspaceFiles(signal: AbortSignal): Promise<WorkspaceFile[]> {
  const files: WorkspaceFile[][] = [];
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const settings = {
      excludes: excludesOf([folder], ''),
      useIgnoreFiles: usesIgnoreFiles(),
      // A file outside of the workspace is not offered unless the edit names it.
      followsLinks: false,
      maxFiles: maxCompared,
    };
    files.push(
      folder.uri.scheme === 'file'
        ? await compared.filesIn(folder, settings, signal)
        : (await virtualUris(folder, settings, signal)).map(uri => workspaceFile(uri, folder.uri)),
    );
  }
  return files.flat();
}

/** Files that an edit may name, ignored ones too. */
export interface NamedFiles {
  /** By the path relative to the workspace. */
  readonly byPath: ReadonlyMap<string, vscode.Uri>;
  /** There are more files than are listed. */
  readonly isCut: boolean;
}

/** @throws the reason of `signal`. */
export async function namedFiles(signal: AbortSignal): Promise<NamedFiles> {
  const byPath = new Map<string, vscode.Uri>();
  const folders = vscode.workspace.workspaceFolders ?? [];
  let isCut = false;
  for (const folder of folders) {
    let count = 0;
    if (folder.uri.scheme === 'file') {
      const excludes = excludesOf([folder], '', ['files']);
      const settings = {
        excludes,
        useIgnoreFiles: false,
        followsLinks:
          vscode.workspace.getConfiguration('search', folder.uri).get('followSymlinks') !== false,
        maxFiles: maxNamed,
      };
      const files = await named.filesIn(folder, settings, signal);
      const start = folders.length > 1 ? `${folder.name}/` : '';
      for (const { uri, path } of files) byPath.set(start + path, uri);
      count = files.length;
    } else {
      const excludes = excludesOf([folder], '', ['files']);
      const uris = await virtualUris(folder, { excludes, maxFiles: maxNamed }, signal);
      for (const uri of uris) byPath.set(vscode.workspace.asRelativePath(uri), uri);
      count = uris.length;
    }
    isCut ||= count >= maxNamed;
  }
  return { byPath, isCut };
}

/**
 * How long a virtual file system has time to search, in milliseconds. VS Code waits for ever for one that cannot.
 */
const searchMs = 3000;
/** Schemes of file systems that do not search. */
const unsearchable = new Set<string>();

/** The files of a folder that is not on a disk of this machine. */
async function virtualUris(
  folder: vscode.WorkspaceFolder,
  limits: Pick<ListSettings, 'excludes' | 'maxFiles'>,
  signal: AbortSignal,
): Promise<vscode.Uri[]> {
  const { scheme } = folder.uri;
  if (!unsearchable.has(scheme)) {
    const end = new AbortController();
    const both = AbortSignal.any([signal, end.signal]);
    const searching = foundUris(folder, limits, both);
    const late = setTimeout<undefined>(searchMs, undefined, { signal: both });
    try {
      const found = await Promise.race([searching, late]);
      signal.throwIfAborted();
      if (found && found.length > 0) return found;
    } finally {
      end.abort();
      for (const left of [searching, late]) left.catch(() => {});
    }
    unsearchable.add(scheme);
  }
  return filesByReading(folder.uri, limits, signal);
}

/** Files of the workspace that the settings do not exclude, with those that ignore files do. */
export async function allWorkspaceFiles(signal: AbortSignal): Promise<WorkspaceFile[]> {
  const files: WorkspaceFile[] = [];
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const limits = { excludes: excludesOf([folder], ''), maxFiles: maxCompared };
    const uris =
      folder.uri.scheme === 'file'
        ? await foundUris(folder, limits, signal)
        : await virtualUris(folder, limits, signal);
    append(
      files,
      uris.map(uri => workspaceFile(uri, folder.uri)),
    );
  }
  return files;
}

/** @throws the reason of `signal`. */
async function foundUris(
  folder: vscode.WorkspaceFolder,
  { excludes, maxFiles }: Pick<ListSettings, 'excludes' | 'maxFiles'>,
  signal: AbortSignal,
): Promise<vscode.Uri[]> {
  const pattern = new vscode.RelativePattern(folder, '**/*');
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const uris = await vscode.workspace.findFiles(
      pattern,
      excluded(excludes),
      maxFiles,
      source.token,
    );
    signal.throwIfAborted();
    return uris;
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** `findFiles` applies `files.exclude`, but not `search.exclude`. Braces within braces mean nothing in a glob. */
function excluded(excludes: readonly Exclude[]): string {
  const globs = new Set(['**/node_modules/**', '**/.git/**']);
  for (const glob of excludes) {
    if (typeof glob === 'string' && !/[{},]/.test(glob)) globs.add(glob);
  }
  return `{${[...globs].join(',')}}`;
}
