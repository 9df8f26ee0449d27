import path from 'node:path';
import { StateFile } from './stateFile';

/**
 * Files that were there at the first look at a root and that were not read, so that nobody knows whether they have
 * changed since.
 */
export class UnreadFiles {
  readonly #stored: StateFile<string[]>;
  #paths: ReadonlySet<string>;

  private constructor(stored: StateFile<string[]>, paths: readonly string[]) {
    this.#stored = stored;
    this.#paths = new Set(paths);
  }

  /** @param storage folder for what the next session needs */
  static async open(storage: string, onError: (error: unknown) => void): Promise<UnreadFiles> {
    const file = path.join(storage, 'unread.json');
    const stored = new StateFile({ file, isValid: arePaths, onError });
    return new UnreadFiles(stored, (await stored.read()) ?? []);
  }

  has(below: string): boolean {
    return this.#paths.has(below);
  }

  async set(paths: readonly string[]): Promise<void> {
    if (paths.length === 0 && this.#paths.size === 0) return;
    this.#paths = new Set(paths);
    await this.#stored.write([...paths]);
  }
}

const arePaths = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(each => typeof each === 'string');
