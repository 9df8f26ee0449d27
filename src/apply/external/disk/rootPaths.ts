import { access, lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isNoFile } from '../../../base/fileErrors';
import { trimEndOf } from '../../../base/text/scan';

/** Where a file of a root lies, or would lie. */
export interface FilePlace {
  /** The real path of the folder, or of its deepest parent that exists. */
  readonly folder: string;
  /** Names of the folders below it that do not exist. */
  readonly missing: readonly string[];
  readonly name: string;
}

/** Finds files of a root without ever leaving it: where links lead decides, not how a path is spelled. */
export class RootPaths {
  readonly #root: string;
  /** Where the root led to when that was last asked. */
  #realRoot: string | undefined;

  /** @param root absolute */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Where a path leads once links are resolved. Undefined where nothing may be touched: outside of the root, in a `.git`
   * folder, or behind a link to nothing.
   * @param below relative to the root, with `/`
   * @throws when the root itself cannot be found: its files are not deleted, they are out of reach
   */
  async find(below: string): Promise<FilePlace | undefined> {
    const names = below.split('/');
    const name = names.pop() ?? '';
    if (![...names, name].every(isPlainName)) return undefined;
    const missing: string[] = [];
    for (;;) {
      const folder = path.join(this.#root, ...names);
      const real = names.length === 0 ? await realpath(folder) : await existingPath(folder);
      if (real !== undefined) {
        return (await this.#isAllowed(real)) ? { folder: real, missing, name } : undefined;
      }
      if (await isLink(folder)) return undefined;
      missing.unshift(names.pop() ?? '');
    }
  }

  /** Whether a folder is still the one that {@link find} found, and nobody put a link in its place. */
  async isSame(folder: string): Promise<boolean> {
    return (await existingPath(folder)) === folder && (await this.#isAllowed(folder));
  }

  async #isAllowed(real: string): Promise<boolean> {
    if (isInGitFolder(real)) return false;
    if (this.#realRoot !== undefined && isInside(this.#realRoot, real)) return true;
    // The root may be a link that leads somewhere else by now.
    this.#realRoot = await realpath(this.#root);
    return isInside(this.#realRoot, real);
  }
}

function isInside(folder: string, real: string): boolean {
  return real === folder || real.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

/** Whether a path leads into the data of git, whatever the file system makes of the name. */
export function isInGitFolder(below: string): boolean {
  return below.split(/[\\/]/).some(isGitName);
}

/**
 * `.git` in each spelling that some file system takes for it: any case, the short name of Windows, dots, blanks and
 * stream names at its end, and the characters that HFS+ leaves out.
 */
function isGitName(name: string): boolean {
  const [plain = ''] = name
    .replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .toLowerCase()
    .split(':', 1);
  return ['.git', 'git~1'].includes(trimEndOf(plain, '. '));
}

function isPlainName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || name.includes('\0') || isGitName(name)) {
    return false;
  }
  // A drive, a stream of a file, a device: none is a file of the root.
  return (
    process.platform !== 'win32' ||
    !(/[\\:]/.test(name) || /^(?:con|nul|aux|prn|com\d|lpt\d)(?:\.|$)/i.test(name))
  );
}

/** The real path of a file; undefined where there is none. */
export async function existingPath(file: string): Promise<string | undefined> {
  try {
    return await realpath(file);
  } catch (error) {
    if (isNoFile(error)) return undefined;
    throw error;
  }
}

async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch (error) {
    if (isNoFile(error)) return false;
    throw error;
  }
}

/** Whether a path leads to something. @throws when that cannot be found out */
export async function isThere(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch (error) {
    if (isNoFile(error)) return false;
    throw error;
  }
}
