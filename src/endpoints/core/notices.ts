import { labelText, type Translate } from '../../base/format/text';
import type { EndpointStatus } from '../../service';
import {
  cancellationRequested,
  type EndpointsSnapshot,
  isExpected,
  type ListedEndpoint,
  ownValue,
  type StateChange,
} from './endpointsSnapshot';
import { actorLabel, appearanceOf, eventLabel } from './lifecycle';

export type NotificationLevel = 'all' | 'attention' | 'off';

/** A change that the user is notified of, once. */
export interface Notice {
  readonly kind:
    | 'ready'
    | 'failed'
    | 'suspended'
    /** A cancellation was requested; the endpoint serves until `endsAt`. */
    | 'canceling'
    /** It stops serving within a day. */
    | 'ends'
    | 'refunding'
    | 'refunded'
    | 'canceled'
    /** The service no longer knows the endpoint. */
    | 'gone';
  readonly endpoint: ListedEndpoint;
  /** Set for `ends` and `canceling`, ms since the epoch. */
  readonly endsAt?: number;
  /** Reason, if the service gives one. */
  readonly reason?: string;
  /** Who canceled it, if the service says so. */
  readonly by?: string;
}

export interface NoticeInput {
  readonly snapshot: EndpointsSnapshot;
  readonly changes: readonly StateChange[];
  /** When the previous state was read, ms since the epoch; without it no change is reported. */
  readonly beforeAt: number | undefined;
  readonly nowMs: number;
  readonly level: NotificationLevel;
  /** Ids of the endpoints that the user watches. */
  readonly watched: ReadonlySet<string>;
  /** Statuses of endpoints that have ended, by id. */
  readonly statuses: ReadonlyMap<string, EndpointStatus>;
  readonly t: Translate;
}

const dayMs = 24 * 3_600_000;

/**
 * Notices for the changes since the previous reading. Each change is reported once: the
 * returned snapshot lists them in `notified`, and it is stored before anything is shown.
 */
export function noticesOf(input: NoticeInput): {
  notices: readonly Notice[];
  snapshot: EndpointsSnapshot;
} {
  const { snapshot, changes, beforeAt, nowMs, level } = input;
  if (level === 'off') return { notices: [], snapshot };
  const notified = new Set(snapshot.notified);
  // An endpoint that serves again may be suspended again, and the other way round.
  for (const { endpoint } of changes) {
    const before = opposites.get(endpoint.state);
    if (before) notified.delete(`${endpoint.id} ${before}`);
  }
  const notices: Notice[] = [];
  const add = (notice: Notice): void => {
    const entry = `${notice.endpoint.id} ${notice.kind}`;
    if (notified.has(entry)) return;
    notified.add(entry);
    notices.push(notice);
  };
  // Changes from days when nothing was read are not worth a notification.
  const isRecent = beforeAt !== undefined && nowMs - beforeAt < dayMs;
  for (const move of isRecent ? changes : []) {
    const notice = noticeOf(move, input);
    if (notice) add(notice);
  }
  for (const endpoint of snapshot.endpoints) {
    const { id } = endpoint;
    const { endsAt, requestedAt, actor } = ownValue(snapshot.ends, id) ?? {};
    if (endpoint.state !== 'ready' || endsAt === undefined || endsAt <= nowMs) continue;
    const isNear = endsAt - nowMs < dayMs;
    const isNews =
      !notified.has(`${id} canceling`) &&
      requestedAt !== undefined &&
      nowMs - requestedAt < dayMs &&
      isRecent &&
      !isExpected(snapshot, id, requestedAt);
    if (isNews) {
      add({ kind: 'canceling', endpoint, endsAt, ...actorPart(actor, input.t) });
      // The message already names the end.
      if (isNear) notified.add(`${id} ends`);
    } else {
      notified.add(`${id} canceling`);
      if (isNear) add({ kind: 'ends', endpoint, endsAt });
    }
  }
  for (const { endpoint, at } of snapshot.gone) {
    if (isRecent && !isExpected(snapshot, endpoint.id, at)) add({ kind: 'gone', endpoint });
    else notified.add(`${endpoint.id} gone`);
  }
  const isSame =
    notified.size === snapshot.notified.length &&
    snapshot.notified.every(entry => notified.has(entry));
  return { notices, snapshot: isSame ? snapshot : { ...snapshot, notified: [...notified] } };
}

const opposites: ReadonlyMap<string, Notice['kind']> = new Map<string, Notice['kind']>([
  ['ready', 'suspended'],
  ['suspended', 'ready'],
]);

function noticeOf(
  { endpoint, from }: StateChange,
  { snapshot, level, watched, statuses, nowMs, t }: NoticeInput,
): Notice | undefined {
  const { id, state, readyAt } = endpoint;
  const status = statuses.get(id);
  switch (state) {
    case 'ready': {
      const isOld = from !== 'suspended' && readyAt !== undefined && nowMs - readyAt >= dayMs;
      return (level === 'all' || watched.has(id)) && !isOld
        ? { kind: 'ready', endpoint }
        : undefined;
    }
    case 'failed':
      return { kind: 'failed', endpoint, ...endReason(status, t) };
    case 'suspended':
      return { kind: 'suspended', endpoint };
    case 'refunding':
    case 'refunded':
    case 'canceled': {
      const request = status?.events.findLast(
        ({ eventType }) => eventType === cancellationRequested,
      );
      // The preceding step was reported, or was the user's own action.
      const isKnown =
        (state === 'refunded' && from === 'refunding') ||
        (state === 'canceled' && snapshot.notified.includes(`${id} canceling`));
      if (isKnown || isExpected(snapshot, id, request?.createdAt ?? nowMs)) return undefined;
      return request
        ? { kind: state, endpoint, ...actorPart(request.actorType, t) }
        : { kind: state, endpoint, ...endReason(status, t) };
    }
    default:
      return undefined;
  }
}

const actorPart = (actor: string | undefined, t: Translate): { by?: string } =>
  actor === undefined ? {} : { by: actorLabel(actor, t) };

/** The last event says why an order has ended (service document, `failureCode`). */
export function endReason(status: EndpointStatus | undefined, t: Translate): { reason?: string } {
  if (!status) return {};
  if (status.failureCode !== undefined) return { reason: labelText(status.failureCode, 60) };
  const failure =
    status.events.findLast(({ eventType }) => eventType.endsWith('.failed')) ??
    status.events.at(-1);
  return failure ? { reason: eventLabel(failure.eventType, t) } : {};
}

/** One message for all simultaneous notices of a kind. */
export interface NoticeGroup {
  readonly kind: Notice['kind'];
  readonly text: string;
  readonly ids: readonly string[];
}

/** @param when formats a date for the user. */
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
        ? noticeText(only, nameOf(only.endpoint), when, t)
        : groupText(kind, all.length, t);
    return { kind, text, ids };
  });
}

function noticeText(
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
      return t('The endpoint {0} serves only until {1}.', name, when(endsAt ?? 0));
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
        appearanceOf(endpoint.state, t).label,
      );
    default:
      return by === undefined
        ? t('The endpoint {0} was canceled{1} and no longer serves requests.', name, because)
        : t('The endpoint {0} was canceled by {1} and no longer serves requests.', name, by);
  }
}

function groupText(kind: Notice['kind'], count: number, t: Translate): string {
  switch (kind) {
    case 'ready':
      return t('{0} endpoints are ready.', count);
    case 'failed':
      return t('{0} endpoints have failed.', count);
    case 'suspended':
      return t('{0} endpoints are suspended. Check the billing of the account.', count);
    case 'canceling':
      return t('{0} endpoints were canceled. They serve until their end dates.', count);
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
