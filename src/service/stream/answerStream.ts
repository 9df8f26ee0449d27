import { isAbortError } from '../../base/async/clock';
import { TextBuilder } from '../../base/text/textBuilder';
import { isRecord, parseJson } from '../../base/typeGuards';
import { ServiceError } from '../errors';
import {
  bodyError,
  isContentType,
  notJson,
  notUtf8,
  type ResponseContext,
} from '../http/responseContext';
import { sizeLimits } from '../http/timeouts';
import { createEventParser } from './eventParser';

/** Builds an answer from the events of a stream or from one JSON object. */
export interface AnswerBuilder {
  /** Text so far, for the error when the answer is interrupted. */
  readonly partial: string;
  /** True once the service has given a known end reason. */
  readonly complete: boolean;
  /** The end reason that the service gave, known or not. */
  readonly endReason: string | undefined;
  /** True once the last event has come. */
  readonly ended?: boolean;
  /**
   * Takes one event; unknown events are ignored.
   * @returns true when the event brought a part of the answer or its end, which counts as progress.
   */
  add(event: Record<string, unknown>): boolean;
  /** Takes an answer in one piece. @throws {ServiceError} `protocol` for another shape. */
  addWhole(answer: Record<string, unknown>): void;
  /** Called after the events of one network read. */
  flush(): void;
}

export interface ReadAnswerOptions {
  /** Whether a stream was requested; what came is recognized by its first characters. */
  readonly stream: boolean;
  /** Size limit of an answer in one piece, in bytes. */
  readonly maxBytes?: number | undefined;
}

/**
 * Reads an answer to its end, as a stream of events or as one JSON object, whichever came: a complete
 * answer is billed and therefore used, whatever its content type says. One await per network read, and no
 * promise, closure or timer per event.
 * @throws {ServiceError} `truncated` when it ends early or for a reason that means no complete answer;
 *   `timeout`, `tooLarge`, `protocol`, or what an error body or event reports; `partial` holds the text
 *   received before.
 * @see service document, Events ("terminated by `data: [DONE]`")
 */
export async function readAnswerInto(
  context: ResponseContext,
  reader: AnswerBuilder,
  options: ReadAnswerOptions,
): Promise<void> {
  const feed = new AnswerFeed(context, reader, options);
  try {
    // One wait over all reads: a timeout rejects it at once, and the loop drops what comes later.
    await context.timeoutController.wait(feed.read());
  } catch (error) {
    if (reader.complete && isConnectionFailure(error)) return;
    throw feed.hasEvents ? interrupted(error, context, reader.partial) : error;
  }
  if (!reader.complete) {
    throw truncatedError(context, feed.hasEvents ? reader.partial : undefined, reader.endReason);
  }
}

/** @param reason end reason of the service, if any. */
export function truncatedError(
  { requestId, redact }: ResponseContext,
  partial?: string,
  reason?: string,
): ServiceError {
  const outcome = partial === undefined ? 'unknown' : 'final';
  const code = reason && redact(reason);
  const detail = code ? 'answer is not complete' : 'answer ended early';
  return new ServiceError('truncated', detail, { requestId, partial, outcome, code });
}

/** A lost connection does not harm a complete answer, of which only `[DONE]` is missing. */
function isConnectionFailure(error: unknown): boolean {
  return error instanceof ServiceError ? error.kind === 'timeout' : !isAbortError(error);
}

/** After the first event there is no retry: part of the answer has been shown and billed. */
function interrupted(error: unknown, context: ResponseContext, partial: string): unknown {
  const { failure } = context.timeoutController;
  if (failure && !(failure instanceof ServiceError)) return failure;
  const known = failure ?? error;
  if (!(known instanceof ServiceError)) return truncatedError(context, partial);
  const { kind, status, code, serverText, requestId = context.requestId, retryAt } = known;
  const detail = serverText ? `HTTP ${status}` : known.message;
  return new ServiceError(kind, detail, { status, code, serverText, requestId, retryAt, partial });
}

/** How long to wait for `[DONE]` after the `finish_reason`, ms. */
const doneTimeoutMs = 1000;
/** Heartbeats (comments, empty events) extend the idle timeout by at most this factor. */
const heartbeatFactor = 3;
/** Limits of characters and events without any content between them. */
const maxEmptyCharacters = 2 * sizeLimits.streamEvent;
const maxEmptyEvents = 100_000;

type AnswerForm = 'events' | 'json' | 'other';

/** Parses bytes to events or one JSON object, passes them to the builder and applies the idle timeouts. */
class AnswerFeed {
  readonly #context: ResponseContext;
  readonly #reader: AnswerBuilder;
  readonly #options: ReadAnswerOptions;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #form: AnswerForm | undefined;
  /** Text received while the form is unknown, without leading white space. */
  #start = '';
  readonly #json = new TextBuilder();
  #bytes = 0;
  /** Events in the current network read. */
  #fresh = 0;
  /** The current network read brought a part of the answer. */
  #hasContent = false;
  /** Characters and events since the last content. */
  #empty = 0;
  #emptyEvents = 0;
  /** When the idle timeout was last armed after content; -1 while every read brings content. */
  #contentAt = -1;
  #isCut = false;
  #isTooLarge = false;
  hasEvents = false;
  /** `[DONE]` has come. */
  #isDone = false;
  readonly #parser = createEventParser({
    maxBufferSize: sizeLimits.streamEvent,
    onEvent: ({ data }) => this.#take(data),
    onOverflow: () => {
      this.#isTooLarge = true;
    },
  });

  constructor(context: ResponseContext, reader: AnswerBuilder, options: ReadAnswerOptions) {
    this.#context = context;
    this.#reader = reader;
    this.#options = options;
  }

  async read(): Promise<void> {
    const { response, timeoutController, timeouts } = this.#context;
    const chunks = response.body[Symbol.asyncIterator]();
    if (this.#options.stream) timeoutController.arm(timeouts.firstEventMs, 'first event');
    else timeoutController.arm(timeouts.bodyIdleMs, 'body');
    for (;;) {
      const { done, value } = await chunks.next();
      if (timeoutController.failure) return;
      if (done) break;
      this.#bytes += value.byteLength;
      this.#addBytes(value);
      if (this.#isDone || this.#reader.ended) return;
      this.#arm();
    }
    timeoutController.disarm();
    this.#end();
  }

  #addBytes(bytes: Uint8Array): void {
    let text: string;
    try {
      text = this.#decoder.decode(bytes, { stream: true });
    } catch {
      // The events before the invalid bytes are part of the answer.
      this.#addText(validLines(bytes));
      throw notUtf8(this.#context);
    }
    this.#addText(text);
  }

  #decodeRest(): void {
    try {
      this.#decoder.decode();
    } catch {
      throw notUtf8(this.#context);
    }
  }

  #addText(text: string): void {
    if (this.#form === 'events') return this.#feed(text);
    if (this.#form === 'json') return this.#addJson(text);
    this.#start = (this.#start + text).trimStart();
    this.#sniff(false);
  }

  #sniff(isEnd: boolean): void {
    this.#form = formOf(this.#start, isEnd);
    // A stream may begin with an unknown field; the HTML page of a proxy is no stream.
    if (
      this.#form === 'other' &&
      isContentType(this.#context, /^\s*text\/event-stream\b/i) &&
      !this.#start.startsWith('<')
    ) {
      this.#form = 'events';
    }
    if (this.#form === undefined) return;
    const { requestId, response } = this.#context;
    if (this.#form === 'other') {
      throw new ServiceError('protocol', 'answer is neither JSON nor an event stream', {
        status: response.status,
        requestId,
      });
    }
    const start = this.#start;
    this.#start = '';
    this.#addText(start);
  }

  #addJson(text: string): void {
    const { maxBytes = sizeLimits.jsonBody } = this.#options;
    if (this.#bytes > maxBytes) {
      throw new ServiceError('tooLarge', `answer above ${maxBytes} bytes`, {
        requestId: this.#context.requestId,
      });
    }
    this.#json.add(text);
  }

  #arm(): void {
    const { timeoutController, timeouts, monotonic } = this.#context;
    if (this.#form === 'json' || (this.#form === undefined && !this.#options.stream)) {
      return timeoutController.arm(timeouts.bodyIdleMs, 'body');
    }
    // Comments before the first event do not extend its timeout.
    if (!this.hasEvents) return;
    const { streamIdleMs } = timeouts;
    let idleMs = streamIdleMs;
    if (this.#hasContent) this.#contentAt = -1;
    else {
      // A heartbeat shows that the connection is alive, not that the answer makes progress.
      if (this.#contentAt < 0) this.#contentAt = timeoutController.armedAt;
      const maxIdleMs = heartbeatFactor * streamIdleMs;
      idleMs = Math.min(idleMs, maxIdleMs - (monotonic() - this.#contentAt));
    }
    timeoutController.arm(
      this.#reader.complete ? Math.min(idleMs, doneTimeoutMs) : idleMs,
      'stream',
    );
  }

  #end(): void {
    this.#isCut = true;
    if (this.#form === undefined && this.#start !== '') this.#sniff(true);
    if (this.#form === 'json') return this.#endJson();
    // The rest of an incomplete character belongs to a truncated event.
    if (this.#form === 'events') return this.#feed('\n\n');
    if (!this.#options.stream) throw notJson(this.#context, 'a JSON object');
  }

  #endJson(): void {
    const value = parseJson(this.#json.text);
    if (value === undefined) throw notJson(this.#context, 'a JSON object', this.#json.text);
    this.#decodeRest();
    const error = bodyError(value, this.#context);
    if (error) throw error;
    if (!isRecord(value)) throw notJson(this.#context, 'a JSON object');
    this.#reader.addWhole(value);
    this.hasEvents = true;
    this.#reader.flush();
  }

  #feed(text: string): void {
    this.#fresh = 0;
    this.#hasContent = false;
    this.#parser.feed(text);
    this.#empty = this.#hasContent ? 0 : this.#empty + text.length;
    if (this.#hasContent) {
      this.#emptyEvents = 0;
      this.#context.onContent?.();
    }
    if (this.#isTooLarge) {
      throw this.#tooLarge(`stream event above ${sizeLimits.streamEvent} characters`);
    }
    if (this.#empty > maxEmptyCharacters) throw this.#tooLarge('stream without content');
    if (this.#fresh > 0) this.#reader.flush();
  }

  #take(data: string): void {
    if (this.#isDone) return;
    this.#fresh++;
    // Fast path: objects are by far the most frequent.
    if (data.charCodeAt(0) !== 0x7b && data.trim() === '[DONE]') {
      this.#isDone = true;
      return;
    }
    const event = parseJson(data);
    if (!isRecord(event)) {
      // The last event of a lost connection is a fragment: a truncation, no invalid event.
      if (event === undefined && this.#isCut) return;
      throw new ServiceError('protocol', 'damaged stream event');
    }
    const reader = this.#reader;
    if (event['error'] !== undefined && event['error'] !== null) {
      const error = bodyError(event, this.#context, this.hasEvents ? reader.partial : undefined);
      if (error) throw error;
    }
    this.hasEvents = true;
    if (reader.add(event)) this.#hasContent = true;
    else if (++this.#emptyEvents > maxEmptyEvents) throw this.#tooLarge('events without content');
  }

  #tooLarge(detail: string): ServiceError {
    return new ServiceError('tooLarge', detail, { requestId: this.#context.requestId });
  }
}

const fieldStart = /^(?:data|event|id|retry)?(?::|[\r\n])/;
const fields = ['data', 'event', 'id', 'retry'];

/** @param start without leading white space. @returns `undefined` while it is too short to decide. */
function formOf(start: string, isEnd: boolean): AnswerForm | undefined {
  if (start === '') return undefined;
  if (start.startsWith('{') || start.startsWith('[')) return 'json';
  if (fieldStart.test(start)) return 'events';
  if (!isEnd && fields.some(name => name.startsWith(start))) return undefined;
  return 'other';
}

/** The lines before the first one that is not UTF-8; a line feed is never part of a multi-byte character. */
function validLines(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(0x0a, at) + 1 || bytes.length;
      text += decoder.decode(bytes.subarray(at, end));
      at = end;
    }
  } catch {
    // The lines read so far are valid.
  }
  return text;
}
