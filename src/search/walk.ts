import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import picomatch from 'picomatch';
import { type IgnoreRules, isIgnored, readIgnoreRules } from '../host/ignoreFiles';
import { isPrivate } from '../host/privateFiles';
import { AbortError } from '../service/time';

export interface WalkRequest {
  /** Absolute. */
  readonly root: string;
  /** Where to begin, relative to the root, with `/`; '' for the root itself. */
  readonly below: string;
  /** Globs as in an ignore file of the root. */
  readonly excludes: readonly string[];
  readonly useIgnoreFiles: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly deadlineMs: number;
  /** Takes a path relative to the root; `false` ends the walk. */
  readonly onFile: (relativePath: string) => boolean;
}

/** The files that ripgrep would search, without it: slower, with the same rules. Links are not followed. */
export async function walkFiles(request: WalkRequest): Promise<void> {
  await new Walk(request).run();
}

class Walk {
  readonly #request: WalkRequest;
  readonly #isExcluded: (relativePath: string) => boolean;
  readonly #endsAt: number;
  #isDone = false;

  constructor(request: WalkRequest) {
    this.#request = request;
    this.#isExcluded = picomatch(request.excludes.map(fromRoot), { dot: true });
    this.#endsAt = performance.now() + request.deadlineMs;
  }

  async run(): Promise<void> {
    const { root, below } = this.#request;
    const rules = await this.#rulesAbove(root);
    let folder = root;
    for (const name of below === '' ? [] : below.split('/')) {
      rules.push(...(await this.#rules(folder)));
      folder = path.join(folder, name);
    }
    await this.#folder(below, rules);
  }

  async #folder(below: string, above: readonly IgnoreRules[]): Promise<void> {
    const { root, signal, onFile } = this.#request;
    if (signal?.aborted) throw new AbortError();
    if (performance.now() > this.#endsAt) this.#isDone = true;
    const folder = path.join(root, below);
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    const rules = [
      ...above,
      ...(await this.#rules(folder, new Set(entries.map(({ name }) => name)))),
    ];
    for (const entry of entries) {
      if (this.#isDone) return;
      const file = below === '' ? entry.name : `${below}/${entry.name}`;
      if (isPrivate(entry.name) || this.#isExcluded(file)) continue;
      if (isIgnored(rules, path.join(folder, entry.name), entry.isDirectory())) continue;
      if (entry.isDirectory()) await this.#folder(file, rules);
      else if (entry.isFile()) this.#isDone = !onFile(file);
    }
  }

  async #rules(folder: string, entries?: ReadonlySet<string>): Promise<IgnoreRules[]> {
    return this.#request.useIgnoreFiles ? readIgnoreRules(folder, entries) : [];
  }

  /** Rules between the repository's own folder and the root; outside of a repository there are none. */
  async #rulesAbove(root: string): Promise<IgnoreRules[]> {
    const levels: IgnoreRules[][] = [];
    for (let folder = root; ; folder = path.dirname(folder)) {
      if (folder !== root) levels.push(await this.#rules(folder));
      const isTop = await stat(path.join(folder, '.git')).then(
        () => true,
        () => false,
      );
      if (isTop) return levels.reverse().flat();
      if (path.dirname(folder) === folder) return [];
    }
  }
}

/** A glob of an ignore file as one that counts from the root. */
function fromRoot(glob: string): string {
  if (glob.startsWith('/')) return glob.slice(1);
  return glob.includes('/') ? glob : `**/${glob}`;
}
