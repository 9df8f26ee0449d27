import { trimEndOf } from '../../base/scan';
import picomatch from 'picomatch';
import { IgnoreFiles } from './ignoreFiles';
import { isPrivate } from './privateNames';

/** Why a path stays on this machine. */
export type PathRefusal = 'private' | 'ignored' | 'excluded';

export interface PathRuleSettings {
  /** Globs as in an ignore file of each root; see {@link anchored}. */
  readonly excludes: readonly string[];
  readonly useIgnoreFiles: boolean;
}

/** Which files may leave the machine without being asked for by the user. Reads each ignore file once. */
export class PathRules {
  readonly #settings: PathRuleSettings;
  readonly #ignoreFiles = new IgnoreFiles();
  readonly #isExcluded: (below: string) => boolean;

  constructor(settings: PathRuleSettings) {
    this.#settings = settings;
    this.#isExcluded = excludeMatcher(settings.excludes);
  }

  /**
   * @param root absolute, links resolved
   * @param below relative to the root, with `/`, links resolved; '' for the root itself, which was opened
   */
  async refusal(root: string, below: string, isFolder: boolean): Promise<PathRefusal | undefined> {
    if (below === '') return undefined;
    if (isPrivate(below)) return 'private';
    const parts = below.split('/');
    for (let at = 1; at <= parts.length; at++)
      if (this.#isExcluded(parts.slice(0, at).join('/'))) return 'excluded';
    if (!this.#settings.useIgnoreFiles) return undefined;
    const isIgnored = await this.#ignoreFiles.isIgnoredBelow(root, below, isFolder);
    return isIgnored ? 'ignored' : undefined;
  }

  /** {@link refusal} for a path in a folder that is known to be allowed, with the names in that folder. */
  async isLeftOut(
    root: string,
    file: string,
    below: string,
    isFolder: boolean,
    entries: ReadonlySet<string>,
  ): Promise<boolean> {
    if (isPrivate(below) || this.#isExcluded(below)) return true;
    return (
      this.#settings.useIgnoreFiles &&
      (await this.#ignoreFiles.isIgnored(root, file, isFolder, entries))
    );
  }
}

/** Globs as VS Code reads them: without a slash at the front or `**`, they count from the root. */
export function anchored(glob: string): string {
  return glob.startsWith('**') || glob.startsWith('/') ? glob : `/${glob}`;
}

/**
 * Matches paths relative to a root, with `/`, against globs as in an ignore file of that root.
 * Parentheses and signs that picomatch would read are names here, as in VS Code and ripgrep.
 */
export function excludeMatcher(globs: readonly string[]): (below: string) => boolean {
  const matches = globs.map(glob =>
    picomatch(fromRoot(glob).replaceAll(/[()+@|^$]/g, '\\$&'), {
      dot: true,
      nonegate: true,
      noextglob: true,
    }),
  );
  return below => matches.some(match => match(below));
}

function fromRoot(glob: string): string {
  const plain = trimEndOf(glob, '/');
  if (plain.startsWith('/')) return plain.slice(1);
  return plain.includes('/') ? plain : `**/${plain}`;
}

/**
 * What a glob of a workspace folder says about the paths inside one of its folders.
 * @param glob that counts from the workspace folder
 * @param below the folder, relative to the workspace folder, with `/`
 */
export function globsBelow(glob: string, below: string): string[] {
  const folders = below.split('/').filter(Boolean);
  return expandBraces(glob.replace(/^\//, '')).flatMap(one => {
    const isAnywhere = !one.includes('/') && one.startsWith('**');
    return isAnywhere ? [one] : restOf(one.split('/').filter(Boolean), folders);
  });
}

function restOf(glob: readonly string[], folders: readonly string[]): string[] {
  const [first, ...rest] = glob;
  const [folder, ...deeper] = folders;
  if (folder === undefined) return [glob.length > 0 ? glob.join('/') : '**'];
  // The glob names a folder above: all that is in it is excluded.
  if (first === undefined) return ['**'];
  if (first === '**') return [...new Set([...restOf(rest, folders), ...restOf(glob, deeper)])];
  return excludeMatcher([`/${first}`])(folder) ? restOf(rest, deeper) : [];
}

/** `a/{b,c/d}` as `a/b` and `a/c/d`: only then does each part between slashes stand on its own. */
function expandBraces(glob: string): string[] {
  const match = /\{([^{}]*)\}/.exec(glob);
  if (!match) return [glob];
  const [before, after] = [glob.slice(0, match.index), glob.slice(match.index + match[0].length)];
  return (match[1] ?? '').split(',').flatMap(part => expandBraces(`${before}${part}${after}`));
}
