/** How many calls run at once: in all, and to one target, so that a slow one does not hold up the others. */
export interface Concurrency {
  readonly total: number;
  readonly perTarget: number;
}

export interface SchedulerOptions<T> {
  readonly concurrency: Concurrency;
  readonly signal: AbortSignal;
  readonly targetOf: (task: T) => number;
  /** False as long as the task waits for another one. */
  readonly isReady: (task: T) => boolean;
  /** False ends the schedule: what runs is finished, and nothing more is started. */
  readonly mayStart: (task: T) => boolean;
  /** Must not reject. */
  readonly run: (task: T) => Promise<void>;
}

/** `held`: {@link SchedulerOptions.mayStart} refused a task. */
export type ScheduleEnd = 'finished' | 'canceled' | 'held';

/** Runs the tasks in their order, each once. Those that never become ready are left out. */
export async function schedule<T>(
  tasks: readonly T[],
  options: SchedulerOptions<T>,
): Promise<ScheduleEnd> {
  const { concurrency, signal, targetOf, isReady, mayStart, run } = options;
  const waiting = new Set(tasks);
  const running = new Map<T, Promise<void>>();
  let isHeld = false;

  const next = (): T | undefined => {
    const busy = new Map<number, number>();
    for (const task of running.keys()) {
      busy.set(targetOf(task), (busy.get(targetOf(task)) ?? 0) + 1);
    }
    for (const task of waiting) {
      if ((busy.get(targetOf(task)) ?? 0) >= concurrency.perTarget) continue;
      if (isReady(task)) return task;
    }
    return undefined;
  };

  for (;;) {
    while (!signal.aborted && !isHeld && running.size < concurrency.total) {
      const task = next();
      if (task === undefined) break;
      if (!mayStart(task)) {
        isHeld = true;
        break;
      }
      waiting.delete(task);
      running.set(
        task,
        run(task).finally(() => running.delete(task)),
      );
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  if (signal.aborted) return 'canceled';
  return isHeld ? 'held' : 'finished';
}
