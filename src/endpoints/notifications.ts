import { type Translate, labelText } from '../host/words';
import type { EndpointStatus } from '../service/wire/dedicated';
import {
  type Fleet,
  type ListedEndpoint,
  type Move,
  cancellationRequested,
  isExpected,
  own,
} from './fleet';
import { actorWords, eventWords, lookOf } from './lifecycle';

export type NotificationLevel = 'all' | 'attention' | 'off';

/** Something that is worth an interruption, once. */
export interface Notice {
  readonly kind:
    | 'ready'
    | 'failed'
    | 'suspended'
    /** A cancellation was requested; it serves on until `endsAt`. */
    | 'canceling'
    /** It stops serving within a day. */
    | 'ends'
    | 'refunding'
    | 'refunded'
    | 'canceled'
    /** The service knows it no more. */
    | 'gone';
  readonly endpoint: ListedEndpoint;
  /** Of `ends` and `canceling`, ms since the epoch. */
  readonly endsAt?: number;
  /** Why, where the service tells. */
  readonly reason?: string;
  /** Who canceled it, where the service tells. */
  readonly by?: string;
}

export interface NoticeInput {
  readonly fleet: Fleet;
  readonly moves: readonly Move[];
  /** When the state before was read, ms since the epoch; without it nothing is known to have changed. */
  readonly beforeAt: number | undefined;
  readonly nowMs: number;
  readonly level: NotificationLevel;
  /** Ids that the user wants to be told of. */
  readonly watched: ReadonlySet<string>;
  /** Of endpoints that have moved to an end, by id. */
  readonly statuses: ReadonlyMap<string, EndpointStatus>;
  readonly t: Translate;
}

const dayMs = 24 * 3_600_000;

/**
 * What to tell, by the moves since the reading before. Each endpoint and kind comes once: what is
 * returned stands in `told` of the fleet, which is kept before anything is shown.
 */
export function noticesOf(input: NoticeInput): { notices: readonly Notice[]; fleet: Fleet } {
  const { fleet, moves, beforeAt, nowMs, level } = input;
  if (level === 'off') return { notices: [], fleet };
  const told = new Set(fleet.told);
  const notices: Notice[] = [];
  const tell = (notice: Notice): void => {
    const entry = `${notice.endpoint.id} ${notice.kind}`;
    if (told.has(entry)) return;
    told.add(entry);
    notices.push(notice);
  };
  // Moves of days in which nobody looked are history.
  const isRecent = beforeAt !== undefined && nowMs - beforeAt < dayMs;
  for (const move of isRecent ? moves : []) {
    const notice = ofMove(move, input);
    if (notice) tell(notice);
  }
  for (const endpoint of fleet.endpoints) {
    const { id } = endpoint;
    const { endsAt, requestedAt, actor } = own(fleet.ends, id) ?? {};
    if (endpoint.state !== 'ready' || endsAt === undefined || endsAt <= nowMs) continue;
    const isNear = endsAt - nowMs < dayMs;
    const isNews =
      !told.has(`${id} canceling`) &&
      requestedAt !== undefined &&
      nowMs - requestedAt < dayMs &&
      isRecent &&
      !isExpected(fleet, id, requestedAt);
    if (isNews) {
      tell({ kind: 'canceling', endpoint, endsAt, ...byOf(actor, input.t) });
      // It names the end already.
      if (isNear) told.add(`${id} ends`);
    } else {
      told.add(`${id} canceling`);
      if (isNear) tell({ kind: 'ends', endpoint, endsAt });
    }
  }
  for (const { endpoint, at } of fleet.gone)
    if (isRecent && !isExpected(fleet, endpoint.id, at)) tell({ kind: 'gone', endpoint });
    else told.add(`${endpoint.id} gone`);
  return {
    notices,
    fleet: told.size === fleet.told.length ? fleet : { ...fleet, told: [...told] },
  };
}

function ofMove(
  { endpoint, from }: Move,
  { fleet, level, watched, statuses, nowMs, t }: NoticeInput,
): Notice | undefined {
  const { id, state, readyAt } = endpoint;
  const status = statuses.get(id);
  switch (state) {
    case 'ready': {
      const isOld = readyAt !== undefined && nowMs - readyAt >= dayMs;
      return (level === 'all' || watched.has(id)) && !isOld
        ? { kind: 'ready', endpoint }
        : undefined;
    }
    case 'failed':
      return { kind: 'failed', endpoint, ...reasonOf(status, t) };
    case 'suspended':
      return { kind: 'suspended', endpoint };
    case 'refunding':
    case 'refunded':
    case 'canceled': {
      const request = status?.events.findLast(
        ({ eventType }) => eventType === cancellationRequested,
      );
      // Whatever came before it in a row was told, or was the user's own doing.
      const isKnown =
        (state === 'refunded' && from === 'refunding') ||
        (state === 'canceled' && fleet.told.includes(`${id} canceling`));
      if (isKnown || isExpected(fleet, id, request?.createdAt ?? nowMs)) return undefined;
      return request
        ? { kind: state, endpoint, ...byOf(request.actorType, t) }
        : { kind: state, endpoint, ...reasonOf(status, t) };
    }
    default:
      return undefined;
  }
}

const byOf = (actor: string | undefined, t: Translate): { by?: string } =>
  actor === undefined ? {} : { by: actorWords(actor, t) };

/** The last event tells why an order has ended (service document, `failureCode`). */
export function reasonOf(status: EndpointStatus | undefined, t: Translate): { reason?: string } {
  if (!status) return {};
  if (status.failureCode !== undefined) return { reason: labelText(status.failureCode, 60) };
  const failure =
    status.events.findLast(({ eventType }) => eventType.endsWith('.failed')) ??
    status.events.at(-1);
  return failure ? { reason: eventWords(failure.eventType, t) } : {};
}

/** One message for all notices of a kind that come at once. */
export interface NoticeGroup {
  readonly kind: Notice['kind'];
  readonly text: string;
  readonly ids: readonly string[];
}

/** @param when a date for people. */
export function groupNotices(
  notices: readonly Notice[],
  nameOf: (endpoint: ListedEndpoint) => string,
  when: (ms: number) => string,
  t: Translate,
): NoticeGroup[] {
  const kinds = new Map<Notice['kind'], Notice[]>();
  for (const notice of notices) kinds.set(notice.kind, [...(kinds.get(notice.kind) ?? []), notice]);
  return [...kinds].map(([kind, all]) => {
    const ids = all.map(({ endpoint }) => endpoint.id);
    const [only] = all;
    const text =
      all.length === 1 && only
        ? one(only, nameOf(only.endpoint), when, t)
        : several(kind, all.length, t);
    return { kind, text, ids };
  });
}

function one(
  { kind, endpoint, endsAt, reason, by }: Notice,
  name: string,
  when: (ms: number) => string,
  t: Translate,
): string {
  const because = reason === undefined ? '' : ` (${reason})`;
  switch (kind) {
    case 'ready':
      return t('The endpoint {0} is ready.', name);
    case 'failed':
      return t('The endpoint {0} has failed{1}.', name, because);
    case 'suspended':
      return t('The endpoint {0} is suspended. Check the billing of the account.', name);
    case 'canceling':
      return by === undefined
        ? t('The endpoint {0} was canceled. It serves until {1}.', name, when(endsAt ?? 0))
        : t(
            'The endpoint {0} was canceled by {1}. It serves until {2}.',
            name,
            by,
            when(endsAt ?? 0),
          );
    case 'ends':
      return t('The endpoint {0} serves until {1} only.', name, when(endsAt ?? 0));
    case 'refunding':
      return by === undefined
        ? t('The order of the endpoint {0} is being refunded{1}.', name, because)
        : t('The endpoint {0} was canceled by {1}. The order is being refunded.', name, by);
    case 'refunded':
      return by === undefined
        ? t('The order of the endpoint {0} was refunded{1}.', name, because)
        : t('The endpoint {0} was canceled by {1}. The order was refunded.', name, by);
    case 'gone':
      return t(
        'The service no longer lists the endpoint {0}. Its last state was: {1}.',
        name,
        lookOf(endpoint.state, t).words,
      );
    default:
      return by === undefined
        ? t('The endpoint {0} was canceled{1} and does not serve any more.', name, because)
        : t('The endpoint {0} was canceled by {1} and does not serve any more.', name, by);
  }
}

function several(kind: Notice['kind'], count: number, t: Translate): string {
  switch (kind) {
    case 'ready':
      return t('{0} endpoints are ready.', count);
    case 'failed':
      return t('{0} endpoints have failed.', count);
    case 'suspended':
      return t('{0} endpoints are suspended. Check the billing of the account.', count);
    case 'canceling':
      return t('{0} endpoints were canceled. They serve until their ends.', count);
    case 'ends':
      return t('{0} endpoints stop serving within a day.', count);
    case 'refunding':
      return t('The orders of {0} endpoints are being refunded.', count);
    case 'refunded':
      return t('The orders of {0} endpoints were refunded.', count);
    case 'gone':
      return t('The service no longer lists {0} endpoints that were here.', count);
    default:
      return t('{0} endpoints were canceled.', count);
  }
}
