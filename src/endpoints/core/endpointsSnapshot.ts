import type { EndpointList, EndpointStatus, EndpointSummary } from '../../service';
import { isServing, stateFactsOf } from './lifecycle';
import { stateSince } from './timeline';

/** An endpoint without its address, which is looked up each time it is used. */
export type ListedEndpoint = Omit<EndpointSummary, 'endpointUrl' | 'servedModelName'>;

export interface ObservedState {
  readonly state: string;
  /** Start of the state, ms since the epoch; the time it was first seen unless `isExact`. */
  readonly since: number;
  readonly isExact: boolean;
}

/** Everything known about the account's endpoints. Stored in a file, so it must not contain secrets. */
export interface EndpointsSnapshot {
  /** Newest first. */
  readonly endpoints: readonly ListedEndpoint[];
  /** Number of entries that could not be parsed. */
  readonly unreadable: number;
  /** By id. */
  readonly seen: Readonly<Record<string, ObservedState>>;
  /** Notices already shown, as `id kind`; each is shown once. */
  readonly notified: readonly string[];
  /** Planned ends of serving endpoints, by id. */
  readonly ends: Readonly<Record<string, ServiceEnd>>;
  /** Endpoints that had not ended but are no longer known to the service, newest first. */
  readonly gone: readonly GoneEndpoint[];
  /** When the user opened the dashboard to cancel an endpoint, by id; ms since the epoch. */
  readonly expected: Readonly<Record<string, number>>;
}

/** When an endpoint stops serving, as of `checkedAt`. All times are ms since the epoch. */
export interface ServiceEnd {
  readonly checkedAt: number;
  readonly endsAt?: number | undefined;
  /** When the cancellation was requested; when it was first seen if no event says so. */
  readonly requestedAt?: number | undefined;
  /** `actorType` of the cancellation event. */
  readonly actor?: string | undefined;
}

export interface GoneEndpoint {
  /** As last listed. */
  readonly endpoint: ListedEndpoint;
  /** ms since the epoch. */
  readonly at: number;
}

/** A state change between two readings. */
export interface StateChange {
  readonly endpoint: ListedEndpoint;
  readonly from: string;
}

/** How long an endpoint that is no longer listed stays in the view, unless it is dismissed. */
const keepGoneMs = 7 * 24 * 3_600_000;
const maxGone = 50;

/** Merges a new list into the previous snapshot. */
export function mergeList(
  before: EndpointsSnapshot | undefined,
  { endpoints, unreadable }: EndpointList,
  nowMs: number,
): {
  snapshot: EndpointsSnapshot;
  changes: readonly StateChange[];
  /** Ids that were listed before and had not ended; they are kept until their status is known. */
  missing: readonly string[];
} {
  const seen = new Map<string, ObservedState>();
  const ends = new Map<string, ServiceEnd>();
  const listed: ListedEndpoint[] = [];
  const changes: StateChange[] = [];
  const add = (endpoint: ListedEndpoint): void => {
    const { id, state } = endpoint;
    if (seen.has(id)) return;
    listed.push(endpoint);
    const known = ownValue(before?.seen, id);
    const isSame = known?.state === state;
    seen.set(id, isSame ? known : { state, since: nowMs, isExact: known !== undefined });
    if (known && !isSame) changes.push({ endpoint, from: known.state });
    const end = ownValue(before?.ends, id);
    if (end && isServing(state)) ends.set(id, end);
  };
  for (const { endpointUrl: _url, servedModelName: _name, ...endpoint } of endpoints) add(endpoint);
  // The service may drop endpoints that have ended, so only the others are looked up.
  const missing = (before?.endpoints ?? []).filter(
    ({ id, state }) => !seen.has(id) && stateFactsOf(state).group !== 'ended',
  );
  for (const endpoint of missing) add(endpoint);
  const gone = (before?.gone ?? []).filter(
    ({ endpoint, at }) => !seen.has(endpoint.id) && nowMs - at < keepGoneMs,
  );
  const kept = new Set([...seen.keys(), ...gone.map(({ endpoint }) => endpoint.id)]);
  return {
    snapshot: {
      endpoints: listed,
      unreadable,
      seen: Object.fromEntries(seen),
      notified: (before?.notified ?? []).filter(entry =>
        kept.has(entry.slice(0, entry.lastIndexOf(' '))),
      ),
      ends: Object.fromEntries(ends),
      gone,
      expected: Object.fromEntries(
        Object.entries(before?.expected ?? {}).filter(([id]) => kept.has(id)),
      ),
    },
    changes,
    missing: missing.map(({ id }) => id),
  };
}

/** Adds what a status says more precisely than the list. */
export function mergeStatus(
  snapshot: EndpointsSnapshot,
  status: EndpointStatus,
  nowMs: number,
): EndpointsSnapshot {
  const { id, state } = status;
  const known = ownValue(snapshot.seen, id);
  if (!known) return snapshot;
  const since = stateSince(status.events);
  // If the status is newer than the list, the next list reports the change.
  const isSame = known.state === state;
  const servesNow = isSame && isServing(state);
  const end = servesNow ? endOf(status, ownValue(snapshot.ends, id), nowMs) : undefined;
  return {
    ...snapshot,
    seen:
      isSame && since !== undefined
        ? { ...snapshot.seen, [id]: { state, since, isExact: true } }
        : snapshot.seen,
    ends: end ? { ...snapshot.ends, [id]: end } : snapshot.ends,
    // An endpoint that keeps serving after all may be canceled again.
    notified:
      end && end.endsAt === undefined
        ? snapshot.notified.filter(entry => entry !== `${id} canceling` && entry !== `${id} ends`)
        : snapshot.notified,
  };
}

function endOf(
  { cancelEffectiveAt: endsAt, events }: EndpointStatus,
  before: ServiceEnd | undefined,
  nowMs: number,
): ServiceEnd {
  if (endsAt === undefined) return { checkedAt: nowMs };
  const request = events.findLast(({ eventType }) => eventType === cancellationRequested);
  const isNew = before !== undefined && before.endsAt === undefined;
  return {
    checkedAt: nowMs,
    endsAt,
    requestedAt: request?.createdAt ?? before?.requestedAt ?? (isNew ? nowMs : undefined),
    actor: request?.actorType,
  };
}

/** Event type of the service document. */
export const cancellationRequested = 'cancellation.noticed';

/** Merges the status of an endpoint that the list left out; here the status decides the state. */
export function mergeMissingStatus(
  snapshot: EndpointsSnapshot,
  status: EndpointStatus,
  nowMs: number,
): { snapshot: EndpointsSnapshot; changes: readonly StateChange[] } {
  const { id, state } = status;
  const known = ownValue(snapshot.seen, id);
  const endpoint = snapshot.endpoints.find(item => item.id === id);
  if (!known || !endpoint || known.state === state) {
    return { snapshot: mergeStatus(snapshot, status, nowMs), changes: [] };
  }
  const moved = { ...endpoint, state };
  const ends = Object.entries(snapshot.ends).filter(([other]) => other !== id);
  const next: EndpointsSnapshot = {
    ...snapshot,
    endpoints: snapshot.endpoints.map(item => (item === endpoint ? moved : item)),
    seen: { ...snapshot.seen, [id]: { state, since: nowMs, isExact: true } },
    ends: Object.fromEntries(ends),
  };
  return {
    snapshot: mergeStatus(next, status, nowMs),
    changes: [{ endpoint: moved, from: known.state }],
  };
}

/** Marks an endpoint that the service knows neither in the list nor by its id. */
export function markGone(
  snapshot: EndpointsSnapshot,
  id: string,
  nowMs: number,
): EndpointsSnapshot {
  const endpoint = snapshot.endpoints.find(item => item.id === id);
  if (!endpoint) return snapshot;
  const others = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).filter(([other]) => other !== id));
  return {
    ...snapshot,
    endpoints: snapshot.endpoints.filter(item => item !== endpoint),
    seen: others(snapshot.seen),
    ends: others(snapshot.ends),
    gone: [{ endpoint, at: nowMs }, ...snapshot.gone].slice(0, maxGone),
  };
}

/** Removes an endpoint that is no longer listed from the view. */
export function dropGone(snapshot: EndpointsSnapshot, id: string): EndpointsSnapshot {
  return { ...snapshot, gone: snapshot.gone.filter(({ endpoint }) => endpoint.id !== id) };
}

/** The user opened the dashboard to cancel this endpoint, so its end needs no notification. */
export function expectEnd(
  snapshot: EndpointsSnapshot,
  id: string,
  nowMs: number,
): EndpointsSnapshot {
  return { ...snapshot, expected: { ...snapshot.expected, [id]: nowMs } };
}

const expectedForMs = 3_600_000;
/** Tolerated difference between the clocks of the service and this computer, in milliseconds. */
const clockSkewMs = 300_000;

/** @param at when the cancellation was requested, ms since the epoch. */
export function isExpected({ expected }: EndpointsSnapshot, id: string, at: number): boolean {
  const askedAt = ownValue(expected, id);
  return askedAt !== undefined && at > askedAt - clockSkewMs && at < askedAt + expectedForMs;
}

/**
 * An end that was looked up within this time is not looked up again automatically, in milliseconds; less than the
 * interval of a view that has settled, so that each of its readings looks it up.
 */
const endCheckIntervalMs = 40_000;

/**
 * Serving endpoints whose end was not looked up recently (only the status contains it), least recently
 * checked first.
 * @param isUserInitiated checks all of them
 */
export function uncheckedEnds(
  snapshot: EndpointsSnapshot,
  nowMs: number,
  isUserInitiated = false,
): string[] {
  const checkedAt = (id: string): number => ownValue(snapshot.ends, id)?.checkedAt ?? 0;
  const isOld = (id: string): boolean =>
    isUserInitiated ||
    isExpected(snapshot, id, nowMs) ||
    Math.abs(nowMs - checkedAt(id)) > endCheckIntervalMs;
  return snapshot.endpoints
    .filter(({ id, state }) => isServing(state) && isOld(id))
    .map(({ id }) => id)
    .toSorted((a, b) => checkedAt(a) - checkedAt(b));
}

export function ownValue<T>(
  record: Readonly<Record<string, T>> | undefined,
  id: string,
): T | undefined {
  return record && Object.hasOwn(record, id) ? record[id] : undefined;
}

export const isTransitional = ({ state }: ListedEndpoint): boolean =>
  stateFactsOf(state).isTransitional;
