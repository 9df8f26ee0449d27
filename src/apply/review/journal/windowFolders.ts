import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from './journalFolder';

const ownerFile = 'owner';

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
    await mkdir(this.#own, { recursive: true });
    await writeFile(path.join(this.#own, ownerFile), String(process.pid));
  }

  /** Journals of windows whose process has ended. */
  async left(): Promise<string[]> {
    const found: string[] = [];
    for (const name of await readdir(this.#root)) {
      const folder = path.join(this.#root, name);
      if (folder === this.#own || (await this.#isAlive(folder))) continue;
      const names = await readdir(folder).catch(() => []);
      // Otherwise every closed window would leave an empty folder behind.
      if (names.every(file => file === ownerFile)) {
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
    try {
      // Signal 0 only checks whether the process exists.
      process.kill(owner, 0);
      return true;
    } catch (error) {
      // Any error but "no such process" means that it exists.
      return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
    }
  }
}
