import { ServiceError } from './errors';
import { createEventParser } from './eventParser';
import { isRecord, parseJson } from './guards';
import { type Reply, bodyError, isContentType, readText } from './reply';
import { isAbortError } from './time';
import { sizeLimits } from './timeouts';

/** Puts an answer together from the events of a stream. */
export interface StreamReader {
  /** Text so far, for an error that interrupts it. */
  readonly partial: string;
  /** True once the answer is complete without `[DONE]`. */
  readonly complete: boolean;
  /** True once an event said that it is the last one. */
  readonly ended?: boolean;
  /** Takes one event; what it does not know it ignores. */
  add(event: Record<string, unknown>): void;
  /** After the events of one network read. */
  flush(): void;
}

/**
 * Reads a stream to its end with one await per network read and no promise, closure or timer per event.
 * @throws {ServiceError} `truncated` when it ends early, `timeout`, `tooLarge`, `protocol`, or what an
 *   error event says; `partial` holds the text that came before.
 * @see service document, Events ("terminated by `data: [DONE]`")
 */
export async function readStream(reply: Reply, reader: StreamReader): Promise<void> {
  if (!isContentType(reply, /^\s*text\/event-stream\b/i)) throw await notAStream(reply);
  const feed = new EventFeed(reply, reader);
  try {
    // One wait over all reads: the guard rejects it at once, and the loop drops what comes later.
    await reply.guard.wait(feed.read());
  } catch (error) {
    if (reader.complete && isLineFailure(error)) return;
    throw feed.hasEvents ? interrupted(error, reply, reader.partial) : error;
  }
  if (!reader.complete && !feed.isDone)
    throw truncated(reply, feed.hasEvents ? reader.partial : undefined);
}

export function truncated({ requestId }: Reply, partial?: string): ServiceError {
  const outcome = partial === undefined ? 'unknown' : 'final';
  return new ServiceError('truncated', 'answer ended early', { requestId, partial, outcome });
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

async function notAStream(reply: Reply): Promise<ServiceError> {
  const body = parseJson(await readText(reply, sizeLimits.errorBody));
  return (
    bodyError(body, reply) ??
    new ServiceError('protocol', 'answer is not an event stream', { requestId: reply.requestId })
  );
}

/** How long to wait for `[DONE]` after the `finish_reason`, ms. */
const lingerMs = 1000;

/** Bytes to events to the reader, with the idle rules of a stream. */
class EventFeed {
  readonly #reply: Reply;
  readonly #reader: StreamReader;
  /** Events in the present network read. */
  #fresh = 0;
  #isCut = false;
  #isTooLarge = false;
  hasEvents = false;
  /** `[DONE]` came. */
  isDone = false;
  readonly #parser = createEventParser({
    maxBufferSize: sizeLimits.streamEvent,
    onEvent: ({ data }) => this.#take(data),
    onOverflow: () => {
      this.#isTooLarge = true;
    },
  });

  constructor(reply: Reply, reader: StreamReader) {
    this.#reply = reply;
    this.#reader = reader;
  }

  async read(): Promise<void> {
    const { response, guard, timeouts, monotonic } = this.#reply;
    const reader = this.#reader;
    const decoder = new TextDecoder();
    const chunks = response.body[Symbol.asyncIterator]();
    const { streamIdleMs } = timeouts;
    let eventAt = -1;
    guard.arm(timeouts.firstEventMs, 'first event');
    for (;;) {
      const { done, value } = await chunks.next();
      if (guard.failure) return;
      if (done) break;
      this.#feed(decoder.decode(value, { stream: true }));
      if (this.isDone || reader.ended) return;
      if (!this.hasEvents) continue;
      let idleMs = streamIdleMs;
      if (this.#fresh > 0) eventAt = -1;
      else {
        // Comments show that the line is alive, but not that the answer is.
        if (eventAt < 0) eventAt = guard.armedAt;
        idleMs = Math.min(idleMs, 3 * streamIdleMs - (monotonic() - eventAt));
      }
      guard.arm(reader.complete ? Math.min(idleMs, lingerMs) : idleMs, 'stream');
    }
    guard.disarm();
    this.#isCut = true;
    this.#feed(`${decoder.decode()}\n\n`);
  }

  #feed(text: string): void {
    this.#fresh = 0;
    this.#parser.feed(text);
    if (this.#isTooLarge) {
      const { requestId } = this.#reply;
      const most = sizeLimits.streamEvent;
      throw new ServiceError('tooLarge', `stream event above ${most} characters`, { requestId });
    }
    if (this.#fresh > 0) this.#reader.flush();
  }

  #take(data: string): void {
    if (this.isDone) return;
    this.#fresh++;
    if (data === '[DONE]') {
      this.isDone = true;
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
    reader.add(event);
  }
}
