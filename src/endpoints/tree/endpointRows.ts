import { labelText, type Translate } from '../../base/format/text';
import { exactTimeText, spanText, whenText } from '../../base/format/times';
import { endpointName } from '../../contracts/endpointName';
import { contextValue } from '../../platform/commands/contextValue';
import type { RowData } from '../../platform/tree/rows';
import {
  type EndpointsSnapshot,
  type GoneEndpoint,
  type ListedEndpoint,
  ownValue,
} from '../core/endpointsSnapshot';
import {
  appearanceOf,
  type EndpointGroup,
  endpointGroups,
  groupLabel,
  isServing,
  lastStep,
  type StateAppearance,
} from '../core/lifecycle';
import { detailRows } from './detailRows';
import type { EndpointFlag } from './endpointFlag';
import type { EndpointRowsInput } from './rowsInput';

/** Up to this many active endpoints are listed without group headers. */
const maxUngrouped = 6;
/** An end within this time is marked as a warning, in milliseconds. */
const endsSoonMs = 72 * 3_600_000;

export function endpointGroupOf(
  { id, state }: ListedEndpoint,
  dismissed: ReadonlySet<string>,
  t: Translate,
): EndpointGroup {
  return state === 'failed' && dismissed.has(id) ? 'ended' : appearanceOf(state, t).group;
}

/** Number of endpoints that need the user's attention. */
export function attentionCount(
  snapshot: EndpointsSnapshot,
  dismissed: ReadonlySet<string>,
): number {
  return snapshot.endpoints.filter(
    item => endpointGroupOf(item, dismissed, text => text) === 'attention',
  ).length;
}

/** The rows of the view by group, newest first, so that a row moves only if its group changes. */
export function endpointRows(input: EndpointRowsInput): RowData[] {
  const { snapshot, dismissed, t } = input;
  const byGroup = new Map<EndpointGroup, ListedEndpoint[]>(
    endpointGroups.map(group => [group, []]),
  );
  for (const endpoint of snapshot.endpoints) {
    byGroup.get(endpointGroupOf(endpoint, dismissed, t))?.push(endpoint);
  }
  for (const members of byGroup.values()) {
    members.sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
  }
  const alike = countNames(snapshot.endpoints);
  const rowsOf = (members: readonly ListedEndpoint[]) =>
    members.map(endpoint => endpointRow(endpoint, alike, input));
  const over = [
    ...rowsOf(byGroup.get('ended') ?? []),
    ...snapshot.gone.map(each => goneRow(each, input)),
  ];
  const current = endpointGroups
    .filter(group => group !== 'ended')
    .map(group => byGroup.get(group) ?? []);
  const isFlat = current.reduce((sum, members) => sum + members.length, 0) <= maxUngrouped;
  const rows = isFlat
    ? current.flatMap(rowsOf)
    : endpointGroups.slice(0, -1).flatMap(group => {
        const members = byGroup.get(group) ?? [];
        return members.length === 0 ? [] : [groupRow(group, rowsOf(members), t)];
      });
  return over.length === 0 ? rows : [...rows, groupRow('ended', over, t)];
}

function groupRow(group: EndpointGroup, children: readonly RowData[], t: Translate): RowData {
  const label = groupLabel(group, t);
  return {
    id: `group:${group}`,
    context: contextValue<EndpointFlag>('group'),
    label,
    description: `${children.length}`,
    spoken: t(
      children.length === 1 ? '{0}, 1 endpoint' : '{0}, {1} endpoints',
      label,
      children.length,
    ),
    fold: group === 'ended' ? 'closed' : 'open',
    children,
  };
}

/** Row of an endpoint that is no longer listed; it is kept for a while so that it does not vanish unnoticed. */
function goneRow({ endpoint, at }: GoneEndpoint, { nowMs, t, locale }: EndpointRowsInput): RowData {
  const { id, state } = endpoint;
  const name = endpointName(endpoint);
  const parts = [
    t('No longer listed'),
    t('was: {0}', appearanceOf(state, t).label),
    whenText(at, nowMs, locale),
  ];
  return {
    id,
    subject: id,
    value: id,
    context: contextValue<EndpointFlag>('gone', 'dismissable'),
    label: name,
    description: parts.join(' · '),
    tooltip: [
      name,
      t('The service no longer lists this endpoint. It serves no requests.'),
      t('Noticed {0}', exactTimeText(at, locale)),
      labelText(id),
    ].join('\n'),
    spoken: [name, groupLabel('ended', t), ...parts].join(', '),
    icon: { id: 'circle-slash', color: 'disabledForeground' },
  };
}

const shownName = (endpoint: ListedEndpoint): string =>
  `${endpointName(endpoint)} · ${endpoint.planName ?? ''}`;

function countNames(endpoints: readonly ListedEndpoint[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const endpoint of endpoints) {
    counts.set(shownName(endpoint), (counts.get(shownName(endpoint)) ?? 0) + 1);
  }
  return counts;
}

function endpointRow(
  endpoint: ListedEndpoint,
  alike: ReadonlyMap<string, number>,
  input: EndpointRowsInput,
): RowData {
  const { snapshot, nowMs, details, watched, dismissed, t, locale } = input;
  const { id, state, planName, modelHardware } = endpoint;
  const look = appearanceOf(state, t);
  const known = details.get(id);
  const seen = ownValue(snapshot.seen, id);
  const endsAt = isServing(state) ? ownValue(snapshot.ends, id)?.endsAt : undefined;
  const group = endpointGroupOf(endpoint, dismissed, t);
  const stateParts = stateText(look, seen?.since, t, nowMs, seen?.isExact === true, endsAt, locale);
  const plan = planName === undefined ? [] : [labelText(planName, 40)];
  const isAlike = (alike.get(shownName(endpoint)) ?? 0) > 1;
  const shortId = isAlike ? [labelText(id, 80).slice(-8)] : [];
  const name = endpointName(endpoint);
  const groupName = groupLabel(group, t);
  const isWatchable = look.group === 'starting' || state === 'checkout_pending';
  const flags: [EndpointFlag, ...EndpointFlag[]] = ['endpoint', group];
  if (isServing(state)) flags.push('serves');
  if (isWatchable) flags.push(watched.has(id) ? 'watched' : 'watchable');
  if (state === 'failed' && !dismissed.has(id)) flags.push('dismissable');
  if (group !== 'ended') flags.push('current');
  if (state === 'suspended' || state === 'checkout_pending') flags.push('billing');
  return {
    id,
    subject: id,
    value: id,
    context: contextValue(...flags),
    label: name,
    description: [
      ...stateParts.short,
      ...(flags.includes('watched') ? [t('watched')] : []),
      ...plan,
      ...shortId,
    ].join(' · '),
    tooltip: [
      [name, ...plan].join(' · '),
      stateParts.long.join(', '),
      ...(modelHardware === undefined ? [] : [labelText(modelHardware)]),
      ...(endpoint.createdAt === undefined
        ? []
        : [t('Ordered {0}', exactTimeText(endpoint.createdAt, locale))]),
      ...(endsAt === undefined ? [] : [t('Serves until {0}', exactTimeText(endsAt, locale))]),
      ...(watched.has(id) ? [t('You will be notified when it is ready.')] : []),
      labelText(id),
    ].join('\n'),
    spoken: [
      name,
      // A group is often named as its only state.
      ...(stateParts.long.includes(groupName) ? [] : [groupName]),
      ...stateParts.long,
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
  { icon, color }: StateAppearance,
  group: EndpointGroup,
  endsAt: number | undefined,
  nowMs: number,
): { id: string; color?: string } {
  if (endsAt !== undefined) {
    return endsAt - nowMs < endsSoonMs
      ? { id: 'clock', color: 'problemsWarningIcon.foreground' }
      : { id: 'clock' };
  }
  return group === 'ended' && color === 'testing.iconFailed'
    ? { id: icon, color: 'disabledForeground' }
    : { id: icon, ...(color === undefined ? {} : { color }) };
}

/** `3/7 Preparing GPUs · 4 min`; for screen readers `Step 3 of 7`, with spelled-out units. */
function stateText(
  { label, step, group, isTransitional }: StateAppearance,
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
      short: [label, t('ends {0} ({1})', on, spanText(left, t))],
      long: [label, t('serves for {0} more, until {1}', spanText(left, t, true), on)],
    };
  }
  const isOnTheWay = step !== undefined && group === 'starting';
  const steps = isOnTheWay ? [t('Step {0} of {1}', step, lastStep)] : [];
  // Side bars are narrow, and the label says more than the number.
  const shortWords = isOnTheWay ? `${step}/${lastStep} ${label}` : label;
  const ageMs = since === undefined ? 0 : nowMs - since;
  if (isTransitional && isExact && ageMs >= 60_000) {
    return {
      short: [shortWords, spanText(ageMs, t)],
      long: [...steps, label, t('for {0}', spanText(ageMs, t, true))],
    };
  }
  if (group === 'ended' && isExact && since !== undefined && !isTransitional) {
    return {
      short: [`${label} ${whenText(since, nowMs, locale)}`],
      long: [`${label} ${whenText(since, nowMs, locale)}`],
    };
  }
  return { short: [shortWords], long: [...steps, label] };
}

function failureRow(id: string, failure: string, { commands, t }: EndpointRowsInput): RowData {
  return {
    id: `${id}/failure`,
    subject: id,
    context: contextValue<EndpointFlag>('failure'),
    label: t('Not read: {0}', labelText(failure, 200)),
    description: t('Try again'),
    icon: { id: 'warning', color: 'problemsWarningIcon.foreground' },
    command: { id: commands.retry, title: t('Try again'), args: [{ id }] },
  };
}
