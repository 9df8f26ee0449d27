import { AsyncLocalStorage } from 'node:async_hooks';
import type { RetryWait } from '../../service';

const listeners = new AsyncLocalStorage<(wait: RetryWait) => void>();

/**
 * Runs a task; `onWait` is called before each wait of any call to the service within the task, however
 * deep, so that no listener has to be passed through all functions.
 */
export function withWaitListener<T>(onWait: (wait: RetryWait) => void, run: () => T): T {
  return listeners.run(onWait, run);
}

/** Called by the client: notifies the task that made the call. */
export function notifyWait(wait: RetryWait): void {
  listeners.getStore()?.(wait);
}
