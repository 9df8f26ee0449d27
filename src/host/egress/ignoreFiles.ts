import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** Of the same folder, the earlier one decides. `.git/info/exclude` and git's global file come after them. */
const names = ['.rgignore', '.ignore', '.gitignore'] as const;
type Kind = (typeof names)[number] | 'exclude';

interface FolderRules {
  readonly rules: ReadonlyMap<Kind, Ignore>;
  /** A repository begins here: the `.gitignore` files above it do not count. */
  readonly isRepository: boolean;
}

/** As git does by default: `core.ignorecase` is on where the file system does not tell cases apart. */
export const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

const compile = (text: string): Ignore => ignore({ ignorecase: ignoresCase }).add(text);

/**
 * The ignore files that hold for the paths below some roots, read once. What they say is what ripgrep
 * reads of them with `--no-require-git`: of each kind the deepest file that names a path counts, and of
 * the kinds the first that says anything.
 */
export class IgnoreFiles {
  readonly #folders = new Map<string, Promise<FolderRules>>();
  #global: Promise<Ignore | undefined> | undefined;

  /**
   * Whether a path is ignored, for a caller that knows that no folder above it is.
   * @param file absolute, below `root`
   * @param entries names in its folder, where they are known: a file that is not there is not read
   */
  async isIgnored(
    root: string,
    file: string,
    isFolder: boolean,
    entries?: ReadonlySet<string>,
  ): Promise<boolean> {
    const said = new Map<Kind, boolean>();
    const ask = (kind: Kind, rules: FolderRules, folder: string): void => {
      const ignored = said.has(kind) ? undefined : ask1(rules.rules.get(kind), folder, file);
      if (ignored !== undefined) said.set(kind, ignored);
    };
    const ask1 = (rules: Ignore | undefined, folder: string, asked: string) =>
      rules && answerOf(rules, folder, asked, isFolder);
    let isInRepository = true;
    for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
      const rules = await this.#rules(folder, folder === path.dirname(file) ? entries : undefined);
      ask('.rgignore', rules, folder);
      ask('.ignore', rules, folder);
      if (isInRepository) {
        ask('.gitignore', rules, folder);
        ask('exclude', rules, folder);
      }
      isInRepository &&= !rules.isRepository;
      if (path.dirname(folder) === folder) break;
    }
    for (const kind of [...names, 'exclude'] as const) {
      const ignored = said.get(kind);
      if (ignored !== undefined) return ignored;
    }
    this.#global ??= readGlobal();
    return ask1(await this.#global, root, file) ?? false;
  }

  /**
   * Whether a path or a folder above it is ignored.
   * @param below relative to the root, with `/`
   */
  async isIgnoredBelow(root: string, below: string, isFolder: boolean): Promise<boolean> {
    const parts = below.split('/');
    let file = root;
    for (const [at, name] of parts.entries()) {
      file = path.join(file, name);
      if (await this.isIgnored(root, file, isFolder || at < parts.length - 1)) return true;
    }
    return false;
  }

  async #rules(folder: string, entries: ReadonlySet<string> | undefined): Promise<FolderRules> {
    let rules = this.#folders.get(folder);
    if (!rules) {
      rules = readRules(folder, entries);
      this.#folders.set(folder, rules);
    }
    return rules;
  }
}

/** @param file relative to the root, with `/` */
export async function isIgnoredFile(root: string, file: string): Promise<boolean> {
  return new IgnoreFiles().isIgnoredBelow(root, file, false);
}

/** Undefined where the rules do not name the path. */
function answerOf(
  rules: Ignore,
  folder: string,
  file: string,
  isFolder: boolean,
): boolean | undefined {
  const below = path.relative(folder, file).split(path.sep).join('/');
  if (below === '' || !ignore.isPathValid(below)) return undefined;
  const { ignored, unignored } = rules.test(isFolder ? `${below}/` : below);
  return ignored || unignored ? ignored : undefined;
}

async function readRules(
  folder: string,
  entries: ReadonlySet<string> | undefined,
): Promise<FolderRules> {
  const rules = new Map<Kind, Ignore>();
  const add = (kind: Kind, text: string): void => {
    if (text.trim() !== '') rules.set(kind, compile(text));
  };
  await Promise.all(
    names.map(async name => {
      if (!entries || entries.has(name)) add(name, await textOf(path.join(folder, name)));
    }),
  );
  const git = path.join(folder, '.git');
  const found = entries?.has('.git') === false ? undefined : await stat(git).catch(() => undefined);
  if (found)
    add('exclude', await textOf(path.join(await gitFolder(git, found.isFile()), 'info/exclude')));
  return { rules, isRepository: found !== undefined };
}

/** Of a worktree or a submodule, `.git` is a file that names the folder. */
async function gitFolder(git: string, isFile: boolean): Promise<string> {
  if (!isFile) return git;
  const named = /^gitdir: (.+)$/m.exec(await textOf(git))?.[1]?.trim();
  if (named === undefined) return git;
  const folder = path.resolve(path.dirname(git), named);
  const common = (await textOf(path.join(folder, 'commondir'))).trim();
  return common === '' ? folder : path.resolve(folder, common);
}

/** Git's ignore file of the user: `core.excludesFile`, else the usual place. */
async function readGlobal(): Promise<Ignore | undefined> {
  const home = process.env['HOME'] ?? homedir();
  const settings = process.env['XDG_CONFIG_HOME'] || path.join(home, '.config');
  let file = path.join(settings, 'git/ignore');
  for (const config of [path.join(home, '.gitconfig'), path.join(settings, 'git/config')]) {
    const named = /^[ \t]*excludesfile[ \t]*=[ \t]*"?([^"\s]+)/im.exec(await textOf(config))?.[1];
    if (named === undefined) continue;
    file = named.replace(/^~(?=[\\/])/, home);
    break;
  }
  const text = await textOf(file);
  return text.trim() === '' ? undefined : compile(text);
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
