import { sentence } from '../../../base/sentence';
import { chatFields, sentReasoning, streamUsage } from '../../assumptions';
import { checkTokens, limitError } from '../../limits';
import type { EndpointTarget } from '../dedicated';
import type { Tool } from './answer';

export interface ChatRequest {
  /** A model id of the catalogue, also for the model of an endpoint. */
  readonly model: string;
  readonly messages: readonly ChatCompletionMessage[];
  readonly tools?: readonly Tool[] | undefined;
  /** For example `required`. */
  readonly toolChoice?: string | undefined;
  /** `json`: any JSON object; otherwise one that matches the schema. */
  readonly responseFormat?: 'json' | JsonFormat | undefined;
  readonly reasoning?: { readonly effort: ReasoningEffort } | undefined;
  /** Number of alternatives per token; 0 for the token alone. */
  readonly logprobs?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  /** `standby`: cheaper, but refused first; only for {@link standbyModels}. */
  readonly serviceTier?: 'default' | 'auto' | 'standby' | undefined;
  /** The model's context window in tokens, where it is known; a conversation above it is not sent. */
  readonly contextTokens?: number | undefined;
  /** Instead of the shared service. */
  readonly endpoint?: EndpointTarget | undefined;
}

export type ReasoningEffort = 'low' | 'medium' | 'high';

interface JsonFormat {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export type ChatCompletionMessage =
  | { readonly role: 'system' | 'user'; readonly content: ChatContent }
  /** Adds tools from here on; only for {@link dynamicToolModels}. */
  | { readonly role: 'system'; readonly tools: readonly Tool[] }
  | {
      readonly role: 'assistant';
      readonly content?: string | undefined;
      /** Reasoning of an earlier answer; see {@link sentReasoning}. */
      readonly reasoning?: string | undefined;
      readonly toolCalls?: readonly SentToolCall[] | undefined;
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export type ChatContent = string | readonly ChatContentPart[];

export type ChatContentPart =
  | { readonly type: 'text'; readonly text: string }
  /** An `https:` or `data:` URL. */
  | { readonly type: 'image'; readonly url: string };

/** A tool call of an earlier answer. */
export interface SentToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

/** Service document, Endpoints, "Dynamic tool loading". */
export const dynamicToolModels: readonly string[] = ['svc-kimik3', 'svc-kimik3-fast'];
/** Service document, Endpoints, field `service_tier`. */
export const standbyModels: readonly string[] = ['svc-glm52-744b'];
/** Its tools are built in; a `tools` array must not be sent (service document, "Code search subagent"). */
export const searchModel = 'svc-warp-grep-v2.1';

/** @throws {ServiceError} `limit` for what the service would refuse, with a message for the user. */
export function checkChat(request: ChatRequest): void {
  const { model, messages, tools = [], serviceTier, endpoint, contextTokens } = request;
  if (messages.length === 0) throw limitError('A conversation needs at least one message.');
  if (model === searchModel && tools.length > 0) {
    throw limitError('The model {0} has its own tools and takes no others.', model);
  }
  if (serviceTier === 'standby' && (endpoint || !standbyModels.includes(model))) {
    throw limitError('Standby is offered for {0} only.', standbyModels.join(', '));
  }
  for (const message of messages) {
    if (!('tools' in message)) continue;
    if (!dynamicToolModels.includes(model)) {
      throw limitError(
        'The model {0} takes no tools within a conversation; only {1} and {2} do.',
        model,
        ...dynamicToolModels,
      );
    }
    if (message.tools.length === 0) {
      throw limitError('A message that adds tools must name at least one.');
    }
  }
  const window = contextTokens ?? endpoint?.contextTokens;
  if (window !== undefined) checkTokens(textsOf(request), window, sentence('The conversation'));
}

/** All texts that count towards the context window; images are not included. */
function textsOf({ messages, tools }: ChatRequest): string[] {
  const texts = tools ? [JSON.stringify(tools)] : [];
  for (const message of messages) {
    if ('tools' in message) {
      texts.push(JSON.stringify(message.tools));
      continue;
    }
    const { content = '' } = message;
    if (typeof content === 'string') texts.push(content);
    else for (const part of content) if (part.type === 'text') texts.push(part.text);
    if (message.role === 'assistant') {
      texts.push(message.reasoning ?? '');
      for (const call of message.toolCalls ?? []) texts.push(call.arguments);
    }
  }
  return texts;
}

/**
 * A field that is `undefined` is left out when the body is written.
 * @see service document, Endpoints, "POST /v1/chat/completions"
 */
export function chatBody(
  request: ChatRequest,
  { stream, asksUsage }: { stream: boolean; asksUsage: boolean },
): object {
  const { model, messages, tools, toolChoice, responseFormat, reasoning } = request;
  const { logprobs, maxTokens, temperature, serviceTier, endpoint } = request;
  return {
    model: endpoint?.servedModelName ?? model,
    messages: messages.map(wireMessage),
    tools: tools?.length ? tools.map(wireTool) : undefined,
    tool_choice: toolChoice,
    response_format: responseFormat && wireFormat(responseFormat),
    reasoning: reasoning && { effort: reasoning.effort },
    ...(logprobs === undefined ? {} : chatFields.logprobs(logprobs)),
    max_tokens: maxTokens,
    temperature,
    service_tier: serviceTier,
    stream: stream || undefined,
    ...(stream && asksUsage ? streamUsage : {}),
  };
}

function wireMessage(message: ChatCompletionMessage): object {
  // No `content` key, not even null: with one the service answers 400.
  if ('tools' in message) return { role: message.role, tools: message.tools.map(wireTool) };
  const { role } = message;
  if (role === 'tool') return { role, tool_call_id: message.toolCallId, content: message.content };
  if (role === 'assistant') {
    const { content, toolCalls = [] } = message;
    const thoughts = message.reasoning ? sentReasoning(message.reasoning) : {};
    if (toolCalls.length === 0) return { role, content: content ?? '', ...thoughts };
    return { role, content, ...thoughts, tool_calls: toolCalls.map(wireCall) };
  }
  const { content } = message;
  return { role, content: typeof content === 'string' ? content : content.map(wirePart) };
}

function wirePart(part: ChatContentPart): object {
  return part.type === 'text' ? { type: 'text', text: part.text } : chatFields.image(part.url);
}

function wireCall({ id, name, arguments: text }: SentToolCall): object {
  return { id, type: 'function', function: { name, arguments: text } };
}

function wireTool({ name, description, parameters }: Tool): object {
  return { type: 'function', function: { name, description, parameters } };
}

function wireFormat(format: 'json' | JsonFormat): object {
  return format === 'json'
    ? chatFields.jsonMode
    : chatFields.jsonSchema(format.name, format.schema);
}
