import { eventsText } from '../../base/format/counts';
import { exactTimeText, recentTimeText, spanText } from '../../base/format/times';
import { contextValue } from '../../platform/commands/contextValue';
import type { RowData } from '../../platform/tree/rows';
import type { EndpointStatus } from '../../service';
import type { ListedEndpoint } from '../core/endpointsSnapshot';
import { actorLabel, appearanceOf, eventLabel } from '../core/lifecycle';
import { type TimelineEntry, timelineOf } from '../core/timeline';
import type { EndpointFlag } from './endpointFlag';
import type { EndpointRowsInput } from './rowsInput';

export const eventsPageSize = 20;

export function timelineRow(
  endpoint: ListedEndpoint,
  status: EndpointStatus,
  input: EndpointRowsInput,
): RowData {
  const { id, state } = endpoint;
  const { t, shownEvents, commands } = input;
  const count = status.events.length;
  const most = Math.min(count, shownEvents.get(id) ?? eventsPageSize);
  // Timelines can be long, so events that are not shown are not processed.
  const children = eventRows(id, status, most, state === status.state, input);
  if (most < count) {
    children.push({
      id: `${id}/more`,
      subject: id,
      context: contextValue<EndpointFlag>('more'),
      label: t('Load more…'),
      description: t('{0} of {1}', most, count),
      icon: { id: 'ellipsis' },
      command: { id: commands.moreEvents, title: t('Load more…'), args: [{ id }] },
    });
  }
  return {
    id: `${id}/timeline`,
    subject: id,
    context: contextValue<EndpointFlag>('timeline'),
    label: t('Timeline'),
    description: eventsText(count, t),
    icon: { id: 'history' },
    fold: 'closed',
    children,
    ...(status.unreadable > 0
      ? {
          tooltip: t(
            status.unreadable === 1
              ? '1 event could not be read.'
              : '{0} events could not be read.',
            status.unreadable,
          ),
        }
      : {}),
  };
}

interface EventRows {
  readonly key: string;
  readonly rows: readonly RowData[];
  /** The event that began the current state, and its index. */
  readonly current: readonly [entry: TimelineEntry, at: number] | undefined;
}

/** Rows by status: only the current event's row changes with time, so the others are reused. */
const drawnEvents = new WeakMap<EndpointStatus, EventRows>();

function eventRows(
  id: string,
  status: EndpointStatus,
  most: number,
  isNow: boolean,
  input: EndpointRowsInput,
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

function eventRow(
  id: string,
  entry: TimelineEntry,
  isNow: boolean,
  input: EndpointRowsInput,
): RowData {
  const { nowMs, t, locale } = input;
  const { toState, eventType, actor, at, lastedMs, isCurrent, isFailure } = entry;
  const look = toState === undefined ? undefined : appearanceOf(toState, t);
  const event = eventLabel(eventType, t);
  const label = look?.label ?? event;
  const span = (isSpoken: boolean): string[] => {
    if (lastedMs !== undefined) return [t('took {0}', spanText(lastedMs, t, isSpoken))];
    if (isCurrent && isNow && look?.isTransitional === true && at !== undefined) {
      return [t('for {0}', spanText(Math.max(0, nowMs - at), t, isSpoken))];
    }
    return [];
  };
  const by = actor === undefined ? [] : [t('by {0}', actorLabel(actor, t))];
  const time = at === undefined ? [] : [recentTimeText(at, nowMs, locale)];
  const icon = isFailure
    ? { id: 'error', color: 'testing.iconFailed' }
    : // Past states show no spinner.
      {
        id: (look?.icon ?? 'circle-small').replace(
          'loading~spin',
          isCurrent && isNow ? 'loading~spin' : 'circle-filled',
        ),
      };
  return {
    id: `${id}/event/${entry.key}`,
    subject: id,
    context: contextValue<EndpointFlag>('detail'),
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
