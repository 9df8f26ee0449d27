import { AsyncLocalStorage } from 'node:async_hooks';
import { timeOfDay } from '../service/advice';
import type { Wait } from '../service/operation';
import type { Translate } from './words';

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

/** What a view or a progress notification says while a call waits. */
export function waitText({ retryAt, error }: Wait, t: Translate): string {
  const time = timeOfDay(retryAt);
  return error.kind === 'rateLimited'
    ? t('The service limits the rate of requests. Next try at {0}.', time)
    : t('No answer yet. Next try at {0}.', time);
}
