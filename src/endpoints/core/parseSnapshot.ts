import { isRecord, textOf } from '../../base/typeGuards';
import type { PollRecord } from '../../platform/polling/pollRecord';
import type {
  EndpointsSnapshot,
  GoneEndpoint,
  ListedEndpoint,
  ObservedState,
  ServiceEnd,
} from './endpointsSnapshot';

/** Parses a stored {@link PollRecord}; undefined for anything else, so that the list is read again. */
export function parseSnapshotRecord(value: unknown): PollRecord<EndpointsSnapshot> | undefined {
  if (!isRecord(value) || typeof value['scope'] !== 'string') return undefined;
  const { scope, at, data, problem, claim } = value;
  const snapshot = parseSnapshot(data);
  return {
    scope,
    ...(snapshot && typeof at === 'number' ? { data: snapshot, at } : {}),
    ...(isProblem(problem) ? { problem } : {}),
    ...(isClaim(claim) ? { claim } : {}),
  };
}

function isProblem(value: unknown): value is NonNullable<PollRecord<EndpointsSnapshot>['problem']> {
  return (
    isRecord(value) &&
    typeof value['kind'] === 'string' &&
    typeof value['text'] === 'string' &&
    typeof value['at'] === 'number' &&
    typeof value['failures'] === 'number' &&
    (value['nextAt'] === undefined || typeof value['nextAt'] === 'number')
  );
}

function isClaim(value: unknown): value is NonNullable<PollRecord<EndpointsSnapshot>['claim']> {
  return isRecord(value) && typeof value['by'] === 'string' && typeof value['until'] === 'number';
}

function parseSnapshot(value: unknown): EndpointsSnapshot | undefined {
  if (!isRecord(value) || !Array.isArray(value['endpoints'])) return undefined;
  const { endpoints, unreadable, seen, ends, gone, expected } = value;
  // Named `told` in records of earlier versions.
  const notified = value['notified'] ?? value['told'];
  const listed = endpoints.flatMap(parseEndpoint);
  if (!isRecord(seen) || !isRecord(ends) || !Array.isArray(notified)) return undefined;
  return {
    endpoints: listed,
    unreadable: typeof unreadable === 'number' ? unreadable : 0,
    seen: entriesOf(seen, isSeen),
    notified: notified.filter(entry => typeof entry === 'string'),
    ends: entriesOf(ends, isEnd),
    // Absent from records of earlier versions.
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

const isSeen = (value: unknown): value is ObservedState =>
  isRecord(value) &&
  typeof value['state'] === 'string' &&
  typeof value['since'] === 'number' &&
  typeof value['isExact'] === 'boolean';

const isEnd = (value: unknown): value is ServiceEnd =>
  isRecord(value) &&
  isNumber(value['checkedAt']) &&
  isOptional(value['endsAt'], isNumber) &&
  isOptional(value['requestedAt'], isNumber) &&
  isOptional(value['actor'], isText);
