import { isDraft } from '../diskFiles';
import type { Git } from '../git';
import { withoutFilters } from './attributes';
import { pathText } from './indexEntries';

export interface PathList {
  /** Relative to the root, with `/`. */
  readonly paths: readonly string[];
  /** There are more. */
  readonly isCut: boolean;
}

export interface UntrackedList extends PathList {
  /** Folders with repositories of their own. */
  readonly repositories: readonly string[];
}

/** Names of folders that programs fill and nobody reviews, ignored or not. */
export const generatedFolders = [
  'node_modules',
  'bower_components',
  'jspm_packages',
  '.yarn',
  '.pnpm-store',
  '.venv',
  'venv',
  '__pycache__',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.tox',
  '.gradle',
  '.terraform',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.turbo',
  '.parcel-cache',
  '.cache',
  '.vscode-test',
] as const;

/** More untracked files than this are not the work of an agent that somebody reviews. */
const maxUntracked = 100_000;
const maxUntrackedBytes = 16 * 1024 * 1024;
/** A command that ends more often than this because of a path does not work at all. */
const maxEnded = 50;

/** Files whose bytes or modes in the work tree are not those of the index, deleted and unmerged ones too. */
export async function dirtyPaths(git: Git, signal?: AbortSignal): Promise<PathList> {
  const args = ['--name-only', '-z', '--relative', '--no-renames', '--no-ext-diff'];
  // A submodule would be compared with the configuration of the submodule. It is a root of its own.
  args.push('--no-textconv', '--ignore-submodules=all', '--', '.');
  const options = await withoutFilters(git, signal);
  return pathList(await git.run('diff-files', args, { options, signal }));
}

/** Files that the index does not have and that no rule ignores. */
export async function untrackedPaths(git: Git, signal?: AbortSignal): Promise<UntrackedList> {
  const args = ['-o', '--exclude-standard', '-z', ...generatedFolders.map(name => `-x${name}/`)];
  const { paths, isCut } = pathList(
    await git.run('ls-files', args, { signal, maxBytes: maxUntrackedBytes }),
  );
  // A repository in the work tree is listed as a folder. It is a root of its own.
  const files = paths.filter(below => !below.endsWith('/') && !isDraft(below));
  return {
    paths: files.slice(0, maxUntracked),
    isCut: isCut || files.length > maxUntracked,
    // Git does not look into other repositories.
    repositories: paths.filter(below => below.endsWith('/')).map(below => below.slice(0, -1)),
  };
}

/** Files that rules ignore, and folders all of whose files they ignore, with a slash at the end. */
export async function ignoredPaths(git: Git, signal?: AbortSignal): Promise<PathList> {
  const args = ['-o', '-i', '--exclude-standard', '--directory', '-z'];
  return pathList(await git.run('ls-files', args, { signal, maxBytes: maxUntrackedBytes }));
}

/** Those of the paths that rules ignore. Files in the index are never ignored. */
export async function ignoredOf(
  git: Git,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Set<string>> {
  const ignored = new Set<string>();
  let rest = paths.filter(below => below !== '' && !below.includes('\0'));
  for (let ended = 0; rest.length > 0; ended++) {
    // The prefix keeps a name that begins with a colon from being read as a pattern.
    const input = rest.map(below => `./${below}\0`).join('');
    const args = ['--stdin', '-z', '-v', '-n'];
    // A path in a submodule or behind a link ends the command: it is none of this work tree.
    const okCodes = ended < maxEnded ? [0, 1, 128] : [0, 1];
    const run = await git.run('check-ignore', args, { input, signal }, okCodes);
    const fields = run.bytes.toString('utf8').split('\0');
    // Each answer is source, line, pattern and path.
    const answered = Math.floor(fields.length / 4);
    for (let index = 0; index < answered; index++) {
      const pattern = fields[4 * index + 2] ?? '';
      const below = rest[index];
      if (below !== undefined && pattern !== '' && !pattern.startsWith('!')) ignored.add(below);
    }
    rest = rest.slice(answered + 1);
  }
  return ignored;
}

/** The commit that is checked out; undefined before the first one. */
export async function headId(git: Git, signal?: AbortSignal): Promise<string | undefined> {
  const args = ['--verify', '--quiet', '--end-of-options', 'HEAD^{commit}'];
  const { bytes } = await git.run('rev-parse', args, { signal }, [0, 1, 128]);
  return bytes.toString('latin1').trim() || undefined;
}

function pathList({ bytes, isCut }: { readonly bytes: Buffer; readonly isCut: boolean }): PathList {
  const paths = new Set<string>();
  for (let start = 0; start < bytes.byteLength; ) {
    const end = bytes.indexOf(0, start);
    // What follows the last NUL is the start of a path that was cut off.
    if (end < 0) break;
    const below = pathText(bytes, start, end);
    if (below !== undefined) paths.add(below);
    start = end + 1;
  }
  return { paths: [...paths], isCut };
}
