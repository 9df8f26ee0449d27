import * as z from 'zod';
import { finishReasons, reasoningIn, refusesStreamUsage, textParts, tierIn } from '../assumptions';
import { ServiceError } from '../errors';
import { isRecord, textOf } from '../guards';
import type { CallOptions, Operation } from '../operation';
import { type Reply, notUtf8 } from '../reply';
import { lenient, notThe, parseObject } from '../schema';
import { type AnswerOptions, type AnswerReader, readAnswer, truncated } from '../stream';
import { TextBuilder } from '../textBuilder';
import { sizeLimits } from '../timeouts';
import { type Usage, readUsage } from '../usage';
import {
  type AnswerDelta,
  DeltaBatch,
  type ToolCall,
  ToolCallList,
  hasContent,
  itemCharacters,
  turnTimeouts,
} from './answer';
import { type ChatRequest, chatBody, checkChat } from './chatRequest';

export interface ChatOptions extends CallOptions {
  /** Read the answer while it is written; a failure after the first words is then not repeated. */
  readonly stream?: boolean | undefined;
  /** What is new, once per network read; only with `stream`. */
  readonly onDelta?: ((delta: AnswerDelta) => void) | undefined;
}

/** Text, reasoning and tool calls may each be all that there is. */
export interface ChatResult {
  /** '' where the answer has none. */
  readonly text: string;
  /** '' where the answer has none. */
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  /** As it came: one of those in {@link finishReasons}. */
  readonly finishReason: string | undefined;
  /**
   * The model was stopped at a limit or by a filter before its end. No error here, unlike in Apply: half
   * a file does harm, half an answer is of use, is paid for and can be continued.
   */
  readonly isCut: boolean;
  /** The model that answered, or the one that was asked for when the service does not say. */
  readonly model: string;
  readonly usage: Usage | undefined;
  /** The tier that served it, where the service says so. */
  readonly tier: string | undefined;
  /** One per token, as they came. */
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
    ...(endpoint ? { target: endpoint.url, gate: gateOf(endpoint) } : {}),
    async read(reply) {
      return (await readChat(reply, { stream }, onDelta)).result(model);
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

/** True when the service refused the question for the usage of a stream, and nothing else. */
export function isUsageRefused(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    error.kind === 'badRequest' &&
    refusesStreamUsage(error.serverText)
  );
}

function gateOf({ url, maxConcurrency: max }: NonNullable<ChatRequest['endpoint']>) {
  return max === undefined ? undefined : { key: url.href, max };
}

/** The text of a completion, for operations that take nothing less than the whole. */
export interface Completion {
  readonly text: string;
  /** The model that answered, where the service says so. */
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
}

/**
 * @param maxBytes where the answers of an operation can be larger than others
 * @throws {ServiceError} `protocol` for another shape, `truncated` for any end but a natural one.
 */
export async function readCompletion(reply: Reply, maxBytes?: number): Promise<Completion> {
  return whole(reply, await readChat(reply, { stream: false, maxBytes }));
}

/**
 * @param onText gets the whole text so far, at most once per network read.
 * @throws {ServiceError} as {@link readCompletion} does.
 */
export async function streamCompletion(
  reply: Reply,
  onText?: (textSoFar: string) => void,
): Promise<Completion> {
  let text = '';
  const onDelta =
    onText &&
    ((delta: AnswerDelta): void => {
      text += delta.text;
      if (delta.text !== '') onText(text);
    });
  return whole(reply, await readChat(reply, { stream: true }, onDelta));
}

const loneSurrogate = /\p{Cs}/u;

function whole(reply: Reply, { partial: text, endReason, model, usage }: ChatReader): Completion {
  if (endReason !== finishReasons.whole) throw truncated(reply, text, endReason);
  // Half of a surrogate pair, which JSON can hold, would become U+FFFD in a file.
  if (loneSurrogate.test(text)) throw notUtf8(reply);
  return { text, model, usage };
}

/**
 * The memory that an answer may take does not depend on the service. For one in one piece, whose bytes are
 * bounded already, twice as much: what its items count for comes on top of its text.
 */
export function mostCharacters({ stream, maxBytes = sizeLimits.jsonBody }: AnswerOptions): number {
  return stream ? sizeLimits.jsonBody : 2 * maxBytes;
}

/** Only what is read; everything else may be new, missing or odd (service document, Chat completion). */
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
  reply: Reply,
  options: AnswerOptions,
  onDelta?: (delta: AnswerDelta) => void,
): Promise<ChatReader> {
  const reader = new ChatReader(reply, new DeltaBatch(reply, onDelta, mostCharacters(options)));
  await readAnswer(reply, reader, options);
  return reader;
}

/**
 * A chat completion, whole or from `chat.completion.chunk` events. `typeof` checks instead of zod: 20 ns
 * per chunk, not 171.
 */
class ChatReader implements AnswerReader {
  readonly #reply: Reply;
  readonly #batch: DeltaBatch;
  readonly #text = new TextBuilder();
  readonly #reasoning = new TextBuilder();
  readonly #toolCalls: ToolCallList;
  #finishReason: string | undefined;
  #hasParts = false;
  #tier: string | undefined;
  #logprobs: unknown[] | undefined;
  /** The last one, unread: some services send one with every event. */
  #usage: unknown;
  model: string | undefined;

  constructor(reply: Reply, batch: DeltaBatch) {
    this.#reply = reply;
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
      // A whole completion in one event, and not the sum that some services send after the pieces.
      else if (isRecord(message) && !this.#hasParts) isContent = this.#addPart(message, true);
      if (this.#addEnd(choice)) isContent = true;
      if (isContent) this.#hasParts = true;
    }
    this.#addFrame(event);
    return isContent;
  }

  addWhole(answer: Record<string, unknown>): void {
    const what = 'chat completion';
    const completion = parseObject(this.#reply, completionSchema, what, answer);
    const [choice] = completion.choices;
    if (!choice) throw notThe(what, this.#reply);
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
    if (Array.isArray(calls))
      for (let place = 0; place < calls.length; place++)
        if (this.#toolCalls.add(calls[place], isWhole ? place : undefined)) hasArguments = true;
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
