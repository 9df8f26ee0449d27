import { escapeRegex } from './words';

/** A path in a query, as it is typed or in the trace of an error. */
export interface TypedPath {
  /** In lower case, with `/`. */
  readonly path: string;
  /** 1-based. */
  readonly line?: number;
  /** Log odds that it adds to the files that it may be. */
  readonly worth: number;
}

/** More are those of a list of files, and say nothing of one of them. */
const maxPaths = 40;
const maxPathChars = 300;
/** A query that is nothing but a path is about its file. */
const worthAlone = 8;
const worthAmongWords = 3;

const pieces = /[^\s"'`<>()|,;=]+/g;
/** `:12`, `:12:3`, `:12:in` of Ruby, `#L12`, and `:line 12` of .NET, where the number is a piece of its own. */
const lineOfPiece = /(?::(\d{1,7})(?::\d+|:in)?|#L(\d{1,7})(?:-L?\d+)?|:line)$/;
const lineAfterWord = /^\s(\d{1,7})\b/;
/** `", line 12` of Python, ` on line 12` of PHP, `(12,3)` and `(12)` of compilers, and ` line 12` of prose. */
const lineBehind =
  /^(?:["'`]?,? (?:on )?line (\d{1,7})\b|\((\d{1,7})\)| ?\((\d{1,7})(?:, ?\d{1,7}){1,3}\))/;
const fileName = /^[\w@.-]*\w\.[a-z]\w{0,9}$/i;

/**
 * The paths and the names of files in a query, each once.
 * @param roots absolute paths of folders, which may be typed in front
 */
export function typedPathsOf(query: string, roots: readonly string[] = []): TypedPath[] {
  const only = /^\s*([\w-]+)\s*$/.exec(query)?.[1];
  if (only !== undefined) return [{ path: only.toLowerCase(), worth: worthAlone }];
  const found = new Map<string, Omit<TypedPath, 'worth'>>();
  let others = 0;
  for (const { 0: piece, index } of query.matchAll(pieces)) {
    const behind = query.slice(index + piece.length, index + piece.length + 20);
    const typed = piece.length <= maxPathChars ? typedPath(piece, behind) : undefined;
    if (!typed) {
      if (/\p{L}/u.test(piece)) others++;
    } else if (!found.has(typed.path)) {
      found.set(typed.path, typed);
    }
  }
  const worth = others === 0 && found.size === 1 ? worthAlone : worthAmongWords;
  if (found.size > maxPaths) return [];
  const folders = roots.map(root => `${comparable(root)}/`);
  return [...found.values()].map(typed => {
    const folder = folders.find(own => typed.path.startsWith(own)) ?? '';
    return { ...typed, path: typed.path.slice(folder.length), worth };
  });
}

/** Without what an absolute or relative path begins with. */
const comparable = (path: string): string =>
  path
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/^[a-z]:(?=[\\/])/i, '')
    .replaceAll('\\', '/')
    .replace(/^[./]*\//, '')
    .toLowerCase();

function typedPath(piece: string, behind: string): Omit<TypedPath, 'worth'> | undefined {
  const whole = piece.replace(/[.:!?]{1,3}$/, '');
  const noted = lineOfPiece.exec(whole);
  const path = comparable(noted ? whole.slice(0, noted.index) : whole);
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!(path.includes('/') && name !== '') && !fileName.test(path)) return undefined;
  const after = (noted?.[0] === ':line' ? lineAfterWord : lineBehind).exec(behind) ?? [];
  const line = [...(noted ?? []).slice(1), ...after.slice(1)].find(one => one !== undefined);
  return line === undefined ? { path } : { path, line: Number(line) };
}

/** Finds the paths that a query names among those of many files. */
export class TypedPathFinder {
  readonly #paths: readonly TypedPath[];
  readonly #names: RegExp | undefined;

  constructor(paths: readonly TypedPath[]) {
    this.#paths = paths;
    const names = paths.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
    const escaped = names.map(escapeRegex);
    this.#names =
      names.length > 0 ? new RegExp(`(?:^|/)(?:${escaped.join('|')})$`, 'i') : undefined;
  }

  /** The path that may be that of a file: as much of both as is known of each is the same. */
  find(file: string): TypedPath | undefined {
    if (!this.#names?.test(file)) return undefined;
    const own = file.toLowerCase();
    return this.#paths.find(
      ({ path }) =>
        own === path ||
        own.endsWith(`/${path}`) ||
        // An absolute path, or one of another machine.
        (own.includes('/') && path.endsWith(`/${own}`)),
    );
  }
}
