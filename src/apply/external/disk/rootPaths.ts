import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { trimEndOf } from '../../../base/text/scan';

/** Where a file of a root lies, or would lie. */
export interface FilePlace {
  /** The real path of the folder, or of its deepest parent that exists. */
  readonly folder: string;
  /** Names of the folders below it that do not exist. */
  readonly missing: readonly string[];
  readonly name: string;
}

/**
 * Where a path of a root leads once links are resolved. Undefined where nothing may be touched: outside of the
 * root, in a `.git` folder, or behind a link to nothing.
 * @param below relative to the root, with `/`
 * @throws when the root itself cannot be found: its files are not deleted, they are out of reach.
 */
export async function filePlace(root: string, below: string): Promise<FilePlace | undefined> {
  const realRoot = await realpath(root);
  const names = below.split('/');
  const name = names.pop() ?? '';
  if (![...names, name].every(isPlainName)) return undefined;
  const missing: string[] = [];
  for (;;) {
    const folder = path.join(realRoot, ...names);
    const real = await existingPath(folder);
    if (real !== undefined) {
      return isAllowed(realRoot, real) ? { folder: real, missing, name } : undefined;
    }
    const last = names.pop();
    if (last === undefined || (await isLink(folder))) return undefined;
    missing.unshift(last);
  }
}

/** Whether the folder is still the one that {@link filePlace} found, and nobody put a link in its place. */
export async function isSamePlace(root: string, folder: string): Promise<boolean> {
  const [realRoot, real] = await Promise.all([realpath(root), existingPath(folder)]);
  return real === folder && isAllowed(realRoot, real);
}

/** Whether a path leads into the data of git, whatever the file system makes of the name. */
export function isInGitFolder(below: string): boolean {
  return below.split(/[\\/]/).some(isGitName);
}

function isAllowed(realRoot: string, real: string): boolean {
  const start = realRoot.endsWith(path.sep) ? realRoot : realRoot + path.sep;
  return (real === realRoot || real.startsWith(start)) && !isInGitFolder(real);
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

async function existingPath(file: string): Promise<string | undefined> {
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

/** Whether an error says that there is no such file, or none that could be reached without an endless link. */
export function isNoFile(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '');
}

/** The code of an error of the file system. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
