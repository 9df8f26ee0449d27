import { hasCodeExtension, moduleOf, splitPath, withoutExtension } from '../paths';
import { answersByPath } from './fileRoutes';
import { type ModulePath, modulesOf } from './modules';
import type { RequestedRoute } from './requestedRoute';
import { spacedWords, trailingSigns } from './words';

/** A path in a query, as it is typed or in the trace of an error. */
export interface TypedPath {
  /** In lower case, with `/`. */
  readonly path: string;
  /** It is that of a module, without the extension of its file: all names that were typed, or a part of them. */
  readonly module?: 'whole' | 'part';
  /** Whether it is the path of one file, and not the end of several. */
  readonly isWhole?: boolean;
  /** 1-based. */
  readonly line?: number;
  /** Log odds that it adds to the files that it may be. */
  readonly worth: number;
}

/** More are those of a list of files, and say nothing of one of them. */
const maxPaths = 40;
/** What each name that was left out of a module takes from its worth. */
const worthOfName = 2;
/** Each name has up to eight. */
const maxModules = 320;
/** Calls of a trace that are worth more than those outside of them, up to one more. */
const maxInner = 4;
const maxPathChars = 300;
/** A query that is nothing but a path is about its file, more than about those that mention it. */
const worthAlone = 12;
/** The word may be no path. */
const worthOfWord = 8;
const worthAmongWords = 3;
/** The words of a name with spaces between, such as `tool constants`. */
const worthOfSpaced = 2;
/** The file of a page, whose path is that of a URL. */
const worthOfRoute = 14;

const pieces = /[^\s"'`<>()|,;=]+/g;
/** `:12`, `:12:3`, `:12:in` of Ruby, `#L12`, and `:line 12` of .NET, where the number is a piece of its own. */
const lineOfPiece = /(?::(\d{1,7})(?::\d+|:in)?|#L(\d{1,7})(?:-L?\d+)?|:line)$/;
const lineAfterWord = /^\s(\d{1,7})\b/;
/** `", line 12` of Python, ` on line 12` of PHP, `(12,3)` and `(12)` of compilers, and ` line 12` of prose. */
const lineBehind =
  /^(?:["'`]?,? (?:on )?line (\d{1,7})\b|\((\d{1,7})\)| ?\((\d{1,7})(?:, ?\d{1,7}){1,3}\))/;
/** Behind the name of a function; a number is that of a line. */
const call = /^\((?!\d)/;
const fileName = /^[\w@.-]*\w\.[a-z]\w{0,9}$/i;

/**
 * The paths and the names of files in a query, each once.
 * @param roots absolute paths of folders, which may be typed in front
 */
export function typedPathsOf(query: string, roots: readonly string[] = []): TypedPath[] {
  const only = /^\s*([\w-]+)\s*$/.exec(query)?.[1];
  if (only !== undefined) return [{ path: only.toLowerCase(), worth: worthOfWord }];
  const spaced = spacedWords(query);
  if (spaced.length > 0) {
    return ['', '-', '_', '.'].map(sign => ({
      path: spaced.join(sign).toLowerCase(),
      module: 'whole',
      worth: worthOfSpaced,
    }));
  }
  const found = new Map<string, Unweighed>();
  /** The number of names that were left out of each. */
  const modules = new Map<string, number>();
  const named = new Set<string>();
  let others = 0;
  for (const { 0: piece, index } of query.matchAll(pieces)) {
    if (piece.length > maxPathChars || !/\p{L}/u.test(piece)) continue;
    const behind = query.slice(index + piece.length, index + piece.length + 20);
    const isCall = call.test(behind) && !hasCodeExtension(piece);
    const typed = isCall ? undefined : typedPath(piece, behind);
    const inModules = modulesIn(piece, typed);
    if (typed && !found.has(typed.path)) found.set(typed.path, typed);
    for (const { path, leftOut } of inModules) {
      modules.set(path, Math.min(leftOut, modules.get(path) ?? leftOut));
    }
    const name = typed?.path ?? inModules[0]?.path;
    if (name === undefined) others++;
    else named.add(name);
  }
  if (found.size > maxPaths) return [];
  // In a long trace, the files of the calls say more.
  if (modules.size > maxModules) modules.clear();
  const worth = others === 0 && named.size === 1 ? worthAlone : worthAmongWords;
  return [...weighed([...found.values()], worth, query, roots), ...weighedModules(modules, worth)];
}

/** A path of the query before it is known what else is in it. */
type Unweighed = Omit<TypedPath, 'worth'>;

function weighed(
  found: readonly Unweighed[],
  worth: number,
  query: string,
  roots: readonly string[],
): TypedPath[] {
  const folders = roots.map(root => `${comparable(root)}/`);
  // Innermost first, but in Python.
  const traced = found.filter(({ line }) => line !== undefined);
  if (query.includes('most recent call last')) traced.reverse();
  return found.map(typed => {
    const folder = folders.find(own => typed.path.startsWith(own)) ?? '';
    const depth = traced.indexOf(typed);
    const inner = traced.length > 1 && depth >= 0 ? Math.max(0, 1 - depth / maxInner) : 0;
    return { ...typed, path: typed.path.slice(folder.length), worth: worth + inner };
  });
}

const weighedModules = (modules: ReadonlyMap<string, number>, worth: number): TypedPath[] =>
  Array.from(modules, ([path, leftOut]) => ({
    path,
    module: leftOut === 0 ? 'whole' : 'part',
    worth: worth - leftOut * worthOfName,
  }));

/** The modules that a piece of a query may name; the file of a path that is not typed to its end is one. */
function modulesIn(piece: string, typed: Unweighed | undefined): ModulePath[] {
  const name = piece.replace(trailingSigns, '');
  if (!typed?.path.includes('/')) return hasCodeExtension(name) ? [] : modulesOf(name);
  return /\/[^/.]+$/.test(typed.path) ? [{ path: typed.path, leftOut: 0 }] : [];
}

/** Without what an absolute or relative path begins with. */
const comparable = (path: string): string =>
  path
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/^[a-z]:(?=[\\/])/i, '')
    .replaceAll('\\', '/')
    .replace(/^[./]*\//, '')
    .toLowerCase();

function typedPath(piece: string, behind: string): Unweighed | undefined {
  const whole = piece.replace(/[.:!?]{1,3}$/, '');
  const noted = lineOfPiece.exec(whole);
  const path = comparable(noted ? whole.slice(0, noted.index) : whole);
  const { name } = splitPath(path);
  if (!(path.includes('/') && name !== '') && !fileName.test(path)) return undefined;
  const after = (noted?.[0] === ':line' ? lineAfterWord : lineBehind).exec(behind) ?? [];
  const line = [...(noted ?? []).slice(1), ...after.slice(1)].find(one => one !== undefined);
  return line === undefined ? { path } : { path, line: Number(line) };
}

/** Finds the paths that a query names among those of many files. */
export class TypedPathFinder {
  /** By the last name in it. */
  readonly #paths: ReadonlyMap<string, readonly TypedPath[]>;
  readonly #modules: ReadonlyMap<string, readonly TypedPath[]>;

  readonly #route: RequestedRoute | undefined;

  constructor(paths: readonly TypedPath[], route?: RequestedRoute) {
    this.#route = route;
    this.#paths = byLastName(paths.filter(({ module }) => module === undefined));
    this.#modules = byLastName(paths.filter(({ module }) => module !== undefined));
  }

  /** The path that may be that of a file: as much of both as is known of each is the same. */
  find(file: string): TypedPath | undefined {
    if (this.#paths.size === 0 && this.#modules.size === 0 && !this.#route) return undefined;
    const own = file.toLowerCase();
    if (this.#route && answersByPath(own, this.#route)) return { path: own, worth: worthOfRoute };
    const typed = this.#paths.get(splitPath(own).name)?.find(typedAs(own));
    if (typed || this.#modules.size === 0) return typed;
    const stem = withoutExtension(own);
    const folder = moduleOf(own);
    // What is left of a name is no package: the module in it was named.
    return this.#moduleAt(stem) ?? this.#moduleAt(folder, 'whole');
  }

  #moduleAt(own: string, kind?: TypedPath['module']): TypedPath | undefined {
    const named = this.#modules.get(splitPath(own).name);
    return named?.find(
      ({ path, module }) => (kind === undefined || module === kind) && isEnd(path, own),
    );
  }
}

function byLastName(paths: readonly TypedPath[]): Map<string, TypedPath[]> {
  const found = new Map<string, TypedPath[]>();
  for (const typed of paths.toSorted((a, b) => b.worth - a.worth)) {
    const { name } = splitPath(typed.path);
    found.set(name, [...(found.get(name) ?? []), typed]);
  }
  return found;
}

const typedAs =
  (own: string) =>
  ({ path, isWhole = false }: TypedPath): boolean =>
    isWhole ? path === own : isEnd(path, own);

const isEnd = (path: string, own: string): boolean =>
  own === path ||
  own.endsWith(`/${path}`) ||
  // An absolute path, or one of another machine.
  (own.includes('/') && path.endsWith(`/${own}`));
