import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import picomatch from 'picomatch';
import { type IgnoreRules, isIgnored, readIgnoreRules } from '../host/ignoreFiles';
import { isPrivate, privateGlobs } from '../host/privateFiles';
import { AbortError } from '../service/time';
import { runRipgrep } from './ripgrep';
import { type Place, slashes } from './sandbox';
import type { SearchWorkspace } from './workspace';

/** A walk ends here, whatever has been found. */
const walkDeadlineMs = 10_000;

/** Globs as VS Code reads them: without a slash at the front or `**`, they count from the root. */
export function anchored(glob: string): string {
  return glob.startsWith('**') || glob.startsWith('/') ? glob : `/${glob}`;
}

/** What every run of ripgrep leaves out. Last, because of two matching globs the last one counts. */
export function leaveOut(workspace: SearchWorkspace): string[] {
  return [
    '--no-require-git',
    ...(workspace.useIgnoreFiles ? [] : ['--no-ignore']),
    ...workspace.excludes.flatMap(glob => ['-g', `!${anchored(glob)}`]),
    ...privateGlobs.flatMap(glob => ['--iglob', `!${glob}`]),
  ];
}

/**
 * Files of a folder that a search may see, as paths relative to the place's root with `/`, in no
 * order. Links are not followed.
 *
 * @param onFile `false` ends the walk.
 */
export async function listFiles(
  workspace: SearchWorkspace,
  { path: folder, root }: Place,
  signal: AbortSignal,
  onFile: (relativePath: string) => boolean,
): Promise<void> {
  const below = slashes(path.relative(root, folder));
  if (workspace.rgPath !== undefined) {
    const end = await runRipgrep({
      rgPath: workspace.rgPath,
      args: [
        '--files',
        '--color=never',
        ...leaveOut(workspace),
        '--',
        below === '' ? './' : `./${below}`,
      ],
      cwd: root,
      signal,
      deadlineMs: walkDeadlineMs,
      onLine: line => onFile(slashes(line.replace(/^\.[\\/]/, ''))),
    });
    if (end.reason !== 'failed') return;
  }
  await new Walk(workspace, root, signal, onFile).run(below);
}

/** @returns whether a path relative to a root, with `/`, matches a glob as `rg -g` reads it. */
export function globMatcher(glob: string): (relativePath: string) => boolean {
  const isNegated = glob.startsWith('!');
  const text = (isNegated ? glob.slice(1) : glob).replace(/^\.?\//, '');
  const matches = picomatch(text.includes('/') ? text : `**/${text}`, {
    nocase: false,
    dot: false,
  });
  // A folder's name stands for everything below it.
  const below = picomatch(text.includes('/') ? `${text}/**` : `**/${text}/**`, { dot: false });
  return file => (matches(file) || below(file)) !== isNegated;
}

/** The same files without ripgrep: slower, with the same rules. */
class Walk {
  readonly #workspace: SearchWorkspace;
  readonly #root: string;
  readonly #signal: AbortSignal;
  readonly #onFile: (relativePath: string) => boolean;
  readonly #isExcluded: (relativePath: string) => boolean;
  readonly #endsAt = performance.now() + walkDeadlineMs;
  #isDone = false;

  constructor(
    workspace: SearchWorkspace,
    root: string,
    signal: AbortSignal,
    onFile: (relativePath: string) => boolean,
  ) {
    this.#workspace = workspace;
    this.#root = root;
    this.#signal = signal;
    this.#onFile = onFile;
    this.#isExcluded = picomatch(
      workspace.excludes.map(glob => glob.replace(/^\//, '')),
      { dot: true },
    );
  }

  /** @param below where to begin, relative to the root. */
  async run(below: string): Promise<void> {
    const rules: IgnoreRules[] = [];
    let folder = '';
    // The ignore files above the beginning count too.
    for (const name of below === '' ? [] : below.split('/')) {
      rules.push(...(await this.#rules(folder)));
      folder = folder === '' ? name : `${folder}/${name}`;
    }
    await this.#folder(below, rules);
  }

  async #folder(folder: string, above: readonly IgnoreRules[]): Promise<void> {
    if (this.#signal.aborted) throw new AbortError();
    if (performance.now() > this.#endsAt) this.#isDone = true;
    const rules = [...above, ...(await this.#rules(folder))];
    const entries = await readdir(path.join(this.#root, folder), { withFileTypes: true }).catch(
      (): Dirent[] => [],
    );
    for (const entry of entries) {
      if (this.#isDone) return;
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isPrivate(entry.name) || this.#isExcluded(file)) continue;
      if (isIgnored(rules, entry.isDirectory() ? `${file}/` : file)) continue;
      if (entry.isDirectory()) await this.#folder(file, rules);
      else if (entry.isFile()) this.#isDone = !this.#onFile(file);
    }
  }

  async #rules(folder: string): Promise<IgnoreRules[]> {
    return this.#workspace.useIgnoreFiles ? readIgnoreRules(this.#root, folder) : [];
  }
}
