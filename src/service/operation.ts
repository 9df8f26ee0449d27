import type { ServiceError } from './errors';
import type { Reply } from './reply';
import type { CallClass } from './retry';
import type { Timeouts } from './timeouts';
import type { Usage } from './usage';

/** Names of the service's operations, as the ledger and the log show them. */
export type OperationName =
  | 'apply'
  | 'chat'
  | 'messages'
  | 'countTokens'
  | 'compact'
  | 'predict'
  | 'uploadBatch'
  | 'pollBatch'
  | 'batchResults'
  | 'traces'
  | 'classifyPrompt'
  | 'routePrompt'
  | 'rerank'
  | 'embed'
  | 'listBatches'
  | 'listFineTuningJobs'
  | 'listEndpoints'
  | 'endpointStatus'
  | 'catalogue';

export interface Wait {
  /** ms since the epoch. */
  readonly retryAt: number;
  readonly error: ServiceError;
}

/** What every method of the client takes besides its request. */
export interface CallOptions {
  readonly signal: AbortSignal;
  /** Told before a wait between two attempts, so that it can be shown. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** Nobody waits for it: it retries with more patience, leaves room for others and pauses in an outage. */
  readonly background?: boolean | undefined;
}

/** What every answer carries besides its own fields. */
export interface CallInfo {
  readonly requestId?: string;
  readonly attempts: number;
  /** Over all attempts and waits. */
  readonly ms: number;
  /** Absent where the call is free or no price is known. */
  readonly cost?: Cost;
}

export type Called<T> = T & CallInfo;

export interface Cost {
  readonly usd: number;
  /** True when the service's own count was multiplied with its own price. */
  readonly isExact: boolean;
}

/** What the service bills for a call (service document, Limits, "Prices"). */
export type Charge =
  | {
      readonly kind: 'tokens';
      readonly model: string;
      /** Absent where the answer gave none: then the ledger estimates from the characters. */
      readonly usage: Usage | undefined;
      readonly answerChars: number;
      /** USD per million tokens where the model is no catalogue model: a dedicated endpoint's display prices. */
      readonly pricePerM?: TokenPrice | undefined;
    }
  | { readonly kind: 'reflex'; readonly events: number; readonly isBatch: boolean }
  | { readonly kind: 'router'; readonly requests: number };

/** USD per million tokens. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  /** Absent where cached input has no rate of its own. */
  readonly cachedInput?: number | undefined;
}

/** One operation of the service document. */
export interface Operation<T> {
  readonly name: OperationName;
  /** For the ledger; absent where the call has none. */
  readonly model?: string;
  readonly callClass: CallClass;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The path without ids, for the log. */
  readonly template?: string;
  /** Appended to the address; an `undefined` value is left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /**
   * Where it goes: the service address (with the key), the site address (public, without the key), or a
   * dedicated endpoint's own address that {@link checkEndpointUrl} let through (with the key).
   */
  readonly target?: 'service' | 'site' | URL;
  /** Besides those that every request has; never the key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Minted once per call when absent; a caller that must survive a reload hands in its own. */
  readonly idempotencyKey?: string;
  readonly body?: unknown;
  readonly accept: 'application/json' | 'text/event-stream';
  /** Where this operation differs from the caller's. */
  readonly timeouts?: Partial<Timeouts>;
  /** At most `max` calls with this key run at once; the others wait (service document, Limits, "maxConcurrency"). */
  readonly gate?: { readonly key: string; readonly max: number } | undefined;
  /** Reads a successful answer. */
  read(reply: Reply): Promise<T>;
  /** What a successful answer costs; absent means nothing. */
  charge?(value: T): Charge;
}

/** A call that ended, for the ledger: numbers and names, never content. */
export interface FinishedCall {
  readonly operation: OperationName;
  readonly model: string | undefined;
  /** ms since the epoch. */
  readonly at: number;
  readonly ms: number;
  readonly attempts: number;
  readonly requestId: string | undefined;
  /** `ok`, `canceled` or the kind of the error. */
  readonly result: string;
  /** Only for `ok`. */
  readonly charge: Charge | undefined;
  /** Characters of the request's body. */
  readonly sentChars: number;
  /** Characters that had come when the call ended without a whole answer. */
  readonly partialChars: number;
}

/** Prices, the ledger and the budget, as the client sees them. */
export interface Billing {
  /** @throws {ServiceError} `budget` when the user wants no more spending this month. */
  admit(operation: OperationName): Promise<void>;
  /** Writes the call down; returns its cost where a price is known. */
  record(call: FinishedCall): Promise<Cost | undefined>;
}
