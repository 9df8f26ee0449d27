import type { Git } from '../git';
import { pathText } from './indexEntries';

/** A file in a tree or in the index; undefined where there is none. */
export interface TreeEntry {
  /** In octal, as in the index. */
  readonly mode: string;
  readonly id: string;
}

export interface TreeChange {
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** The tree without files has an id that each git knows. */
export const emptyTrees = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
} as const;

const options = ['--raw', '-r', '-z', '--no-renames', '--relative', '--ignore-submodules=all'];
const noPrograms = ['--no-ext-diff', '--no-textconv'];

/** The files that are different in two commits. @throws {GitError} when one of them is not there */
export async function treeChanges(
  git: Git,
  before: string | undefined,
  after: string | undefined,
  signal?: AbortSignal,
): Promise<Map<string, TreeChange>> {
  const empty = emptyTrees[git.algorithm];
  const args = [...options, ...noPrograms, before ?? empty, after ?? empty, '--'];
  return rawChanges((await git.run('diff-tree', args, { signal })).bytes);
}

/** The files that the index has in another version than a commit, without those that a merge left unmerged. */
export async function stagedChanges(
  git: Git,
  head: string | undefined,
  signal?: AbortSignal,
): Promise<Map<string, TreeChange>> {
  // Without `-r`, which this command has always on.
  const [raw = '', , ...rest] = options;
  const args = ['--cached', raw, ...rest, ...noPrograms, head ?? emptyTrees[git.algorithm], '--'];
  return rawChanges((await git.run('diff-index', args, { signal })).bytes);
}

/** `:<mode> <mode> <id> <id> <status>NUL<path>NUL` for each file. */
function rawChanges(bytes: Buffer): Map<string, TreeChange> {
  const changes = new Map<string, TreeChange>();
  for (let start = 0; start < bytes.byteLength; ) {
    const middle = bytes.indexOf(0, start);
    const end = bytes.indexOf(0, middle + 1);
    if (middle < 0 || end < 0) break;
    const fields = bytes.toString('latin1', start + 1, middle).split(' ');
    const [modeBefore = '', modeAfter = '', idBefore = '', idAfter = '', status] = fields;
    const below = pathText(bytes, middle + 1, end);
    if (below !== undefined && status !== 'U') {
      changes.set(below, {
        before: entryOf(modeBefore, idBefore),
        after: entryOf(modeAfter, idAfter),
      });
    }
    start = end + 1;
  }
  return changes;
}

function entryOf(mode: string, id: string): TreeEntry | undefined {
  return mode === '000000' ? undefined : { mode, id };
}
