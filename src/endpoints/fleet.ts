import { isRecord, textOf } from '../service/guards';
import type { PollRecord } from '../host/poller';
import type { EndpointList, EndpointStatus, EndpointSummary } from '../service/wire/dedicated';
import { factsOf, serves } from './lifecycle';
import { stateSince } from './timeline';

/** An endpoint as it is kept: without its address, which is looked up when it is used. */
export type ListedEndpoint = Omit<EndpointSummary, 'endpointUrl' | 'servedModelName'>;

export interface Seen {
  readonly state: string;
  /** When it came into the state, ms since the epoch; when it was first seen in it unless `isExact`. */
  readonly since: number;
  readonly isExact: boolean;
}

/** All that is known of the account's endpoints; kept in a file, so no secret may be in it. */
export interface Fleet {
  /** Newest first. */
  readonly endpoints: readonly ListedEndpoint[];
  /** How many could not be read. */
  readonly unreadable: number;
  /** By id. */
  readonly seen: Readonly<Record<string, Seen>>;
  /** What the user was told, `id what`: each once. */
  readonly told: readonly string[];
  /** Of endpoints that serve, by id. */
  readonly ends: Readonly<Record<string, End>>;
  /** Endpoints that were not over and that the service does not know any more, newest first. */
  readonly gone: readonly GoneEndpoint[];
  /** By id: when the user opened the dashboard to cancel an endpoint, ms since the epoch. */
  readonly expected: Readonly<Record<string, number>>;
}

/** When an endpoint stops serving, as of `checkedAt`; ms since the epoch. */
export interface End {
  readonly checkedAt: number;
  readonly endsAt?: number | undefined;
  /** When the cancellation was requested; when it was first seen where no event tells. */
  readonly requestedAt?: number | undefined;
  /** Who requested it, as in the event. */
  readonly actor?: string | undefined;
}

export interface GoneEndpoint {
  /** As it was listed last. */
  readonly endpoint: ListedEndpoint;
  /** ms since the epoch. */
  readonly at: number;
}

/** A change between two readings. */
export interface Move {
  readonly endpoint: ListedEndpoint;
  readonly from: string;
}

/** How long an endpoint that is gone stays in the view, unless it is dismissed. */
const keepGoneMs = 7 * 24 * 3_600_000;
const mostGone = 50;

/** What a new list makes of what was known. */
export function mergeList(
  before: Fleet | undefined,
  { endpoints, unreadable }: EndpointList,
  nowMs: number,
): {
  fleet: Fleet;
  moves: readonly Move[];
  /** Ids that were listed before and are not over; they stay as they were until their status is known. */
  missing: readonly string[];
} {
  const seen = new Map<string, Seen>();
  const ends = new Map<string, End>();
  const listed: ListedEndpoint[] = [];
  const moves: Move[] = [];
  const add = (endpoint: ListedEndpoint): void => {
    const { id, state } = endpoint;
    if (seen.has(id)) return;
    listed.push(endpoint);
    const known = own(before?.seen, id);
    const isSame = known?.state === state;
    seen.set(id, isSame ? known : { state, since: nowMs, isExact: known !== undefined });
    if (known && !isSame) moves.push({ endpoint, from: known.state });
    const end = own(before?.ends, id);
    if (end && serves(state)) ends.set(id, end);
  };
  for (const { endpointUrl: _url, servedModelName: _name, ...endpoint } of endpoints) add(endpoint);
  // The service removes none that is over, so nothing is lost with those.
  const missing = (before?.endpoints ?? []).filter(
    ({ id, state }) => !seen.has(id) && factsOf(state).group !== 'ended',
  );
  for (const endpoint of missing) add(endpoint);
  const gone = (before?.gone ?? []).filter(
    ({ endpoint, at }) => !seen.has(endpoint.id) && nowMs - at < keepGoneMs,
  );
  const kept = new Set([...seen.keys(), ...gone.map(({ endpoint }) => endpoint.id)]);
  return {
    fleet: {
      endpoints: listed,
      unreadable,
      seen: Object.fromEntries(seen),
      told: (before?.told ?? []).filter(entry => kept.has(entry.slice(0, entry.lastIndexOf(' ')))),
      ends: Object.fromEntries(ends),
      gone,
      expected: Object.fromEntries(
        Object.entries(before?.expected ?? {}).filter(([id]) => kept.has(id)),
      ),
    },
    moves,
    missing: missing.map(({ id }) => id),
  };
}

/** What a status tells more exactly than a list. */
export function mergeStatus(fleet: Fleet, status: EndpointStatus, nowMs: number): Fleet {
  const { id, state } = status;
  const known = own(fleet.seen, id);
  if (!known) return fleet;
  const since = stateSince(status.events);
  // Should the status be ahead of the list, the list's next reading brings the move.
  const isSame = known.state === state;
  const isServing = isSame && serves(state);
  const end = isServing ? endOf(status, own(fleet.ends, id), nowMs) : undefined;
  return {
    ...fleet,
    seen:
      isSame && since !== undefined
        ? { ...fleet.seen, [id]: { state, since, isExact: true } }
        : fleet.seen,
    ends: end ? { ...fleet.ends, [id]: end } : fleet.ends,
    // One that serves on after all may be canceled once more.
    told:
      end && end.endsAt === undefined
        ? fleet.told.filter(entry => entry !== `${id} canceling` && entry !== `${id} ends`)
        : fleet.told,
  };
}

function endOf(
  { cancelEffectiveAt: endsAt, events }: EndpointStatus,
  before: End | undefined,
  nowMs: number,
): End {
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

/** The status of an endpoint that the list has left out: its state counts. */
export function takeStatus(
  fleet: Fleet,
  status: EndpointStatus,
  nowMs: number,
): { fleet: Fleet; moves: readonly Move[] } {
  const { id, state } = status;
  const known = own(fleet.seen, id);
  const endpoint = fleet.endpoints.find(item => item.id === id);
  if (!known || !endpoint || known.state === state)
    return { fleet: mergeStatus(fleet, status, nowMs), moves: [] };
  const moved = { ...endpoint, state };
  const ends = Object.entries(fleet.ends).filter(([other]) => other !== id);
  const next: Fleet = {
    ...fleet,
    endpoints: fleet.endpoints.map(item => (item === endpoint ? moved : item)),
    seen: { ...fleet.seen, [id]: { state, since: nowMs, isExact: true } },
    ends: Object.fromEntries(ends),
  };
  return {
    fleet: mergeStatus(next, status, nowMs),
    moves: [{ endpoint: moved, from: known.state }],
  };
}

/** The service knows an endpoint no more: neither in the list nor by its id. */
export function leave(fleet: Fleet, id: string, nowMs: number): Fleet {
  const endpoint = fleet.endpoints.find(item => item.id === id);
  if (!endpoint) return fleet;
  const others = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).filter(([other]) => other !== id));
  return {
    ...fleet,
    endpoints: fleet.endpoints.filter(item => item !== endpoint),
    seen: others(fleet.seen),
    ends: others(fleet.ends),
    gone: [{ endpoint, at: nowMs }, ...fleet.gone].slice(0, mostGone),
  };
}

/** Takes one that is gone out of the view. */
export function dropGone(fleet: Fleet, id: string): Fleet {
  return { ...fleet, gone: fleet.gone.filter(({ endpoint }) => endpoint.id !== id) };
}

/** The user has gone to the dashboard to cancel it, so that its end is no news. */
export function expectEnd(fleet: Fleet, id: string, nowMs: number): Fleet {
  return { ...fleet, expected: { ...fleet.expected, [id]: nowMs } };
}

const expectedForMs = 3_600_000;
/** Clocks of the service and of this computer differ, ms. */
const clockSkewMs = 300_000;

/** @param at when the cancellation was requested, ms since the epoch. */
export function isExpected({ expected }: Fleet, id: string, at: number): boolean {
  const askedAt = own(expected, id);
  return askedAt !== undefined && at > askedAt - clockSkewMs && at < askedAt + expectedForMs;
}

/** An end that was looked up within this time is not looked up again by itself, ms. */
const freshEndMs = 55_000;

/**
 * Endpoints that serve and whose end was not looked up lately: only a status tells it. Those that were
 * looked up longest ago come first.
 * @param isAsked the user wants to know it now
 */
export function uncheckedEnds(fleet: Fleet, nowMs: number, isAsked = false): string[] {
  const checkedAt = (id: string): number => own(fleet.ends, id)?.checkedAt ?? 0;
  const isOld = (id: string): boolean =>
    isAsked || isExpected(fleet, id, nowMs) || Math.abs(nowMs - checkedAt(id)) > freshEndMs;
  return fleet.endpoints
    .filter(({ id, state }) => serves(state) && isOld(id))
    .map(({ id }) => id)
    .toSorted((a, b) => checkedAt(a) - checkedAt(b));
}

export function own<T>(record: Readonly<Record<string, T>> | undefined, id: string): T | undefined {
  return record && Object.hasOwn(record, id) ? record[id] : undefined;
}

export const isMoving = ({ state }: ListedEndpoint): boolean => factsOf(state).isMoving;

/** Reads back what {@link PollRecord} keeps; undefined for anything else, so that it is read anew. */
export function parseRecord(value: unknown): PollRecord<Fleet> | undefined {
  if (!isRecord(value) || typeof value['scope'] !== 'string') return undefined;
  const { scope, at, data, problem, claim } = value;
  const fleet = parseFleet(data);
  return {
    scope,
    ...(fleet && typeof at === 'number' ? { data: fleet, at } : {}),
    ...(isProblem(problem) ? { problem } : {}),
    ...(isClaim(claim) ? { claim } : {}),
  };
}

function isProblem(value: unknown): value is NonNullable<PollRecord<Fleet>['problem']> {
  return (
    isRecord(value) &&
    typeof value['kind'] === 'string' &&
    typeof value['text'] === 'string' &&
    typeof value['at'] === 'number' &&
    typeof value['failures'] === 'number' &&
    (value['nextAt'] === undefined || typeof value['nextAt'] === 'number')
  );
}

function isClaim(value: unknown): value is NonNullable<PollRecord<Fleet>['claim']> {
  return isRecord(value) && typeof value['by'] === 'string' && typeof value['until'] === 'number';
}

function parseFleet(value: unknown): Fleet | undefined {
  if (!isRecord(value) || !Array.isArray(value['endpoints'])) return undefined;
  const { endpoints, unreadable, seen, told, ends, gone, expected } = value;
  const listed = endpoints.flatMap(parseEndpoint);
  if (!isRecord(seen) || !isRecord(ends) || !Array.isArray(told)) return undefined;
  return {
    endpoints: listed,
    unreadable: typeof unreadable === 'number' ? unreadable : 0,
    seen: entriesOf(seen, isSeen),
    told: told.filter(entry => typeof entry === 'string'),
    ends: entriesOf(ends, isEnd),
    // Absent from what earlier versions have written.
    gone: Array.isArray(gone) ? gone.flatMap(parseGone) : [],
    expected: isRecord(expected) ? entriesOf(expected, isNumber) : {},
  };
}

function parseGone(value: unknown): GoneEndpoint[] {
  if (!isRecord(value) || !isNumber(value['at'])) return [];
  const { at } = value;
  return parseEndpoint(value['endpoint']).map(endpoint => ({ endpoint, at }));
}

function parseEndpoint(value: unknown): ListedEndpoint[] {
  if (!isRecord(value)) return [];
  const [id, state] = [textOf(value['id']), textOf(value['state'])];
  if (id === undefined || state === undefined) return [];
  const number = (name: string): number | undefined => {
    const part = value[name];
    return typeof part === 'number' ? part : undefined;
  };
  return [
    {
      id,
      state,
      createdAt: number('createdAt'),
      readyAt: number('readyAt'),
      modelId: textOf(value['modelId']),
      modelDisplayName: textOf(value['modelDisplayName']),
      modelHardware: textOf(value['modelHardware']),
      planName: textOf(value['planName']),
    },
  ];
}

function entriesOf<T>(
  value: Record<string, unknown>,
  is: (part: unknown) => part is T,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, T] => is(entry[1])),
  );
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isOptional = (value: unknown, is: (part: unknown) => boolean): boolean =>
  value === undefined || is(value);
const isText = (value: unknown): value is string => typeof value === 'string';

const isSeen = (value: unknown): value is Seen =>
  isRecord(value) &&
  typeof value['state'] === 'string' &&
  typeof value['since'] === 'number' &&
  typeof value['isExact'] === 'boolean';

const isEnd = (value: unknown): value is End =>
  isRecord(value) &&
  isNumber(value['checkedAt']) &&
  isOptional(value['endsAt'], isNumber) &&
  isOptional(value['requestedAt'], isNumber) &&
  isOptional(value['actor'], isText);
