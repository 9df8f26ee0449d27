import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../base/fileErrors';
import { anchored } from '../../platform/egress/paths/excludes';
import { type PathRefusal, PathRules } from '../../platform/egress/paths/pathRules';
import type { SearchWorkspace } from './workspace';

/** No system has longer paths. */
const maxPathChars = 4096;

/** A refusal or failure with a message that the model can act on. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

export interface ResolvedPath {
  /** Real path: links resolved. */
  readonly path: string;
  /** Real path of the root that contains it. */
  readonly root: string;
  readonly isDirectory: boolean;
}

/** Messages to the model for files that it may not see. */
const refusalText: Readonly<Record<PathRefusal, string>> = {
  private: 'is hidden or may hold secrets; it is not read',
  ignored: 'is left out by an ignore file, so it is not read; look at files that are not generated',
  excluded: 'is excluded by the settings of the workspace; it is not read',
};

/**
 * Checks every path that a model names. The real path decides, never the given one: it has to be inside
 * the real path of a workspace root, and the rules for what may leave the machine have to allow it.
 */
export class Sandbox {
  readonly #roots: readonly string[];
  readonly #rules: PathRules;

  private constructor(roots: readonly string[], rules: PathRules) {
    this.#roots = roots;
    this.#rules = rules;
  }

  /** @param workspace whose roots are absolute folders; one that does not exist is left out. */
  static async open({
    roots,
    excludes,
    useIgnoreFiles,
  }: Pick<SearchWorkspace, 'roots' | 'excludes' | 'useIgnoreFiles'>): Promise<Sandbox> {
    const real = await Promise.all(roots.map(root => realpath(root).catch(() => undefined)));
    const rules = new PathRules({ excludes: excludes.map(anchored), useIgnoreFiles });
    return new Sandbox(
      real.filter(root => root !== undefined),
      rules,
    );
  }

  /** Real paths, in the order of the workspace. */
  get roots(): readonly string[] {
    return this.#roots;
  }

  /** Shown to the model and the user: relative in a single-root workspace, else absolute. */
  display({ path: real, root }: Pick<ResolvedPath, 'path' | 'root'>): string {
    return this.#roots.length > 1 ? real : toPosixPath(path.relative(root, real)) || '.';
  }

  /**
   * Resolves a path that a model named: absolute, relative to a root, or starting with `/` or the name
   * of the root by mistake.
   *
   * @throws {ToolError} for what is outside, private, ignored, excluded, missing, or neither file nor folder.
   */
  async resolve(named: unknown): Promise<ResolvedPath> {
    if (typeof named !== 'string' || named.trim() === '' || named.includes('\0')) {
      throw new ToolError('[PATH ERROR] A path is needed, as text.');
    }
    if (named.length > maxPathChars) {
      throw new ToolError(`[PATH ERROR] The path is longer than ${maxPathChars} characters.`);
    }
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(named) || named.startsWith('~') || isDevice(named)) {
      throw new ToolError(
        `[PATH ERROR] "${named}": only paths inside of the workspace can be read.`,
      );
    }
    let isMissing = false;
    for (const candidate of this.#candidates(named)) {
      const real = await realpath(candidate).catch((error: unknown) => {
        if (errorCode(error) === 'ELOOP') {
          throw new ToolError(`[SYMLINK] "${named}" is a link that leads back to itself.`);
        }
        return undefined;
      });
      if (real === undefined) {
        isMissing ||= this.rootOf(candidate) !== undefined;
        continue;
      }
      const root = this.rootOf(real);
      if (root !== undefined) return this.#checkedPath(real, root, named);
    }
    throw new ToolError(
      isMissing
        ? `[FILE NOT FOUND] There is no "${named}" in the workspace.`
        : `[PATH ERROR] "${named}" is outside of the workspace.`,
    );
  }

  /** The named folder, or all roots when none is named. */
  async resolveScope(named: unknown): Promise<ResolvedPath[]> {
    const isAll = named === undefined || named === null;
    if (!isAll && !(typeof named === 'string' && ['', '.', './', '/'].includes(named))) {
      return [await this.resolve(named)];
    }
    return this.#roots.map(root => ({ path: root, root, isDirectory: true }));
  }

  /**
   * Opens a file that {@link resolve} allowed, and checks again that neither the file nor a folder on
   * its path has been replaced by a link since.
   */
  async openFile({ path: real, root }: ResolvedPath): Promise<FileHandle> {
    // NONBLOCK: a pipe that replaced the file must not block the search. Both flags are 0 on Windows.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const handle = await open(real, flags).catch((error: unknown) => {
      throw new ToolError(
        `[READ ERROR] The file could not be opened (${errorCode(error) ?? 'error'}).`,
      );
    });
    try {
      const [opened, now, link] = await Promise.all([
        handle.stat(),
        realpath(real).catch(() => undefined),
        lstat(real).catch(() => undefined),
      ]);
      const isSame =
        now === real &&
        this.rootOf(real) === root &&
        link?.ino === opened.ino &&
        link.dev === opened.dev;
      if (!isSame || !opened.isFile()) {
        throw new ToolError('[READ ERROR] The file changed while it was opened.');
      }
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  *#candidates(named: string): Generator<string> {
    const plain = named.replace(/^[./\\]+/, '');
    const [first = '', ...rest] = plain.split(/[\\/]/);
    for (const root of this.#roots) {
      yield path.resolve(root, named);
      if (path.isAbsolute(named)) yield path.resolve(root, plain);
      if (rest.length > 0 && first === path.basename(root)) yield path.resolve(root, ...rest);
    }
  }

  /**
   * Whether a file or folder that was found while listing may be shown to a model.
   * @param below path relative to the root, with `/` and without links
   */
  async isAllowed(root: string, below: string, isDirectory: boolean): Promise<boolean> {
    return (await this.#rules.refusal(root, below, isDirectory)) === undefined;
  }

  /** The root that contains a path; the innermost one of nested roots. */
  rootOf(real: string): string | undefined {
    return this.#roots
      .filter(
        root => real === root || real.startsWith(root.endsWith(path.sep) ? root : root + path.sep),
      )
      .sort((a, b) => b.length - a.length)[0];
  }

  async #checkedPath(real: string, root: string, named: string): Promise<ResolvedPath> {
    const found = await stat(real);
    const refusal = await this.#rules.refusal(
      root,
      toPosixPath(path.relative(root, real)),
      found.isDirectory(),
    );
    if (refusal) throw new ToolError(`[PATH ERROR] "${named}" ${refusalText[refusal]}.`);
    if (!found.isFile() && !found.isDirectory()) {
      throw new ToolError(`[UNREADABLE FILE] "${named}" is neither a file nor a folder.`);
    }
    return { path: real, root, isDirectory: found.isDirectory() };
  }
}

export function toPosixPath(file: string): string {
  return path.sep === '/' ? file : file.replaceAll(path.sep, '/');
}

/** UNC shares, devices and alternate data streams of Windows. */
function isDevice(named: string): boolean {
  return (
    /^(?:\\\\|\/\/)/.test(named) ||
    (process.platform === 'win32' &&
      (/^[^\\/]{2,}:/.test(named) ||
        named.indexOf(':') !== named.lastIndexOf(':') ||
        /(^|[\\/])(?:con|nul|aux|prn|com\d|lpt\d)(?:\.|$)/i.test(named)))
  );
}
