import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isNoFile } from '../../../base/fileErrors';
import { nodeFileOps } from '../../review/journal/nodeFileOps';

export interface StateFileOptions<T> {
  /** Absolute; its folder is made. */
  readonly file: string;
  readonly isValid: (value: unknown) => value is T;
  readonly onError: (error: unknown) => void;
}

/**
 * What one session leaves for the next one, as JSON. It can be done without: a file that is damaged or cannot be written
 * is reported, and the next session begins as the first one did.
 */
export class StateFile<T> {
  readonly #options: StateFileOptions<T>;

  constructor(options: StateFileOptions<T>) {
    this.#options = options;
  }

  async read(): Promise<T | undefined> {
    const { file, isValid, onError } = this.#options;
    try {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'));
      return isValid(value) ? value : undefined;
    } catch (error) {
      if (!isNoFile(error)) onError(error);
      return undefined;
    }
  }

  /** A draft takes the place of the file, so that it is never half-written. */
  async write(value: T): Promise<void> {
    const { file, onError } = this.#options;
    try {
      await nodeFileOps.makeFolder(path.dirname(file));
      await nodeFileOps.write(`${file}.draft`, JSON.stringify(value));
      await nodeFileOps.rename(`${file}.draft`, file);
    } catch (error) {
      onError(error);
    }
  }
}
