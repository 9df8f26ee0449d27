import * as z from 'zod';
import { TextBuilder } from '../../../base/text/textBuilder';
import { isRecord, textOf } from '../../../base/typeGuards';
import {
  finishReasons,
  reasoningIn,
  refusesStreamUsage,
  textParts,
  tierIn,
} from '../../assumptions';
import { ServiceError } from '../../errors';
import type { CallOptions, Operation } from '../../http/operation';
import { notUtf8, type ResponseContext } from '../../http/responseContext';
import { sizeLimits } from '../../http/timeouts';
import { lenient, parseObject, unexpectedShape } from '../../schema';
import {
  type AnswerBuilder,
  type ReadAnswerOptions,
  readAnswerInto,
  truncatedError,
} from '../../stream/answerStream';
import { readUsage, type Usage } from '../../usage';
import {
  type AnswerDelta,
  DeltaBatch,
  hasContent,
  itemCharacters,
  type ToolCall,
  ToolCallList,
  turnTimeouts,
} from './answer';
import { type ChatRequest, chatBody, checkChat } from './chatRequest';

export interface ChatOptions extends CallOptions {
  /** Streams the answer; a failure after its first part is then not retried. */
  readonly stream?: boolean | undefined;
  /** Called with the new parts, once per network read; only with `stream`. */
  readonly onDelta?: ((delta: AnswerDelta) => void) | undefined;
}

/** An answer can consist of text, reasoning or tool calls alone. */
export interface ChatResult {
  /** '' where the answer has none. */
  readonly text: string;
  /** '' where the answer has none. */
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  /** Unchanged: one of {@link finishReasons}. */
  readonly finishReason: string | undefined;
  /**
   * A limit or a filter stopped the model. No error here, unlike in Apply: half a file does harm, while half
   * an answer is useful, has been billed and can be continued.
   */
  readonly isCut: boolean;
  /** The model that answered, or the requested one when the service does not say. */
  readonly model: string;
  readonly usage: Usage | undefined;
  /** The tier that served it, where the service says so. */
  readonly tier: string | undefined;
  /** One per token, unchanged. */
  readonly logprobs: readonly unknown[] | undefined;
}

/**
 * @param asksUsage see {@link streamUsage}
 * @throws {ServiceError} `limit` for what the service would refuse.
 * @see service document, Endpoints, "POST /v1/chat/completions"
 */
export function chatOperation(
  request: ChatRequest,
  { stream = false, onDelta }: Pick<ChatOptions, 'stream' | 'onDelta'>,
  asksUsage = true,
): Operation<ChatResult> {
  checkChat(request);
  const { endpoint } = request;
  const model = endpoint?.servedModelName ?? request.model;
  return {
    name: 'chat',
    model,
    callClass: 'compute',
    method: 'POST',
    path: '/v1/chat/completions',
    accept: stream ? 'text/event-stream' : 'application/json',
    timeouts: turnTimeouts(stream),
    body: chatBody(request, { stream, asksUsage }),
    ...(endpoint && {
      target: endpoint.url,
      concurrencyLimit: concurrencyLimitOf(endpoint),
      endpointId: endpoint.endpointId,
    }),
    async read(context) {
      return (await readChat(context, { stream }, onDelta)).result(model);
    },
    charge: ({ text, reasoning, toolCalls, usage }) => ({
      kind: 'tokens',
      model,
      usage,
      answerChars: toolCalls.reduce(
        (sum, call) => sum + call.name.length + call.arguments.length,
        text.length + reasoning.length,
      ),
      pricePerM: endpoint?.pricePerM,
    }),
  };
}

/** True when the service refused the request only because it asked for the usage of a stream. */
export function isUsageRefused(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    error.kind === 'badRequest' &&
    refusesStreamUsage(error.serverText)
  );
}

function concurrencyLimitOf({ url, maxConcurrency: max }: NonNullable<ChatRequest['endpoint']>) {
  return max === undefined ? undefined : { key: url.href, max };
}

/** A completion for operations that need the complete text. */
export interface Completion {
  readonly text: string;
  /** The model that answered, where the service says so. */
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
}

/**
 * @param maxBytes for operations whose answers can be larger than others
 * @throws {ServiceError} `protocol` for another shape, `truncated` for any end but a natural one.
 */
export async function readCompletion(
  context: ResponseContext,
  maxBytes?: number,
): Promise<Completion> {
  return wholeCompletion(context, await readChat(context, { stream: false, maxBytes }));
}

/**
 * @param onText gets the whole text so far, at most once per network read.
 * @throws {ServiceError} as {@link readCompletion} does.
 */
export async function streamCompletion(
  context: ResponseContext,
  onText?: (textSoFar: string) => void,
): Promise<Completion> {
  let text = '';
  const onDelta =
    onText &&
    ((delta: AnswerDelta): void => {
      text += delta.text;
      if (delta.text !== '') onText(text);
    });
  return wholeCompletion(context, await readChat(context, { stream: true }, onDelta));
}

const loneSurrogate = /\p{Cs}/u;

function wholeCompletion(
  context: ResponseContext,
  { partial: text, endReason, model, usage }: ChatBuilder,
): Completion {
  if (endReason !== finishReasons.whole) throw truncatedError(context, text, endReason);
  // Half of a surrogate pair, which JSON can hold, would become U+FFFD in a file.
  if (loneSurrogate.test(text)) throw notUtf8(context);
  return { text, model, usage };
}

/**
 * Limit of an answer in characters, so that the service cannot exhaust the memory. Twice the size limit for
 * an answer in one piece, whose bytes are limited already, because its items count in addition to its text.
 */
export function maxAnswerCharacters({
  stream,
  maxBytes = sizeLimits.jsonBody,
}: ReadAnswerOptions): number {
  return stream ? sizeLimits.jsonBody : 2 * maxBytes;
}

/** Only the fields that are used; any other may be new, missing or unusual (service document, Chat completion). */
const completionSchema = z.object({
  id: z.unknown().optional(),
  object: z.unknown().optional(),
  created: z.unknown().optional(),
  model: z.unknown().optional(),
  choices: z.array(z.looseObject({ message: z.looseObject({}) })).min(1),
  usage: lenient(z.looseObject({})),
  service_tier: z.unknown().optional(),
});

async function readChat(
  context: ResponseContext,
  options: ReadAnswerOptions,
  onDelta?: (delta: AnswerDelta) => void,
): Promise<ChatBuilder> {
  const reader = new ChatBuilder(
    context,
    new DeltaBatch(context, onDelta, maxAnswerCharacters(options)),
  );
  await readAnswerInto(context, reader, options);
  return reader;
}

/**
 * A chat completion, whole or from `chat.completion.chunk` events. `typeof` checks instead of zod: 20 ns
 * per chunk, not 171.
 */
class ChatBuilder implements AnswerBuilder {
  readonly #context: ResponseContext;
  readonly #batch: DeltaBatch;
  readonly #text = new TextBuilder();
  readonly #reasoning = new TextBuilder();
  readonly #toolCalls: ToolCallList;
  #finishReason: string | undefined;
  #hasParts = false;
  #tier: string | undefined;
  #logprobs: unknown[] | undefined;
  /** The last one, unparsed: some services send one with every event. */
  #usage: unknown;
  model: string | undefined;

  constructor(context: ResponseContext, batch: DeltaBatch) {
    this.#context = context;
    this.#batch = batch;
    this.#toolCalls = new ToolCallList(batch);
  }

  get partial(): string {
    return this.#text.text;
  }

  get usage(): Usage | undefined {
    return readUsage(this.#usage);
  }

  get complete(): boolean {
    const reason = this.#finishReason;
    if (reason === undefined) return false;
    return reason === finishReasons.whole || finishReasons.calls.has(reason) || this.isCut;
  }

  get endReason(): string | undefined {
    return this.#finishReason;
  }

  get isCut(): boolean {
    return finishReasons.cut.has(this.#finishReason ?? '');
  }

  result(asked: string): ChatResult {
    return {
      text: this.#text.text,
      reasoning: this.#reasoning.text,
      toolCalls: this.#toolCalls.done(),
      finishReason: this.#finishReason,
      isCut: this.isCut,
      model: this.model ?? asked,
      usage: this.usage,
      tier: this.#tier,
      logprobs: this.#logprobs,
    };
  }

  add(event: Record<string, unknown>): boolean {
    const choices = event['choices'];
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    let isContent = false;
    if (isRecord(choice)) {
      const { delta, message } = choice as { delta?: unknown; message?: unknown };
      if (isRecord(delta)) isContent = this.#addPart(delta, false);
      // A complete answer in one event; ignored after pieces, where some services send it as a summary.
      else if (isRecord(message) && !this.#hasParts) isContent = this.#addPart(message, true);
      if (this.#addEnd(choice)) isContent = true;
      if (isContent) this.#hasParts = true;
    }
    this.#addFrame(event);
    return isContent;
  }

  addWhole(answer: Record<string, unknown>): void {
    const what = 'chat completion';
    const completion = parseObject(this.#context, completionSchema, what, answer);
    const [choice] = completion.choices;
    if (!choice) throw unexpectedShape(what, this.#context);
    this.#addPart(choice.message, true);
    this.#addEnd(choice);
    this.#addFrame(completion);
  }

  flush(): void {
    this.#batch.flush();
  }

  /** @returns true when there was anything in it. */
  #addPart(part: Record<string, unknown>, isWhole: boolean): boolean {
    const { content } = part as { content?: unknown };
    const text = Array.isArray(content) ? textParts(content) : content;
    if (typeof text === 'string' && text !== '') {
      this.#batch.text(text);
      this.#text.add(text);
    }
    const reasoning = reasoningIn(part);
    if (reasoning) {
      this.#batch.reasoning(reasoning);
      this.#reasoning.add(reasoning);
    }
    const calls = part['tool_calls'];
    let hasArguments = false;
    if (Array.isArray(calls)) {
      for (let place = 0; place < calls.length; place++) {
        if (this.#toolCalls.add(calls[place], isWhole ? place : undefined)) hasArguments = true;
      }
    }
    if (reasoning || hasArguments) return true;
    return text !== undefined && text !== null && text !== '' ? true : hasContent(part);
  }

  /** @returns true when it says how the answer ended. */
  #addEnd(choice: Record<string, unknown>): boolean {
    const finishReason = choice['finish_reason'];
    // Some services send an empty one with every event.
    const isEnd = typeof finishReason === 'string' && finishReason !== '';
    if (isEnd) this.#finishReason = finishReason;
    const logprobs = choice['logprobs'];
    if (isRecord(logprobs) && Array.isArray(logprobs['content'])) {
      this.#batch.take(itemCharacters * logprobs['content'].length);
      this.#logprobs ??= [];
      for (const entry of logprobs['content']) this.#logprobs.push(entry);
    }
    return isEnd;
  }

  #addFrame(event: Record<string, unknown>): void {
    this.model ??= textOf(event['model']);
    this.#tier ??= tierIn(event);
    this.#usage = event['usage'] ?? this.#usage;
  }
}
