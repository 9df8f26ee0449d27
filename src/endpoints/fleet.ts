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
}

/** When an endpoint stops serving, as of `checkedAt`; ms since the epoch. */
export interface End {
  readonly checkedAt: number;
  readonly endsAt?: number | undefined;
}

/** A change between two readings. */
export interface Move {
  readonly endpoint: ListedEndpoint;
  readonly from: string;
}

/** What a new list makes of what was known. */
export function mergeList(
  before: Fleet | undefined,
  { endpoints, unreadable }: EndpointList,
  nowMs: number,
): { fleet: Fleet; moves: readonly Move[] } {
  const seen = new Map<string, Seen>();
  const ends = new Map<string, End>();
  const listed: ListedEndpoint[] = [];
  const moves: Move[] = [];
  for (const { endpointUrl: _url, servedModelName: _name, ...endpoint } of endpoints) {
    const { id, state } = endpoint;
    if (seen.has(id)) continue;
    listed.push(endpoint);
    const known = own(before?.seen, id);
    const isSame = known?.state === state;
    seen.set(id, isSame ? known : { state, since: nowMs, isExact: known !== undefined });
    if (known && !isSame) moves.push({ endpoint, from: known.state });
    const end = own(before?.ends, id);
    if (end && serves(state)) ends.set(id, end);
  }
  return {
    fleet: {
      endpoints: listed,
      unreadable,
      seen: Object.fromEntries(seen),
      told: (before?.told ?? []).filter(entry => seen.has(entry.slice(0, entry.lastIndexOf(' ')))),
      ends: Object.fromEntries(ends),
    },
    moves,
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
  return {
    ...fleet,
    seen:
      isSame && since !== undefined
        ? { ...fleet.seen, [id]: { state, since, isExact: true } }
        : fleet.seen,
    ends:
      isSame && serves(state)
        ? { ...fleet.ends, [id]: { checkedAt: nowMs, endsAt: status.cancelEffectiveAt } }
        : fleet.ends,
  };
}

const checkEveryMs = 6 * 3_600_000;
/** Status calls beside one list call, at most. */
const mostChecks = 5;

/** Endpoints that serve and whose end was not looked up lately: only a status tells it. */
export function uncheckedEnds(fleet: Fleet, nowMs: number): string[] {
  return fleet.endpoints
    .filter(({ id, state }) => {
      if (!serves(state)) return false;
      const checkedAt = own(fleet.ends, id)?.checkedAt;
      return checkedAt === undefined || Math.abs(nowMs - checkedAt) > checkEveryMs;
    })
    .slice(0, mostChecks)
    .map(({ id }) => id);
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
  const { endpoints, unreadable, seen, told, ends } = value;
  const listed = endpoints.flatMap(parseEndpoint);
  if (!isRecord(seen) || !isRecord(ends) || !Array.isArray(told)) return undefined;
  return {
    endpoints: listed,
    unreadable: typeof unreadable === 'number' ? unreadable : 0,
    seen: entriesOf(seen, isSeen),
    told: told.filter(entry => typeof entry === 'string'),
    ends: entriesOf(ends, isEnd),
  };
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

const isSeen = (value: unknown): value is Seen =>
  isRecord(value) &&
  typeof value['state'] === 'string' &&
  typeof value['since'] === 'number' &&
  typeof value['isExact'] === 'boolean';

const isEnd = (value: unknown): value is End =>
  isRecord(value) &&
  typeof value['checkedAt'] === 'number' &&
  (value['endsAt'] === undefined || typeof value['endsAt'] === 'number');
