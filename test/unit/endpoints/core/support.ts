import {
  type EndpointsSnapshot,
  mergeList,
} from '../../../../src/endpoints/core/endpointsSnapshot';
import type {
  EndpointEvent,
  EndpointStatus,
  EndpointSummary,
} from '../../../../src/service/wire/dedicated';

export const startMs = Date.UTC(2026, 10, 20, 12);
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** As `vscode.l10n.t` does without a translation. */
export { english as t } from '../../../../src/base/sentence';

export function endpoint(
  id: string,
  state: string,
  more: Partial<EndpointSummary> = {},
): EndpointSummary {
  return {
    id,
    state,
    createdAt: startMs - hourMs,
    modelId: 'svc-glm52-744b',
    modelDisplayName: `Model ${id}`,
    modelHardware: 'GPU generation 4',
    planName: 'Team 8',
    ...more,
  };
}

export function snapshotOf(
  endpoints: readonly EndpointSummary[],
  nowMs = startMs,
  before?: EndpointsSnapshot,
): EndpointsSnapshot {
  return mergeList(before, { endpoints, unreadable: 0 }, nowMs).snapshot;
}

export function status(
  id: string,
  state: string,
  more: Partial<EndpointStatus> = {},
): EndpointStatus {
  return {
    ...endpoint(id, state),
    spendCapCents: 250_000,
    reservedGpuEquivalents: 8,
    provisioningStatus: 'deploying',
    events: [],
    unreadable: 0,
    ...more,
  };
}

export function event(
  eventType: string,
  at: number,
  [fromState, toState]: [string?, string?] = [],
  more: Partial<EndpointEvent> = {},
): EndpointEvent {
  return {
    id: `${eventType}-${at}`,
    eventType,
    fromState,
    toState,
    actorType: 'system',
    createdAt: at,
    ...more,
  };
}
