import type { VirtualClock } from './clock';
import type { Compact } from './compactor';
import type { ChatModel } from './turn';

/** Plays the Apply models. */
export type Merge = (code: string, update: string, instruction: string | undefined) => string;

/** Conditions of the service that a test can turn on. */
export interface Switches {
  /** Standby requests are refused (service document, Endpoints, "Standby"). */
  fleetBusy: boolean;
  /** Remote content storage of the account: rerank takes embedding ids. */
  remoteStorage: boolean;
}

/** What the resources share; the models can be exchanged at any time. */
export interface World {
  readonly clock: VirtualClock;
  readonly switches: Switches;
  /** Between two writes of a stream, ms. */
  pauseMs: number;
  merge: Merge;
  compact: Compact;
  /** The chat models of the catalogue, and those behind dedicated endpoints. */
  chat: ChatModel;
  /** The code search model. */
  search: ChatModel;
  /** `prefix` and a number that no other id of the world has. */
  readonly nextId: (prefix: string) => string;
}

/** The nth uuid: the same in each run. */
export function uuid(n: number): string {
  return `5e11ce00-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}
