import { type ErrorKind, ServiceError, isStandbyRefusal } from './errors';
import { isAbortError } from './time';
import { timeOfDay } from './timeOfDay';
import { truncationText } from './truncation';

/** A step that helps; the host code turns it into a button. */
export type AdviceAction =
  | 'setApiKey'
  /** The same, where there is a key already. */
  | 'changeApiKey'
  | 'setUrl'
  | 'diagnose'
  | 'showLog'
  | 'retry'
  | 'showCosts'
  | 'changeBudget'
  | 'unlockKeyring';

/** What to tell the user, in plain English, and the steps that help, the best one first. */
export interface Advice {
  readonly message: string;
  readonly actions: readonly AdviceAction[];
}

/** The one table of steps after a failed call. */
const actions: Readonly<Record<ErrorKind, readonly AdviceAction[]>> = {
  noKey: ['setApiKey'],
  keyring: ['retry', 'unlockKeyring'],
  noUrl: ['setUrl'],
  badUrl: ['setUrl'],
  unauthorized: ['changeApiKey', 'diagnose'],
  forbidden: ['changeApiKey', 'diagnose'],
  payment: [],
  rateLimited: ['retry'],
  badRequest: ['showLog'],
  notFound: ['setUrl', 'diagnose'],
  server: ['retry', 'diagnose'],
  truncated: ['retry'],
  connection: ['retry', 'diagnose'],
  offline: ['retry', 'diagnose', 'setUrl'],
  certificate: ['diagnose', 'showLog'],
  timeout: ['retry', 'diagnose'],
  protocol: ['diagnose', 'showLog'],
  tooLarge: ['showLog'],
  redirect: ['setUrl', 'diagnose'],
  limit: [],
  budget: ['changeBudget', 'showCosts'],
  endpoint: [],
  paused: ['retry', 'diagnose', 'setUrl'],
  transport: ['diagnose', 'showLog'],
  proxyLogin: ['diagnose', 'showLog'],
};

type Wording = (error: ServiceError) => string;

const quote = ({ serverText }: ServiceError): string =>
  serverText ? ` It said: ${serverText.replace(/[.!?…]?$/, end => end || '.')}` : '';

const wording: Readonly<Record<ErrorKind, Wording>> = {
  noKey: () => 'No API key is set for this service.',
  keyring: ({ message }) => message,
  noUrl: () => 'No service address is set.',
  badUrl: ({ message }) => message,
  unauthorized: () => 'The service refused the API key.',
  forbidden: error => `This API key may not do that.${quote(error)}`,
  payment: error => `The account has no credit left for this.${quote(error)}`,
  rateLimited: error => {
    const { retryAt } = error;
    const what = isStandbyRefusal(error)
      ? 'The service is busy and takes no standby requests now.'
      : 'The service has had too many requests.';
    return `${what} Try again ${retryAt ? `after ${timeOfDay(retryAt)}` : 'in a moment'}.`;
  },
  badRequest: error => `The service could not use this request.${quote(error)}`,
  notFound: error => `The service does not know this address or model.${quote(error)}`,
  server: error => `The service failed.${quote(error)}`,
  truncated: truncationText,
  connection: () => 'The connection to the service broke.',
  offline: ({ host = 'The service', code }) =>
    `${host} cannot be reached${reasons[code ?? ''] ?? ''}. Check the network and the service address.`,
  certificate: ({ host }) => `The certificate of ${host ?? 'the service'} is not trusted.`,
  timeout: () => 'The service took too long to answer.',
  protocol: error =>
    `The service answered in a form that this version does not know.${quote(error)}`,
  tooLarge: () => 'The answer of the service was too large.',
  redirect: ({ host }) =>
    `The service address redirects to ${host ?? 'another address'}. Nothing was sent there; check the service address.`,
  limit: ({ message }) => message,
  budget: ({ message }) => message,
  endpoint: ({ message }) => message,
  paused: ({ retryAt }) =>
    retryAt
      ? `The service failed several times in a row. The next try is after ${timeOfDay(retryAt)}.`
      : 'The service failed several times in a row.',
  transport: ({ message }) => message,
  proxyLogin: () => 'The network proxy asks for a login.',
};

const refuses = ': nothing accepts connections there';
const unknownName = ': its name is not known';
const noAnswer = ': it does not answer';

/** Why no connection was made, by the codes of Node and of Chromium. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: refuses,
  ERR_CONNECTION_REFUSED: refuses,
  ENOTFOUND: unknownName,
  EAI_AGAIN: unknownName,
  ERR_NAME_NOT_RESOLVED: unknownName,
  UND_ERR_CONNECT_TIMEOUT: noAnswer,
  ETIMEDOUT: noAnswer,
  ERR_CONNECTION_TIMED_OUT: noAnswer,
};

/** Words and steps for a failed call. Pure, and total: any thrown value gets a sentence. */
export function explain(error: unknown): Advice {
  if (error instanceof ServiceError)
    return { message: wording[error.kind](error), actions: actions[error.kind] };
  if (isAbortError(error)) return { message: 'Canceled.', actions: [] };
  return { message: 'Something went wrong.', actions: ['showLog'] };
}

/** The steps that help after a failure that is known by its kind only. */
export function actionsAfter(kind: ErrorKind | 'unknown'): readonly AdviceAction[] {
  return kind === 'unknown' ? ['retry', 'diagnose'] : actions[kind];
}

export { timeOfDay };
