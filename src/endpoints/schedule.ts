import { type Fleet, isMoving, own } from './fleet';
import { factsOf } from './lifecycle';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** ms between two readings by the time that an endpoint has been in a state on the way. */
const steps = [
  { untilMs: 30 * minuteMs, lookedMs: 15_000, elseMs: 60_000 },
  { untilMs: 2 * hourMs, lookedMs: 30_000, elseMs: 120_000 },
  { untilMs: 24 * hourMs, lookedMs: 60_000, elseMs: 300_000 },
] as const;

/** With endpoints that only serve, or do not move for a day: while somebody looks. */
const settledMs = 300_000;

/** After the dashboard was opened from here: a payment or a cancellation shows soon. */
export const hurry = { everyMs: 5000, forMs: 3 * minuteMs } as const;

/**
 * ms between two readings of the list; undefined: none. Short early in each state, because the wait for
 * the end of a long state is the same wherever the step is, and longer ones cost less.
 */
export function everyMs(
  fleet: Fleet | undefined,
  nowMs: number,
  isLooked: boolean,
): number | undefined {
  if (!fleet) return isLooked ? settledMs : undefined;
  let shortest: number | undefined;
  for (const endpoint of fleet.endpoints) {
    if (!isMoving(endpoint)) continue;
    const ageMs = Math.max(0, nowMs - (own(fleet.seen, endpoint.id)?.since ?? nowMs));
    const step = steps.find(({ untilMs }) => ageMs < untilMs);
    if (!step) continue;
    const every = isLooked ? step.lookedMs : step.elseMs;
    shortest = Math.min(shortest ?? every, every);
  }
  if (shortest !== undefined) return shortest;
  const isAllOver = fleet.endpoints.every(({ state }) => factsOf(state).group === 'ended');
  return isLooked && !isAllOver ? settledMs : undefined;
}
