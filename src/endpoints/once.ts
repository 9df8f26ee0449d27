import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Windows that have read the same change do so within seconds. */
const raceMs = 600_000;

/**
 * Lets one of several windows act on what all of them have read: the first that makes the file, because
 * the file system makes it once only.
 */
export class OnceFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns true in one window only. Where no file can be made all act: twice is better than never. */
  async claim(key: string): Promise<boolean> {
    const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
    const isReady = await this.#prepare().then(
      () => true,
      () => false,
    );
    if (!isReady) return true;
    try {
      const file = await open(path.join(this.#folder, name), 'wx');
      await file.close();
      return true;
    } catch (error) {
      return !(error instanceof Error && 'code' in error && error.code === 'EEXIST');
    }
  }

  /** Makes the folder, and takes out what is too old to matter. */
  async #prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    for (const name of await readdir(this.#folder)) {
      const file = path.join(this.#folder, name);
      const age = await stat(file).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        // Another window was quicker.
        () => 0,
      );
      if (Math.abs(age) > raceMs) await rm(file, { force: true });
    }
  }
}
