import { sentence } from '../../base/sentence';
import * as z from 'zod';
import { pathId } from '../baseUrl';
import { isRecord } from '../guards';
import type { Operation, TokenPrice } from '../operation';
import type { Reply } from '../reply';
import { isoDate, lenient, openEnum, parseObject, readItems, readObject } from '../schema';
import { headersMs } from '../timeouts';

/**
 * A dedicated endpoint that serves, at an address that may get the key; made by `endpointTarget` only.
 * Right for the service address and the state of that moment: make a new one for each conversation.
 */
export interface EndpointTarget {
  readonly endpointId: string;
  /** Without `/v1`. */
  readonly url: URL;
  /** The `model` of every request. */
  readonly servedModelName: string;
  /** Requests at once; absent where the endpoint names no limit. */
  readonly maxConcurrency?: number | undefined;
  /** Absent where it is unknown. */
  readonly contextTokens?: number | undefined;
  /** For display; the bill is for the reserved capacity. */
  readonly pricePerM?: TokenPrice | undefined;
}

/**
 * - `starting`: bought, on the way to `ready`.
 * - `serving`: takes requests.
 * - `stopped`: takes none now.
 * - `ended`: takes none any more.
 */
export type EndpointPhase = 'starting' | 'serving' | 'stopped' | 'ended';

/** The states of the service document; most moves between them are not shown there. Others may come. */
export const endpointStates: ReadonlyMap<string, EndpointPhase> = new Map([
  ['checkout_pending', 'starting'],
  ['paid', 'starting'],
  ['capacity_held', 'starting'],
  ['provisioning', 'starting'],
  ['pr_open', 'starting'],
  ['merged', 'starting'],
  ['deploying', 'starting'],
  ['ready', 'serving'],
  ['suspended', 'stopped'],
  ['failed', 'ended'],
  ['refunding', 'ended'],
  ['refunded', 'ended'],
  ['canceled', 'ended'],
]);

/** Diagnostic only: it says nothing about payment, suspension or cancellation. Absent before a job starts. */
export const provisioningStatuses = [
  'pending',
  'pr_open',
  'merged',
  'deploying',
  'ready',
  'failed',
] as const;

/** What the list and the status tell. Dates are ms since the epoch. */
interface EndpointFacts {
  readonly id: string;
  /** One of {@link endpointStates} or a state that is new; only `ready` serves requests. */
  readonly state: string;
  readonly createdAt?: number | undefined;
  /** First readiness. */
  readonly readyAt?: number | undefined;
  /** Catalogue model that was bought. */
  readonly modelId?: string | undefined;
  readonly modelDisplayName?: string | undefined;
  readonly modelHardware?: string | undefined;
  readonly planName?: string | undefined;
}

export interface EndpointSummary extends EndpointFacts {
  /** Stays after the end, so it is no sign that the endpoint serves. */
  readonly endpointUrl?: string | undefined;
  readonly servedModelName?: string | undefined;
}

export interface EndpointList {
  /** Newest first, in every state; ended ones stay for ever. */
  readonly endpoints: readonly EndpointSummary[];
  /** How many could not be read. */
  readonly unreadable: number;
}

/** A snapshot. Dates are ms since the epoch. */
export interface EndpointStatus extends EndpointFacts {
  /** When the order is refunded unless the endpoint is ready by then. */
  readonly activationDeadline?: number | undefined;
  /** Reserved; why an order ended stands in the last of `events`. */
  readonly failureCode?: string | undefined;
  /** US cents. */
  readonly spendCapCents?: number | undefined;
  readonly reservedGpuEquivalents?: number | undefined;
  /** One of {@link provisioningStatuses} or a value that is new. */
  readonly provisioningStatus?: string | undefined;
  /** Oldest first. */
  readonly events: readonly EndpointEvent[];
  /** How many events could not be read. */
  readonly unreadable: number;
  /** Stays after the end, so it is no sign that the endpoint serves. */
  readonly connection?: EndpointConnection | undefined;
  /** A `ready` endpoint serves until then. */
  readonly cancelEffectiveAt?: number | undefined;
}

export interface EndpointConnection {
  readonly servedModelName?: string | undefined;
  readonly displayName?: string | undefined;
  /** As it came: no request goes there before `checkEndpointUrl` has let it through. */
  readonly endpointUrl?: string | undefined;
  readonly hardware?: string | undefined;
  readonly contextTokens?: number | undefined;
  /** Requests at once. */
  readonly maxConcurrency?: number | undefined;
  readonly pricePerM?: TokenPrice | undefined;
}

export interface EndpointEvent {
  readonly id?: string | undefined;
  /** `area.action`; the complete set is not documented. */
  readonly eventType: string;
  /** Both absent when the event changed no state. */
  readonly fromState?: string | undefined;
  readonly toState?: string | undefined;
  /** `user`, `system`, or one of three whose spelling on the wire is not documented. */
  readonly actorType?: string | undefined;
  /** ms since the epoch. */
  readonly createdAt?: number | undefined;
}

const name = lenient(z.string().min(1));
const positive = lenient(z.number().int().positive());
const price = lenient(z.number().nonnegative());

const common = {
  id: z.string().min(1),
  state: z.string(),
  createdAt: isoDate,
  readyAt: isoDate,
  modelId: name,
  modelDisplayName: name,
  modelHardware: name,
  planName: name,
};

const summarySchema = z.object({ ...common, endpointUrl: name, servedModelName: name });
const listSchema = z.object({ endpoints: z.array(z.unknown()) });

const statusSchema = z.object({
  ...common,
  activationDeadline: isoDate,
  failureCode: name,
  spendCapCents: lenient(z.number()),
  reservedGpuEquivalents: lenient(z.number()),
  provisioningStatus: name,
  events: lenient(z.array(z.unknown())),
  endpoint: z.unknown().optional(),
  cancelEffectiveAt: isoDate,
});

const connectionSchema = z.object({
  servedModelName: name,
  displayName: name,
  endpointUrl: name,
  hardware: name,
  contextWindow: positive,
  maxConcurrency: positive,
  inputPricePerM: price,
  outputPricePerM: price,
  cachedInputPricePerM: price,
});

const eventSchema = z.object({
  id: name,
  eventType: z.string(),
  fromState: name,
  toState: name,
  actorType: name,
  createdAt: isoDate,
});

/** @see service document, Endpoints, "GET /api/v1/dedicated/endpoints" */
export function listEndpointsOperation(): Operation<EndpointList> {
  return {
    name: 'listEndpoints',
    ...reading,
    path,
    read: async reply => {
      const wire = await readObject(reply, listSchema, 'list of dedicated endpoints');
      const { items, unreadable } = readItems(
        reply,
        summarySchema,
        'dedicated endpoint',
        wire.endpoints,
      );
      for (const { state } of items) noteState(reply, state);
      return { endpoints: items, unreadable };
    },
  };
}

/** @see service document, Endpoints, "GET /api/v1/dedicated/endpoints/{id}" */
export function endpointStatusOperation(id: string): Operation<EndpointStatus> {
  return {
    name: 'endpointStatus',
    ...reading,
    path: `${path}/${pathId(id, sentence('endpoint id'))}`,
    template: `${path}/{id}`,
    read: async reply => {
      const wire = await readObject(reply, statusSchema, 'dedicated endpoint status');
      const { endpoint, events = [], provisioningStatus, ...rest } = wire;
      noteState(reply, rest.state);
      if (provisioningStatus !== undefined)
        openEnum(reply, 'provisioning status', provisioningStatuses, provisioningStatus);
      const { items, unreadable } = readItems(reply, eventSchema, 'lifecycle event', events);
      return {
        ...rest,
        provisioningStatus,
        events: oldestFirst(items),
        unreadable,
        connection: isRecord(endpoint) ? connection(reply, endpoint) : undefined,
      };
    },
  };
}

const path = '/api/v1/dedicated/endpoints';
const reading = {
  callClass: 'read',
  method: 'GET',
  accept: 'application/json',
  timeouts: { headersMs: headersMs.read },
} as const;

function noteState(reply: Reply, state: string): void {
  openEnum(reply, 'endpoint state', [...endpointStates.keys()], state);
}

function connection(reply: Reply, value: Record<string, unknown>): EndpointConnection {
  const wire = parseObject(reply, connectionSchema, 'endpoint connection', value);
  const { contextWindow, inputPricePerM, outputPricePerM, cachedInputPricePerM, ...rest } = wire;
  return {
    ...rest,
    contextTokens: contextWindow,
    pricePerM:
      inputPricePerM === undefined || outputPricePerM === undefined
        ? undefined
        : { input: inputPricePerM, output: outputPricePerM, cachedInput: cachedInputPricePerM },
  };
}

/** Documented as such already; an event without a date stays where it is, and so do all others. */
function oldestFirst(events: readonly EndpointEvent[]): readonly EndpointEvent[] {
  if (events.some(({ createdAt }) => createdAt === undefined)) return events;
  return events.toSorted((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
}
