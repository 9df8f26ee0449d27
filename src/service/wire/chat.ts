import * as z from 'zod';
import {
  incompleteFinishReasons,
  reasoningIn,
  refusesStreamUsage,
  textParts,
  tierIn,
} from '../assumptions';
import { ServiceError } from '../errors';
import { isRecord, textOf } from '../guards';
import type { CallOptions, Operation } from '../operation';
import { type Reply, readJson } from '../reply';
import { lenient, notThe, parseObject } from '../schema';
import { type StreamReader, readStream, truncated } from '../stream';
import { TextBuilder } from '../textBuilder';
import { type Usage, readUsage } from '../usage';
import {
  type AnswerDelta,
  DeltaBatch,
  type ToolCall,
  ToolCallList,
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
  /** As it came; absent when the service gave none. */
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
      const answer = stream ? await streamAnswer(reply, onDelta) : await readAnswer(reply);
      return answer.result(model);
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
 * @throws {ServiceError} `protocol` for another shape, `truncated` when the answer hit a limit.
 */
export async function readCompletion(reply: Reply, maxBytes?: number): Promise<Completion> {
  return whole(reply, await readAnswer(reply, maxBytes));
}

/**
 * @param onText gets the whole text so far, at most once per network read.
 * @throws {ServiceError} `truncated` when the answer hit a limit.
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
  return whole(reply, await streamAnswer(reply, onDelta));
}

function whole(reply: Reply, { partial: text, isCut, model, usage }: ChatReader): Completion {
  if (isCut) throw truncated(reply, text);
  return { text, model, usage };
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

async function readAnswer(reply: Reply, maxBytes?: number): Promise<ChatReader> {
  const what = 'chat completion';
  const json = await readJson(reply, maxBytes);
  const completion = parseObject(reply, completionSchema, what, json);
  const [choice] = completion.choices;
  if (!choice) throw notThe(what, reply);
  const reader = new ChatReader(new DeltaBatch(reply, undefined, Number.POSITIVE_INFINITY));
  reader.addWhole(completion, choice);
  return reader;
}

async function streamAnswer(
  reply: Reply,
  onDelta: ((delta: AnswerDelta) => void) | undefined,
): Promise<ChatReader> {
  const reader = new ChatReader(new DeltaBatch(reply, onDelta));
  await readStream(reply, reader);
  return reader;
}

/**
 * A chat completion, whole or from `chat.completion.chunk` events. `typeof` checks instead of zod: 20 ns
 * per chunk, not 171.
 */
class ChatReader implements StreamReader {
  readonly #batch: DeltaBatch;
  readonly #text = new TextBuilder();
  readonly #reasoning = new TextBuilder();
  readonly #toolCalls: ToolCallList;
  #finishReason: string | undefined;
  #tier: string | undefined;
  #logprobs: unknown[] | undefined;
  /** The last one, unread: some services send one with every event. */
  #usage: unknown;
  model: string | undefined;

  constructor(batch: DeltaBatch) {
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
    return this.#finishReason !== undefined;
  }

  get isCut(): boolean {
    return incompleteFinishReasons.has(this.#finishReason ?? '');
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

  add(event: Record<string, unknown>): void {
    const choices = event['choices'];
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (isRecord(choice)) {
      const delta = choice['delta'];
      if (isRecord(delta)) this.#addPart(delta, false);
      this.#addEnd(choice);
    }
    this.#addFrame(event);
  }

  addWhole(
    completion: Record<string, unknown>,
    choice: { message: Record<string, unknown> },
  ): void {
    this.#addPart(choice.message, true);
    this.#addEnd(choice);
    this.#addFrame(completion);
  }

  flush(): void {
    this.#batch.flush();
  }

  #addPart(part: Record<string, unknown>, isWhole: boolean): void {
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
    if (Array.isArray(calls))
      calls.forEach((call, place) => this.#toolCalls.add(call, isWhole ? place : undefined));
  }

  #addEnd(choice: Record<string, unknown>): void {
    const finishReason = choice['finish_reason'];
    if (typeof finishReason === 'string') this.#finishReason = finishReason;
    const logprobs = choice['logprobs'];
    if (!isRecord(logprobs) || !Array.isArray(logprobs['content'])) return;
    this.#batch.take(itemCharacters * logprobs['content'].length);
    this.#logprobs ??= [];
    for (const entry of logprobs['content']) this.#logprobs.push(entry);
  }

  #addFrame(event: Record<string, unknown>): void {
    this.model ??= textOf(event['model']);
    this.#tier ??= tierIn(event);
    this.#usage = event['usage'] ?? this.#usage;
  }
}
