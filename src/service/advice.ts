import { type ErrorKind, ServiceError, isStandbyRefusal } from './errors';
import { isAbortError } from './time';
import { timeOfDay } from './timeOfDay';
import { truncationText } from './truncation';

/** What to tell a person, in plain English; the host code localises it and turns `action` into a button. */
export interface Advice {
  message: string;
  action?: 'setApiKey' | 'setUrl' | 'showLog' | 'retry' | 'showCosts';
}

type Wording = (error: ServiceError) => Advice;

const quote = ({ serverText }: ServiceError): string =>
  serverText ? ` It said: ${serverText.replace(/[.!?…]?$/, end => end || '.')}` : '';

const wording: Record<ErrorKind, Wording> = {
  noKey: () => ({ message: 'No API key is set for this service.', action: 'setApiKey' }),
  noUrl: () => ({ message: 'No service address is set.', action: 'setUrl' }),
  badUrl: ({ message }) => ({ message, action: 'setUrl' }),
  unauthorized: () => ({ message: 'The service refused the API key.', action: 'setApiKey' }),
  forbidden: error => ({
    message: `This API key may not do that.${quote(error)}`,
    action: 'setApiKey',
  }),
  payment: error => ({ message: `The account has no credit left for this.${quote(error)}` }),
  rateLimited: error => {
    const { retryAt } = error;
    const what = isStandbyRefusal(error)
      ? 'The service is busy and takes no standby requests now.'
      : 'The service has had too many requests.';
    const when = retryAt ? `after ${timeOfDay(retryAt)}` : 'in a moment';
    return { message: `${what} Try again ${when}.`, action: 'retry' };
  },
  badRequest: error => ({
    message: `The service could not use this request.${quote(error)}`,
    action: 'showLog',
  }),
  notFound: error => ({
    message: `The service does not know this address or model.${quote(error)}`,
    action: 'setUrl',
  }),
  server: error => ({ message: `The service failed.${quote(error)}`, action: 'retry' }),
  truncated: error => ({ message: truncationText(error), action: 'retry' }),
  connection: () => ({ message: 'The connection to the service broke.', action: 'retry' }),
  offline: ({ host }) => ({
    message: `${host ?? 'The service'} cannot be reached. Check the network and the service address.`,
    action: 'retry',
  }),
  certificate: ({ host }) => ({
    message: `The certificate of ${host ?? 'the service'} is not trusted.`,
    action: 'showLog',
  }),
  timeout: () => ({ message: 'The service took too long to answer.', action: 'retry' }),
  protocol: error => ({
    message: `The service answered in a form that this version does not know.${quote(error)}`,
    action: 'showLog',
  }),
  tooLarge: () => ({ message: 'The answer of the service was too large.', action: 'showLog' }),
  redirect: ({ host }) => ({
    message: `The service address redirects to ${host ?? 'another address'}. Nothing was sent there; check the service address.`,
    action: 'setUrl',
  }),
  limit: ({ message }) => ({ message }),
  budget: ({ message }) => ({ message, action: 'showCosts' }),
  endpoint: ({ message }) => ({ message }),
  paused: ({ retryAt }) => ({
    message: retryAt
      ? `The service failed several times in a row. The next try is after ${timeOfDay(retryAt)}.`
      : 'The service failed several times in a row.',
    action: 'retry',
  }),
  transport: ({ message }) => ({ message, action: 'showLog' }),
  proxyLogin: () => ({ message: 'The network proxy asks for a login.', action: 'showLog' }),
};

/** The one table of wording for failed calls. Pure, and total: any thrown value gets a sentence. */
export function explain(error: unknown): Advice {
  if (error instanceof ServiceError) return wording[error.kind](error);
  if (isAbortError(error)) return { message: 'Canceled.' };
  return { message: 'Something went wrong.', action: 'showLog' };
}

export { timeOfDay };
