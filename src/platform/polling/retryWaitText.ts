import type { Translate } from '../../base/format/text';
import { timeOfDay } from '../../base/format/times';
import type { RetryWait } from '../../service';

/** Shown in a view or a progress notification while a call waits for a retry. */
export function retryWaitText({ retryAt, error }: RetryWait, t: Translate): string {
  const time = timeOfDay(retryAt);
  return error.kind === 'rateLimited'
    ? t('The service limits the rate of requests. Next try at {0}.', time)
    : t('No answer yet. Next try at {0}.', time);
}
