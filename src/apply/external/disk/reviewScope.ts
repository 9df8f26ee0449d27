import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Exclude, ExcludeRules } from '../../../platform/egress/paths/excludes';
import { isDraft } from './diskFiles';
import type { Git } from './git';
import { generatedFolders, ignoredOf } from './git/workTree';
import { isInGitFolder, isThere } from './rootPaths';

export interface ReviewScopeOptions {
  /** Absolute. */
  readonly root: string;
  /** Globs as in an ignore file of the root: those of `files.exclude` and the user's own. */
  readonly excludes: readonly Exclude[];
  /** Where there is no git, no ignore file counts. */
  readonly git?: Git | undefined;
  /** Whether git has a file, so that it is reviewed even in a folder that programs fill. */
  readonly isTracked?: ((below: string) => boolean) | undefined;
}

const filledFolders: ReadonlySet<string> = new Set(generatedFolders);

/** Which files of a root are reviewed. */
export class ReviewScope {
  readonly #options: ReviewScopeOptions;
  readonly #excludes: ExcludeRules;
  readonly #repositories = new Set<string>();

  constructor(options: ReviewScopeOptions) {
    this.#options = options;
    this.#excludes = new ExcludeRules(options.excludes);
  }

  /** Whether a path is left out whatever else is on disk: enough to keep most events and folders away. */
  isLeftOut(below: string, isFolder = false): boolean {
    if (below === '' || isInGitFolder(below) || isDraft(below)) return true;
    const parts = below.split('/');
    const folders = isFolder ? parts : parts.slice(0, -1);
    if (folders.some(name => filledFolders.has(name))) {
      return isFolder || this.#options.isTracked?.(below) !== true;
    }
    return parts.some((_, at) => {
      const siblings = this.#excludes.siblingsThatHide(parts.slice(0, at + 1).join('/'));
      return siblings === true;
    });
  }

  /** Whether a folder below the root is the work tree of another repository. */
  isRepository(folder: string): boolean {
    return existsSync(path.join(this.#options.root, folder, '.git'));
  }

  /** The folders of other repositories that files were in which were asked about, also ignored ones. */
  get repositories(): ReadonlySet<string> {
    return this.#repositories;
  }

  /** @throws {AbortError | GitError} */
  async ignored(paths: readonly string[], signal?: AbortSignal): Promise<ReadonlySet<string>> {
    const { git } = this.#options;
    return git && paths.length > 0 ? ignoredOf(git, paths, signal) : new Set();
  }

  /**
   * The files that are reviewed. An ignore file is, even where a rule ignores it, unless its folder is ignored: else it
   * could hide itself and all others.
   * @throws {AbortError | GitError}
   */
  async reviewed(paths: readonly string[], signal?: AbortSignal): Promise<string[]> {
    const { git } = this.#options;
    const candidates: string[] = [];
    const repositories = new Map<string, boolean>();
    for (const below of paths) {
      if (this.isLeftOut(below) || (await this.#isHiddenBySibling(below))) continue;
      if (this.#isTracked(below) || !this.#isInRepository(folderOf(below), repositories)) {
        candidates.push(below);
      }
    }
    if (!git || candidates.length === 0) return candidates;
    // What git has, no rule ignores.
    const asked = candidates.filter(below => !this.#isTracked(below));
    if (asked.length === 0) return candidates;
    const ignored = await ignoredOf(git, asked, signal);
    const rules = candidates.filter(below => ignored.has(below) && isIgnoreFile(below));
    const inIgnored = await ignoredOf(git, rules.map(folderOf).filter(Boolean), signal);
    return candidates.filter(
      below => !ignored.has(below) || (isIgnoreFile(below) && !inIgnored.has(folderOf(below))),
    );
  }

  #isTracked(below: string): boolean {
    return this.#options.isTracked?.(below) === true;
  }

  /** Such a file is a matter of that repository: here, it would look new. @param known answers of this call */
  #isInRepository(folder: string, known: Map<string, boolean>): boolean {
    if (folder === '') return false;
    const answer = known.get(folder);
    if (answer !== undefined) return answer;
    const isOwn = this.isRepository(folder);
    if (isOwn) this.#repositories.add(folder);
    const isIn = isOwn || this.#isInRepository(folderOf(folder), known);
    known.set(folder, isIn);
    return isIn;
  }

  /** Whether a setting excludes a file, or a folder that it lies in, because of another file beside it. */
  async #isHiddenBySibling(below: string): Promise<boolean> {
    if (!this.#excludes.hasSiblings) return false;
    for (let part = below; part !== '.'; part = path.posix.dirname(part)) {
      const siblings = this.#excludes.siblingsThatHide(part);
      if (typeof siblings === 'boolean') continue;
      const folder = path.join(this.#options.root, path.posix.dirname(part));
      for (const name of siblings) if (await isThere(path.join(folder, name))) return true;
    }
    return false;
  }
}

const folderOf = (below: string): string => below.slice(0, Math.max(0, below.lastIndexOf('/')));

const isIgnoreFile = (below: string): boolean => path.posix.basename(below) === '.gitignore';
