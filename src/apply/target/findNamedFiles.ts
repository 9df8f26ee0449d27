import * as vscode from 'vscode';
import { pathParts, pointsOutside } from './rankTargets';
import { namedFiles } from './workspaceFiles';

/** Maximum number of files with the same base name that are considered. */
const maxFound = 50;

/** The files that a path may mean: first the one with exactly this path, then those that end like it. */
export async function findNamedFiles(path: string): Promise<vscode.Uri[]> {
  const parts = pathParts(path);
  const name = parts.at(-1);
  if (name === undefined) return [];
  const exact = await filesAt(parts);
  // Nothing fits better, so the others need not be looked for.
  if (exact.length === 1 && !pointsOutside(path)) return exact;
  const { byPath, isCut } = await namedFiles(new AbortController().signal);
  const ends = parts.length > 1 ? [parts.join('/'), name] : [name];
  if (isCut) return [...exact, ...(await filesByGlob(ends))];
  const files = [...byPath];
  // More files than can be listed may have the same name, so longer ends come first.
  const found = ends.flatMap(end => filesWithEnd(files, end).slice(0, maxFound));
  return [...exact, ...found];
}

/** The files with exactly this path in one of the workspace folders. */
async function filesAt(parts: readonly string[]): Promise<vscode.Uri[]> {
  const found = await Promise.all(
    (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri, name: folder }) => {
      const below = [vscode.Uri.joinPath(uri, ...parts)];
      if (parts.length > 1 && parts[0] === folder) {
        below.push(vscode.Uri.joinPath(uri, ...parts.slice(1)));
      }
      return below.map(async file => ((await isFile(file)) ? [file] : []));
    }),
  );
  return found.flat();
}

/** Those with another case only where no file has the end as it is spelled. */
function filesWithEnd(
  files: readonly (readonly [path: string, uri: vscode.Uri])[],
  end: string,
): vscode.Uri[] {
  const urisOf = (wanted: string, pathOf: (path: string) => string): vscode.Uri[] =>
    files.flatMap(([path, uri]) => (`/${pathOf(path)}`.endsWith(`/${wanted}`) ? [uri] : []));
  const found = urisOf(end, path => path);
  return found.length > 0 ? found : urisOf(end.toLowerCase(), path => path.toLowerCase());
}

/** Finds files in a workspace that has more of them than are listed. */
async function filesByGlob(ends: readonly string[]): Promise<vscode.Uri[]> {
  const found = await Promise.all(
    ends.map(async end => {
      // Globs have no escape: `?` stands for any character, also for the one that it replaces.
      const glob = `**/${end.replaceAll(/[[\]{}*?!]/g, '?')}`;
      const uris = await vscode.workspace.findFiles(glob, '**/node_modules/**', maxFound);
      return uris.filter(({ path }) => path.endsWith(`/${end}`));
    }),
  );
  return found.flat();
}

/** Whether there is a file, and not only a folder, at this place. */
export async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    return (type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}
