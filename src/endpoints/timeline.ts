import type { EndpointEvent } from '../service/wire/dedicated';

/** One event of the lifecycle trail. */
export interface TimelineEntry {
  /** Unique in its trail, and the same at each reading. */
  readonly key: string;
  readonly eventType: string;
  /** Absent when the event changed no state. */
  readonly toState?: string | undefined;
  readonly actor?: string | undefined;
  /** ms since the epoch. */
  readonly at?: number | undefined;
  /** How long the state that it began lasted, ms; absent for the last one and without dates. */
  readonly lastedMs?: number | undefined;
  /** It began the state of now. */
  readonly isCurrent: boolean;
  readonly isFailure: boolean;
}

/** @param events oldest first. @returns newest first. */
export function timelineOf(events: readonly EndpointEvent[]): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  // Counted from the newest, so that showing more of a trail changes no key.
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

/** When the state of now began, ms since the epoch; by the trail. */
export function stateSince(events: readonly EndpointEvent[]): number | undefined {
  return events.findLast(({ toState }) => toState !== undefined)?.createdAt;
}

function between(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : Math.max(0, to - from);
}
