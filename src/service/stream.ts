import { ServiceError } from './errors';
import { createEventParser } from './eventParser';
import { isRecord, parseJson } from './guards';
import { type Reply, bodyError, isContentType, notJson, notUtf8 } from './reply';
import { TextBuilder } from './textBuilder';
import { isAbortError } from './time';
import { sizeLimits } from './timeouts';

/** Puts an answer together, from the events of a stream or from one JSON object. */
export interface AnswerReader {
  /** Text so far, for an error that interrupts it. */
  readonly partial: string;
  /** True once the service has given a reason for the end that this version knows. */
  readonly complete: boolean;
  /** The reason that the service gave for the end, known or not. */
  readonly endReason: string | undefined;
  /** True once an event said that it is the last one. */
  readonly ended?: boolean;
  /**
   * Takes one event; what it does not know it ignores.
   * @returns true when the event brought a part of the answer or its end: only that is progress.
   */
  add(event: Record<string, unknown>): boolean;
  /** Takes an answer that came in one piece. @throws {ServiceError} `protocol` for another shape. */
  addWhole(answer: Record<string, unknown>): void;
  /** After the events of one network read. */
  flush(): void;
}

export interface AnswerOptions {
  /** Whether a stream was asked for; what came is told from its first characters. */
  readonly stream: boolean;
  /** Of an answer in one piece. */
  readonly maxBytes?: number | undefined;
}

/**
 * Reads an answer to its end, as a stream of events or as one JSON object, whichever of the two came: a
 * complete answer is paid for and therefore used, whatever its content type says. One await per network
 * read and no promise, closure or timer per event.
 * @throws {ServiceError} `truncated` when it ends early or for a reason that means no complete answer;
 *   `timeout`, `tooLarge`, `protocol`, or what an error body or event says; `partial` holds the text that
 *   came before.
 * @see service document, Events ("terminated by `data: [DONE]`")
 */
export async function readAnswer(
  reply: Reply,
  reader: AnswerReader,
  options: AnswerOptions,
): Promise<void> {
  const feed = new AnswerFeed(reply, reader, options);
  try {
    // One wait over all reads: the guard rejects it at once, and the loop drops what comes later.
    await reply.guard.wait(feed.read());
  } catch (error) {
    if (reader.complete && isLineFailure(error)) return;
    throw feed.hasEvents ? interrupted(error, reply, reader.partial) : error;
  }
  if (!reader.complete)
    throw truncated(reply, feed.hasEvents ? reader.partial : undefined, reader.endReason);
}

/** @param reason why the service ended the answer, where it said so. */
export function truncated(
  { requestId, hide }: Reply,
  partial?: string,
  reason?: string,
): ServiceError {
  const outcome = partial === undefined ? 'unknown' : 'final';
  const code = reason && hide(reason);
  const detail = code ? 'answer is not complete' : 'answer ended early';
  return new ServiceError('truncated', detail, { requestId, partial, outcome, code });
}

/** A broken or silent line harms no answer that is complete already; only `[DONE]` was still to come. */
function isLineFailure(error: unknown): boolean {
  return error instanceof ServiceError ? error.kind === 'timeout' : !isAbortError(error);
}

/** After the first event nothing is repeated: part of the answer is on the screen and on the bill. */
function interrupted(error: unknown, reply: Reply, partial: string): unknown {
  const { failure } = reply.guard;
  if (failure && !(failure instanceof ServiceError)) return failure;
  const known = failure ?? error;
  if (!(known instanceof ServiceError)) return truncated(reply, partial);
  const { kind, status, code, serverText, requestId = reply.requestId, retryAt } = known;
  const detail = serverText ? `HTTP ${status}` : known.message;
  return new ServiceError(kind, detail, { status, code, serverText, requestId, retryAt, partial });
}

/** How long to wait for `[DONE]` after the `finish_reason`, ms. */
const lingerMs = 1000;
/** Heartbeats (comments, empty events) extend the idle timeout to at most this many times its length. */
const heartbeatFactor = 3;
/** Characters and events that may come without any content between them. */
const emptyCharacters = 2 * sizeLimits.streamEvent;
const emptyEvents = 100_000;

type Form = 'events' | 'json' | 'other';

/** Bytes to events or to one JSON object, and on to the reader, with the idle rules of a stream. */
class AnswerFeed {
  readonly #reply: Reply;
  readonly #reader: AnswerReader;
  readonly #options: AnswerOptions;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #form: Form | undefined;
  /** What has come while the form is not known, without blanks before it. */
  #start = '';
  readonly #json = new TextBuilder();
  #bytes = 0;
  /** Events in the present network read. */
  #fresh = 0;
  /** The present network read brought a part of the answer. */
  #hasContent = false;
  /** Characters and events since the last content. */
  #empty = 0;
  #emptyEvents = 0;
  /** When the idle timeout was armed for the last content; -1 while there is content in each read. */
  #contentAt = -1;
  #isCut = false;
  #isTooLarge = false;
  hasEvents = false;
  /** `[DONE]` came. */
  #isDone = false;
  readonly #parser = createEventParser({
    maxBufferSize: sizeLimits.streamEvent,
    onEvent: ({ data }) => this.#take(data),
    onOverflow: () => {
      this.#isTooLarge = true;
    },
  });

  constructor(reply: Reply, reader: AnswerReader, options: AnswerOptions) {
    this.#reply = reply;
    this.#reader = reader;
    this.#options = options;
  }

  async read(): Promise<void> {
    const { response, guard, timeouts } = this.#reply;
    const chunks = response.body[Symbol.asyncIterator]();
    if (this.#options.stream) guard.arm(timeouts.firstEventMs, 'first event');
    else guard.arm(timeouts.bodyIdleMs, 'body');
    for (;;) {
      const { done, value } = await chunks.next();
      if (guard.failure) return;
      if (done) break;
      this.#bytes += value.byteLength;
      this.#addBytes(value);
      if (this.#isDone || this.#reader.ended) return;
      this.#arm();
    }
    guard.disarm();
    this.#end();
  }

  #addBytes(bytes: Uint8Array): void {
    let text: string;
    try {
      text = this.#decoder.decode(bytes, { stream: true });
    } catch {
      // The events before the damage are part of what has come.
      this.#addText(validLines(bytes));
      throw notUtf8(this.#reply);
    }
    this.#addText(text);
  }

  #decodeRest(): void {
    try {
      this.#decoder.decode();
    } catch {
      throw notUtf8(this.#reply);
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
    // A stream may begin with a field that nobody knows; a page of a proxy is none.
    if (
      this.#form === 'other' &&
      isContentType(this.#reply, /^\s*text\/event-stream\b/i) &&
      !this.#start.startsWith('<')
    )
      this.#form = 'events';
    if (this.#form === undefined) return;
    const { requestId, response } = this.#reply;
    if (this.#form === 'other')
      throw new ServiceError('protocol', 'answer is neither JSON nor an event stream', {
        status: response.status,
        requestId,
      });
    const start = this.#start;
    this.#start = '';
    this.#addText(start);
  }

  #addJson(text: string): void {
    const { maxBytes = sizeLimits.jsonBody } = this.#options;
    if (this.#bytes > maxBytes)
      throw new ServiceError('tooLarge', `answer above ${maxBytes} bytes`, {
        requestId: this.#reply.requestId,
      });
    this.#json.add(text);
  }

  #arm(): void {
    const { guard, timeouts, monotonic } = this.#reply;
    if (this.#form === 'json' || (this.#form === undefined && !this.#options.stream))
      return guard.arm(timeouts.bodyIdleMs, 'body');
    // Comments before the first event do not extend the time that it has.
    if (!this.hasEvents) return;
    const { streamIdleMs } = timeouts;
    let idleMs = streamIdleMs;
    if (this.#hasContent) this.#contentAt = -1;
    else {
      // A heartbeat shows that the line is alive, but not that the answer is.
      if (this.#contentAt < 0) this.#contentAt = guard.armedAt;
      const longestMs = heartbeatFactor * streamIdleMs;
      idleMs = Math.min(idleMs, longestMs - (monotonic() - this.#contentAt));
    }
    guard.arm(this.#reader.complete ? Math.min(idleMs, lingerMs) : idleMs, 'stream');
  }

  #end(): void {
    this.#isCut = true;
    if (this.#form === undefined && this.#start !== '') this.#sniff(true);
    if (this.#form === 'json') return this.#endJson();
    // What is left of a character belongs to an event that was cut.
    if (this.#form === 'events') return this.#feed('\n\n');
    if (!this.#options.stream) throw notJson(this.#reply, 'a JSON object');
  }

  #endJson(): void {
    const value = parseJson(this.#json.text);
    if (value === undefined) throw notJson(this.#reply, 'a JSON object', this.#json.text);
    this.#decodeRest();
    const error = bodyError(value, this.#reply);
    if (error) throw error;
    if (!isRecord(value)) throw notJson(this.#reply, 'a JSON object');
    this.#reader.addWhole(value);
    this.hasEvents = true;
    this.#reader.flush();
  }

  #feed(text: string): void {
    this.#fresh = 0;
    this.#hasContent = false;
    this.#parser.feed(text);
    this.#empty = this.#hasContent ? 0 : this.#empty + text.length;
    if (this.#hasContent) this.#emptyEvents = 0;
    if (this.#isTooLarge)
      throw this.#tooLarge(`stream event above ${sizeLimits.streamEvent} characters`);
    if (this.#empty > emptyCharacters) throw this.#tooLarge('stream without content');
    if (this.#fresh > 0) this.#reader.flush();
  }

  #take(data: string): void {
    if (this.#isDone) return;
    this.#fresh++;
    // An object, by far the most frequent, is not looked through.
    if (data.charCodeAt(0) !== 0x7b && data.trim() === '[DONE]') {
      this.#isDone = true;
      return;
    }
    const event = parseJson(data);
    if (!isRecord(event)) {
      // The last event of a broken connection is a fragment: that is a truncation, not damage.
      if (event === undefined && this.#isCut) return;
      throw new ServiceError('protocol', 'damaged stream event');
    }
    const reader = this.#reader;
    if (event['error'] !== undefined && event['error'] !== null) {
      const error = bodyError(event, this.#reply, this.hasEvents ? reader.partial : undefined);
      if (error) throw error;
    }
    this.hasEvents = true;
    if (reader.add(event)) this.#hasContent = true;
    else if (++this.#emptyEvents > emptyEvents) throw this.#tooLarge('events without content');
  }

  #tooLarge(detail: string): ServiceError {
    return new ServiceError('tooLarge', detail, { requestId: this.#reply.requestId });
  }
}

const fieldStart = /^(?:data|event|id|retry)?(?::|[\r\n])/;
const fields = ['data', 'event', 'id', 'retry'];

/** @param start without blanks before it; `undefined` while it is too short to tell. */
function formOf(start: string, isEnd: boolean): Form | undefined {
  if (start === '') return undefined;
  if (start.startsWith('{') || start.startsWith('[')) return 'json';
  if (fieldStart.test(start)) return 'events';
  if (!isEnd && fields.some(name => name.startsWith(start))) return undefined;
  return 'other';
}

/** The lines before the first one that is not UTF-8; no byte of a longer character is a line feed. */
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
    // What has been read so far is what is valid.
  }
  return text;
}
