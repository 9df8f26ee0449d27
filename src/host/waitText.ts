import { timeOfDay } from '../service/timeOfDay';
import type { Wait } from '../service/operation';
import type { Translate } from './words';

/** What a view or a progress notification says while a call waits. */
export function waitText({ retryAt, error }: Wait, t: Translate): string {
  const time = timeOfDay(retryAt);
  return error.kind === 'rateLimited'
    ? t('The service limits the rate of requests. Next try at {0}.', time)
    : t('No answer yet. Next try at {0}.', time);
}
