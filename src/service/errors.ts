import { cleanServerText } from '../base/format/serverText';
import { type Sentence, written } from '../base/sentence';

export type ErrorKind =
  | 'noKey'
  /** The key store of the system cannot be read or written. */
  | 'keyring'
  | 'noUrl'
  | 'badUrl'
  | 'unauthorized'
  | 'forbidden'
  | 'payment'
  | 'rateLimited'
  | 'badRequest'
  | 'notFound'
  | 'server'
  | 'truncated'
  | 'connection'
  | 'offline'
  | 'certificate'
  | 'timeout'
  | 'protocol'
  | 'tooLarge'
  | 'redirect'
  | 'proxyLogin'
  /** The network client that the settings require cannot be loaded or created. */
  | 'transport'
  /** Refused before sending: above a limit of the service document. */
  | 'limit'
  /** Refused before sending: the budget of the month is spent. */
  | 'budget'
  /** Refused before sending: the dedicated endpoint is not ready, or its address must not get the key. */
  | 'endpoint'
  /** Background calls pause after several failures in a row. */
  | 'paused';

/**
 * What is known about the effect of a failed attempt; decides whether it may be repeated.
 * - `notProcessed`: the service certainly did nothing.
 * - `failed`: the service answered that it failed; the same request may work later.
 * - `unknown`: sent, and no complete answer came; it may have been processed and billed.
 * - `final`: a retry cannot help, or part of the answer has been shown already.
 */
export type RequestOutcome = 'notProcessed' | 'failed' | 'unknown' | 'final';

export interface ServiceErrorFields {
  status?: number | undefined;
  code?: string | undefined;
  requestId?: string | undefined;
  /** Earliest next try, ms since the epoch. */
  retryAt?: number | undefined;
  /** The wait that the service asked for, ms from now. */
  retryAfterMs?: number | undefined;
  /** `x-should-retry` of the answer. */
  retryHint?: boolean | undefined;
  outcome?: RequestOutcome | undefined;
  /** Text received before the failure. Never part of the message. */
  partial?: string | undefined;
  /** Message of the service; {@link cleanServerText} is applied here. */
  serverText?: string | undefined;
  /** Host that the message should name (redirects, base URL). */
  host?: string | undefined;
  /** Failures in a row, of which `cause` was the last. */
  consecutiveFailures?: number | undefined;
  cause?: unknown;
}

/** Any failure of a call to the service, except cancellation, which is an `AbortError`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ErrorKind;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly retryHint: boolean | undefined;
  readonly outcome: RequestOutcome;
  readonly serverText: string | undefined;
  readonly host: string | undefined;
  readonly consecutiveFailures: number | undefined;
  /** The message for the user, where it depends on more than the kind. */
  readonly sentence: Sentence | undefined;
  /** Earliest next try, ms since the epoch. */
  retryAt: number | undefined;
  /** Requests made for this call; 0 when nothing was sent. */
  attempts = 0;
  /** Text received before the failure; not enumerable, so that it stays out of logs. */
  declare readonly partial: string | undefined;

  /** @param detail for the log: no content, no key. A {@link Sentence} is also the message for the user. */
  constructor(kind: ErrorKind, detail: string | Sentence, fields: ServiceErrorFields = {}) {
    const serverText = fields.serverText && cleanServerText(fields.serverText);
    const logged = typeof detail === 'string' ? detail : written(detail);
    super(serverText ? `${logged}: ${serverText}` : logged, { cause: fields.cause });
    this.kind = kind;
    this.sentence = typeof detail === 'string' ? undefined : detail;
    this.status = fields.status;
    this.code = fields.code && cleanServerText(fields.code, 64);
    this.requestId = fields.requestId && cleanServerText(fields.requestId, 128);
    this.retryAt = fields.retryAt;
    this.retryAfterMs = fields.retryAfterMs;
    this.retryHint = fields.retryHint;
    this.outcome = fields.outcome ?? 'final';
    this.serverText = serverText;
    this.host = fields.host;
    this.consecutiveFailures = fields.consecutiveFailures;
    Object.defineProperty(this, 'partial', { value: fields.partial, enumerable: false });
  }
}

/** Standby has no capacity now; other requests are not affected (service document, Endpoints, "Standby"). */
export function isStandbyRefusal({ kind, code }: ServiceError): boolean {
  return kind === 'rateLimited' && code === 'resource_unavailable';
}
