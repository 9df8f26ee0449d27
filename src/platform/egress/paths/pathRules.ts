import { access } from 'node:fs/promises';
import path from 'node:path';
import { type Exclude, ExcludeRules } from './excludes';
import { IgnoreFiles } from './ignoreFiles';
import { isPrivate } from './privateNames';

/** Why a file is not sent. */
export type PathRefusal = 'private' | 'ignored' | 'excluded';

export interface PathRuleSettings {
  /** Globs as in an ignore file of each root; see {@link anchored}. */
  readonly excludes: readonly Exclude[];
  readonly useIgnoreFiles: boolean;
}

/** Which files may be sent without asking the user. Reads each ignore file once. */
export class PathRules {
  readonly #settings: PathRuleSettings;
  readonly #ignoreFiles = new IgnoreFiles();
  readonly #excludes: ExcludeRules;

  constructor(settings: PathRuleSettings) {
    this.#settings = settings;
    this.#excludes = new ExcludeRules(settings.excludes);
  }

  /**
   * @param root absolute, links resolved
   * @param below relative to the root, with `/`, links resolved; '' for the root itself
   */
  async refusal(root: string, below: string, isFolder: boolean): Promise<PathRefusal | undefined> {
    if (below === '') return undefined;
    if (isPrivate(below, isFolder)) return 'private';
    const parts = below.split('/');
    for (let at = 1; at <= parts.length; at++) {
      if (await this.#isExcluded(root, parts.slice(0, at).join('/'))) return 'excluded';
    }
    if (!this.#settings.useIgnoreFiles) return undefined;
    const isIgnored = await this.#ignoreFiles.isIgnoredBelow(root, below, isFolder);
    return isIgnored ? 'ignored' : undefined;
  }

  /** {@link refusal} for a path in an allowed folder, given the names in that folder. */
  async isLeftOut(
    root: string,
    file: string,
    below: string,
    isFolder: boolean,
    entries: ReadonlySet<string>,
  ): Promise<boolean> {
    if (isPrivate(below, isFolder)) return true;
    if (this.#excludes.hides(below, name => entries.has(name))) return true;
    return (
      this.#settings.useIgnoreFiles &&
      (await this.#ignoreFiles.isIgnored(root, file, isFolder, entries))
    );
  }

  async #isExcluded(root: string, below: string): Promise<boolean> {
    const siblings = this.#excludes.siblingsThatHide(below);
    if (typeof siblings === 'boolean') return siblings;
    const folder = path.join(root, path.dirname(below));
    const found = await Promise.all(siblings.map(async name => isThere(path.join(folder, name))));
    return found.includes(true);
  }
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
