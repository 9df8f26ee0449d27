import * as vscode from 'vscode';
import { anchored, type Exclude, ExcludeRules } from '../../platform/egress/paths/excludes';

/** What is left out whatever the settings say: too many files, and none that an edit is meant for. */
const neverListed: ReadonlySet<string> = new Set(['node_modules', '.git']);
/** Each costs a request to another machine, maybe. */
const maxFolders = 5000;
const maxAtOnce = 16;

/**
 * The files of a folder on a file system that cannot search: `findFiles` finds nothing there. If there are more
 * than `maxFiles`, those nearest to the root are listed.
 *
 * @throws the reason of `signal`.
 */
export async function filesByReading(
  root: vscode.Uri,
  { excludes, maxFiles }: { readonly excludes: readonly Exclude[]; readonly maxFiles: number },
  signal: AbortSignal,
): Promise<vscode.Uri[]> {
  const rules = new ExcludeRules(excludes.map(anchored));
  const files: vscode.Uri[] = [];
  let level = [''];
  let folders = 0;
  while (level.length > 0 && files.length < maxFiles && folders < maxFolders) {
    const next: string[] = [];
    for (let at = 0; at < level.length && folders < maxFolders; at += maxAtOnce) {
      signal.throwIfAborted();
      const some = level.slice(at, at + maxAtOnce);
      folders += some.length;
      const read = await Promise.all(some.map(async below => entriesOf(root, below)));
      for (const [index, entries] of read.entries()) {
        const names = new Set(entries.map(([name]) => name));
        for (const [name, type] of entries) {
          const below = some[index] ? `${some[index]}/${name}` : name;
          if (rules.hides(below, sibling => names.has(sibling))) continue;
          // A link may lead back to where it is.
          if (type === vscode.FileType.File) files.push(vscode.Uri.joinPath(root, below));
          else if (type === vscode.FileType.Directory && !neverListed.has(name)) next.push(below);
        }
      }
    }
    level = next;
  }
  return files.slice(0, maxFiles);
}

/** None for a folder that is gone or that the user may not read. */
async function entriesOf(root: vscode.Uri, below: string): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(root, below));
  } catch {
    return [];
  }
}
