import { cleanServerText } from '../../base/format/serverText';
import { TextBuilder } from '../../base/text/textBuilder';
import { isRecord, nestingProblem, parseJson, textOf } from '../../base/typeGuards';
import { errorCodes, requestIdHeaders, shouldRetryHeader } from '../assumptions';
import { type ErrorKind, type RequestOutcome, ServiceError } from '../errors';
import type { TransportResponse } from '../transport/transport';
import { retryAfterMs } from './retry';
import type { TimeoutController } from './timeoutController';
import { sizeLimits, type Timeouts } from './timeouts';

/** An answer whose status line has arrived, and everything that is needed to read the rest. */
export interface ResponseContext {
  readonly url: URL;
  readonly response: TransportResponse;
  readonly timeoutController: TimeoutController;
  readonly timeouts: Timeouts;
  readonly requestId: string | undefined;
  /** Wall clock, ms since the epoch. */
  readonly now: () => number;
  /** For durations, ms. */
  readonly monotonic: () => number;
  /** Removes the key from text of the service: some services quote it, and no pattern could recognize it. */
  readonly redact: (text: string) => string;
  /** Logs something unexpected in the answer, once per text: names and types, never content. */
  readonly warn: (unexpected: string) => void;
  /** Called after each network read that brought a part of a streamed answer. */
  readonly onContent?: (() => void) | undefined;
}

export function requestIdOf({ headers }: TransportResponse): string | undefined {
  for (const name of requestIdHeaders) {
    const id = headers.get(name);
    if (id) return id;
  }
  return undefined;
}

export function isContentType(context: ResponseContext, pattern: RegExp): boolean {
  return pattern.test(context.response.headers.get('content-type') ?? '');
}

/**
 * What happens to bytes that are not UTF-8: `strict` fails the call, `lenient` turns them into U+FFFD, for
 * text that is only shown and never written to a file.
 */
export type Decoding = 'strict' | 'lenient';

/** The whole body. @throws as {@link readChunks} does. */
export async function readBodyText(
  context: ResponseContext,
  maxBytes: number,
  decoding: Decoding = 'strict',
): Promise<string> {
  const text = new TextBuilder();
  for await (const chunk of readChunks(context, maxBytes, decoding)) text.add(chunk);
  return text.text;
}

/**
 * The text of a body, one piece per network read.
 * @throws {ServiceError} `tooLarge` above `maxBytes`, `timeout` when the body stalls, `protocol` for
 *   bytes that are not UTF-8.
 */
export async function* readChunks(
  context: ResponseContext,
  maxBytes: number,
  decoding: Decoding,
): AsyncGenerator<string> {
  const { response, timeoutController, timeouts, requestId } = context;
  const decoder = new TextDecoder('utf-8', { fatal: decoding === 'strict' });
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw notUtf8(context);
    }
  };
  const chunks = response.body[Symbol.asyncIterator]();
  let bytes = 0;
  for (;;) {
    timeoutController.arm(timeouts.bodyIdleMs, 'body');
    const { done, value } = await timeoutController.wait(chunks.next());
    timeoutController.disarm();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      throw new ServiceError('tooLarge', `answer above ${maxBytes} bytes`, { requestId });
    }
    yield decode(value);
  }
  yield decode();
}

/**
 * The JSON object of a successful answer.
 * @param maxBytes for operations whose answers can be larger than others
 * @throws {ServiceError} `protocol` when it is not an object, or the error that the body reports.
 */
export async function readJsonObject(
  context: ResponseContext,
  maxBytes: number = sizeLimits.jsonBody,
): Promise<Record<string, unknown>> {
  const value = await readAnyJson(context, maxBytes);
  if (isRecord(value)) return value;
  throw notJson(context, 'a JSON object');
}

/** The error for bytes that are not UTF-8: they must not reach a file as U+FFFD. */
export function notUtf8({ response: { status }, requestId }: ResponseContext): ServiceError {
  return new ServiceError('protocol', 'answer holds bytes that are not UTF-8', {
    status,
    requestId,
  });
}

/** {@link readJsonObject} for an answer that need not be an object. */
export async function readAnyJson(
  context: ResponseContext,
  maxBytes: number = sizeLimits.jsonBody,
): Promise<unknown> {
  const text = await readBodyText(context, maxBytes);
  const value = parseJson(text);
  if (value === undefined) throw notJson(context, 'JSON', text);
  const error = bodyError(value, context);
  if (error) throw error;
  return value;
}

/** @param text that could not be parsed, which may be because it nests too deeply. */
export function notJson(
  { response: { status }, requestId }: ResponseContext,
  expected: string,
  text = '',
): ServiceError {
  const problem = nestingProblem(text);
  if (problem !== undefined) return new ServiceError('tooLarge', problem, { requestId });
  return new ServiceError('protocol', `answer is not ${expected}`, { status, requestId });
}

/** The error that a JSON body or a stream event reports, if any. @param partial text received before it. */
export function bodyError(
  value: unknown,
  context: ResponseContext,
  partial?: string,
): ServiceError | undefined {
  if (!isRecord(value) || value['error'] === undefined || value['error'] === null) return undefined;
  const { code, text } = describe(value);
  const known = code === undefined ? undefined : errorCodes[code];
  const transient = known === 'server' || known === 'rateLimited';
  const outcome = transient && partial === undefined ? 'failed' : 'final';
  return responseError(context, known ?? 'server', outcome, { code, text, partial });
}

/** Statuses whose body is a complete answer; 204 has none and 206 is only a part. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 203;
}

/** The error for an answer without {@link isSuccess}; reads at most 64 KB of it. */
export async function statusError(context: ResponseContext): Promise<ServiceError> {
  const { status, headers } = context.response;
  if (status >= 200 && status < 300) {
    return new ServiceError('protocol', `HTTP ${status} is not a complete answer`, {
      status,
      requestId: context.requestId,
    });
  }
  if (status < 400) {
    const location = redirectHost(headers.get('location'), context.url);
    const host = location && context.redact(location);
    return new ServiceError('redirect', `HTTP ${status} redirect to ${host ?? 'unknown host'}`, {
      status,
      host,
      requestId: context.requestId,
    });
  }
  let body: unknown;
  try {
    body = parseJson(await readBodyText(context, sizeLimits.errorBody, 'lenient'));
  } catch (error) {
    // The status is what matters; a body that is cut off, stalled or too large is ignored.
    if (
      context.timeoutController.failure &&
      !(context.timeoutController.failure instanceof ServiceError)
    ) {
      throw error;
    }
  }
  const { code, text } = describe(body);
  return responseError(context, kindOf(status), outcomeOf(status, headers.get('retry-after')), {
    code,
    text,
  });
}

function responseError(
  { response, requestId, now, redact }: ResponseContext,
  kind: ErrorKind,
  outcome: RequestOutcome,
  {
    code,
    text,
    partial,
  }: { code: string | undefined; text: string | undefined; partial?: string | undefined },
): ServiceError {
  const { status, headers } = response;
  const hint = headers.get(shouldRetryHeader);
  const waitMs = retryAfterMs(headers, kind === 'rateLimited' ? text : undefined, now());
  const name = code && cleanServerText(redact(code), 64);
  return new ServiceError(kind, `HTTP ${status}${name ? ` (${name})` : ''}`, {
    status,
    code: name,
    requestId,
    outcome,
    partial,
    serverText: text && redact(text),
    retryAfterMs: waitMs,
    retryAt: waitMs === undefined ? undefined : now() + waitMs,
    retryHint: hint === 'true' ? true : hint === 'false' ? false : undefined,
  });
}

/** `{error: {code, message}}`, `{error: text}`, `{type: 'error', error: {type, message}}` or `{message}`. */
function describe(body: unknown): { code: string | undefined; text: string | undefined } {
  if (!isRecord(body)) return { code: undefined, text: undefined };
  const error = body['error'];
  if (isRecord(error)) {
    return { code: textOf(error['code']) ?? textOf(error['type']), text: textOf(error['message']) };
  }
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

function outcomeOf(status: number, retryAfter: string | null): RequestOutcome {
  if (status === 429 || status === 425 || (status === 503 && retryAfter !== null)) {
    return 'notProcessed';
  }
  return status >= 500 || status === 408 || status === 409 ? 'failed' : 'final';
}

function redirectHost(location: string | null, from: URL): string | undefined {
  if (location === null || !URL.canParse(location, from.href)) return undefined;
  return new URL(location, from.href).host;
}
