import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type Fault, type FaultName, faults } from '../faults';
import { listen } from '../listen';
import { batchRoutes } from './batches';
import { catalogueRoutes } from './catalogue';
import { chatRoutes } from './chat';
import { scriptedChat } from './chatModel';
import { VirtualClock } from './clock';
import { compactRoutes } from './compact';
import { type Compact, compactLines } from './compactor';
import { Endpoints } from './dedicated';
import { FineTuningJobs, fineTuningRoutes } from './fineTuning';
import { messagesRoutes } from './messages';
import { rankingRoutes } from './ranking';
import { reflexRoutes } from './reflex';
import { routerRoutes } from './router';
import {
  checkKey,
  invalid,
  isRecord,
  Refusal,
  type Route,
  Router,
  readBody,
  writeJson,
  writeRefusal,
} from './routing';
import { scriptedSearch } from './searchModel';
import type { Merge, World } from './world';

export type { CompactRequest, CompactResult } from './compactor';
export { type EndpointState, endpointStates, type NewEndpoint } from './dedicated';
export type { ChatAnswer, ChatModel, ChatRequest } from './turn';

export interface StandInOptions {
  /** The only key that is accepted. */
  readonly apiKey: string;
  /** Plays the Apply models; without it nothing but the update comes back. */
  readonly merge?: Merge;
  /** The same, next to what plays the compactor. */
  readonly engines?: { readonly merge?: Merge; readonly compact?: Compact };
  /** Between two writes of a stream, ms. */
  readonly pauseMs?: number;
  /** Batches, jobs and endpoints that the account has already; true by default. */
  readonly seed?: boolean;
  /** Of the clock: 0, the default, stands still until it is moved; 1 is real time. */
  readonly speed?: number;
  /** A free one by default. */
  readonly port?: number;
}

/** One request, as it came and what was done with it. */
export interface JournalEntry {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** A value when it is JSON, else its text. */
  readonly body: unknown;
  /** `POST /v1/compact`; nothing for an unknown path. */
  readonly route: string | undefined;
  /** The how-manieth on its route, from 1. */
  readonly call: number;
  /** Given instead of an answer. */
  readonly fault: FaultName | 'custom' | undefined;
  /** Nothing as long as there is no answer, and when the line was cut without one. */
  readonly status: number | undefined;
  /** True once the line was closed before the answer had ended, by whichever side. */
  readonly isCut: boolean;
}

export interface Injection {
  readonly fault: FaultName | Fault;
  /** Which calls get it, counted from now, from 1; all when absent. */
  readonly calls?: readonly number[];
  /** How many calls get it at most. */
  readonly times?: number;
}

export interface StandIn extends World {
  readonly url: string;
  readonly requests: JournalEntry[];
  readonly endpoints: Endpoints;
  /** Names of all routes, as in the journal. */
  readonly routes: readonly string[];
  /** @param route as in the journal. @throws {Error} for a route that the service does not have. */
  inject(route: string, injection: Injection): void;
  /** Answers no call of the route until the returned function is called. @param route as in the journal. */
  hold(route: string): () => void;
  /** Takes all injected faults back. */
  heal(): void;
  close(): Promise<void>;
}

/** So that a service that runs for days does not keep all that it was ever sent. */
const longestJournal = 2000;

/** How many batches and fine-tuning jobs the account has: more than a page, and no round number. */
const seeded = { batches: 57, jobs: 23 };

/** Plays the service of the service document on loopback. No test framework in here. */
export async function startStandIn(options: StandInOptions): Promise<StandIn> {
  const { apiKey, engines = {}, seed = true } = options;
  const server = await listen((request, response) => void handle(request, response), options.port);
  const injected = new Map<string, ActiveInjection[]>();
  const held = new Map<string, (() => void)[]>();
  const callCounts = new Map<string, number>();
  let lastId = 0;

  const world: World = {
    clock: new VirtualClock(Date.now(), options.speed),
    switches: { fleetBusy: false, remoteStorage: false },
    pauseMs: options.pauseMs ?? 0,
    merge: options.merge ?? engines.merge ?? ((_, update) => update),
    compact: engines.compact ?? compactLines,
    chat: scriptedChat,
    search: scriptedSearch,
    nextId: prefix => `${prefix}${String(++lastId).padStart(6, '0')}`,
  };
  const endpoints = new Endpoints(world, () => server.url, seed);
  const jobs = new FineTuningJobs(world, seed ? seeded.jobs : 0);
  const routes: Route[] = [
    ...catalogueRoutes(),
    ...chatRoutes(world),
    ...messagesRoutes(world),
    ...compactRoutes(world),
    ...reflexRoutes(world, jobs),
    ...routerRoutes(),
    ...rankingRoutes(world),
    ...batchRoutes(world, seed ? seeded.batches : 0),
    ...fineTuningRoutes(jobs),
    ...endpoints.routes(),
  ];
  // The same object, so that a model exchanged on the stand-in is exchanged for all resources.
  const standIn: StandIn = Object.assign(world, {
    url: server.url,
    close: () => server.close(),
    requests: [] as JournalEntry[],
    endpoints,
    routes: routes.map(nameOf),
    inject(route: string, injection: Injection): void {
      if (!standIn.routes.includes(route)) throw new Error(`no route ${route}`);
      const active = { ...injection, seen: 0, given: 0 };
      injected.set(route, [...(injected.get(route) ?? []), active]);
    },
    hold(route: string) {
      const waiting: (() => void)[] = [];
      held.set(route, waiting);
      return () => {
        held.delete(route);
        for (const goOn of waiting) goOn();
      };
    },
    heal: () => injected.clear(),
  });
  const router = new Router(routes);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    response.on('error', () => undefined);
    // Not the class URL, which throws for paths such as `//`.
    const [pathname = '', ...search] = path.split('?');
    let route: Route | undefined;
    try {
      const body = await readBody(request);
      const found = attempt(() => router.find(method, pathname));
      if (!(found instanceof Refusal)) route = found.route;
      const fault = note({ method, path, headers, body }, route, response);
      response.setHeader('x-request-id', `req-${standIn.requests.length}`);
      const waiting = held.get(route ? nameOf(route) : '');
      if (waiting) await new Promise<void>(resolve => waiting.push(resolve));
      if (fault) return await fault(response, request);
      if (found instanceof Refusal) throw found;
      checkKey(found.route, headers, apiKey);
      if (method === 'POST' && !isRecord(body)) throw invalid('the body must be a JSON object');
      const answer = await found.route.handle({
        body: isRecord(body) ? body : {},
        params: found.params,
        query: new URLSearchParams(search.join('?')),
        headers,
        response,
      });
      if (answer) writeJson(response, 200, answer);
    } catch (error) {
      const isFlat = route ? route.isFlat === true : pathname.startsWith('/api/v1/dedicated/');
      if (response.headersSent || response.destroyed) response.destroy();
      else writeRefusal(response, refusalOf(error), isFlat);
    }
  }

  /** Writes the request down; returns the fault that it gets, if any. */
  function note(
    seen: Pick<JournalEntry, 'method' | 'path' | 'headers' | 'body'>,
    route: Route | undefined,
    response: ServerResponse,
  ): Fault | undefined {
    const name = route && nameOf(route);
    const call = (callCounts.get(name ?? '') ?? 0) + 1;
    callCounts.set(name ?? '', call);
    const fault = nextFault(injected.get(name ?? '') ?? []);
    standIn.requests.push({
      ...seen,
      route: name,
      call,
      fault: typeof fault === 'function' ? 'custom' : fault,
      get status() {
        return response.headersSent ? response.statusCode : undefined;
      },
      get isCut() {
        return response.destroyed && !response.writableFinished;
      },
    });
    if (standIn.requests.length > longestJournal) standIn.requests.shift();
    return typeof fault === 'string' ? faults[fault] : fault;
  }

  return standIn;
}

interface ActiveInjection extends Injection {
  seen: number;
  given: number;
}

/** Of several that fit the first is given; all of them count the call. */
function nextFault(active: readonly ActiveInjection[]): FaultName | Fault | undefined {
  let chosen: ActiveInjection | undefined;
  for (const injection of active) {
    injection.seen++;
    const { calls, times = Infinity, given, seen } = injection;
    if (given < times && (calls?.includes(seen) ?? true)) chosen ??= injection;
  }
  if (chosen) chosen.given++;
  return chosen?.fault;
}

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

function attempt<T>(run: () => T): T | Refusal {
  try {
    return run();
  } catch (error) {
    return refusalOf(error);
  }
}

/** Whatever else goes wrong is the service's own failure. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Refusal(500, 'internal_error', message);
}
