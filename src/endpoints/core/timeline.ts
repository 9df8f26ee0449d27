import type { EndpointEvent } from '../../service';

/** One lifecycle event, prepared for display. */
export interface TimelineEntry {
  /** Unique within the timeline, and stable across readings. */
  readonly key: string;
  readonly eventType: string;
  /** Absent when the event changed no state. */
  readonly toState?: string | undefined;
  readonly actor?: string | undefined;
  /** ms since the epoch. */
  readonly at?: number | undefined;
  /** Duration of the state that this event began, in milliseconds; absent for the last state and without dates. */
  readonly lastedMs?: number | undefined;
  /** This event began the current state. */
  readonly isCurrent: boolean;
  readonly isFailure: boolean;
}

/** @param events oldest first. @returns newest first. */
export function timelineOf(events: readonly EndpointEvent[]): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  // Counted from the newest, so that loading older events changes no key.
  const seen = new Map<string, number>();
  let next: EndpointEvent | undefined;
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events[at];
    if (!event) continue;
    const changes = event.toState !== undefined;
    const key = event.id ?? `${event.eventType}@${event.createdAt ?? ''}`;
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    entries.push({
      key: count === 0 ? key : `${key}#${count}`,
      eventType: event.eventType,
      toState: event.toState,
      actor: event.actorType,
      at: event.createdAt,
      lastedMs: changes ? between(event.createdAt, next?.createdAt) : undefined,
      isCurrent: changes && next === undefined,
      isFailure: event.toState === 'failed' || event.eventType.endsWith('.failed'),
    });
    if (changes) next = event;
  }
  return entries;
}

/** When the current state began according to the events, ms since the epoch. */
export function stateSince(events: readonly EndpointEvent[]): number | undefined {
  return events.findLast(({ toState }) => toState !== undefined)?.createdAt;
}

function between(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : Math.max(0, to - from);
}
