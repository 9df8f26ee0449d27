import type { Translate } from '../../base/sentence';
import { type EndpointList, type EndpointStatus, ServiceError } from '../../service';
import {
  type EndpointsSnapshot,
  markGone,
  mergeList,
  mergeMissingStatus,
  mergeStatus,
  type StateChange,
  uncheckedEnds,
} from './endpointsSnapshot';
import { type Notice, type NotificationLevel, noticesOf } from './notices';

/** The service calls that one reading consists of. */
export interface EndpointCalls {
  readonly list: () => Promise<EndpointList>;
  readonly status: (id: string) => Promise<EndpointStatus>;
  /** Called for a status that could not be read; the list is used without it. */
  readonly onFailure: (error: unknown) => void;
}

export interface EndpointsReading {
  readonly snapshot: EndpointsSnapshot;
  /** State changes since the previous reading. */
  readonly changes: readonly StateChange[];
  /** Statuses that were read in addition to the list, by id. */
  readonly statuses: ReadonlyMap<string, EndpointStatus>;
}

export interface EndpointsReadRequest {
  readonly before: EndpointsSnapshot | undefined;
  readonly nowMs: number;
  /** The user triggered the reading, so all ends are looked up. */
  readonly isUserInitiated: boolean;
  readonly signal: AbortSignal;
}

/** Status calls per list call, and how many of them run at the same time. */
const maxLookups = 20;
const concurrentLookups = 5;

/** States that end an endpoint; its status says why, and who ended it. */
const terminalStates: ReadonlySet<string> = new Set([
  'failed',
  'refunding',
  'refunded',
  'canceled',
]);

/**
 * Reads the list, and the statuses of endpoints that the list left out, that have ended, or that serve:
 * only the status contains a cancellation.
 */
export async function readEndpoints(
  { before, nowMs, isUserInitiated, signal }: EndpointsReadRequest,
  calls: EndpointCalls,
): Promise<EndpointsReading> {
  const list = await calls.list();
  const merged = mergeList(before, list, nowMs);
  let { snapshot } = merged;
  const changes = [...merged.changes];
  const missing = new Set(merged.missing);
  const ended = changes
    .filter(({ endpoint }) => terminalStates.has(endpoint.state))
    .map(({ endpoint }) => endpoint.id);
  const wanted = new Set([
    ...missing,
    ...ended,
    ...uncheckedEnds(snapshot, nowMs, isUserInitiated),
  ]);
  const statuses = new Map<string, EndpointStatus>();
  const found = await lookUp([...wanted].slice(0, maxLookups), calls, signal);
  for (const [id, status] of found) {
    if (status === 'unknown') {
      if (missing.has(id)) snapshot = markGone(snapshot, id, nowMs);
      continue;
    }
    statuses.set(id, status);
    if (missing.has(id)) {
      const taken = mergeMissingStatus(snapshot, status, nowMs);
      snapshot = taken.snapshot;
      changes.push(...taken.changes);
    } else {
      snapshot = mergeStatus(snapshot, status, nowMs);
    }
  }
  return { snapshot, changes, statuses };
}

/** `unknown` if the service has no such endpoint. Stops at the first failure; the rest is read next time. */
async function lookUp(
  ids: readonly string[],
  { status, onFailure }: EndpointCalls,
  signal: AbortSignal,
): Promise<Map<string, EndpointStatus | 'unknown'>> {
  const found = new Map<string, EndpointStatus | 'unknown'>();
  const readOne = async (id: string): Promise<boolean> => {
    try {
      found.set(id, await status(id));
    } catch (error) {
      if (signal.aborted) throw error;
      if (!(error instanceof ServiceError) || error.kind !== 'notFound') {
        onFailure(error);
        return false;
      }
      found.set(id, 'unknown');
    }
    return true;
  };
  for (let at = 0; at < ids.length; at += concurrentLookups) {
    const all = await Promise.all(ids.slice(at, at + concurrentLookups).map(readOne));
    if (all.includes(false)) break;
  }
  return found;
}

export interface NoticedReading {
  readonly snapshot: EndpointsSnapshot;
  readonly statuses: EndpointsReading['statuses'];
  readonly notices: readonly Notice[];
}

/** Reads the endpoints, and says what the user is notified of. */
export async function readAndNotice(
  request: EndpointsReadRequest & { readonly beforeAt: number | undefined },
  calls: EndpointCalls,
  options: {
    readonly level: NotificationLevel;
    readonly watched: ReadonlySet<string>;
    readonly t: Translate;
  },
): Promise<NoticedReading> {
  const reading = await readEndpoints(request, calls);
  const { nowMs, beforeAt } = request;
  return { ...reading, ...noticesOf({ ...reading, ...options, nowMs, beforeAt }) };
}
