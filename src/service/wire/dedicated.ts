import * as z from 'zod';
import { sentence } from '../../base/sentence';
import { isRecord } from '../../base/typeGuards';
import { pathId } from '../baseUrl';
import type { Operation, TokenPrice } from '../http/operation';
import type { ResponseContext } from '../http/responseContext';
import { headersMs } from '../http/timeouts';
import { isoDate, lenient, parseObject, readItems, readObject, warnIfUnknown } from '../schema';

/**
 * A ready dedicated endpoint at an address that may get the key; created by `endpointTarget` only. Valid
 * for the service address and the state of that moment, so each conversation needs a new one.
 */
export interface EndpointTarget {
  readonly endpointId: string;
  /** Without `/v1`. */
  readonly url: URL;
  /** Sent as `model` with every request. */
  readonly servedModelName: string;
  /** Concurrent requests; absent where the endpoint has no limit. */
  readonly maxConcurrency?: number | undefined;
  /** Absent where it is unknown. */
  readonly contextTokens?: number | undefined;
  /** For display only; the reserved capacity is billed. */
  readonly pricePerM?: TokenPrice | undefined;
}

/**
 * - `starting`: ordered, becoming ready.
 * - `serving`: accepts requests.
 * - `stopped`: accepts no requests now.
 * - `ended`: no longer accepts requests.
 */
export type EndpointPhase = 'starting' | 'serving' | 'stopped' | 'ended';

/** The states of the service document, which does not show most transitions. New states may come. */
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

/** For diagnostics: says nothing about payment, suspension or cancellation. Absent before a job starts. */
const provisioningStatuses = [
  'pending',
  'pr_open',
  'merged',
  'deploying',
  'ready',
  'failed',
] as const;

/** Fields of both the list and the status. Dates are ms since the epoch. */
interface EndpointFacts {
  readonly id: string;
  /** One of {@link endpointStates} or a new state; only `ready` accepts requests. */
  readonly state: string;
  readonly createdAt?: number | undefined;
  /** When it first became ready. */
  readonly readyAt?: number | undefined;
  /** Catalogue model that was ordered. */
  readonly modelId?: string | undefined;
  readonly modelDisplayName?: string | undefined;
  readonly modelHardware?: string | undefined;
  readonly planName?: string | undefined;
}

export interface EndpointSummary extends EndpointFacts {
  /** Remains after the end, so it does not mean that the endpoint is ready. */
  readonly endpointUrl?: string | undefined;
  readonly servedModelName?: string | undefined;
}

export interface EndpointList {
  /** Newest first, in every state; ended ones remain in the list. */
  readonly endpoints: readonly EndpointSummary[];
  /** How many could not be read. */
  readonly unreadable: number;
}

/** A snapshot. Dates are ms since the epoch. */
export interface EndpointStatus extends EndpointFacts {
  /** The order is refunded unless the endpoint is ready by then. */
  readonly activationDeadline?: number | undefined;
  /** Reserved; the last of `events` says why an order ended. */
  readonly failureCode?: string | undefined;
  /** US cents. */
  readonly spendCapCents?: number | undefined;
  readonly reservedGpuEquivalents?: number | undefined;
  /** One of {@link provisioningStatuses} or a new value. */
  readonly provisioningStatus?: string | undefined;
  /** Oldest first. */
  readonly events: readonly EndpointEvent[];
  /** How many events could not be read. */
  readonly unreadable: number;
  /** Remains after the end, so it does not mean that the endpoint is ready. */
  readonly connection?: EndpointConnection | undefined;
  /** A `ready` endpoint accepts requests until then. */
  readonly cancelEffectiveAt?: number | undefined;
}

export interface EndpointConnection {
  readonly servedModelName?: string | undefined;
  readonly displayName?: string | undefined;
  /** Unchecked: requests go there only after `checkEndpointUrl` has accepted it. */
  readonly endpointUrl?: string | undefined;
  readonly hardware?: string | undefined;
  readonly contextTokens?: number | undefined;
  /** Concurrent requests. */
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
    read: async context => {
      const wire = await readObject(context, listSchema, 'list of dedicated endpoints');
      const { items, unreadable } = readItems(
        context,
        summarySchema,
        'dedicated endpoint',
        wire.endpoints,
      );
      for (const { state } of items) noteState(context, state);
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
    read: async context => {
      const wire = await readObject(context, statusSchema, 'dedicated endpoint status');
      const { endpoint, events = [], provisioningStatus, ...rest } = wire;
      noteState(context, rest.state);
      if (provisioningStatus !== undefined) {
        warnIfUnknown(context, 'provisioning status', provisioningStatuses, provisioningStatus);
      }
      const { items, unreadable } = readItems(context, eventSchema, 'lifecycle event', events);
      return {
        ...rest,
        provisioningStatus,
        events: oldestFirst(items),
        unreadable,
        connection: isRecord(endpoint) ? connection(context, endpoint) : undefined,
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

function noteState(context: ResponseContext, state: string): void {
  warnIfUnknown(context, 'endpoint state', [...endpointStates.keys()], state);
}

function connection(context: ResponseContext, value: Record<string, unknown>): EndpointConnection {
  const wire = parseObject(context, connectionSchema, 'endpoint connection', value);
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

/** Documented as sorted already; events stay in their order when one has no date. */
function oldestFirst(events: readonly EndpointEvent[]): readonly EndpointEvent[] {
  if (events.some(({ createdAt }) => createdAt === undefined)) return events;
  return events.toSorted((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
}
