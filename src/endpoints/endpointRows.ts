import type { RowData } from '../host/rows';
import {
  type Translate,
  clockText,
  exactTimeText,
  labelText,
  spanText,
  whenText,
} from '../host/words';
import type { EndpointConnection, EndpointStatus } from '../service/wire/dedicated';
import { type Fleet, type GoneEndpoint, type ListedEndpoint, own } from './fleet';
import {
  type Group,
  type StateLook,
  actorWords,
  eventWords,
  groupWords,
  groups,
  lastStep,
  lookOf,
  serves,
} from './lifecycle';
import { reasonOf } from './notifications';
import { type TimelineEntry, timelineOf } from './timeline';

/** What was read of one endpoint when its row was opened. */
export type Details =
  | { readonly status: EndpointStatus; readonly at: number }
  /** For people. */
  | { readonly failure: string };

export interface RowsInput {
  readonly fleet: Fleet;
  readonly nowMs: number;
  readonly details: ReadonlyMap<string, Details>;
  readonly dismissed: ReadonlySet<string>;
  readonly watched: ReadonlySet<string>;
  /** Events that are shown, by id; {@link eventsPage} otherwise. */
  readonly shownEvents: ReadonlyMap<string, number>;
  readonly t: Translate;
  readonly locale?: string | undefined;
  readonly commands: { readonly moreEvents: string; readonly retry: string };
}

export const eventsPage = 20;
/** So many that are not over stand without groups. */
const mostFlat = 6;
/** From here on an end is near enough to be marked. */
const nearMs = 72 * 3_600_000;

/** What a person calls it; the service gives endpoints no names of their own. */
export function nameOf({ id, modelDisplayName, modelId }: ListedEndpoint): string {
  return labelText(modelDisplayName ?? modelId ?? id);
}

export function groupOf(
  { id, state }: ListedEndpoint,
  dismissed: ReadonlySet<string>,
  t: Translate,
): Group {
  return state === 'failed' && dismissed.has(id) ? 'ended' : lookOf(state, t).group;
}

/** How many need the user. */
export function attentionCount(fleet: Fleet, dismissed: ReadonlySet<string>): number {
  return fleet.endpoints.filter(item => groupOf(item, dismissed, text => text) === 'attention')
    .length;
}

/** The view from top to bottom: by group, newest first, so that nothing moves unless its group changes. */
export function endpointRows(input: RowsInput): RowData[] {
  const { fleet, dismissed, t } = input;
  const byGroup = new Map<Group, ListedEndpoint[]>(groups.map(group => [group, []]));
  for (const endpoint of fleet.endpoints)
    byGroup.get(groupOf(endpoint, dismissed, t))?.push(endpoint);
  for (const members of byGroup.values())
    members.sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
  const alike = countNames(fleet.endpoints);
  const rowsOf = (members: readonly ListedEndpoint[]) =>
    members.map(endpoint => endpointRow(endpoint, alike, input));
  const over = [
    ...rowsOf(byGroup.get('ended') ?? []),
    ...fleet.gone.map(each => goneRow(each, input)),
  ];
  const current = groups.filter(group => group !== 'ended').map(group => byGroup.get(group) ?? []);
  const isFlat = current.reduce((sum, members) => sum + members.length, 0) <= mostFlat;
  const rows = isFlat
    ? current.flatMap(rowsOf)
    : groups.slice(0, -1).flatMap(group => {
        const members = byGroup.get(group) ?? [];
        return members.length === 0 ? [] : [groupRow(group, rowsOf(members), t)];
      });
  return over.length === 0 ? rows : [...rows, groupRow('ended', over, t)];
}

function groupRow(group: Group, children: readonly RowData[], t: Translate): RowData {
  const label = groupWords(group, t);
  return {
    id: `group:${group}`,
    context: ';group;',
    label,
    description: `${children.length}`,
    spoken: t('{0}, {1} endpoints', label, children.length),
    fold: group === 'ended' ? 'closed' : 'open',
    children,
  };
}

/** Of one that the service knows no more; it stays for a while, so that it does not vanish unseen. */
function goneRow({ endpoint, at }: GoneEndpoint, { nowMs, t, locale }: RowsInput): RowData {
  const { id, state } = endpoint;
  const name = nameOf(endpoint);
  const parts = [
    t('No longer listed'),
    t('was: {0}', lookOf(state, t).words),
    whenText(at, nowMs, locale),
  ];
  return {
    id,
    subject: id,
    value: id,
    context: ';gone;dismissable;',
    label: name,
    description: parts.join(' · '),
    tooltip: [
      name,
      t('The service no longer lists this endpoint. It serves no requests.'),
      t('Noticed {0}', exactTimeText(at, locale)),
      labelText(id),
    ].join('\n'),
    spoken: [name, groupWords('ended', t), ...parts].join(', '),
    icon: { id: 'circle-slash', color: 'disabledForeground' },
  };
}

const shownName = (endpoint: ListedEndpoint): string =>
  `${nameOf(endpoint)} · ${endpoint.planName ?? ''}`;

function countNames(endpoints: readonly ListedEndpoint[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const endpoint of endpoints)
    counts.set(shownName(endpoint), (counts.get(shownName(endpoint)) ?? 0) + 1);
  return counts;
}

function endpointRow(
  endpoint: ListedEndpoint,
  alike: ReadonlyMap<string, number>,
  input: RowsInput,
): RowData {
  const { fleet, nowMs, details, watched, dismissed, t, locale } = input;
  const { id, state, planName, modelHardware } = endpoint;
  const look = lookOf(state, t);
  const known = details.get(id);
  const seen = own(fleet.seen, id);
  const endsAt = serves(state) ? own(fleet.ends, id)?.endsAt : undefined;
  const group = groupOf(endpoint, dismissed, t);
  const words = stateWords(look, seen?.since, t, nowMs, seen?.isExact === true, endsAt, locale);
  const plan = planName === undefined ? [] : [labelText(planName, 40)];
  const isAlike = (alike.get(shownName(endpoint)) ?? 0) > 1;
  const shortId = isAlike ? [labelText(id, 80).slice(-8)] : [];
  const name = nameOf(endpoint);
  const isWatchable = look.group === 'starting' || state === 'checkout_pending';
  const flags = [
    'endpoint',
    group,
    ...(serves(state) ? ['serves'] : []),
    ...(isWatchable ? [watched.has(id) ? 'watched' : 'watchable'] : []),
    ...(state === 'failed' && !dismissed.has(id) ? ['dismissable'] : []),
    ...(group === 'ended' ? [] : ['current']),
    ...(state === 'suspended' || state === 'checkout_pending' ? ['billing'] : []),
  ];
  return {
    id,
    subject: id,
    value: id,
    context: `;${flags.join(';')};`,
    label: name,
    description: [...words.short, ...plan, ...shortId].join(' · '),
    tooltip: [
      [name, ...plan].join(' · '),
      words.long.join(', '),
      ...(modelHardware === undefined ? [] : [labelText(modelHardware)]),
      ...(endpoint.createdAt === undefined
        ? []
        : [t('Ordered {0}', exactTimeText(endpoint.createdAt, locale))]),
      ...(endsAt === undefined ? [] : [t('Serves until {0}', exactTimeText(endsAt, locale))]),
      ...(watched.has(id) ? [t('You are told when it is ready.')] : []),
      labelText(id),
    ].join('\n'),
    spoken: [
      name,
      groupWords(group, t),
      ...words.long,
      ...plan,
      ...(watched.has(id) ? [t('watched')] : []),
      ...shortId,
    ].join(', '),
    icon: iconOf(look, group, endsAt, nowMs),
    fold: 'closed',
    children:
      known === undefined
        ? []
        : 'status' in known
          ? detailRows(endpoint, known.status, input)
          : [failureRow(id, known.failure, input)],
  };
}

function iconOf(
  { icon, color }: StateLook,
  group: Group,
  endsAt: number | undefined,
  nowMs: number,
): { id: string; color?: string } {
  if (endsAt !== undefined)
    return endsAt - nowMs < nearMs
      ? { id: 'clock', color: 'problemsWarningIcon.foreground' }
      : { id: 'clock' };
  return group === 'ended' && color === 'testing.iconFailed'
    ? { id: icon, color: 'disabledForeground' }
    : { id: icon, ...(color === undefined ? {} : { color }) };
}

/** `3/7 Preparing GPUs · 4 min`; for screen readers `Step 3 of 7`, and units as words. */
function stateWords(
  { words, step, group, isMoving }: StateLook,
  since: number | undefined,
  t: Translate,
  nowMs: number,
  isExact: boolean,
  endsAt: number | undefined,
  locale: string | undefined,
): { short: string[]; long: string[] } {
  if (endsAt !== undefined) {
    const left = Math.max(0, endsAt - nowMs);
    const on = whenText(endsAt, nowMs, locale);
    return {
      short: [words, t('ends {0} ({1})', on, spanText(left, t))],
      long: [words, t('serves for {0} more, until {1}', spanText(left, t, true), on)],
    };
  }
  const isOnTheWay = step !== undefined && group === 'starting';
  const steps = isOnTheWay ? [t('Step {0} of {1}', step, lastStep)] : [];
  // Side bars are narrow, and the words say more than the number.
  const shortWords = isOnTheWay ? `${step}/${lastStep} ${words}` : words;
  const ageMs = since === undefined ? 0 : nowMs - since;
  if (isMoving && isExact && ageMs >= 60_000)
    return {
      short: [shortWords, spanText(ageMs, t)],
      long: [...steps, words, t('for {0}', spanText(ageMs, t, true))],
    };
  if (group === 'ended' && isExact && since !== undefined && !isMoving)
    return {
      short: [`${words} ${whenText(since, nowMs, locale)}`],
      long: [`${words} ${whenText(since, nowMs, locale)}`],
    };
  return { short: [shortWords], long: [...steps, words] };
}

function failureRow(id: string, failure: string, { commands, t }: RowsInput): RowData {
  return {
    id: `${id}/failure`,
    subject: id,
    context: ';failure;',
    label: t('Not read: {0}', labelText(failure, 200)),
    description: t('Try again'),
    icon: { id: 'warning', color: 'problemsWarningIcon.foreground' },
    command: { id: commands.retry, title: t('Try again'), args: [{ id }] },
  };
}

/** What stands below an endpoint; the state of the list decides, because it is read more often. */
function detailRows(endpoint: ListedEndpoint, status: EndpointStatus, input: RowsInput): RowData[] {
  const { id, state } = endpoint;
  const { t, nowMs, locale } = input;
  const row = (
    key: string,
    label: string,
    description: string,
    icon: string,
    more: Partial<RowData> = {},
  ): RowData => ({
    id: `${id}/${key}`,
    subject: id,
    context: ';detail;',
    label,
    description,
    icon: { id: icon },
    value: description,
    ...more,
  });
  const rows: RowData[] = [];
  const { connection } = status;
  if (serves(state) && status.state === state && connection)
    rows.push({
      ...row(
        'connection',
        t('Connection'),
        labelText(connection.servedModelName ?? '', 60),
        'plug',
        {
          context: ';connection;',
        },
      ),
      fold: 'closed',
      children: connectionRows(connection, row, t),
    });
  const { activationDeadline, cancelEffectiveAt } = status;
  const isStarting = lookOf(state, t).group === 'starting';
  if (activationDeadline !== undefined && isStarting && status.readyAt === undefined)
    rows.push(
      row(
        'deadline',
        t('Activation deadline'),
        leftText(activationDeadline, nowMs, t),
        'watch',
        timed(
          activationDeadline,
          nowMs,
          t('The order is refunded unless the endpoint is ready by then.'),
          t,
          locale,
        ),
      ),
    );
  if (cancelEffectiveAt !== undefined && serves(state))
    rows.push(
      row(
        'ends',
        t('Serves until'),
        t(
          '{0} · {1}',
          whenText(cancelEffectiveAt, nowMs, locale),
          leftText(cancelEffectiveAt, nowMs, t),
        ),
        'watch',
        timed(
          cancelEffectiveAt,
          nowMs,
          t('A cancellation was requested. The endpoint serves until then.'),
          t,
          locale,
        ),
      ),
    );
  if (state === 'failed' || state === 'refunding' || state === 'refunded') {
    const { reason } = reasonOf(status, t);
    if (reason !== undefined)
      rows.push(
        row('reason', t('Reason'), reason, 'info', {
          tooltip: t('The last event before the order ended: {0}', reason),
        }),
      );
  }
  if (status.planName !== undefined || status.reservedGpuEquivalents !== undefined) {
    const gpus = status.reservedGpuEquivalents;
    const parts = [
      ...(status.planName === undefined ? [] : [labelText(status.planName)]),
      ...(gpus === undefined ? [] : [gpus === 1 ? t('1 GPU') : t('{0} GPUs', gpus)]),
      ...(status.modelHardware === undefined ? [] : [labelText(status.modelHardware)]),
    ];
    rows.push(
      row('plan', t('Plan'), parts.join(' · '), 'server', {
        tooltip: [...parts, t('Reserved capacity is billed, also while it is idle.')].join('\n'),
      }),
    );
  }
  if (status.modelId !== undefined)
    rows.push(row('model', t('Model'), labelText(status.modelId), 'symbol-misc'));
  if (status.spendCapCents !== undefined)
    rows.push(row('cap', t('Spend cap'), dollars(status.spendCapCents, locale), 'credit-card'));
  if (status.provisioningStatus !== undefined)
    rows.push(
      row(
        'provisioning',
        t('Provisioning'),
        t('{0} · diagnostic only', labelText(status.provisioningStatus, 40)),
        'beaker',
        {
          value: status.provisioningStatus,
          tooltip: t(
            'It says nothing about payment, suspension or cancellation; the state above does.',
          ),
        },
      ),
    );
  rows.push(timelineRow(endpoint, status, input));
  return rows;
}

type MakeRow = (
  key: string,
  label: string,
  description: string,
  icon: string,
  more?: Partial<RowData>,
) => RowData;

function connectionRows(connection: EndpointConnection, row: MakeRow, t: Translate): RowData[] {
  const { endpointUrl, servedModelName, contextTokens, maxConcurrency, pricePerM } = connection;
  const rows: RowData[] = [];
  if (endpointUrl !== undefined)
    rows.push(row('url', t('URL'), labelText(endpointUrl, 200), 'link', { context: ';url;' }));
  if (servedModelName !== undefined)
    rows.push(
      row('served', t('Model to ask for'), labelText(servedModelName, 120), 'symbol-string', {
        value: servedModelName,
      }),
    );
  if (contextTokens !== undefined)
    rows.push(
      row('context', t('Context'), t('{0} tokens', contextTokens.toLocaleString()), 'book'),
    );
  if (maxConcurrency !== undefined)
    rows.push(row('concurrency', t('Requests at once'), `${maxConcurrency}`, 'layers'));
  if (pricePerM)
    rows.push(
      row(
        'price',
        t('Usage price'),
        t('${0} in, ${1} out per 1M tokens', pricePerM.input, pricePerM.output),
        'tag',
        { tooltip: t('For display of the usage; the bill is for the reserved capacity.') },
      ),
    );
  return rows;
}

function timelineRow(endpoint: ListedEndpoint, status: EndpointStatus, input: RowsInput): RowData {
  const { id, state } = endpoint;
  const { t, shownEvents, commands } = input;
  const count = status.events.length;
  const most = Math.min(count, shownEvents.get(id) ?? eventsPage);
  // Trails can be long; what is not shown is not looked at.
  const children = eventRows(id, status, most, state === status.state, input);
  if (most < count)
    children.push({
      id: `${id}/more`,
      subject: id,
      context: ';more;',
      label: t('Load more…'),
      description: t('{0} of {1}', most, count),
      icon: { id: 'ellipsis' },
      command: { id: commands.moreEvents, title: t('Load more…'), args: [{ id }] },
    });
  return {
    id: `${id}/timeline`,
    subject: id,
    context: ';timeline;',
    label: t('Timeline'),
    description: count === 1 ? t('1 event') : t('{0} events', count),
    icon: { id: 'history' },
    fold: 'closed',
    children,
    ...(status.unreadable > 0
      ? { tooltip: t('{0} events could not be read.', status.unreadable) }
      : {}),
  };
}

interface EventRows {
  readonly key: string;
  readonly rows: readonly RowData[];
  /** The one that tells how long the state of now has lasted, and its place. */
  readonly current: readonly [entry: TimelineEntry, at: number] | undefined;
}

/** Of statuses that are shown: only one row of a trail changes with the minutes. */
const drawnEvents = new WeakMap<EndpointStatus, EventRows>();

function eventRows(
  id: string,
  status: EndpointStatus,
  most: number,
  isNow: boolean,
  input: RowsInput,
): RowData[] {
  const key = `${most} ${isNow} ${new Date(input.nowMs).toDateString()} ${input.locale}`;
  let drawn = drawnEvents.get(status);
  if (drawn?.key !== key) {
    const entries = timelineOf(status.events.slice(status.events.length - most));
    const at = entries.findIndex(({ isCurrent }) => isCurrent);
    const entry = entries[at];
    const rows = entries.map(each => eventRow(id, each, isNow, input));
    drawn = { key, rows, current: entry && [entry, at] };
    drawnEvents.set(status, drawn);
  }
  const rows = [...drawn.rows];
  const { current } = drawn;
  if (current) rows[current[1]] = eventRow(id, current[0], isNow, input);
  return rows;
}

function eventRow(id: string, entry: TimelineEntry, isNow: boolean, input: RowsInput): RowData {
  const { nowMs, t, locale } = input;
  const { toState, eventType, actor, at, lastedMs, isCurrent, isFailure } = entry;
  const look = toState === undefined ? undefined : lookOf(toState, t);
  const event = eventWords(eventType, t);
  const label = look?.words ?? event;
  const span = (isSpoken: boolean): string[] => {
    if (lastedMs !== undefined) return [t('took {0}', spanText(lastedMs, t, isSpoken))];
    if (isCurrent && isNow && look?.isMoving === true && at !== undefined)
      return [t('for {0}', spanText(Math.max(0, nowMs - at), t, isSpoken))];
    return [];
  };
  const by = actor === undefined ? [] : [t('by {0}', actorWords(actor, t))];
  const time = at === undefined ? [] : [timeText(at, nowMs, locale)];
  const icon = isFailure
    ? { id: 'error', color: 'testing.iconFailed' }
    : // Over and done: no spinner in the past.
      {
        id: (look?.icon ?? 'circle-small').replace(
          'loading~spin',
          isCurrent && isNow ? 'loading~spin' : 'circle-filled',
        ),
      };
  return {
    id: `${id}/event/${entry.key}`,
    subject: id,
    context: ';detail;',
    label,
    description: [...time, ...span(false), ...by].join(' · '),
    tooltip: [
      [label, ...(label === event ? [] : [event])].join(' · '),
      ...(at === undefined ? [] : [exactTimeText(at, locale)]),
      ...span(true),
      ...by,
    ].join('\n'),
    spoken: [label, ...time, ...span(true), ...by].join(', '),
    icon,
    value: eventType,
  };
}

/** `14:02`, or with the day in front. */
function timeText(at: number, nowMs: number, locale: string | undefined): string {
  const day = whenText(at, nowMs, locale);
  const clock = clockText(at, locale);
  return day === clock ? clock : `${day}, ${clock}`;
}

function leftText(at: number, nowMs: number, t: Translate): string {
  return at <= nowMs ? t('now') : t('in {0}', spanText(at - nowMs, t));
}

function timed(
  at: number,
  nowMs: number,
  meaning: string,
  t: Translate,
  locale: string | undefined,
): Partial<RowData> {
  return {
    tooltip: `${exactTimeText(at, locale)}\n${meaning}`,
    value: new Date(at).toISOString(),
    spoken: [meaning, at <= nowMs ? t('now') : t('in {0}', spanText(at - nowMs, t, true))].join(
      ' ',
    ),
  };
}

function dollars(cents: number, locale: string | undefined): string {
  return (cents / 100).toLocaleString(locale ?? 'en-US', { style: 'currency', currency: 'USD' });
}
