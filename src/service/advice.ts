import { isAbortError } from '../base/async/clock';
import { timeOfDay } from '../base/format/times';
import { type Sentence, sentence, type Translate, translated, verbatim } from '../base/sentence';
import { type ErrorKind, isStandbyRefusal, ServiceError } from './errors';
import { truncationText } from './truncation';

/** A step that can help; the platform turns it into a button. */
export type AdviceAction =
  | 'setApiKey'
  /** Like `setApiKey`, where a key is already stored. */
  | 'changeApiKey'
  | 'setUrl'
  /** Address and key, where there is none of them. */
  | 'connect'
  | 'useInChat'
  /** Like `useInChat`, where the message says what is set up for it. */
  | 'setUpChat'
  | 'proxySettings'
  | 'diagnose'
  | 'showLog'
  | 'retry'
  | 'showCosts'
  | 'changeBudget'
  /** Calls go on for the rest of the day. */
  | 'ignoreBudget'
  | 'unlockKeyring';

/** A message for the user and the steps that can help, the best one first. */
export interface Advice {
  readonly message: string;
  readonly actions: readonly AdviceAction[];
}

/** The steps that can help after a failed call. */
const actions: Readonly<Record<ErrorKind, readonly AdviceAction[]>> = {
  noKey: ['setApiKey'],
  keyring: ['retry', 'unlockKeyring'],
  noUrl: ['connect'],
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
  budget: ['ignoreBudget', 'changeBudget', 'showCosts'],
  endpoint: [],
  paused: ['retry', 'diagnose', 'setUrl'],
  transport: ['diagnose', 'showLog'],
  proxyLogin: ['diagnose', 'showLog'],
};

type MessageOf = (error: ServiceError) => Sentence;

/** Adds the message of the service to a sentence. */
function withServerText(words: Sentence, { serverText }: ServiceError): Sentence {
  if (!serverText) return words;
  return sentence(
    '{0} It said: {1}',
    words,
    serverText.replace(/[.!?…]?$/, end => end || '.'),
  );
}

/** Errors of these kinds carry their own sentence. */
const ownSentence: MessageOf = error => error.sentence ?? verbatim(error.message);

/** What happened, without a full stop, for the failures after which background calls pause. */
const clauses = {
  server: ({ status }) =>
    status === undefined
      ? sentence('The service failed')
      : sentence('The service failed ({0})', status),
  connection: () => sentence('The connection to the service broke'),
  timeout: () => sentence('The service took too long to answer'),
  offline: ({ host, code }) => {
    const reason = reasons[code ?? ''];
    const who = host ?? sentence('The service');
    return reason
      ? sentence('{0} cannot be reached: {1}', who, reason)
      : sentence('{0} cannot be reached', who);
  },
} satisfies Partial<Record<ErrorKind, MessageOf>>;

const isClause = (kind: ErrorKind): kind is keyof typeof clauses => kind in clauses;

const messages: Readonly<Record<ErrorKind, MessageOf>> = {
  noKey: () => sentence('No API key is set for this service.'),
  keyring: ownSentence,
  noUrl: () => sentence('No service address is set.'),
  badUrl: ownSentence,
  unauthorized: () => sentence('The service refused the API key.'),
  forbidden: error => withServerText(sentence('This API key may not do that.'), error),
  payment: error => withServerText(sentence('The account has no credit left for this.'), error),
  rateLimited: error => {
    const { retryAt } = error;
    const what = isStandbyRefusal(error)
      ? sentence('The service is busy and takes no standby requests now.')
      : sentence('The service has had too many requests.');
    return retryAt
      ? sentence('{0} Try again after {1}.', what, timeOfDay(retryAt))
      : sentence('{0} Try again in a moment.', what);
  },
  badRequest: error => withServerText(sentence('The service could not use this request.'), error),
  notFound: error =>
    withServerText(sentence('The service does not know this address or model.'), error),
  server: error => withServerText(sentence('{0}.', clauses.server(error)), error),
  truncated: truncationText,
  connection: () => sentence('{0}.', clauses.connection()),
  offline: error =>
    sentence('{0}. Check the network and the service address.', clauses.offline(error)),
  certificate: ({ host, code = '' }) => {
    const who = host ?? sentence('the service');
    if (/EXPIRED/.test(code)) return sentence('The certificate of {0} has expired.', who);
    return /ALTNAME/.test(code)
      ? sentence('The certificate that {0} shows is for another name.', who)
      : sentence('The certificate of {0} is not trusted.', who);
  },
  timeout: () => sentence('{0}.', clauses.timeout()),
  protocol: error =>
    withServerText(
      sentence('The service answered in a form that this version does not understand.'),
      error,
    ),
  tooLarge: () => sentence('The answer of the service was too large.'),
  redirect: ({ host }) =>
    sentence(
      'The service address redirects to {0}. Nothing was sent there; check the service address.',
      host ?? sentence('another address'),
    ),
  limit: ownSentence,
  budget: ownSentence,
  endpoint: ownSentence,
  // Without a known failure before it, `briefMessage` would ask here again.
  paused: error => (causeOf(error) ? briefMessage(error) : ownSentence(error)),
  transport: ownSentence,
  proxyLogin: () => sentence('The network proxy asks for a login.'),
};

const refuses = sentence('nothing accepts connections there');
const unknownName = sentence('its name is not known');
const noAnswer = sentence('it does not answer');

/** Why no connection was made, by error codes of Node and Chromium. */
const reasons: Readonly<Record<string, Sentence>> = {
  ECONNREFUSED: refuses,
  ERR_CONNECTION_REFUSED: refuses,
  ENOTFOUND: unknownName,
  EAI_AGAIN: unknownName,
  ERR_NAME_NOT_RESOLVED: unknownName,
  UND_ERR_CONNECT_TIMEOUT: noAnswer,
  ETIMEDOUT: noAnswer,
  ERR_CONNECTION_TIMED_OUT: noAnswer,
};

/** Message and steps for a failed call; any thrown value gets a message. */
export function adviceFor(error: unknown, t: Translate): Advice {
  const message = translated(sentenceFor(error), t);
  if (error instanceof ServiceError) {
    return { message, actions: actions[(causeOf(error) ?? error).kind] };
  }
  return { message, actions: isAbortError(error) ? [] : ['showLog'] };
}

/** What happened, as a sentence for the user. */
export function sentenceFor(error: unknown): Sentence {
  if (error instanceof ServiceError) return messages[error.kind](error);
  return isAbortError(error) ? sentence('Canceled.') : sentence('Something went wrong.');
}

/** What happened, for a view that lists the steps itself and shows when the next attempt is. */
export function briefMessage(error: ServiceError): Sentence {
  const last = causeOf(error) ?? error;
  if (last.kind === 'keyring') {
    return sentence('The keyring with the API key is locked or does not answer.');
  }
  if (!isClause(last.kind)) return sentenceFor(last);
  const what = clauses[last.kind](last);
  const { consecutiveFailures } = error;
  const told =
    consecutiveFailures === undefined
      ? sentence('{0}.', what)
      : sentence('{0}, {1} failures in a row.', what, consecutiveFailures);
  return withServerText(told, last);
}

/** The last of the failures after which background calls paused; its steps are those that help. */
export function causeOf({ kind, cause }: ServiceError): ServiceError | undefined {
  return kind === 'paused' && cause instanceof ServiceError ? cause : undefined;
}

/** The steps that can help after a failure of which only the kind is known. */
export function actionsAfter(kind: ErrorKind | 'unknown'): readonly AdviceAction[] {
  return kind === 'unknown' ? ['retry', 'diagnose'] : actions[kind];
}
