import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../base/fileErrors';

/** Claims older than this are deleted, in milliseconds; windows read the same change within seconds. */
const claimAgeMs = 600_000;

/**
 * Lets exactly one of several windows act on something that all of them have read: the first one to
 * create a file exclusively.
 */
export class ClaimFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns true in one window only, or in all windows if no file can be created: twice is better than never. */
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
      return errorCode(error) !== 'EEXIST';
    }
  }

  /** Creates the folder and deletes expired claims. */
  async #prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    for (const name of await readdir(this.#folder)) {
      const file = path.join(this.#folder, name);
      const age = await stat(file).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        // Another window has deleted it.
        () => 0,
      );
      if (Math.abs(age) > claimAgeMs) await rm(file, { force: true });
    }
  }
}
