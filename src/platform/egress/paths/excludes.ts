import { readdirSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { append } from '../../../base/arrays';
import { trimEndOf } from '../../../base/text/scan';

/** Excludes what the glob matches where a sibling exists, as in `{ "when": "$(basename).ts" }`. */
export interface SiblingExclude {
  readonly glob: string;
  /** Name of the sibling; `$(basename)` stands for the name of the file without its extension. */
  readonly when: string;
}

/** One entry of `files.exclude` or `search.exclude` that is on. */
export type Exclude = string | SiblingExclude;

/** The unconditional globs, which can be passed to ripgrep. */
export function plainGlobs(excludes: readonly Exclude[]): string[] {
  return excludes.filter(exclude => typeof exclude === 'string');
}

/** The excludes of a root, for paths relative to it, with `/`. */
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

  /** A boolean where it does not depend on siblings; otherwise the names of siblings, any of which hides the path. */
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
 * Whether a file that ripgrep found is excluded because of a sibling of it or of a parent folder, which
 * ripgrep does not support. Each folder is read once.
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
    for (let part = below; part !== '.'; part = path.posix.dirname(part)) {
      if (rules.hides(part, name => namesIn(path.posix.dirname(part)).has(name))) return true;
    }
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

/** Anchors a glob at the root unless it begins with a slash or `**`, as VS Code does. */
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
 * Parentheses and other signs that are special for picomatch are literal, as in VS Code and ripgrep.
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
 * Translates a glob of a workspace folder to globs for one of its subfolders.
 * @param glob relative to the workspace folder
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
  // The glob matches a parent folder: everything in it is excluded.
  if (first === undefined) return ['**'];
  if (first === '**') return [...new Set([...restOf(rest, folders), ...restOf(glob, deeper)])];
  return excludeMatcher([`/${first}`])(folder) ? restOf(rest, deeper) : [];
}

/** Limits for the length of a glob and the number of expanded groups, far above any real use. */
const maxGlobLength = 4000;
const maxGroups = 10_000;

/**
 * Expands `a/{b,c/d}` to `a/b` and `a/c/d`, so that each path segment can be matched separately. Groups
 * multiply, and a workspace can contain any number of them: above the limits a glob excludes everything.
 */
function expandBraces(glob: string): string[] {
  if (glob.length > maxGlobLength) return ['**'];
  const expanded: string[] = [];
  const open = [glob];
  let groups = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const match = /\{([^{}]*)\}/.exec(one);
    if (!match) {
      expanded.push(one);
      continue;
    }
    if (++groups > maxGroups) return ['**'];
    const [before, after] = [one.slice(0, match.index), one.slice(match.index + match[0].length)];
    const parts = (match[1] ?? '').split(',').toReversed();
    append(
      open,
      parts.map(part => `${before}${part}${after}`),
    );
  }
  return expanded;
}
