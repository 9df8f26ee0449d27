import { readdirSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { append } from '../../base/arrays';
import { trimEndOf } from '../../base/scan';

/** Leaves out what its glob names where a sibling is there, as `{ "when": "$(basename).ts" }` says. */
export interface SiblingExclude {
  readonly glob: string;
  /** Name of the sibling; `$(basename)` stands for the name of the file without its extension. */
  readonly when: string;
}

/** One entry of `files.exclude` or `search.exclude` that is on. */
export type Exclude = string | SiblingExclude;

/** The globs that hold whatever else is in the folder: those that ripgrep can be told. */
export function plainGlobs(excludes: readonly Exclude[]): string[] {
  return excludes.filter(exclude => typeof exclude === 'string');
}

/** What the excludes of a root say about paths relative to it, with `/`. */
export class ExcludeRules {
  readonly #isPlain: (below: string) => boolean;
  readonly #siblings: readonly { matches: (below: string) => boolean; when: string }[];

  constructor(excludes: readonly Exclude[]) {
    this.#isPlain = excludeMatcher(plainGlobs(excludes));
    this.#siblings = excludes.flatMap(exclude =>
      typeof exclude === 'string'
        ? []
        : [{ matches: excludeMatcher([exclude.glob]), when: exclude.when }],
    );
  }

  /** True or false where that is certain, else names any of which hides the path when it is in its folder. */
  siblingsThatHide(below: string): boolean | string[] {
    if (this.#isPlain(below)) return true;
    const { name } = path.posix.parse(below);
    const names = this.#siblings.flatMap(({ matches, when }) =>
      matches(below) ? [when.replaceAll('$(basename)', () => name)] : [],
    );
    return names.length > 0 && names;
  }

  hides(below: string, isSibling: (name: string) => boolean): boolean {
    const siblings = this.siblingsThatHide(below);
    return typeof siblings === 'boolean' ? siblings : siblings.some(isSibling);
  }

  get hasSiblings(): boolean {
    return this.#siblings.length > 0;
  }
}

/**
 * Whether a file that ripgrep found is left out because of a sibling of it or of a folder above it, which
 * ripgrep cannot be told. Each folder is read once.
 */
export function siblingFilter(
  root: string,
  excludes: readonly Exclude[],
): (below: string) => boolean {
  const rules = new ExcludeRules(excludes);
  if (!rules.hasSiblings) return () => false;
  const folders = new Map<string, ReadonlySet<string>>();
  const namesIn = (folder: string): ReadonlySet<string> => {
    const names = folders.get(folder) ?? new Set(namesOf(path.join(root, folder)));
    folders.set(folder, names);
    return names;
  };
  return below => {
    for (let part = below; part !== '.'; part = path.posix.dirname(part))
      if (rules.hides(part, name => namesIn(path.posix.dirname(part)).has(name))) return true;
    return false;
  };
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Globs as VS Code reads them: without a slash at the front or `**`, they count from the root. */
export function anchored(exclude: Exclude): Exclude {
  return typeof exclude === 'string'
    ? anchoredGlob(exclude)
    : { ...exclude, glob: anchoredGlob(exclude.glob) };
}

function anchoredGlob(glob: string): string {
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

/** Characters of a glob, and groups that are taken apart: nobody writes as many. */
const longestGlob = 4000;
const mostGroups = 10_000;

/**
 * `a/{b,c/d}` as `a/b` and `a/c/d`: only then does each part between slashes stand on its own. Groups
 * multiply, and a workspace may write any number of them: above the bounds a glob leaves out everything.
 */
function expandBraces(glob: string): string[] {
  if (glob.length > longestGlob) return ['**'];
  const expanded: string[] = [];
  const open = [glob];
  let groups = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const match = /\{([^{}]*)\}/.exec(one);
    if (!match) {
      expanded.push(one);
      continue;
    }
    if (++groups > mostGroups) return ['**'];
    const [before, after] = [one.slice(0, match.index), one.slice(match.index + match[0].length)];
    const parts = (match[1] ?? '').split(',').toReversed();
    append(
      open,
      parts.map(part => `${before}${part}${after}`),
    );
  }
  return expanded;
}
