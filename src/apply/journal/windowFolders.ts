import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from './journalFolder';

const ownerFile = 'owner';

/**
 * Windows without a workspace folder share one storage; each has a folder in it. What a window left that never came back
 * can be moved into the folder of another one, which asks the user before.
 */
export class WindowFolders {
  readonly #root: string;
  readonly #own: string;

  constructor(own: string) {
    this.#own = own;
    this.#root = path.dirname(own);
  }

  /** Marks the folder as that of a living window. */
  async claim(): Promise<void> {
    await mkdir(this.#own, { recursive: true });
    await writeFile(path.join(this.#own, ownerFile), String(process.pid));
  }

  /** Journals of windows that are gone. */
  async left(): Promise<string[]> {
    const found: string[] = [];
    for (const name of await readdir(this.#root)) {
      const folder = path.join(this.#root, name);
      if (folder === this.#own || (await this.#isAlive(folder))) continue;
      const names = await readdir(folder).catch(() => []);
      // Each window that ever was would leave an empty folder.
      if (names.every(file => file === ownerFile))
        await rm(folder, { recursive: true, force: true });
      found.push(
        ...names.filter(file => file.endsWith('.journal')).map(file => path.join(folder, file)),
      );
    }
    return found;
  }

  /** Makes journals of other windows those of this one; what another window took meanwhile stays there. */
  async adopt(files: readonly string[]): Promise<void> {
    for (const file of files)
      await rename(file, path.join(this.#own, path.basename(file))).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
  }

  async #isAlive(folder: string): Promise<boolean> {
    let owner: number;
    try {
      owner = Number(await readFile(path.join(folder, ownerFile), 'utf8'));
    } catch (error) {
      return !isMissing(error);
    }
    try {
      // Signal 0 only asks whether the process is there.
      process.kill(owner, 0);
      return true;
    } catch (error) {
      // Anything but "no such process" says that there is one.
      return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
    }
  }
}
