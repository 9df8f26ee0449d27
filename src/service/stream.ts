import { type ParseError, createParser } from 'eventsource-parser';
import { ServiceError } from './errors';
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
  /** Takes one event; what it does not know it ignores. */
  add(event: Record<string, unknown>): void;
  /** After the events of one network read. */
  flush(): void;
}

/**
 * Reads a stream to its end with one await per network read.
 * @throws {ServiceError} `truncated` when it ends early, `timeout`, `tooLarge`, `protocol`, or what an
 *   error event says; `partial` holds the text that came before.
 * @see service document, Events ("terminated by `data: [DONE]`")
 */
export async function readStream(reply: Reply, reader: StreamReader): Promise<void> {
  if (!isContentType(reply, /^\s*text\/event-stream\b/i)) throw await notAStream(reply);
  const events = new EventFeed(reply, () => reader.complete);
  let seen = 0;
  try {
    for await (const batch of events.read()) {
      for (const { data, cut } of batch) {
        if (data === '[DONE]') return reader.flush();
        const event = parseJson(data);
        // The last event of a broken connection is a fragment: that is a truncation, not damage.
        if (event === undefined && cut) continue;
        if (!isRecord(event)) throw new ServiceError('protocol', 'damaged stream event');
        const error = bodyError(event, reply, seen > 0 ? reader.partial : undefined);
        if (error) throw error;
        seen++;
        reader.add(event);
      }
      reader.flush();
    }
  } catch (error) {
    if (reader.complete && isLineFailure(error)) return;
    throw seen > 0 ? interrupted(error, reply, reader.partial) : error;
  }
  if (!reader.complete) throw truncated(reply, seen > 0 ? reader.partial : undefined);
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

interface RawEvent {
  data: string;
  /** It was not ended by an empty line. */
  cut: boolean;
}

/** Bytes to events, with the idle rules of a stream. */
class EventFeed {
  readonly #reply: Reply;
  #batch: RawEvent[] = [];
  #overflow: ParseError | undefined;
  #ended = false;
  readonly #parser = createParser({
    maxBufferSize: sizeLimits.streamEvent,
    onEvent: ({ data }) => this.#batch.push({ data, cut: this.#ended }),
    onError: error => {
      if (error.type === 'max-buffer-size-exceeded') this.#overflow = error;
    },
  });

  readonly #isComplete: () => boolean;

  constructor(reply: Reply, isComplete: () => boolean) {
    this.#reply = reply;
    this.#isComplete = isComplete;
  }

  async *read(): AsyncGenerator<RawEvent[]> {
    const { response, guard, timeouts } = this.#reply;
    const decoder = new TextDecoder();
    const chunks = response.body[Symbol.asyncIterator]();
    let idleSinceEvent = 0;
    let started = false;
    guard.arm(timeouts.firstEventMs, 'first event');
    for (;;) {
      const readAt = this.#reply.monotonic();
      const { done, value } = await guard.wait(chunks.next());
      if (done) break;
      this.#feed(decoder.decode(value, { stream: true }));
      const batch = this.#take();
      if (batch.length > 0) {
        guard.disarm();
        yield batch;
        started = true;
        idleSinceEvent = 0;
      } else idleSinceEvent += this.#reply.monotonic() - readAt;
      // Comments show that the line is alive, but not that the answer is.
      const idleMs = Math.min(timeouts.streamIdleMs, 3 * timeouts.streamIdleMs - idleSinceEvent);
      if (started) guard.arm(this.#isComplete() ? Math.min(idleMs, lingerMs) : idleMs, 'stream');
    }
    guard.disarm();
    this.#ended = true;
    this.#feed(`${decoder.decode()}\n\n`);
    yield this.#take();
  }

  #feed(text: string): void {
    this.#parser.feed(text);
    if (!this.#overflow) return;
    throw new ServiceError('tooLarge', `stream event above ${sizeLimits.streamEvent} characters`, {
      requestId: this.#reply.requestId,
    });
  }

  #take(): RawEvent[] {
    const batch = this.#batch;
    this.#batch = [];
    return batch;
  }
}
