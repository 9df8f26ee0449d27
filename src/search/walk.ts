import { type Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { IgnoreRules } from './ignoreRules';

/** In git's order of strength, the weakest first. */
const ignoreFiles = ['.gitignore', '.ignore', '.rgignore'];

export type WalkOptions = {
  /** Globs of paths to leave out, written as in an ignore file. */
  readonly exclude?: readonly string[];
  readonly signal?: AbortSignal | undefined;
};

type Level = { readonly folder: string; readonly rules: IgnoreRules };

/**
 * Regular files below a folder that ripgrep would search: no hidden ones, none that an ignore file
 * names, nothing behind a symbolic link. Paths are relative to the folder, with `/`, by folder.
 */
export async function* walkFiles(
  root: string,
  { exclude = [], signal }: WalkOptions = {},
): AsyncGenerator<string[]> {
  const excluded = new IgnoreRules(exclude);
  const outer = await rulesAbove(root);
  yield* walkFolder('', outer);

  async function* walkFolder(folder: string, above: readonly Level[]): AsyncGenerator<string[]> {
    signal?.throwIfAborted();
    const absolute = path.join(root, folder);
    const entries = await readdir(absolute, { withFileTypes: true }).catch((): Dirent[] => []);
    const levels = [...above, ...(await rulesOf(absolute, entries))];
    const isWanted = (entry: Dirent): boolean =>
      !entry.name.startsWith('.') &&
      !isIgnored(levels, path.join(absolute, entry.name), entry.isDirectory()) &&
      excluded.ignores(folder + entry.name, entry.isDirectory()) !== true;
    const wanted = entries.filter(
      entry => (entry.isFile() || entry.isDirectory()) && isWanted(entry),
    );
    yield wanted.filter(entry => entry.isFile()).map(entry => folder + entry.name);
    for (const entry of wanted) {
      if (entry.isDirectory()) {
        yield* walkFolder(`${folder}${entry.name}/`, levels);
      }
    }
  }
}

/** A deeper rule is stronger, and of one folder the later file. */
function isIgnored(levels: readonly Level[], absolute: string, isFolder: boolean): boolean {
  for (const { folder, rules } of levels.toReversed()) {
    const relative = path.relative(folder, absolute).split(path.sep).join('/');
    const ignores = rules.ignores(relative, isFolder);
    if (ignores !== undefined) {
      return ignores;
    }
  }
  return false;
}

async function rulesOf(folder: string, entries: readonly Dirent[]): Promise<Level[]> {
  const present = new Set(entries.filter(entry => entry.isFile()).map(({ name }) => name));
  const levels: Level[] = [];
  for (const name of ignoreFiles.filter(file => present.has(file))) {
    const text = await readFile(path.join(folder, name), 'utf8').catch(() => '');
    levels.push({ folder, rules: new IgnoreRules(text.split('\n')) });
  }
  return levels;
}

/** Rules of the folders between the repository's own folder and the one that is walked. */
async function rulesAbove(root: string): Promise<Level[]> {
  const levels: Level[] = [];
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (folder !== root) {
      const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
      levels.unshift(...(await rulesOf(folder, entries)));
    }
    const isTop = await stat(path.join(folder, '.git')).then(
      () => true,
      () => false,
    );
    if (isTop) {
      return levels;
    }
    if (path.dirname(folder) === folder) {
      // Outside of a repository the folders above have no say.
      return [];
    }
  }
}
