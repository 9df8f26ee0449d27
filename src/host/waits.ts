import { AsyncLocalStorage } from 'node:async_hooks';
import type { Wait } from '../service/operation';

const listeners = new AsyncLocalStorage<(wait: Wait) => void>();

/**
 * Runs a task; `onWait` is told before each wait of any call to the service that the task makes, however
 * deep, so that a task which shows its progress need not hand a listener through all of its callers.
 */
export function tellingWaits<T>(onWait: (wait: Wait) => void, run: () => T): T {
  return listeners.run(onWait, run);
}

/** For the client: tells the task that made the call. */
export function onCallWait(wait: Wait): void {
  listeners.getStore()?.(wait);
}
