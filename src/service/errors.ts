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
  /** The network client that the settings demand cannot be loaded or made. */
  | 'transport'
  /** Refused here, before sending: above a limit of the service document. */
  | 'limit'
  /** Refused here: the month's budget is spent. */
  | 'budget'
  /** Refused here: a dedicated endpoint that does not serve, or an address that must not get the key. */
  | 'endpoint'
  /** Background calls rest after several failures in a row. */
  | 'paused';

/**
 * What is known about the work behind a failed attempt; decides whether it may be repeated.
 * - `notProcessed`: the service certainly did nothing.
 * - `failed`: the service answered that it failed; the same request may work later.
 * - `unknown`: sent, and no complete answer came; it may have been done and billed.
 * - `final`: repeating cannot help, or part of the answer has been shown already.
 */
export type Outcome = 'notProcessed' | 'failed' | 'unknown' | 'final';

export interface ServiceErrorFields {
  status?: number | undefined;
  code?: string | undefined;
  requestId?: string | undefined;
  /** Earliest next try, ms since the epoch. */
  retryAt?: number | undefined;
  /** What the service asked for, ms from now. */
  retryAfterMs?: number | undefined;
  /** `x-should-retry` of the answer. */
  shouldRetry?: boolean | undefined;
  outcome?: Outcome | undefined;
  /** Text that arrived before the failure. Never part of the message. */
  partial?: string | undefined;
  /** Words of the service; {@link cleanServerText} is applied here. */
  serverText?: string | undefined;
  /** Host that the message should name (redirects, base URL). */
  host?: string | undefined;
  /** Failures in a row, of which `cause` was the last. */
  inARow?: number | undefined;
  cause?: unknown;
}

/** Any failure of a call to the service, except cancelling, which stays an `AbortError`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ErrorKind;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly shouldRetry: boolean | undefined;
  readonly outcome: Outcome;
  readonly serverText: string | undefined;
  readonly host: string | undefined;
  readonly inARow: number | undefined;
  /** What the user is told, where that depends on more than the kind. */
  readonly sentence: Sentence | undefined;
  /** Earliest next try, ms since the epoch. */
  retryAt: number | undefined;
  /** Requests made for this call, this one included; 0 when nothing was sent. */
  attempts = 0;
  /** Text that arrived before the failure; not enumerable, so that it stays out of logs. */
  declare readonly partial: string | undefined;

  /** @param detail for the log: no content, no key. A sentence is also what the user is told. */
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
    this.shouldRetry = fields.shouldRetry;
    this.outcome = fields.outcome ?? 'final';
    this.serverText = serverText;
    this.host = fields.host;
    this.inARow = fields.inARow;
    Object.defineProperty(this, 'partial', { value: fields.partial, enumerable: false });
  }
}

/** Standby has no room now; other requests are not meant (service document, Endpoints, "Standby"). */
export function isStandbyRefusal({ kind, code }: ServiceError): boolean {
  return kind === 'rateLimited' && code === 'resource_unavailable';
}

// C0, C1, zero-width and bidirectional characters: they can hide or reorder what a person reads.
const unsafe = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]+/gu;
// Some services quote the key in "incorrect API key provided: …".
const keyLike = /\b(?:sk|pk|key)[-_][\w-]{8,}|Bearer\s+\S+/gi;

/** Text from the service, fit for a message: one line, no invisible characters, no key, at most `max` characters. */
export function cleanServerText(text: string, max = 300): string {
  const clean = text
    .slice(0, 4 * max)
    .replace(unsafe, ' ')
    .replace(keyLike, '…')
    .trim();
  return clean.length > max ? `${clean.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…` : clean;
}
