import { type EndpointsSnapshot, isTransitional, ownValue } from './endpointsSnapshot';
import { stateFactsOf } from './lifecycle';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** With the delays of the poller, a change is noticed within a minute. */
const steadyMs = 50_000;

/** Poll intervals by the time that an endpoint has been in a transitional state. */
const steps = [
  { untilMs: 30 * minuteMs, visibleMs: 15_000 },
  { untilMs: 2 * hourMs, visibleMs: 30_000 },
  { untilMs: 24 * hourMs, visibleMs: steadyMs },
] as const;

/** While the view is visible and no endpoint changes, or none has changed for a day. */
const idleIntervalMs = 300_000;

/** After the dashboard was opened: a payment or a cancellation takes effect soon. */
export const dashboardPolling = { intervalMs: 5000, forMs: 3 * minuteMs } as const;

/**
 * Milliseconds between two readings of the list; undefined: no polling. While an endpoint serves, somebody else can
 * cancel it at any time, and one that is suspended serves again once it is paid for.
 */
export function endpointsPollIntervalMs(
  snapshot: EndpointsSnapshot | undefined,
  nowMs: number,
  isVisible: boolean,
): number | undefined {
  if (!snapshot) return isVisible ? idleIntervalMs : undefined;
  let shortest: number | undefined;
  for (const endpoint of snapshot.endpoints) {
    let every: number | undefined;
    if (isTransitional(endpoint)) {
      const ageMs = Math.max(0, nowMs - (ownValue(snapshot.seen, endpoint.id)?.since ?? nowMs));
      const step = steps.find(({ untilMs }) => ageMs < untilMs);
      every = step && (isVisible ? step.visibleMs : steadyMs);
    } else if (endpoint.state === 'ready' || endpoint.state === 'suspended') every = steadyMs;
    if (every !== undefined) shortest = Math.min(shortest ?? every, every);
  }
  if (shortest !== undefined) return shortest;
  const isAllOver = snapshot.endpoints.every(({ state }) => stateFactsOf(state).group === 'ended');
  return isVisible && !isAllOver ? idleIntervalMs : undefined;
}
