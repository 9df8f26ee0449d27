import type { Translate } from '../host/words';
import { type Advice, explain, timeOfDay } from '../service/advice';
import { type ErrorKind, ServiceError, isStandbyRefusal } from '../service/errors';
import type { Wait } from '../service/operation';

/** The kinds of `LanguageModelError`; `other` is a plain error. */
export type FailureKind = 'noPermissions' | 'notFound' | 'blocked' | 'other';

export interface Failure {
  readonly kind: FailureKind;
  /** All that the user gets to see: what happened, and what to do next. */
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

/** VS Code shows nothing of an error but its message, without buttons. */
export function failureOf(error: unknown, t: Translate): Failure {
  if (!(error instanceof ServiceError)) {
    const text = t('Something went wrong. "Splice: Show Log" has the details.');
    return { kind: 'other', text };
  }
  return { kind: kinds[error.kind] ?? 'other', text: failureText(error, t) };
}

function failureText(error: ServiceError, t: Translate): string {
  const advice = explain(error, t);
  if (isStandbyRefusal(error))
    return `${advice.message} ${t('The same model without "(standby)" answers at once.')}`;
  return [advice.message, nextStep(error, advice, t)].filter(Boolean).join(' ');
}

function nextStep({ kind }: ServiceError, { actions }: Advice, t: Translate): string {
  // The model went away, more likely than the address.
  if (kind === 'notFound')
    return t('Choose another model, or run "Splice: Why Don\'t I See My Models?".');
  // Its words name the step already.
  if (kind === 'keyring') return '';
  if (actions.includes('retry'))
    return [
      // Its words name a time already.
      kind === 'rateLimited' ? '' : t('Send the message again.'),
      actions.includes('diagnose')
        ? t('If it fails again, run "Splice: Diagnose Connection" from the Command Palette.')
        : '',
    ]
      .filter(Boolean)
      .join(' ');
  switch (actions[0]) {
    case 'setApiKey':
    case 'changeApiKey':
      return t('Run "Splice: Set API Key…" from the Command Palette.');
    case 'setUrl':
      return t('Run "Splice: Set Service URL…" from the Command Palette.');
    case 'changeBudget':
      return t(
        'Run "Splice: Change Budget" from the Command Palette, or "Splice: Show Costs" to see what was spent.',
      );
    case 'diagnose':
      return t('Run "Splice: Diagnose Connection" from the Command Palette.');
    case 'showLog':
      return t('"Splice: Show Log" has the details.');
    default:
      return '';
  }
}

/** While an answer has not begun, and the client tries again by itself. */
export function waitText({ retryAt, error }: Wait, t: Translate): string {
  const time = timeOfDay(retryAt);
  return error.kind === 'rateLimited'
    ? t('The service is busy. Trying again at {0}.', time)
    : t('No answer yet. Trying again at {0}.', time);
}

/** Below an answer whose rest did not come. */
export function brokenText(error: unknown, t: Translate): string {
  const what =
    error instanceof ServiceError ? explain(error, t).message : t('Something went wrong.');
  return t('{0} What came is above. Say "continue" for the rest.', what);
}

/** Below an answer that ended at its limit. */
export function cutText(t: Translate): string {
  return t('The answer was stopped at its limit. Say "continue" for the rest.');
}
