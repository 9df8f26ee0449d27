import { sentence } from '../../../base/sentence';
import { effortBudgets, messagesToolChoice } from '../../assumptions';
import { checkRange, limitError } from '../../limits';
import type { Tool } from './answer';
import type { ReasoningEffort } from './chatRequest';

export interface CountTokensRequest {
  /** An open-source chat model of the catalogue; see {@link chatOnlyModels}. */
  readonly model: string;
  readonly messages: readonly MessageParam[];
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
interface ThinkingBudget {
  readonly budgetTokens: number;
}

export interface MessageParam {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly MessageBlock[];
}

/** `isCached`: the service may cache everything up to here for the next request. */
interface Cacheable {
  readonly isCached?: boolean | undefined;
}

export interface TextBlock extends Cacheable {
  readonly type: 'text';
  readonly text: string;
}

interface ImageBlock extends Cacheable {
  readonly type: 'image';
  /** A URL, or the bytes in base64. */
  readonly source: { readonly url: string } | { readonly mediaType: string; readonly data: string };
}

/** Reasoning of an earlier answer, sent back unchanged. */
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

interface ToolResultBlock extends Cacheable {
  readonly type: 'toolResult';
  readonly toolUseId: string;
  readonly content: string | readonly (TextBlock | ImageBlock)[];
  readonly isError?: boolean | undefined;
}

export type MessageBlock = TextBlock | ImageBlock | ThinkingBlock | ToolUseBlock | ToolResultBlock;

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

/** The reasoning effort that the service derives from a thinking budget (service document, POST /v1/messages). */
export function effortOfBudget(budgetTokens: number): ReasoningEffort {
  if (budgetTokens < effortBudgets.low) return 'low';
  return budgetTokens < effortBudgets.medium ? 'medium' : 'high';
}
/** @throws {ServiceError} `limit` for what this format does not take. */
export function checkMessages({ model, messages, thinking }: CountTokensRequest): void {
  if (chatOnlyModels.includes(model)) {
    throw limitError('The model {0} is served in the chat-completions format only.', model);
  }
  if (messages.length === 0) throw limitError('A conversation needs at least one message.');
  // Conversations also come from other extensions, where no type excludes this role.
  const roles: readonly string[] = messages.map(({ role }) => role);
  if (roles.includes('system')) {
    throw limitError(
      'In the messages format, system text belongs in the field "system", not among the messages.',
    );
  }
  if (thinking) {
    checkRange(thinking.budgetTokens, 1, Number.MAX_SAFE_INTEGER, sentence('The thinking budget'));
  }
}

/** All texts that count towards the context window; images are not included. */
export function messageTexts({ messages, system = '', tools }: CountTokensRequest): string[] {
  const texts = tools ? [JSON.stringify(tools)] : [];
  const add = (content: string | readonly MessageBlock[]): void => {
    if (typeof content === 'string') return void texts.push(content);
    for (const block of content) {
      if (block.type === 'text') texts.push(block.text);
      else if (block.type === 'thinking') texts.push(block.thinking);
      else if (block.type === 'toolUse') texts.push(block.name, JSON.stringify(block.input));
      else if (block.type === 'toolResult') add(block.content);
    }
  };
  add(system);
  for (const { content } of messages) add(content);
  return texts;
}

/** A field that is `undefined` is left out when the body is written. */
export function messagesBody(request: CountTokensRequest): object {
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
    // Unlike in chat completions, the schema is required.
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
