import { type Clock, isAbortError } from '../../base/async/clock';
import { modelsText } from '../../base/format/counts';
import type { Translate } from '../../base/format/text';
import { translated } from '../../base/sentence';
import type { GatedClient } from '../../platform/egress/gatedClient';
import {
  type AdviceAction,
  adviceFor,
  type ErrorKind,
  ServiceError,
  type Transport,
} from '../../service';
import type { CheckFinding } from './evaluate';
import { answerFinding, connectionFinding } from './findings';
import { probeService } from './probeService';

/** The result of testing a new key or address with free reads. */
export type Trial =
  | {
      readonly state: 'works';
      /** Number of models in the live catalogue; undefined where it could not be read. */
      readonly models: number | undefined;
      /** Number of dedicated endpoints that serve. */
      readonly ready: number;
    }
  /** The address answers like the service; there is no key for it yet. */
  | { readonly state: 'answers' }
  | { readonly state: 'refusedKey' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'otherSite'; readonly finding: CheckFinding }
  | { readonly state: 'canceled' };

export type TrialClient = Pick<GatedClient, 'listEndpoints' | 'catalogue'>;

/** What is tried. */
export interface Tried {
  readonly address: URL;
  /** Without one, only the address is tried. */
  readonly hasKey: boolean;
  readonly client: TrialClient;
  readonly transport: Pick<Transport, 'request'>;
}

/** Timeout of the whole test, in milliseconds. */
const maxTrialMs = 5000;

/**
 * Tests the address without the key first, so that no sign-in page gets it, and then the key. Nothing is tried
 * twice: the user waits. Never rejects.
 */
export async function tryService(
  { address, hasKey, client, transport }: Tried,
  signal: AbortSignal,
  clock: Pick<Clock, 'after'>,
): Promise<Trial> {
  const limit = new AbortController();
  const cancelTimer = clock.after(maxTrialMs, () => limit.abort());
  const inTime = AbortSignal.any([signal, limit.signal]);
  /** What a call failed with that would be repeated. */
  let failure: ServiceError | undefined;
  try {
    inTime.throwIfAborted();
    const { status, contentType } = await probeService(transport, address, inTime);
    const finding = answerFinding(status, 'undici', contentType);
    if (finding.verdict !== 'ok') return { state: 'otherSite', finding };
    if (!hasKey) return { state: 'answers' };
    const { endpoints } = await client.listEndpoints({
      signal: inTime,
      onWait: ({ error }) => {
        failure = error;
        limit.abort();
      },
    });
    const ready = endpoints.filter(({ state }) => state === 'ready').length;
    return { state: 'works', models: await modelCount(client, inTime), ready };
  } catch (error) {
    if (signal.aborted) return { state: 'canceled' };
    const reason = failure ?? error;
    if (reason instanceof ServiceError) {
      return reason.kind === 'unauthorized'
        ? { state: 'refusedKey' }
        : { state: 'failed', error: reason };
    }
    return limit.signal.aborted || isAbortError(reason)
      ? { state: 'failed', error: new ServiceError('timeout', 'no answer to the trial') }
      : { state: 'failed', error: reason };
  } finally {
    cancelTimer();
  }
}

/** Undefined where the live catalogue cannot be read, which does not make the key a bad one. */
async function modelCount(client: TrialClient, signal: AbortSignal): Promise<number | undefined> {
  try {
    const { source, models } = await client.catalogue({ signal });
    return source === 'live' ? models.length : undefined;
  } catch {
    return undefined;
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

export interface TriedService {
  /** Host name with the port. */
  readonly host: string;
  /** What the user has just set. */
  readonly about: 'key' | 'address' | 'both';
  /** Host name of the proxy that VS Code uses for the address. */
  readonly proxy?: string | undefined;
}

export function trialReport(
  trial: Exclude<Trial, { state: 'refusedKey' }>,
  { host, about, proxy }: TriedService,
  t: Translate,
): TrialReport {
  const stored = storedText(host, about, t);
  switch (trial.state) {
    case 'works':
      return { isGood: true, text: worksText(trial, { host, about }, t), actions: ['useInChat'] };
    case 'answers':
      return { isGood: true, text: `${t('{0}, which answers', stored)}.`, actions: ['setApiKey'] };
    case 'canceled':
      return { isGood: true, text: `${stored}. ${t('It was not tried.')}`, actions: ['retry'] };
    case 'otherSite': {
      const { detail, next } = trial.finding;
      const facts = [detail, ...(next ? [next] : [])].map(words => translated(words, t)).join(' ');
      return {
        isGood: false,
        text:
          about === 'both'
            ? `${t('Not connected to {0}.', host)} ${facts}`
            : `${stored}, ${t('but something else answers there.')} ${facts}`,
        actions: ['retry', 'setUrl', 'diagnose'],
      };
    }
    default: {
      const kind = trial.error instanceof ServiceError ? trial.error.kind : undefined;
      const isReached = kind !== undefined && reached.includes(kind);
      const reason = failureText(trial.error, { host, proxy }, t);
      return {
        isGood: false,
        text:
          about === 'both'
            ? `${t('Not connected to {0}.', host)} ${reason}`
            : `${stored}, ${t('but it could not be tried.')} ${reason}`,
        actions: actionsFor(kind, { isReached, isProxied: proxy !== undefined }),
      };
    }
  }
}

function storedText(host: string, about: TriedService['about'], t: Translate): string {
  if (about === 'both') return t('The address and the API key of {0} are stored', host);
  return about === 'key'
    ? t('The API key for {0} is stored', host)
    : t('Requests now go to {0}', host);
}

function worksText(
  { models, ready }: Extract<Trial, { state: 'works' }>,
  { host, about }: Pick<TriedService, 'host' | 'about'>,
  t: Translate,
): string {
  const stored = storedText(host, about, t);
  const works = {
    both: t('Connected to {0}. The key is accepted', host),
    key: t('{0} and works', stored),
    address: t('{0}, which accepts the API key', stored),
  }[about];
  const endpoints = ready === 1 ? t('{0} endpoint ready', ready) : t('{0} endpoints ready', ready);
  const found = models === undefined ? [endpoints] : [modelsText(models, t), endpoints];
  return `${works}: ${found.join(', ')}.`;
}

/** Connections that were never made, or broke; the layers below HTTP say why. */
const unconnected: readonly (ErrorKind | undefined)[] = ['offline', 'connection'];

function failureText(
  error: unknown,
  { host, proxy }: Pick<TriedService, 'host' | 'proxy'>,
  t: Translate,
): string {
  const { code, kind } = error instanceof ServiceError ? error : {};
  if (code === undefined || !unconnected.includes(kind)) return adviceFor(error, t).message;
  const isProxy = proxy !== undefined;
  const { detail, next } = connectionFinding({ host: proxy ?? host, isProxy, code });
  return [detail, ...(next ? [next] : [])].map(words => translated(words, t)).join(' ');
}

function actionsFor(
  kind: ErrorKind | undefined,
  { isReached, isProxied }: { readonly isReached: boolean; readonly isProxied: boolean },
): AdviceAction[] {
  if (kind === 'forbidden') return ['changeApiKey', 'diagnose'];
  const isOfProxy = kind === 'proxyLogin' || (isProxied && unconnected.includes(kind));
  return [
    'retry',
    ...(isOfProxy ? (['proxySettings'] as const) : []),
    ...(isReached ? [] : (['setUrl'] as const)),
    'diagnose',
  ];
}
