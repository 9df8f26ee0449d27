import path from 'node:path';
import picomatch from 'picomatch';
import { anchored, plainGlobs, siblingFilter } from '../host/egress/excludes';
import { isPrivate, privateGlobs } from '../host/egress/privateNames';
import { ignoreFlags, runRipgrep, withoutDot } from './ripgrep';
import { type Place, slashes } from './sandbox';
import { walkFiles } from './walk';
import type { SearchWorkspace } from './workspace';

/** A walk ends here, whatever has been found. */
const walkDeadlineMs = 10_000;

/** What every run of ripgrep leaves out. Last, because of two matching globs the last one counts. */
export function leaveOut(workspace: SearchWorkspace): string[] {
  return [
    ...(workspace.useIgnoreFiles ? ignoreFlags : ['--no-ignore']),
    ...plainGlobs(workspace.excludes.map(anchored)).flatMap(glob => ['-g', `!${glob}`]),
    ...leaveOutPrivate,
  ];
}

/**
 * For a run of ripgrep: what it need not open. {@link isPrivate} knows more names and is asked about
 * each file that it finds.
 */
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
    const isHidden = siblingFilter(root, workspace.excludes.map(anchored));
    const end = await runRipgrep({
      rgPath: workspace.rgPath,
      args: ['--files', ...leaveOut(workspace), '--', below === '' ? './' : `./${below}`],
      cwd: root,
      signal,
      deadlineMs: walkDeadlineMs,
      onLine: line => {
        const file = slashes(withoutDot(line));
        return isPrivate(file) || isHidden(file) || onFile(file);
      },
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
