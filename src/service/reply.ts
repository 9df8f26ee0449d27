import { errorCodes, requestIdHeaders, shouldRetryHeader } from './assumptions';
import { type ErrorKind, type Outcome, ServiceError, cleanServerText } from './errors';
import type { Guard } from './guard';
import { isRecord, nestingProblem, parseJson, textOf } from './guards';
import { retryAfterMs } from './retry';
import { TextBuilder } from './textBuilder';
import { type Timeouts, sizeLimits } from './timeouts';
import type { TransportResponse } from './transport';

/** An answer whose status line has come, and what is needed to read the rest. */
export interface Reply {
  readonly url: URL;
  readonly response: TransportResponse;
  readonly guard: Guard;
  readonly timeouts: Timeouts;
  readonly requestId: string | undefined;
  /** Wall clock, ms since the epoch. */
  readonly now: () => number;
  /** For durations, ms. */
  readonly monotonic: () => number;
  /** Takes the key out of words of the service: some quote it, and it has no form to know it by. */
  readonly hide: (text: string) => string;
  /** Writes a surprise in the answer to the log, once per text: names and types, never content. */
  readonly note: (surprise: string) => void;
}

export function requestIdOf({ headers }: TransportResponse): string | undefined {
  for (const name of requestIdHeaders) {
    const id = headers.get(name);
    if (id) return id;
  }
  return undefined;
}

export function isContentType(reply: Reply, pattern: RegExp): boolean {
  return pattern.test(reply.response.headers.get('content-type') ?? '');
}

/**
 * What happens to bytes that are not UTF-8: they fail the call, or become U+FFFD where a text is only
 * shown and never goes into a file.
 */
export type Decoding = 'strict' | 'lenient';

/** The whole body; fails as {@link readChunks} does. */
export async function readText(
  reply: Reply,
  maxBytes: number,
  decoding: Decoding = 'strict',
): Promise<string> {
  const text = new TextBuilder();
  for await (const chunk of readChunks(reply, maxBytes, decoding)) text.add(chunk);
  return text.text;
}

/**
 * The text of a body, one piece per network read.
 * @throws {ServiceError} `tooLarge` above `maxBytes`, `timeout` when the body stalls, `protocol` for
 *   bytes that are not UTF-8.
 */
export async function* readChunks(
  reply: Reply,
  maxBytes: number,
  decoding: Decoding,
): AsyncGenerator<string> {
  const { response, guard, timeouts, requestId } = reply;
  const decoder = new TextDecoder('utf-8', { fatal: decoding === 'strict' });
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw notUtf8(reply);
    }
  };
  const chunks = response.body[Symbol.asyncIterator]();
  let bytes = 0;
  for (;;) {
    guard.arm(timeouts.bodyIdleMs, 'body');
    const { done, value } = await guard.wait(chunks.next());
    guard.disarm();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > maxBytes)
      throw new ServiceError('tooLarge', `answer above ${maxBytes} bytes`, { requestId });
    yield decode(value);
  }
  yield decode();
}

/**
 * The JSON object of a successful answer.
 * @param maxBytes where the answers of an operation can be larger than others
 * @throws {ServiceError} `protocol` when it is none, else what an error body with status 200 says.
 */
export async function readJson(
  reply: Reply,
  maxBytes: number = sizeLimits.jsonBody,
): Promise<Record<string, unknown>> {
  const value = await readAnyJson(reply, maxBytes);
  if (isRecord(value)) return value;
  throw notJson(reply, 'a JSON object');
}

/** Bytes that are no text must not reach a file as U+FFFD. */
export function notUtf8({ response: { status }, requestId }: Reply): ServiceError {
  return new ServiceError('protocol', 'answer holds bytes that are not UTF-8', {
    status,
    requestId,
  });
}

/** {@link readJson} for an answer that need not be an object. */
export async function readAnyJson(
  reply: Reply,
  maxBytes: number = sizeLimits.jsonBody,
): Promise<unknown> {
  const text = await readText(reply, maxBytes);
  const value = parseJson(text);
  if (value === undefined) throw notJson(reply, 'JSON', text);
  const error = bodyError(value, reply);
  if (error) throw error;
  return value;
}

/** @param text that could not be parsed; it may hold more lists than any answer. */
export function notJson(
  { response: { status }, requestId }: Reply,
  expected: string,
  text = '',
): ServiceError {
  const problem = nestingProblem(text);
  if (problem !== undefined) return new ServiceError('tooLarge', problem, { requestId });
  return new ServiceError('protocol', `answer is not ${expected}`, { status, requestId });
}

/** The failure that a JSON body or a stream event reports, if it does. @param partial text that came before. */
export function bodyError(
  value: unknown,
  reply: Reply,
  partial?: string,
): ServiceError | undefined {
  if (!isRecord(value) || value['error'] === undefined || value['error'] === null) return undefined;
  const { code, text } = describe(value);
  const known = code === undefined ? undefined : errorCodes[code];
  const transient = known === 'server' || known === 'rateLimited';
  const outcome = transient && partial === undefined ? 'failed' : 'final';
  return failure(reply, known ?? 'server', outcome, { code, text, partial });
}

/** Of the answers that are no errors, only these hold what was asked for; 206, for one, is a part of it. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 203;
}

/** Turns an answer that is no {@link isSuccess} into an error; reads at most 64 KB of it. */
export async function statusError(reply: Reply): Promise<ServiceError> {
  const { status, headers } = reply.response;
  if (status >= 200 && status < 300)
    return new ServiceError('protocol', `HTTP ${status} is not a complete answer`, {
      status,
      requestId: reply.requestId,
    });
  if (status < 400) {
    const location = redirectHost(headers.get('location'), reply.url);
    const host = location && reply.hide(location);
    return new ServiceError('redirect', `HTTP ${status} redirect to ${host ?? 'unknown host'}`, {
      status,
      host,
      requestId: reply.requestId,
    });
  }
  let body: unknown;
  try {
    body = parseJson(await readText(reply, sizeLimits.errorBody, 'lenient'));
  } catch (error) {
    // The status is the news; a body that is cut, stalled or too large adds nothing to it.
    if (reply.guard.failure && !(reply.guard.failure instanceof ServiceError)) throw error;
  }
  const { code, text } = describe(body);
  return failure(reply, kindOf(status), outcomeOf(status, headers.get('retry-after')), {
    code,
    text,
  });
}

function failure(
  { response, requestId, now, hide }: Reply,
  kind: ErrorKind,
  outcome: Outcome,
  {
    code,
    text,
    partial,
  }: { code: string | undefined; text: string | undefined; partial?: string | undefined },
): ServiceError {
  const { status, headers } = response;
  const hint = headers.get(shouldRetryHeader);
  const waitMs = retryAfterMs(headers, kind === 'rateLimited' ? text : undefined, now());
  const name = code && cleanServerText(hide(code), 64);
  return new ServiceError(kind, `HTTP ${status}${name ? ` (${name})` : ''}`, {
    status,
    code: name,
    requestId,
    outcome,
    partial,
    serverText: text && hide(text),
    retryAfterMs: waitMs,
    retryAt: waitMs === undefined ? undefined : now() + waitMs,
    shouldRetry: hint === 'true' ? true : hint === 'false' ? false : undefined,
  });
}

/** `{error: {code, message}}`, `{error: text}`, `{type: 'error', error: {type, message}}` or `{message}`. */
function describe(body: unknown): { code: string | undefined; text: string | undefined } {
  if (!isRecord(body)) return { code: undefined, text: undefined };
  const error = body['error'];
  if (isRecord(error))
    return { code: textOf(error['code']) ?? textOf(error['type']), text: textOf(error['message']) };
  return { code: textOf(body['code']), text: textOf(error) ?? textOf(body['message']) };
}

function kindOf(status: number): ErrorKind {
  if (status === 401) return 'unauthorized';
  if (status === 402) return 'payment';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'notFound';
  if (status === 407) return 'proxyLogin';
  if (status === 429) return 'rateLimited';
  return status >= 500 || status === 408 || status === 409 || status === 425
    ? 'server'
    : 'badRequest';
}

function outcomeOf(status: number, retryAfter: string | null): Outcome {
  if (status === 429 || status === 425 || (status === 503 && retryAfter !== null))
    return 'notProcessed';
  return status >= 500 || status === 408 || status === 409 ? 'failed' : 'final';
}

function redirectHost(location: string | null, from: URL): string | undefined {
  if (location === null || !URL.canParse(location, from.href)) return undefined;
  return new URL(location, from.href).host;
}
