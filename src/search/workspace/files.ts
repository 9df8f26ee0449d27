import path from 'node:path';
import picomatch from 'picomatch';
import {
  anchored,
  type Exclude,
  plainGlobs,
  siblingFilter,
} from '../../platform/egress/paths/excludes';
import { otherHiddenGlobs } from '../../platform/egress/paths/hiddenNames';
import { privateFileFilter, privateGlobs } from '../../platform/egress/paths/privateNames';
import { ignoreFlags, runRipgrep, withoutDotSlash } from './ripgrep';
import { type ResolvedPath, ToolError, toPosixPath } from './sandbox';
import { walkFiles } from './walk';
import type { SearchWorkspace } from './workspace';

/** Timeout of listing files, in milliseconds. */
const maxWalkMs = 10_000;

/** Arguments for everything that ripgrep has to leave out. They come last, because the last matching glob wins. */
export function excludeArguments(workspace: SearchWorkspace): string[] {
  return [
    ...(workspace.useIgnoreFiles ? ignoreFlags : ['--no-ignore']),
    ...plainGlobs(workspace.excludes.map(anchored)).flatMap(glob => ['-g', `!${glob}`]),
    ...privateExcludeArguments,
  ];
}

/**
 * Arguments that keep ripgrep from opening private files. {@link leftOutFilter} knows more names, and has to
 * be called for each file that ripgrep finds.
 */
export const privateExcludeArguments = [
  '--hidden',
  '--iglob',
  `!{${[...otherHiddenGlobs(), ...privateGlobs].join(',')}}`,
];

/** Whether a file that ripgrep found is left out by rules that it does not know. */
export function leftOutFilter(
  root: string,
  excludes: readonly Exclude[] = [],
): (below: string) => boolean {
  const isPrivateFile = privateFileFilter();
  const isHidden = siblingFilter(root, excludes);
  return file => isPrivateFile(file) || isHidden(file);
}

/**
 * Lists the files of a folder that a search may see, as paths relative to the root with `/`, unordered.
 * Links are not followed.
 *
 * @param onFile `false` ends the walk.
 * @returns whether the walk ended at its time limit, so that files are missing
 */
export async function listFiles(
  workspace: SearchWorkspace,
  { path: folder, root }: ResolvedPath,
  signal: AbortSignal,
  onFile: (relativePath: string) => boolean,
): Promise<boolean> {
  const below = toPosixPath(path.relative(root, folder));
  if (workspace.rgPath !== undefined) {
    const isLeftOut = leftOutFilter(root, workspace.excludes.map(anchored));
    const end = await runRipgrep({
      rgPath: workspace.rgPath,
      args: ['--files', ...excludeArguments(workspace), '--', below === '' ? './' : `./${below}`],
      cwd: root,
      signal,
      deadlineMs: workspace.maxListMs ?? maxWalkMs,
      onLine: line => {
        const file = toPosixPath(withoutDotSlash(line));
        return isLeftOut(file) || onFile(file);
      },
    });
    if (end.reason !== 'failed') return end.reason === 'deadline';
  }
  return walkFiles({
    root,
    below,
    excludes: workspace.excludes.map(anchored),
    useIgnoreFiles: workspace.useIgnoreFiles,
    signal,
    deadlineMs: workspace.maxListMs ?? maxWalkMs,
    onFile,
  });
}

/** Whether a glob means files by their extension, such as `src/*.{ts,tsx}`, and no folder. */
export function namesExtension(glob: string): boolean {
  const name = glob.slice(glob.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const stem = name.slice(0, Math.max(0, dot));
  return (
    /[*?]/.test(stem) && !/[{},]/.test(stem) && /^(?:\w+|\{[\w,]+\})$/.test(name.slice(dot + 1))
  );
}

/** Each further `*` in one name, or `**` in a path, multiplies the time for a name that nearly matches. */
const maxStars = 4;

/**
 * @returns whether a path relative to a root, with `/`, matches a glob as `rg -g` reads it.
 * @throws {ToolError} for a glob that could take very long.
 */
export function globMatcher(glob: string, ignoresCase = false): (relativePath: string) => boolean {
  const isNegated = glob.startsWith('!');
  const given = (isNegated ? glob.slice(1) : glob).replace(/\*{3,}/g, '**');
  const names = given.split('/');
  const isSlow =
    names.filter(name => name.includes('**')).length > maxStars ||
    names.some(name => name.split(/\*+/).length - 1 > maxStars);
  if (isSlow) {
    throw new ToolError(
      `[GLOB ERROR] A glob may have "*" ${maxStars} times in one name, and "**" ${maxStars} times. Use fewer of them.`,
    );
  }
  const text = given.replace(/^\.?\//, '').replace(/(?<=[^/])\/$/, '');
  const fromRoot = text.includes('/') || given.startsWith('/') ? text : `**/${text}`;
  // The name of a folder matches everything below it.
  const globs = namesExtension(text) ? [fromRoot] : [fromRoot, `${fromRoot}/**`];
  const matches = picomatch(globs, {
    nocase: ignoresCase,
    dot: true,
    // ripgrep has none, and they can take very long.
    noextglob: true,
  });
  return file => matches(file) !== isNegated;
}
