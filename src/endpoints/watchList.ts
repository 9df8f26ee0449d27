import * as vscode from 'vscode';
import type { EndpointsSnapshot } from './core/endpointsSnapshot';
import { appearanceOf } from './core/lifecycle';

const { t } = vscode.l10n;

const watchedKey = 'splice.endpoints.watched';
const dismissedKey = 'splice.endpoints.dismissed';

/** Ids of the endpoints that the user watches, and of the failed ones that were dismissed; all windows share them. */
export class WatchList {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  get watched(): Set<string> {
    return this.#read(watchedKey);
  }

  get dismissed(): Set<string> {
    return this.#read(dismissedKey);
  }

  async setWatched(id: string, isWatched: boolean): Promise<void> {
    const { watched } = this;
    if (isWatched) watched.add(id);
    else watched.delete(id);
    await this.#write(watchedKey, watched);
  }

  /** Endpoints that are no longer listed are dropped from the stored list. */
  async dismiss(id: string, listed: ReadonlySet<string>): Promise<void> {
    await this.#write(
      dismissedKey,
      [...this.dismissed, id].filter(item => listed.has(item)),
    );
  }

  /** Stops watching endpoints that are ready, or that never will be. */
  async unwatchSettled({ endpoints }: EndpointsSnapshot): Promise<void> {
    const { watched } = this;
    const settled = endpoints.filter(
      ({ id, state }) =>
        watched.has(id) && !['starting', 'attention'].includes(appearanceOf(state, t).group),
    );
    for (const { id } of settled) watched.delete(id);
    if (settled.length > 0) await this.#write(watchedKey, watched);
  }

  #read(key: string): Set<string> {
    const value: unknown = this.#memory.get(key);
    return new Set(Array.isArray(value) ? value.filter(item => typeof item === 'string') : []);
  }

  async #write(key: string, ids: Iterable<string>): Promise<void> {
    await this.#memory.update(key, [...ids]);
  }
}
