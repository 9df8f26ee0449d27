import type { Translate } from '../base/format/text';
import { timeOfDay } from '../base/format/times';
import {
  type Advice,
  adviceFor,
  type ErrorKind,
  isStandbyRefusal,
  type RetryWait,
  ServiceError,
} from '../service';

/** The kinds of `LanguageModelError`; `other` is a plain error. */
type FailureKind = 'noPermissions' | 'notFound' | 'blocked' | 'other';

export interface ModelFailure {
  readonly kind: FailureKind;
  /** The whole message for the user: what happened, and what to do next. */
  readonly text: string;
}

const kinds: Partial<Record<ErrorKind, FailureKind>> = {
  noKey: 'noPermissions',
  keyring: 'noPermissions',
  noUrl: 'noPermissions',
  badUrl: 'noPermissions',
  unauthorized: 'noPermissions',
  forbidden: 'noPermissions',
  notFound: 'notFound',
  budget: 'blocked',
  payment: 'blocked',
};

/** VS Code shows only the message of an error, without buttons. */
export function failureOf(error: unknown, t: Translate): ModelFailure {
  if (!(error instanceof ServiceError)) {
    const text = t('Something went wrong. "Splice: Show Log" has the details.');
    return { kind: 'other', text };
  }
  return { kind: kinds[error.kind] ?? 'other', text: failureText(error, t) };
}

function failureText(error: ServiceError, t: Translate): string {
  const advice = adviceFor(error, t);
  if (isStandbyRefusal(error)) {
    return `${advice.message} ${t('The same model without "(standby)" answers at once.')}`;
  }
  return [advice.message, nextStep(error, advice, t)].filter(Boolean).join(' ');
}

function nextStep({ kind }: ServiceError, { actions }: Advice, t: Translate): string {
  // It is more likely that the model was removed than that the address is wrong.
  if (kind === 'notFound') {
    return t('Choose another model, or run "Splice: Why Don\'t I See My Models?".');
  }
  // The message already names the step.
  if (kind === 'keyring') return '';
  if (actions.includes('retry')) {
    return [
      // The message already names a time.
      kind === 'rateLimited' ? '' : t('Send the message again.'),
      actions.includes('diagnose')
        ? t('If it fails again, run "Splice: Diagnose Connection" from the Command Palette.')
        : '',
    ]
      .filter(Boolean)
      .join(' ');
  }
  switch (actions[0]) {
    case 'setApiKey':
    case 'changeApiKey':
      return t('Run "Splice: Set API Key…" from the Command Palette.');
    case 'connect':
      return t('Run "Splice: Connect to Service…" from the Command Palette.');
    case 'setUrl':
      return t('Run "Splice: Set Service URL…" from the Command Palette.');
    case 'ignoreBudget':
      return t(
        'Run "Splice: Ignore Budget for Today" or "Splice: Change Budget" from the Command Palette, or "Splice: Show Costs" to see what was spent.',
      );
    case 'diagnose':
      return t('Run "Splice: Diagnose Connection" from the Command Palette.');
    case 'showLog':
      return t('"Splice: Show Log" has the details.');
    default:
      return '';
  }
}

/** Shown before an answer has begun while the client retries automatically. */
export function chatWaitText({ retryAt, error }: RetryWait, t: Translate): string {
  const time = timeOfDay(retryAt);
  return error.kind === 'rateLimited'
    ? t('The service is busy. Trying again at {0}.', time)
    : t('No answer yet. Trying again at {0}.', time);
}

/** Shown below an answer that was interrupted. */
export function interruptedText(error: unknown, t: Translate): string {
  const what =
    error instanceof ServiceError ? adviceFor(error, t).message : t('Something went wrong.');
  return t('{0} The part that arrived is above. Say "continue" for the rest.', what);
}

/** Shown below an answer that reached its token limit. */
export function limitReachedText(t: Translate): string {
  return t('The answer was stopped at its limit. Say "continue" for the rest.');
}
