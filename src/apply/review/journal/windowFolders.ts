import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../../../base/fileErrors';
import { isProcessAlive } from '../../../base/process';

const ownerFile = 'owner';
/** The history of a closed window is deleted after this time, in milliseconds: no window lists it any more. */
const maxUnusedMs = 30 * 24 * 3600 * 1000;

/**
 * Windows without a workspace folder share one storage location, with a subfolder each. Journals of a window that was
 * never reopened can be moved to the folder of another window, after the user has agreed.
 */
export class WindowFolders {
  readonly #root: string;
  readonly #own: string;

  constructor(own: string) {
    this.#own = own;
    this.#root = path.dirname(own);
  }

  /** Marks the folder as used by this process. */
  async claim(): Promise<void> {
    await mkdir(this.#own, { recursive: true, mode: 0o700 });
    await writeFile(path.join(this.#own, ownerFile), String(process.pid));
  }

  /** Journals of windows whose process has ended. */
  async left(now = Date.now()): Promise<string[]> {
    const found: string[] = [];
    for (const name of await readdir(this.#root)) {
      const folder = path.join(this.#root, name);
      if (folder === this.#own || (await this.#isAlive(folder))) continue;
      const names = await readdir(folder).catch(() => []);
      // Otherwise every closed window would leave an empty folder behind.
      const isEmpty = names.every(file => file === ownerFile);
      const hasJournals = names.some(file => file.endsWith('.journal'));
      if (isEmpty || (!hasJournals && (await isUnused(folder, now)))) {
        await rm(folder, { recursive: true, force: true });
      }
      found.push(
        ...names.filter(file => file.endsWith('.journal')).map(file => path.join(folder, file)),
      );
    }
    return found;
  }

  /** Moves journals of other windows to this one; skips those that another window has taken meanwhile. */
  async adopt(files: readonly string[]): Promise<void> {
    for (const file of files) {
      await rename(file, path.join(this.#own, path.basename(file))).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    }
  }

  async #isAlive(folder: string): Promise<boolean> {
    let owner: number;
    try {
      owner = Number(await readFile(path.join(folder, ownerFile), 'utf8'));
    } catch (error) {
      return !isMissing(error);
    }
    return isProcessAlive(owner);
  }
}

/** Whether no file below the folder has changed for a long time. */
async function isUnused(folder: string, now: number): Promise<boolean> {
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    const found = await stat(path.join(folder, name)).catch(() => undefined);
    if (found && now - found.mtimeMs <= maxUnusedMs) return false;
  }
  return true;
}
