import path from 'node:path';
import picomatch from 'picomatch';
import { privateGlobs } from '../host/privateFiles';
import { runRipgrep, withoutDot } from './ripgrep';
import { type Place, slashes } from './sandbox';
import { walkFiles } from './walk';
import type { SearchWorkspace } from './workspace';

/** A walk ends here, whatever has been found. */
const walkDeadlineMs = 10_000;

/** Globs as VS Code reads them: without a slash at the front or `**`, they count from the root. */
export function anchored(glob: string): string {
  return glob.startsWith('**') || glob.startsWith('/') ? glob : `/${glob}`;
}

/** What every run of ripgrep leaves out. Last, because of two matching globs the last one counts. */
export function leaveOut(workspace: SearchWorkspace): string[] {
  return [
    '--no-require-git',
    ...(workspace.useIgnoreFiles ? [] : ['--no-ignore']),
    ...workspace.excludes.flatMap(glob => ['-g', `!${anchored(glob)}`]),
    ...leaveOutPrivate,
  ];
}

/** For a run of ripgrep. */
export const leaveOutPrivate = ['--iglob', `!{${privateGlobs.join(',')}}`];

/**
 * Files of a folder that a search may see, as paths relative to the place's root with `/`, in no
 * order. Links are not followed.
 *
 * @param onFile `false` ends the walk.
 */
export async function listFiles(
  workspace: SearchWorkspace,
  { path: folder, root }: Place,
  signal: AbortSignal,
  onFile: (relativePath: string) => boolean,
): Promise<void> {
  const below = slashes(path.relative(root, folder));
  if (workspace.rgPath !== undefined) {
    const end = await runRipgrep({
      rgPath: workspace.rgPath,
      args: ['--files', ...leaveOut(workspace), '--', below === '' ? './' : `./${below}`],
      cwd: root,
      signal,
      deadlineMs: walkDeadlineMs,
      onLine: line => onFile(slashes(withoutDot(line))),
    });
    if (end.reason !== 'failed') return;
  }
  await walkFiles({
    root,
    below,
    excludes: workspace.excludes.map(anchored),
    useIgnoreFiles: workspace.useIgnoreFiles,
    signal,
    deadlineMs: walkDeadlineMs,
    onFile,
  });
}

/** @returns whether a path relative to a root, with `/`, matches a glob as `rg -g` reads it. */
export function globMatcher(glob: string): (relativePath: string) => boolean {
  const isNegated = glob.startsWith('!');
  const text = (isNegated ? glob.slice(1) : glob).replace(/^\.?\//, '');
  const matches = picomatch(text.includes('/') ? text : `**/${text}`, {
    nocase: false,
    dot: false,
  });
  // A folder's name stands for everything below it.
  const below = picomatch(text.includes('/') ? `${text}/**` : `**/${text}/**`, { dot: false });
  return file => (matches(file) || below(file)) !== isNegated;
}
