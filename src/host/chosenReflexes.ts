import type { Memento } from 'vscode';

const key = 'splice.chosenReflexes';

/** Names of the classifiers that the user has chosen besides the service's own; the same in all windows. */
export class ChosenReflexes {
  readonly #state: Pick<Memento, 'get' | 'update'>;
  readonly #listeners = new Set<() => void>();

  /** @param state of the whole machine, not of a workspace. */
  constructor(state: Pick<Memento, 'get' | 'update'>) {
    this.#state = state;
  }

  /** Read at each use: another window may have changed it. */
  get names(): readonly string[] {
    const stored: unknown = this.#state.get(key);
    return Array.isArray(stored) ? stored.filter(name => typeof name === 'string') : [];
  }

  /** @returns false when it was there already. */
  async add(name: string): Promise<boolean> {
    const { names } = this;
    if (names.includes(name)) return false;
    await this.#write([...names, name]);
    return true;
  }

  async remove(name: string): Promise<void> {
    const { names } = this;
    if (names.includes(name)) await this.#write(names.filter(item => item !== name));
  }

  /** Told of changes of this window. */
  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  async #write(names: readonly string[]): Promise<void> {
    await this.#state.update(key, names);
    for (const listener of this.#listeners) listener();
  }
}
