import type { CallSource } from '../billing/costPurpose';
import type { ServiceError } from '../errors';
import type { Usage } from '../usage';
import type { ResponseContext } from './responseContext';
import type { CallClass } from './retry';
import type { Timeouts } from './timeouts';

/** Names of the operations of the service, as in the ledger and the log. */
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

/** A wait before the next attempt. */
export interface RetryWait {
  /** ms since the epoch. */
  readonly retryAt: number;
  readonly error: ServiceError;
}

/** Options of every method of the client. */
export interface CallOptions {
  readonly signal: AbortSignal;
  /** Called before a wait between two attempts, so that it can be shown. */
  readonly onWait?: ((wait: RetryWait) => void) | undefined;
  /** No user waits for it: it retries for longer, leaves room for other calls and pauses in an outage. */
  readonly background?: boolean | undefined;
  /** What the call is for, in the ledger and for the budgets. The egress gate sets it. */
  readonly source?: CallSource | undefined;
}

/** Fields of every result besides those of its operation. */
export interface CallInfo {
  readonly requestId?: string;
  readonly attempts: number;
  /** Duration over all attempts and waits. */
  readonly ms: number;
  /** Absent where the call is free or no price is known. */
  readonly cost?: Cost;
}

export type CallResult<T> = T & CallInfo;

export interface Cost {
  readonly usd: number;
  /** True when the service reported the usage and its live catalogue the price. */
  readonly isExact: boolean;
}

/** What the service bills for a call (service document, Limits, "Prices"). */
export type Charge =
  | {
      readonly kind: 'tokens';
      readonly model: string;
      /** Absent where the answer has none; the ledger then estimates it from the characters. */
      readonly usage: Usage | undefined;
      readonly answerChars: number;
      /** USD per million tokens where the model is not in the catalogue: the display prices of a dedicated endpoint. */
      readonly pricePerM?: TokenPrice | undefined;
    }
  | { readonly kind: 'reflex'; readonly events: number; readonly isBatch: boolean }
  | { readonly kind: 'router'; readonly requests: number };

/** USD per million tokens. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  /** Absent where cached input has no separate rate. */
  readonly cachedInput?: number | undefined;
}

/** One operation of the service document. */
export interface Operation<T> {
  readonly name: OperationName;
  /** For the ledger; absent where the operation has none. */
  readonly model?: string;
  readonly callClass: CallClass;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The path without ids, for the log. */
  readonly template?: string;
  /** Query parameters; an `undefined` value is left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /**
   * Where it goes: the service address (with the key), the site address (public, without the key), or a
   * dedicated endpoint's own address that {@link checkEndpointUrl} let through (with the key).
   */
  readonly target?: 'service' | 'site' | URL;
  /** In addition to those of every request; never the key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Generated once per call when absent; a caller that must survive a reload passes its own. */
  readonly idempotencyKey?: string;
  readonly body?: unknown;
  readonly accept: 'application/json' | 'text/event-stream';
  /** Where this operation differs from the defaults. */
  readonly timeouts?: Partial<Timeouts>;
  /** At most `max` calls with this key run at once (service document, Limits, "maxConcurrency"). */
  readonly concurrencyLimit?: { readonly key: string; readonly max: number } | undefined;
  /** The dedicated endpoint that answers it. */
  readonly endpointId?: string | undefined;
  /** Reads a successful answer. */
  read(context: ResponseContext): Promise<T>;
  /** What a successful answer costs; absent for a free operation. */
  charge?(value: T): Charge;
}

/** How long a dedicated endpoint took: the last attempt of a call, without the waits before it. */
export interface EndpointTiming {
  readonly id: string;
  readonly ms: number;
  /** Until the first part of a streamed answer. */
  readonly firstMs?: number | undefined;
}

/** A finished call, for the ledger: numbers and names, never content. */
export interface FinishedCall {
  readonly operation: OperationName;
  readonly model: string | undefined;
  /** ms since the epoch. */
  readonly at: number;
  readonly ms: number;
  readonly attempts: number;
  readonly requestId: string | undefined;
  /** `ok`, `canceled`, `failed` or the kind of the error. */
  readonly result: string;
  /** Only for `ok`. */
  readonly charge: Charge | undefined;
  /** Characters of the request's body. */
  readonly sentChars: number;
  /** Characters received when the call ended without a complete answer. */
  readonly partialChars: number;
  readonly source?: CallSource | undefined;
  readonly timing?: EndpointTiming | undefined;
}

/** Prices, ledger and budget, as the client uses them. */
export interface Billing {
  /** @throws {ServiceError} `budget` when the user wants no more spending this month, at all or for this purpose. */
  admit(operation: OperationName, source?: CallSource): Promise<void>;
  /** Records the call; returns its cost where a price is known. */
  record(call: FinishedCall): Promise<Cost | undefined>;
  /**
   * The requests to a dedicated endpoint have changed by these numbers: those that wait for their turn, and those
   * that are in flight. Never rejects after {@link admit}.
   */
  count?(endpointId: string, waiting: number, running: number): Promise<void>;
}
