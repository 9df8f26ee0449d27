import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** In one folder, the earlier one takes precedence. `.git/info/exclude` and the global file of git come last. */
const names = ['.rgignore', '.ignore', '.gitignore'] as const;
export const ignoreFileNames: ReadonlySet<string> = new Set(names);
type Kind = (typeof names)[number] | 'exclude';

interface FolderRules {
  readonly rules: ReadonlyMap<Kind, Ignore>;
  /** The folder is the root of a repository: `.gitignore` files above it do not apply. */
  readonly isRepository: boolean;
}

/** The default of `core.ignorecase` in git: on where the file system ignores case. */
export const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

/** Called before something is read: the content of a file, or only whether there is anything at the path. */
export type OnRead = (file: string, what: 'content' | 'presence') => void;

const compile = (text: string): Ignore => ignore({ ignorecase: ignoresCase }).add(text);

/**
 * The ignore files that apply below some roots, each read once. Same semantics as ripgrep with
 * `--no-require-git`: of each kind, the deepest file that matches a path applies, and of the kinds, the first
 * one with a match.
 */
export class IgnoreFiles {
  readonly #folders = new Map<string, Promise<FolderRules>>();
  readonly #onRead: OnRead;
  #global: Promise<Ignore | undefined> | undefined;

  constructor(onRead: OnRead = () => undefined) {
    this.#onRead = onRead;
  }

  /**
   * Whether a path is ignored, provided that no parent folder is.
   * @param file absolute, below `root`
   * @param entries names in its folder, where known, so that missing files are not read
   */
  async isIgnored(
    root: string,
    file: string,
    isFolder: boolean,
    entries?: ReadonlySet<string>,
  ): Promise<boolean> {
    const matches = new Map<Kind, boolean>();
    const ask = (kind: Kind, rules: FolderRules, folder: string): void => {
      const ignored = matches.has(kind) ? undefined : matchOf(rules.rules.get(kind), folder, file);
      if (ignored !== undefined) matches.set(kind, ignored);
    };
    const matchOf = (rules: Ignore | undefined, folder: string, asked: string) =>
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
      const ignored = matches.get(kind);
      if (ignored !== undefined) return ignored;
    }
    this.#global ??= readGlobal(this.#onRead);
    return matchOf(await this.#global, root, file) ?? false;
  }

  /**
   * Whether a path or one of its parent folders is ignored.
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
      rules = readRules(folder, entries, this.#onRead);
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
  onRead: OnRead,
): Promise<FolderRules> {
  const textOf = async (file: string): Promise<string> => readText(file, onRead);
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
  if (entries?.has('.git') === false) return { rules, isRepository: false };
  onRead(git, 'presence');
  const found = await stat(git).catch(() => undefined);
  if (found) {
    const gitFolder = found.isFile() ? await linkedGitFolder(git, textOf) : git;
    add('exclude', await textOf(path.join(gitFolder, 'info/exclude')));
  }
  return { rules, isRepository: found !== undefined };
}

/** In a worktree or a submodule, `.git` is a file with the path of the folder. */
async function linkedGitFolder(
  git: string,
  textOf: (file: string) => Promise<string>,
): Promise<string> {
  const named = /^gitdir: (.+)$/m.exec(await textOf(git))?.[1]?.trim();
  if (named === undefined) return git;
  const folder = path.resolve(path.dirname(git), named);
  const common = (await textOf(path.join(folder, 'commondir'))).trim();
  return common === '' ? folder : path.resolve(folder, common);
}

/** The global ignore file of git: `core.excludesFile`, otherwise the default location. */
async function readGlobal(onRead: OnRead): Promise<Ignore | undefined> {
  const home = process.env['HOME'] ?? homedir();
  const settings = process.env['XDG_CONFIG_HOME'] || path.join(home, '.config');
  let file = path.join(settings, 'git/ignore');
  for (const config of [path.join(home, '.gitconfig'), path.join(settings, 'git/config')]) {
    const named = /^[ \t]*excludesfile[ \t]*=[ \t]*"?([^"\s]+)/im.exec(
      await readText(config, onRead),
    )?.[1];
    if (named === undefined) continue;
    file = named.replace(/^~(?=[\\/])/, home);
    break;
  }
  const text = await readText(file, onRead);
  return text.trim() === '' ? undefined : compile(text);
}

async function readText(file: string, onRead: OnRead): Promise<string> {
  onRead(file, 'content');
  return readFile(file, 'utf8').catch(() => '');
}
