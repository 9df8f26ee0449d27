import type { ErrorKind } from './errors';

const fullBudget = 10;
const refund = 0.1;

/** Longest time for which one answer may close the gate of an origin. */
const longestGateMs = 600_000;

/**
 * What all calls to one origin share: a retry budget, so that an outage is not answered with
 * a storm, and a gate, so that 1,000 queued calls meet one 429 and not 1,000.
 */
export class OriginState {
  #tokens = fullBudget;
  #openAt = 0;

  /** Takes the price of one retry; `false` means that too many have failed lately. */
  takeRetry(kind: ErrorKind): boolean {
    const price = kind === 'timeout' ? 2 : 1;
    if (this.#tokens < price) return false;
    this.#tokens -= price;
    return true;
  }

  succeeded(): void {
    this.#tokens = Math.min(fullBudget, this.#tokens + refund);
  }

  /** @param nowMs monotonic. */
  pause(ms: number, nowMs: number): void {
    this.#openAt = Math.max(this.#openAt, nowMs + Math.min(ms, longestGateMs));
  }

  /** ms until calls may start; 0 when open. */
  closedForMs(nowMs: number): number {
    return Math.max(0, this.#openAt - nowMs);
  }
}
