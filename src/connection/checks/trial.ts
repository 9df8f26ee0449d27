import { type Clock, isAbortError } from '../../base/async/clock';
import type { Translate } from '../../base/format/text';
import { type Sentence, translated } from '../../base/sentence';
import type { GatedClient } from '../../platform/egress/gatedClient';
import {
  type AdviceAction,
  adviceFor,
  type ErrorKind,
  ServiceError,
  type Transport,
} from '../../service';
import { answerFinding } from './findings';
import { probeService } from './probeService';

/** The result of testing a new key or address with a free read. */
export type Trial =
  /** `models`: number of models in the live catalogue; undefined where it could not be read. */
  | { readonly state: 'works'; readonly models: number | undefined }
  /** The address answers like the service; there is no key for it yet. */
  | { readonly state: 'answers' }
  | { readonly state: 'refusedKey' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'otherSite'; readonly detail: Sentence }
  | { readonly state: 'canceled' };

export type TrialClient = Pick<GatedClient, 'listEndpoints' | 'catalogue'>;

/** Timeout of the test, in milliseconds. */
const maxTrialMs = 20_000;

/** Tests the address and its key with a free read. Never rejects. */
export async function tryKey(
  client: TrialClient,
  signal: AbortSignal,
  clock: Pick<Clock, 'after'>,
): Promise<Trial> {
  return limited(signal, clock, async inTime => {
    await client.listEndpoints({ signal: inTime });
    const { source, models } = await client.catalogue({ signal: inTime });
    return { state: 'works', models: source === 'live' ? models.length : undefined };
  });
}

/** Tests an address for which there is no key. Never rejects. */
export async function tryAddress(
  transport: Pick<Transport, 'request'>,
  address: URL,
  signal: AbortSignal,
  clock: Pick<Clock, 'after'>,
): Promise<Trial> {
  return limited(signal, clock, async inTime => {
    const { status, contentType } = await probeService(transport, address, inTime);
    const { verdict, detail } = answerFinding(status, 'undici', contentType);
    return verdict === 'ok' ? { state: 'answers' } : { state: 'otherSite', detail };
  });
}

async function limited(
  signal: AbortSignal,
  clock: Pick<Clock, 'after'>,
  run: (signal: AbortSignal) => Promise<Trial>,
): Promise<Trial> {
  const limit = new AbortController();
  const cancelTimer = clock.after(maxTrialMs, () => limit.abort());
  try {
    const inTime = AbortSignal.any([signal, limit.signal]);
    inTime.throwIfAborted();
    return await run(inTime);
  } catch (error) {
    if (signal.aborted) return { state: 'canceled' };
    if (limit.signal.aborted || isAbortError(error)) {
      return { state: 'failed', error: new ServiceError('timeout', 'no answer to the trial') };
    }
    if (error instanceof ServiceError && error.kind === 'unauthorized') {
      return { state: 'refusedKey' };
    }
    return { state: 'failed', error };
  } finally {
    cancelTimer();
  }
}

/** Failures that another address would not fix. */
const reached: readonly ErrorKind[] = ['forbidden', 'payment', 'rateLimited', 'server', 'keyring'];

export interface TrialReport {
  readonly isGood: boolean;
  readonly text: string;
  /** Buttons in this order; `retry` repeats the test. */
  readonly actions: readonly AdviceAction[];
}

/** @param host of the service. @param about what the user has just set. */
export function trialReport(
  trial: Exclude<Trial, { state: 'refusedKey' }>,
  host: string,
  about: 'key' | 'address',
  t: Translate,
): TrialReport {
  const stored =
    about === 'key' ? t('The API key for {0} is stored', host) : t('Requests now go to {0}', host);
  switch (trial.state) {
    case 'works': {
      const { models } = trial;
      const works =
        about === 'key' ? t('{0} and works', stored) : t('{0}, which accepts the API key', stored);
      return {
        isGood: true,
        text: models === undefined ? `${works}.` : `${works}: ${t('{0} models', models)}.`,
        actions: [],
      };
    }
    case 'answers':
      return { isGood: true, text: `${t('{0}, which answers', stored)}.`, actions: ['setApiKey'] };
    case 'canceled':
      return { isGood: true, text: `${stored}. ${t('It was not tried.')}`, actions: ['retry'] };
    case 'otherSite':
      return {
        isGood: false,
        text: `${stored}, ${t('but something else answers there.')} ${translated(trial.detail, t)}`,
        actions: ['setUrl', 'diagnose'],
      };
    default: {
      const { message } = adviceFor(trial.error, t);
      const kind = trial.error instanceof ServiceError ? trial.error.kind : undefined;
      const isReached = kind !== undefined && reached.includes(kind);
      const actions: AdviceAction[] =
        kind === 'forbidden'
          ? ['changeApiKey', 'diagnose']
          : ['retry', ...(isReached ? [] : (['setUrl'] as const)), 'diagnose'];
      return {
        isGood: false,
        text: `${stored}, ${t('but it could not be tried.')} ${message}`,
        actions,
      };
    }
  }
}
