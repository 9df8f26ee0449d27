/**
 * - `uploading`, `following`, `fetching`: under way, also after a reload.
 * - `stopped`: by the user; can be resumed.
 * - `failed`: can be resumed once the cause is fixed.
 * - `noResults`: done, but the service offers no results.
 */
export type BatchRunState =
  | 'uploading'
  | 'following'
  | 'fetching'
  | 'done'
  | 'stopped'
  | 'failed'
  | 'noResults';

/** A batch run of this extension, for views that list jobs. */
export interface BatchRunSummary {
  readonly id: string;
  /** What the user started. */
  readonly title: string;
  readonly state: BatchRunState;
  /** Why it has failed, for the user. */
  readonly problem?: string | undefined;
  readonly total?: number | undefined;
  readonly completed?: number | undefined;
  readonly failed?: number | undefined;
  /** ms since the epoch. */
  readonly startedAt: number;
}

/** Publishes batch runs to the views that show them. The feature that runs them stores them. */
export class BatchRuns {
  readonly #runs = new Map<string, BatchRunSummary>();
  readonly #listeners = new Set<() => void>();

  /** Newest first. */
  get all(): readonly BatchRunSummary[] {
    return [...this.#runs.values()].sort((a, b) => b.startedAt - a.startedAt);
  }

  /** Adds or replaces a run. */
  set(run: BatchRunSummary): void {
    this.#runs.set(run.id, run);
    this.#notify();
  }

  remove(id: string): void {
    if (this.#runs.delete(id)) this.#notify();
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
