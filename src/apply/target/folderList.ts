import { type Dirent, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { append } from '../../base/arrays';
import { anchored, type Exclude, ExcludeRules } from '../../platform/egress/paths/excludes';
import { IgnoreFiles } from '../../platform/egress/paths/ignoreFiles';

export interface ListSettings {
  /** Globs of `files.exclude` and `search.exclude` in the settings of the folder. */
  readonly excludes: readonly Exclude[];
  readonly useIgnoreFiles: boolean;
  /** Whether links are followed. What is also listed without a link is listed once. */
  readonly followsLinks: boolean;
  /** If there are more, those nearest to the root are listed. */
  readonly maxFiles: number;
}

/** What is left out whatever the settings say: too many files, and none that an edit is meant for. */
const neverListed: ReadonlySet<string> = new Set(['node_modules', '.git']);
/** Names that may change what is listed in a folder and below it. */
const ruleNames: readonly string[] = ['.gitignore', '.ignore', '.rgignore', '.git'];
/** Folders in which nothing is listed cost time too. */
const maxFolders = 50_000;
/** How long folders are read before other work of the window gets its turn, in milliseconds. */
const stretchMs = 20;
/**
 * What changed this short before it was read may change again with the same times, in milliseconds: some file
 * systems keep times in steps of two seconds. git calls such entries racy.
 */
const racyMs = 2000;

/** Tells states of a file or folder apart; undefined where there is none. */
type Stamp = string | undefined;

interface Stamped {
  readonly stamp: Stamp;
  /** Device and inode: the same for a folder and a link to it. */
  readonly identity: string;
  readonly isFile: boolean;
  /** Whether every later change has another stamp. */
  readonly isSafe: boolean;
}

interface KeptFolder<File> {
  /** Undefined for one that must be read again. */
  readonly stamp: Stamp;
  readonly files: readonly File[];
  /** Paths relative to the root, with `/`. */
  readonly folders: readonly string[];
  /** Where they lead is looked up each time: that changes without a change of the folder. */
  readonly links: readonly string[];
  /** Those of {@link ruleNames} that are in it. */
  readonly rules: string;
}

/**
 * The files below one root. What is in a folder is kept, and read again only when the times or the inode of the
 * folder have changed, so nothing depends on a file watcher.
 */
export class FolderList<File> {
  readonly #root: string;
  readonly #fileAt: (below: string) => File;
  readonly #now: () => number;
  #folders: ReadonlyMap<string, KeptFolder<File>> = new Map();
  #rules: ListRules | undefined;

  /**
   * @param root absolute.
   * @param fileAt makes an item of the list from a path relative to the root, with `/`.
   */
  constructor(root: string, fileAt: (below: string) => File, now: () => number = Date.now) {
    this.#root = root;
    this.#fileAt = fileAt;
    this.#now = now;
  }

  /** @throws the reason of `signal`. */
  async files(settings: ListSettings, signal: AbortSignal): Promise<File[]> {
    for (;;) {
      const isKept = this.#rules?.isCurrent(settings) === true;
      const rules = isKept && this.#rules ? this.#rules : new ListRules(settings, this.#now);
      const before = isKept ? this.#folders : new Map<string, KeptFolder<File>>();
      const walked = await this.#walk(rules, before, signal);
      if (walked) {
        this.#rules = rules;
        this.#folders = walked.folders;
        return walked.files;
      }
      this.#rules = undefined;
    }
  }

  /** Undefined when an ignore file has appeared or disappeared since `before`. */
  async #walk(
    rules: ListRules,
    before: ReadonlyMap<string, KeptFolder<File>>,
    signal: AbortSignal,
  ): Promise<{ files: File[]; folders: Map<string, KeptFolder<File>> } | undefined> {
    const folders = new Map<string, KeptFolder<File>>();
    const files: File[] = [];
    const open = [''];
    const links: string[] = [];
    const seen = new Set<string>();
    let since = performance.now();
    let opened = 0;
    let followed = 0;
    // Links come last, so that a folder is listed by its own name.
    const next = (): string | undefined =>
      opened < open.length ? open[opened++] : links[followed++];
    for (let below = next(); below !== undefined; below = next()) {
      if (performance.now() - since > stretchMs) {
        await setImmediate();
        since = performance.now();
      }
      signal.throwIfAborted();
      const folder = path.join(this.#root, below);
      // Before the folder is read: a change during that has a later time.
      const { stamp, isSafe, identity, isFile } = stampOf(folder, this.#now());
      if (stamp === undefined || seen.has(identity)) continue;
      if (isFile) {
        files.push(this.#fileAt(below));
        continue;
      }
      seen.add(identity);
      let kept = before.get(below);
      if (kept?.stamp !== stamp) {
        const read = await this.#read(folder, below, rules);
        if (!read) continue;
        if (before.size > 0 && read.rules !== (kept?.rules ?? '')) return undefined;
        kept = { ...read, stamp: isSafe ? stamp : undefined };
      }
      folders.set(below, kept);
      append(files, kept.files);
      append(open, kept.folders);
      append(links, kept.links);
      if (files.length >= rules.settings.maxFiles || folders.size >= maxFolders) break;
    }
    return { files: files.slice(0, rules.settings.maxFiles), folders };
  }

  /** Undefined for a folder that is gone or that the user may not read. */
  async #read(
    folder: string,
    below: string,
    rules: ListRules,
  ): Promise<Omit<KeptFolder<File>, 'stamp'> | undefined> {
    let entries: Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      return undefined;
    }
    const names = new Set(entries.map(({ name }) => name));
    const files: File[] = [];
    const folders: string[] = [];
    const links: string[] = [];
    // Joining the paths of thousands of files takes longer than listing them.
    const prefix = folder.endsWith(path.sep) ? folder : folder + path.sep;
    const start = below === '' ? '' : `${below}/`;
    for (const entry of entries) {
      const isLink = rules.settings.followsLinks && entry.isSymbolicLink();
      const isFolder = entry.isDirectory() || isLink;
      if (!isFolder && !entry.isFile()) continue;
      const file = { path: prefix + entry.name, below: start + entry.name, isFolder };
      if (await rules.leaveOut(this.#root, file, names)) continue;
      if (isLink) links.push(file.below);
      else if (isFolder) folders.push(file.below);
      else files.push(this.#fileAt(file.below));
    }
    return { files, folders, links, rules: ruleNames.filter(name => names.has(name)).join() };
  }
}

interface ListedPath {
  /** Absolute. */
  readonly path: string;
  /** Relative to the root, with `/`. */
  readonly below: string;
  readonly isFolder: boolean;
}

/** Which files are listed, for as long as the settings and the ignore files stay the same. */
class ListRules {
  readonly settings: ListSettings;
  readonly #excludes: ExcludeRules;
  readonly #ignoreFiles: IgnoreFiles;
  readonly #read = new Map<
    string,
    { readonly stamp: Stamp; readonly what: 'content' | 'presence' }
  >();
  /** False once an ignore file was read so soon after a change that the next one may look the same. */
  #isSafe = true;

  constructor(settings: ListSettings, now: () => number) {
    this.settings = settings;
    this.#excludes = new ExcludeRules(settings.excludes.map(anchored));
    this.#ignoreFiles = new IgnoreFiles((file, what) => {
      const { stamp, isSafe } = stampOf(file, now());
      this.#read.set(file, { stamp, what });
      if (what === 'content' && !isSafe) this.#isSafe = false;
    });
  }

  isCurrent(settings: ListSettings): boolean {
    if (!this.#isSafe || JSON.stringify(settings) !== JSON.stringify(this.settings)) return false;
    for (const [file, { stamp, what }] of this.#read) {
      const now = stampOf(file, 0).stamp;
      if (what === 'content' ? now !== stamp : (now === undefined) !== (stamp === undefined)) {
        return false;
      }
    }
    return true;
  }

  /** @param entries the names in the folder of the file. */
  async leaveOut(root: string, file: ListedPath, entries: ReadonlySet<string>): Promise<boolean> {
    const { below, isFolder } = file;
    if (isFolder && neverListed.has(path.posix.basename(below))) return true;
    if (this.#excludes.hides(below, name => entries.has(name))) return true;
    return (
      this.settings.useIgnoreFiles &&
      this.#ignoreFiles.isIgnored(root, file.path, isFolder, entries)
    );
  }
}

function stampOf(file: string, now: number): Stamped {
  try {
    const stats = statSync(file, { bigint: true });
    const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = stats;
    const changed = Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
    return {
      stamp: [dev, ino, size, mtimeNs, ctimeNs].join(),
      identity: `${dev},${ino}`,
      isFile: stats.isFile(),
      isSafe: now - changed > racyMs,
    };
  } catch {
    return { stamp: undefined, identity: '', isFile: false, isSafe: true };
  }
}
