import { sentence } from '../../base/sentence';
import {
  assumedCallId,
  countedTokens,
  effortBudgets,
  formatVersionHeader,
  messageUsage,
  messagesToolChoice,
  stopReasons,
} from '../assumptions';
import { isRecord, textOf } from '../guards';
import { checkRange, checkTokens, limitError } from '../limits';
import type { Operation } from '../operation';
import { type Reply, readJson } from '../reply';
import { notThe } from '../schema';
import { type AnswerReader, readAnswer } from '../stream';
import { TextBuilder } from '../textBuilder';
import { headersMs } from '../timeouts';
import type { Usage } from '../usage';
import {
  DeltaBatch,
  type Tool,
  type ToolCall,
  hasContent,
  itemCharacters,
  parseArguments,
  turnTimeouts,
} from './answer';
import { type ChatOptions, mostCharacters } from './chat';
import type { ReasoningEffort } from './chatRequest';

export interface CountTokensRequest {
  /** An open-source chat model of the catalogue; see {@link chatOnlyModels}. */
  readonly model: string;
  readonly messages: readonly Message[];
  /** The only place for system text. */
  readonly system?: string | readonly TextBlock[] | undefined;
  readonly tools?: readonly (Tool & Cacheable)[] | undefined;
  /** `any`: the answer must be a tool call; see {@link messagesToolChoice}. */
  readonly toolChoice?: 'any' | undefined;
  readonly thinking?: ThinkingBudget | undefined;
}

export interface MessagesRequest extends CountTokensRequest {
  readonly maxTokens: number;
  /** The model's context window in tokens, where it is known; a conversation above it is not sent. */
  readonly contextTokens?: number | undefined;
}

/** Sets the reasoning effort; see {@link effortOfBudget}. */
export interface ThinkingBudget {
  readonly budgetTokens: number;
}

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly MessageBlock[];
}

/** `isCached`: everything up to here may be kept for the next request. */
interface Cacheable {
  readonly isCached?: boolean | undefined;
}

export interface TextBlock extends Cacheable {
  readonly type: 'text';
  readonly text: string;
}

export interface ImageBlock extends Cacheable {
  readonly type: 'image';
  /** An address, or the bytes in base64. */
  readonly source: { readonly url: string } | { readonly mediaType: string; readonly data: string };
}

/** Reasoning of an earlier answer; goes back as it came. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature?: string | undefined;
}

export interface ToolUseBlock extends Cacheable {
  readonly type: 'toolUse';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface ToolResultBlock extends Cacheable {
  readonly type: 'toolResult';
  readonly toolUseId: string;
  readonly content: string | readonly (TextBlock | ImageBlock)[];
  readonly isError?: boolean | undefined;
}

export type MessageBlock = TextBlock | ImageBlock | ThinkingBlock | ToolUseBlock | ToolResultBlock;

export interface MessagesResult {
  /** The last text block: reasoning and words between tool calls come before it. */
  readonly text: string;
  /** '' where the answer has none. */
  readonly thinking: string;
  readonly toolCalls: readonly ToolCall[];
  /** All blocks in their order, fit to go back as the assistant's message. */
  readonly blocks: readonly (TextBlock | ThinkingBlock | ToolUseBlock)[];
  /** As it came: one of those in {@link stopReasons}. */
  readonly stopReason: string | undefined;
  /** Stopped before its end; no error, for the reason given at `ChatResult`. */
  readonly isCut: boolean;
  /** The model that answered, or the one that was asked for when the service does not say. */
  readonly model: string;
  readonly usage: Usage | undefined;
}

export interface TokenCount {
  readonly inputTokens: number;
}

/** Served in the chat-completions format only (service document, POST /v1/messages). */
export const chatOnlyModels: readonly string[] = [
  'auto',
  'svc-v3-fast',
  'svc-v3-large',
  'svc-compactor',
  'svc-warp-grep-v2.1',
  'svc-rerank-v4',
  'svc-embedding-v4',
  'svc-reflex-v1',
];

/** The effort that the service makes of a thinking budget (service document, POST /v1/messages). */
export function effortOfBudget(budgetTokens: number): ReasoningEffort {
  if (budgetTokens < effortBudgets.low) return 'low';
  return budgetTokens < effortBudgets.medium ? 'medium' : 'high';
}

/**
 * @throws {ServiceError} `limit` for what the service would refuse.
 * @see service document, Endpoints, "POST /v1/messages"
 */
export function messagesOperation(
  request: MessagesRequest,
  { stream = false, onDelta }: Pick<ChatOptions, 'stream' | 'onDelta'>,
): Operation<MessagesResult> {
  const { model, maxTokens, contextTokens } = request;
  check(request);
  checkRange(maxTokens, 1, Number.MAX_SAFE_INTEGER, sentence('The number of tokens to make'));
  if (contextTokens !== undefined)
    checkTokens(textsOf(request), contextTokens, sentence('The conversation'));
  return {
    name: 'messages',
    model,
    callClass: 'compute',
    method: 'POST',
    path: '/v1/messages',
    headers: formatVersion,
    accept: stream ? 'text/event-stream' : 'application/json',
    timeouts: turnTimeouts(stream),
    body: { ...wireRequest(request), max_tokens: maxTokens, stream: stream || undefined },
    async read(reply) {
      const batch = new DeltaBatch(reply, stream ? onDelta : undefined, mostCharacters({ stream }));
      const reader = new MessageReader(reply, batch);
      await readAnswer(reply, reader, { stream });
      return reader.result(model);
    },
    charge: ({ blocks, usage }) => ({
      kind: 'tokens',
      model,
      usage,
      answerChars: textsOf({ model, messages: [{ role: 'assistant', content: blocks }] })
        .map(text => text.length)
        .reduce((sum, length) => sum + length, 0),
    }),
  };
}

/** @see service document, Endpoints; {@link countedTokens} for the answer, which is not shown there */
export function countTokensOperation(request: CountTokensRequest): Operation<TokenCount> {
  check(request);
  return {
    name: 'countTokens',
    model: request.model,
    callClass: 'compute',
    method: 'POST',
    path: '/v1/messages/count_tokens',
    headers: formatVersion,
    accept: 'application/json',
    timeouts: { headersMs: headersMs.predict },
    body: wireRequest(request),
    async read(reply) {
      const inputTokens = countedTokens(await readJson(reply));
      if (inputTokens === undefined) throw notThe('token count', reply);
      return { inputTokens };
    },
  };
}

/** The value that the service document gives (Versioning). */
const formatVersion = { [formatVersionHeader]: '2023-06-01' };

function check({ model, messages, thinking }: CountTokensRequest): void {
  if (chatOnlyModels.includes(model))
    throw limitError('The model {0} is served in the chat-completions format only.', model);
  if (messages.length === 0) throw limitError('A conversation needs at least one message.');
  // Conversations also come from outside, where no type keeps this role away.
  const roles: readonly string[] = messages.map(({ role }) => role);
  if (roles.includes('system'))
    throw limitError(
      'In the messages format, system text goes into the field "system" and not among the messages.',
    );
  if (thinking)
    checkRange(thinking.budgetTokens, 1, Number.MAX_SAFE_INTEGER, sentence('The thinking budget'));
}

/** Everything that counts for the context window but images. */
function textsOf({ messages, system = '', tools }: CountTokensRequest): string[] {
  const texts = tools ? [JSON.stringify(tools)] : [];
  const add = (content: string | readonly MessageBlock[]): void => {
    if (typeof content === 'string') return void texts.push(content);
    for (const block of content)
      if (block.type === 'text') texts.push(block.text);
      else if (block.type === 'thinking') texts.push(block.thinking);
      else if (block.type === 'toolUse') texts.push(block.name, JSON.stringify(block.input));
      else if (block.type === 'toolResult') add(block.content);
  };
  add(system);
  for (const { content } of messages) add(content);
  return texts;
}

/** A field that is `undefined` is left out when the body is written. */
function wireRequest(request: CountTokensRequest): object {
  const { model, messages, system, tools, toolChoice, thinking } = request;
  return {
    model,
    system: system && wireContent(system),
    messages: messages.map(({ role, content }) => ({ role, content: wireContent(content) })),
    tools: tools?.length ? tools.map(wireTool) : undefined,
    tool_choice: toolChoice && messagesToolChoice(toolChoice),
    thinking: thinking && { type: 'enabled', budget_tokens: thinking.budgetTokens },
  };
}

function wireContent(content: string | readonly MessageBlock[]): unknown {
  return typeof content === 'string' ? content : content.map(wireBlock);
}

function wireTool({ name, description, parameters, isCached }: Tool & Cacheable): object {
  return {
    name,
    description,
    // Unlike in chat completions the schema must be there.
    input_schema: parameters ?? { type: 'object', properties: {} },
    cache_control: cacheControl(isCached),
  };
}

function cacheControl(isCached: boolean | undefined): object | undefined {
  return isCached ? { type: 'ephemeral' } : undefined;
}

function wireBlock(block: MessageBlock): object {
  const { type } = block;
  if (type === 'thinking') return { type, thinking: block.thinking, signature: block.signature };
  return { ...plainBlock(block), cache_control: cacheControl(block.isCached) };
}

function plainBlock(block: Exclude<MessageBlock, ThinkingBlock>): object {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image', source: imageSource(block.source) };
    case 'toolUse':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
    default:
      return {
        type: 'tool_result',
        tool_use_id: block.toolUseId,
        content: wireContent(block.content),
        is_error: block.isError || undefined,
      };
  }
}

function imageSource(source: ImageBlock['source']): object {
  if ('url' in source) return { type: 'url', url: source.url };
  return { type: 'base64', media_type: source.mediaType, data: source.data };
}

/** A content block that is being read. */
interface OpenBlock {
  readonly type: 'text' | 'thinking' | 'tool_use';
  readonly text: TextBuilder;
  signature: string | undefined;
  readonly id: string;
  readonly name: string;
  /** Place among the tool calls. */
  readonly call: number;
}

// Maps and no objects: the keys come from the service, and `constructor` is one of every object.
const blockTypes: ReadonlyMap<unknown, OpenBlock['type']> = new Map([
  ['text', 'text'],
  ['thinking', 'thinking'],
  ['tool_use', 'tool_use'],
]);
const deltaTypes: ReadonlyMap<unknown, OpenBlock['type']> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['signature_delta', 'thinking'],
  ['input_json_delta', 'tool_use'],
]);

/** A message, whole or from the events of a stream. Guards instead of zod, as for chat completions. */
class MessageReader implements AnswerReader {
  readonly #reply: Reply;
  readonly #batch: DeltaBatch;
  readonly #blocks: OpenBlock[] = [];
  /** By the wire's own number. */
  readonly #open = new Map<unknown, OpenBlock>();
  #calls = 0;
  #lastText: OpenBlock | undefined;
  #stopReason: string | undefined;
  #model: string | undefined;
  #prompt: number | undefined;
  #cached: number | undefined;
  #completion: number | undefined;
  ended = false;

  constructor(reply: Reply, batch: DeltaBatch) {
    this.#reply = reply;
    this.#batch = batch;
  }

  get partial(): string {
    return this.#lastText?.text.text ?? '';
  }

  get complete(): boolean {
    return stopReasons.whole.has(this.#stopReason ?? '') || this.#isCut;
  }

  get endReason(): string | undefined {
    return this.#stopReason;
  }

  get #isCut(): boolean {
    return stopReasons.cut.has(this.#stopReason ?? '');
  }

  result(asked: string): MessagesResult {
    const toolCalls: ToolCall[] = [];
    let thinking = '';
    const blocks = this.#blocks.map(({ type, text: { text }, signature, id, name }) => {
      if (type === 'text') return { type, text };
      if (type === 'thinking') {
        thinking += text;
        return { type, thinking: text, signature };
      }
      const call = { id, name, arguments: text, parsed: parseArguments(text) };
      toolCalls.push(call);
      return { type: 'toolUse' as const, id, name, input: call.parsed ?? {} };
    });
    return {
      text: this.partial,
      thinking,
      toolCalls,
      blocks,
      stopReason: this.#stopReason,
      isCut: this.#isCut,
      model: this.#model ?? asked,
      usage: this.#usage(),
    };
  }

  /** @throws {ServiceError} `protocol` when it has no content. */
  addWhole(message: Record<string, unknown>): void {
    const { content } = message as { content?: unknown };
    const blocks: unknown[] | undefined =
      typeof content === 'string'
        ? [{ type: 'text', text: content }]
        : Array.isArray(content)
          ? content
          : undefined;
    if (!blocks) throw notThe('message', this.#reply);
    blocks.forEach((block, place) => this.#begin(place, block));
    this.#addFrame(message);
  }

  add(event: Record<string, unknown>): boolean {
    const { type, index } = event as { type?: unknown; index?: unknown };
    // By far the most frequent one first.
    if (type === 'content_block_delta') return this.#addDelta(index, event['delta']);
    if (type === 'content_block_start') return this.#begin(index, event['content_block']);
    if (type === 'message_start') this.#addFrame(event['message']);
    else if (type === 'message_delta') {
      this.#addUsage(event['usage']);
      return this.#addFrame(event['delta']);
    } else if (type === 'message_stop') return (this.ended = true);
    else if (type === 'message' && this.#blocks.length === 0) {
      // A whole message in one event.
      this.addWhole(event);
      return true;
    } else if (type !== 'ping' && type !== 'content_block_stop')
      this.#reply.note(`message stream has a new event "${String(type)}"`);
    return false;
  }

  flush(): void {
    this.#batch.flush();
  }

  /** @returns true when there was anything in it. */
  #begin(index: unknown, block: unknown): boolean {
    if (!isRecord(block)) return false;
    const type = blockTypes.get(block['type']);
    if (!type) {
      this.#reply.note(`message has a new block "${String(block['type'])}"`);
      return hasContent(block);
    }
    const open = this.#openBlock(index, type, textOf(block['id']), textOf(block['name']));
    if (type === 'tool_use') {
      const { input } = block;
      // A stream begins with an empty object and sends the text of the real one after it.
      if (isRecord(input) && Object.keys(input).length > 0)
        this.#addText(open, JSON.stringify(input));
    } else this.#addText(open, textOf(block[type]) ?? '');
    open.signature = textOf(block['signature']);
    return hasContent(block);
  }

  #addDelta(index: unknown, delta: unknown): boolean {
    if (!isRecord(delta)) return false;
    const { type } = delta as { type?: unknown };
    const blockType = deltaTypes.get(type);
    if (!blockType) {
      this.#reply.note(`message stream has a new delta "${String(type)}"`);
      return hasContent(delta);
    }
    const known = this.#open.get(index);
    const open =
      known?.type === blockType ? known : this.#openBlock(index, blockType, undefined, undefined);
    if (type === 'signature_delta') {
      const signature = textOf(delta['signature']) ?? '';
      this.#batch.take(signature.length);
      open.signature = (open.signature ?? '') + signature;
      return signature !== '';
    }
    const piece = textOf(delta[blockType === 'tool_use' ? 'partial_json' : blockType]) ?? '';
    this.#addText(open, piece);
    return piece !== '';
  }

  #openBlock(
    index: unknown,
    type: OpenBlock['type'],
    id: string | undefined,
    name = '',
  ): OpenBlock {
    this.#batch.take(itemCharacters);
    const call = type === 'tool_use' ? this.#calls++ : -1;
    const open: OpenBlock = {
      type,
      text: new TextBuilder(),
      signature: undefined,
      id: id ?? assumedCallId(call),
      name,
      call,
    };
    this.#blocks.push(open);
    this.#open.set(index, open);
    if (type === 'text') this.#lastText = open;
    if (type === 'tool_use')
      this.#batch.toolCall({ index: call, id: open.id, name, arguments: '' });
    return open;
  }

  #addText(open: OpenBlock, piece: string): void {
    if (piece === '') return;
    if (open.type === 'text') this.#batch.text(piece);
    else if (open.type === 'thinking') this.#batch.reasoning(piece);
    else
      this.#batch.toolCall({ index: open.call, id: undefined, name: undefined, arguments: piece });
    open.text.add(piece);
  }

  /**
   * Fields of a message that may stand in its first event, in its last or in the whole.
   * @returns true when it says how the message ended.
   */
  #addFrame(frame: unknown): boolean {
    if (!isRecord(frame)) return false;
    this.#model ??= textOf(frame['model']);
    const reason = textOf(frame['stop_reason']) || undefined;
    this.#stopReason = reason ?? this.#stopReason;
    this.#addUsage(frame['usage']);
    return reason !== undefined;
  }

  #addUsage(wire: unknown): void {
    if (!isRecord(wire)) return;
    const { prompt, cached, completion } = messageUsage(wire);
    this.#prompt = prompt ?? this.#prompt;
    this.#cached = cached ?? this.#cached;
    this.#completion = completion ?? this.#completion;
  }

  #usage(): Usage | undefined {
    const promptTokens = this.#prompt;
    const completionTokens = this.#completion;
    if (promptTokens === undefined || completionTokens === undefined) return undefined;
    const cachedTokens = this.#cached;
    return {
      promptTokens,
      completionTokens,
      ...(cachedTokens === undefined ? {} : { cachedTokens }),
    };
  }
}
