/** Finds the file of the workspace that a path in an answer means. */

export type Location =
  | { readonly kind: 'found'; readonly path: string }
  /** No such file; `path` is where a new one would go. */
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'ambiguous'; readonly paths: readonly string[] }
  | { readonly kind: 'outside' };

/** The paths of a workspace, found by their ends. */
export class FileNames {
  readonly #all = new Set<string>();
  /** By the last part of the path, in lower case. */
  readonly #byName = new Map<string, string[]>();
  /** Folders in front of the paths of files that an answer names by their absolute paths, with `/`. */
  readonly #roots = new Set<string>();

  readonly #relative: (absolute: string) => string | undefined;

  /**
   * @param paths relative to the workspace, with `/`.
   * @param relative the path in the workspace of a file on this machine, whether it is there or not.
   */
  constructor(
    paths: readonly string[],
    relative: (absolute: string) => string | undefined = () => undefined,
  ) {
    this.#relative = relative;
    for (const path of paths) this.add(path);
  }

  add(path: string): void {
    if (this.#all.has(path)) return;
    this.#all.add(path);
    const name = nameOf(path).toLowerCase();
    const same = this.#byName.get(name);
    if (same) same.push(path);
    else this.#byName.set(name, [path]);
  }

  /** @param near decides between files that fit alike: the one in the nearest folder. */
  locate(given: string, near: string | undefined): Location {
    const found = this.#locate(given, near);
    // Chats mention a file as `@src/a.ts`; a folder may begin like that too.
    const mentioned =
      found.kind === 'missing' && given.startsWith('@')
        ? this.#locate(given.slice(1), near)
        : undefined;
    return mentioned === undefined || mentioned.kind === 'missing' ? found : mentioned;
  }

  #locate(given: string, near: string | undefined): Location {
    const path = normalized(given);
    if (path === undefined) return this.#absolute(given);
    if (this.#all.has(path)) return { kind: 'found', path };
    const sameName = this.#byName.get(nameOf(path).toLowerCase()) ?? [];
    const ends = sameName.filter(file => file.endsWith(`/${path}`));
    if (ends.length > 0) return nearestOf(ends, near);
    const lower = path.toLowerCase();
    const otherCase = sameName.filter(
      file => file.toLowerCase() === lower || file.toLowerCase().endsWith(`/${lower}`),
    );
    if (otherCase.length === 1 && otherCase[0]) return { kind: 'found', path: otherCase[0] };
    // The answer may begin with the name of the folder that is open. A bare name says too little for that.
    const shorter = sameName.filter(file => file.includes('/') && path.endsWith(`/${file}`));
    const longest = shorter.toSorted((a, b) => b.length - a.length)[0];
    return longest === undefined ? { kind: 'missing', path } : { kind: 'found', path: longest };
  }

  /** Where a new file goes: not looked for in other folders, unless it is named by its absolute path. */
  placeOf(given: string): Exclude<Location, { kind: 'ambiguous' }> {
    const path = normalized(given);
    if (path === undefined) return this.#absolute(given);
    return { kind: this.#all.has(path) ? 'found' : 'missing', path };
  }

  /**
   * Learns from the absolute paths of an answer where the workspace is on the machine that wrote it, so that a new
   * file beside a known one has its place.
   */
  learnRoots(given: readonly string[]): void {
    for (const path of given) {
      if (normalized(path) !== undefined) continue;
      const found = this.#absolute(path);
      const known = found.kind === 'found' ? `/${found.path}` : undefined;
      const all = slashed(path);
      if (known !== undefined && all.endsWith(known)) this.#roots.add(all.slice(0, -known.length));
    }
  }

  #absolute(given: string): Exclude<Location, { kind: 'ambiguous' }> {
    const path = slashed(given);
    if (path.includes('../') || path.startsWith('~')) return { kind: 'outside' };
    const own = this.#relative(path);
    if (own !== undefined) return { kind: this.#all.has(own) ? 'found' : 'missing', path: own };
    const ends = (this.#byName.get(nameOf(path).toLowerCase()) ?? []).filter(
      file => file.includes('/') && path.endsWith(`/${file}`),
    );
    const longest = ends.toSorted((a, b) => b.length - a.length)[0];
    if (longest !== undefined) return { kind: 'found', path: longest };
    const root = [...this.#roots].find(folder => path.startsWith(`${folder}/`));
    if (root === undefined) return { kind: 'outside' };
    const below = path.slice(root.length + 1);
    return { kind: this.#all.has(below) ? 'found' : 'missing', path: below };
  }
}

const slashed = (path: string): string =>
  path
    .trim()
    .replaceAll('\\', '/')
    .replace(/^file:\/\/(?=\/)/, '');

/** Relative, with `/`, without `.` and `..`; undefined for a path that leads out of the workspace. */
function normalized(given: string): string | undefined {
  const path = slashed(given);
  if (/^(?:\/|[A-Za-z]:\/|~)/.test(path)) return undefined;
  const parts: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..' && parts.pop() === undefined) return undefined;
    if (name !== '' && name !== '.' && name !== '..') parts.push(name);
  }
  return parts.length === 0 ? undefined : parts.join('/');
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function nearestOf(paths: readonly string[], near: string | undefined): Location {
  const [only, second] = paths;
  if (only !== undefined && second === undefined) return { kind: 'found', path: only };
  if (near !== undefined) {
    const shared = paths.map(path => sharedFolders(path, near));
    const most = Math.max(...shared);
    const nearest = paths.filter((_, at) => shared[at] === most);
    if (most > 0 && nearest.length === 1 && nearest[0]) return { kind: 'found', path: nearest[0] };
  }
  return { kind: 'ambiguous', paths };
}

function sharedFolders(one: string, other: string): number {
  const [a, b] = [one.split('/').slice(0, -1), other.split('/').slice(0, -1)];
  const end = a.findIndex((name, at) => name !== b[at]);
  return end < 0 ? a.length : end;
}
