import { ServiceError } from '../service/errors';
import type { EndpointList, EndpointStatus } from '../service/wire/dedicated';
import {
  type Fleet,
  type Move,
  leave,
  mergeList,
  mergeStatus,
  takeStatus,
  uncheckedEnds,
} from './fleet';

/** The calls that a reading is made of. */
export interface EndpointCalls {
  readonly list: () => Promise<EndpointList>;
  readonly status: (id: string) => Promise<EndpointStatus>;
  /** A status that could not be read leaves the list as it is. */
  readonly onFailure: (error: unknown) => void;
}

export interface FleetReading {
  readonly fleet: Fleet;
  /** Since the reading before. */
  readonly moves: readonly Move[];
  /** Those that were read beside the list, by id. */
  readonly statuses: ReadonlyMap<string, EndpointStatus>;
}

export interface ReadingRequest {
  readonly before: Fleet | undefined;
  readonly nowMs: number;
  /** The user has asked for it: ends are looked up at once. */
  readonly isAsked: boolean;
  readonly signal: AbortSignal;
}

/** Status calls beside one list call at most, and of them at a time. */
const mostLookups = 20;
const lookupsAtOnce = 5;

/** States that end an endpoint or its service: its status tells why, and by whom. */
const explained: ReadonlySet<string> = new Set(['failed', 'refunding', 'refunded', 'canceled']);

/**
 * Reads the list, and beside it the statuses of endpoints that the list has left out, that have ended,
 * and that serve: a cancellation stands in the status only.
 */
export async function readFleet(
  { before, nowMs, isAsked, signal }: ReadingRequest,
  calls: EndpointCalls,
): Promise<FleetReading> {
  const list = await calls.list();
  const merged = mergeList(before, list, nowMs);
  let { fleet } = merged;
  const moves = [...merged.moves];
  const missing = new Set(merged.missing);
  const ended = moves
    .filter(({ endpoint }) => explained.has(endpoint.state))
    .map(({ endpoint }) => endpoint.id);
  const wanted = new Set([...missing, ...ended, ...uncheckedEnds(fleet, nowMs, isAsked)]);
  const statuses = new Map<string, EndpointStatus>();
  const found = await lookUp([...wanted].slice(0, mostLookups), calls, signal);
  for (const [id, status] of found) {
    if (status === 'unknown') {
      if (missing.has(id)) fleet = leave(fleet, id, nowMs);
      continue;
    }
    statuses.set(id, status);
    if (missing.has(id)) {
      const taken = takeStatus(fleet, status, nowMs);
      fleet = taken.fleet;
      moves.push(...taken.moves);
    } else fleet = mergeStatus(fleet, status, nowMs);
  }
  return { fleet, moves, statuses };
}

/** `unknown` where the service has no such endpoint. Stops at the first failure: the rest waits for the next reading. */
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
  for (let at = 0; at < ids.length; at += lookupsAtOnce) {
    const all = await Promise.all(ids.slice(at, at + lookupsAtOnce).map(readOne));
    if (all.includes(false)) break;
  }
  return found;
}
