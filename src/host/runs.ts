/**
 * - `uploading`, `following`, `fetching`: under way, also after a reload.
 * - `stopped`: by the user; can be resumed.
 * - `failed`: can be resumed once the cause is mended.
 * - `noResults`: done, but the service serves no results.
 */
export type RunState =
  | 'uploading'
  | 'following'
  | 'fetching'
  | 'done'
  | 'stopped'
  | 'failed'
  | 'noResults';

/** A long piece of work that this extension has under way, for views that list such work. */
export interface Run {
  readonly id: string;
  /** What the user called for. */
  readonly title: string;
  readonly state: RunState;
  /** Why it has failed, for the user. */
  readonly problem?: string | undefined;
  readonly total?: number | undefined;
  readonly completed?: number | undefined;
  readonly failed?: number | undefined;
  /** ms since the epoch. */
  readonly startedAt: number;
}

/** Who works puts its runs here; who shows them listens. Kept by the one who works, not here. */
export class Runs {
  readonly #runs = new Map<string, Run>();
  readonly #listeners = new Set<() => void>();

  /** Newest first. */
  get all(): readonly Run[] {
    return [...this.#runs.values()].sort((a, b) => b.startedAt - a.startedAt);
  }

  /** Adds a run or takes its place. */
  set(run: Run): void {
    this.#runs.set(run.id, run);
    this.#tell();
  }

  remove(id: string): void {
    if (this.#runs.delete(id)) this.#tell();
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
