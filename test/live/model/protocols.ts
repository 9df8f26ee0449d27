import { isRecord, textOf } from '../../../src/base/typeGuards';
import type { Message, Schema, Tool, ToolCall } from './script';

/** A request of an agent in the terms of the script, and how to put an answer into its protocol. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  /** The whole answer as JSON, or as server-sent events when the request asks for a stream. */
  answer(calls: readonly ToolCall[], said: Said): Answer;
}

export interface Said {
  readonly text: string;
  readonly id: string;
  /** What the answer says that the request took. */
  readonly inputTokens: number;
}

export type Answer =
  | { readonly json: unknown }
  | { readonly events: readonly { readonly event?: string; readonly data: unknown }[] };

type Body = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly Body[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** The text of a message whose content is a text or a list of parts. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map(part => textOf(part['text']) ?? '')
    .join('\n');
}

const schemaOf = (value: unknown): Schema | undefined => (isRecord(value) ? value : undefined);
const toolOf = (name: unknown, schema: unknown): Tool => ({
  name: textOf(name) ?? '',
  schema: schemaOf(schema),
});
const inputOf = ({ input }: ToolCall): Readonly<Record<string, unknown>> =>
  typeof input === 'string' ? { input } : input;

/** An event whose data repeats its name. */
const event = (type: string, data: object) => ({ event: type, data: { type, ...data } });

/** The protocol of a path, for a body; undefined for a path that is none of a model. */
export function readRequest(path: string, body: Body): ModelRequest | undefined {
  if (path.endsWith('/messages')) return messagesRequest(body);
  if (path.endsWith('/responses')) return responsesRequest(body);
  if (path.endsWith('/chat/completions')) return chatRequest(body);
  if (/:(?:stream)?generateContent$/i.test(path))
    return generateRequest(body, path.includes(':stream'));
  return undefined;
}

/** POST /v1/messages of Anthropic. */
function messagesRequest(body: Body): ModelRequest {
  const messages = listOf(body['messages']).map(({ role, content }): Message => {
    const parts = listOf(content);
    if (role === 'assistant')
      return { from: 'model', isCall: parts.some(({ type }) => type === 'tool_use') };
    return parts.some(({ type }) => type === 'tool_result')
      ? { from: 'tool' }
      : { from: 'user', text: contentText(content) };
  });
  const tools = listOf(body['tools']).map(tool => toolOf(tool['name'], tool['input_schema']));
  return {
    messages,
    tools,
    answer: (calls, { text, id, inputTokens }) => {
      const content =
        calls.length === 0
          ? [{ type: 'text', text }]
          : calls.map((call, at) => ({
              type: 'tool_use',
              id: `toolu_${id}_${at}`,
              name: call.name,
              input: inputOf(call),
            }));
      const stop = { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null };
      const usage = { input_tokens: inputTokens, output_tokens: 10 };
      const message = {
        id: `msg_${id}`,
        type: 'message',
        role: 'assistant',
        model: body['model'],
        usage,
      };
      if (body['stream'] !== true) return { json: { ...message, content, ...stop } };
      return {
        events: [
          event('message_start', { message: { ...message, content: [], stop_reason: null } }),
          ...content.flatMap((block, index) => [
            event('content_block_start', {
              index,
              content_block:
                block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} },
            }),
            event('content_block_delta', {
              index,
              delta:
                'input' in block
                  ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
                  : { type: 'text_delta', text },
            }),
            event('content_block_stop', { index }),
          ]),
          event('message_delta', { delta: stop, usage }),
          event('message_stop', {}),
        ],
      };
    },
  };
}

/** POST /v1/responses of OpenAI. */
function responsesRequest(body: Body): ModelRequest {
  const input = listOf(body['input']);
  const messages = input.map(({ type, role, content }): Message => {
    const kind = textOf(type) ?? 'message';
    if (kind.endsWith('_output')) return { from: 'tool' };
    if (kind.endsWith('_call')) return { from: 'model', isCall: true };
    return role === 'user'
      ? { from: 'user', text: contentText(content) }
      : { from: 'model', isCall: false };
  });
  // Newer models get some of their tools as a part of the conversation, grouped by name space.
  const added = input.flatMap(item => listOf(item['tools']));
  const tools = [...listOf(body['tools']), ...added.flatMap(({ tools: of }) => listOf(of))].map(
    tool =>
      toolOf(tool['name'], tool['type'] === 'custom' ? undefined : (tool['parameters'] ?? {})),
  );
  return {
    messages,
    tools,
    answer: (calls, { text, id, inputTokens }) => {
      const output = calls.map((call, at) => ({
        id: `item_${id}_${at}`,
        call_id: `call_${id}_${at}`,
        name: call.name,
        ...(typeof call.input === 'string'
          ? { type: 'custom_tool_call', input: call.input }
          : { type: 'function_call', arguments: JSON.stringify(call.input) }),
      }));
      const said = {
        type: 'message',
        id: `item_${id}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      };
      const items = output.length > 0 ? output : [said];
      const usage = {
        input_tokens: inputTokens,
        output_tokens: 10,
        total_tokens: inputTokens + 10,
      };
      const response = { id: `resp_${id}`, object: 'response', status: 'completed', usage };
      if (body['stream'] !== true) return { json: { ...response, output: items } };
      return {
        events: [
          event('response.created', { response: { id: response.id } }),
          ...items.flatMap((item, index) => [
            event('response.output_item.added', { output_index: index, item }),
            event('response.output_item.done', { output_index: index, item }),
          ]),
          event('response.completed', { response: { ...response, output: items } }),
        ],
      };
    },
  };
}

/** POST /v1/chat/completions of OpenAI. */
function chatRequest(body: Body): ModelRequest {
  const messages = listOf(body['messages']).map((message): Message => {
    if (message['role'] === 'tool') return { from: 'tool' };
    return message['role'] === 'user'
      ? { from: 'user', text: contentText(message['content']) }
      : { from: 'model', isCall: listOf(message['tool_calls']).length > 0 };
  });
  // A tool that must be called is the shape of a title, and not of the work.
  const tools = (isRecord(body['tool_choice']) ? [] : listOf(body['tools']))
    .map(tool => tool['function'])
    .filter(isRecord)
    .map(tool => toolOf(tool['name'], tool['parameters'] ?? {}));
  return {
    messages,
    tools,
    answer: (calls, { text, id, inputTokens }) => {
      const message =
        calls.length === 0
          ? { role: 'assistant', content: text }
          : {
              role: 'assistant',
              content: null,
              tool_calls: calls.map((call, index) => ({
                index,
                id: `call_${id}_${index}`,
                type: 'function',
                function: { name: call.name, arguments: JSON.stringify(inputOf(call)) },
              })),
            };
      const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
      const usage = {
        prompt_tokens: inputTokens,
        completion_tokens: 10,
        total_tokens: inputTokens + 10,
      };
      const head = { id: `chat_${id}`, created: 1, model: body['model'] };
      if (body['stream'] !== true)
        return { json: { ...head, choices: [{ index: 0, message, finish_reason }], usage } };
      const chunk = (choices: readonly object[], more: object = {}) => ({
        data: { ...head, object: 'chat.completion.chunk', choices, ...more },
      });
      return {
        events: [
          chunk([{ index: 0, delta: message, finish_reason: null }]),
          chunk([{ index: 0, delta: {}, finish_reason }]),
          chunk([], { usage }),
          { data: '[DONE]' },
        ],
      };
    },
  };
}

/** generateContent and streamGenerateContent of Gemini. */
function generateRequest(body: Body, isStream: boolean): ModelRequest {
  const messages = listOf(body['contents']).map(({ role, parts }): Message => {
    const list = listOf(parts);
    if (role === 'model')
      return { from: 'model', isCall: list.some(part => 'functionCall' in part) };
    return list.some(part => 'functionResponse' in part)
      ? { from: 'tool' }
      : { from: 'user', text: contentText(parts) };
  });
  const tools = listOf(body['tools'])
    .flatMap(tool => listOf(tool['functionDeclarations']))
    .map(tool => toolOf(tool['name'], tool['parametersJsonSchema'] ?? tool['parameters'] ?? {}));
  return {
    messages,
    tools,
    answer: (calls, { text, id, inputTokens }) => {
      const parts =
        calls.length === 0
          ? [{ text }]
          : calls.map((call, at) => ({
              functionCall: { id: `call_${id}_${at}`, name: call.name, args: inputOf(call) },
            }));
      const usage = {
        promptTokenCount: inputTokens,
        candidatesTokenCount: 10,
        totalTokenCount: inputTokens + 10,
      };
      const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }];
      const json = { candidates, usageMetadata: usage };
      return isStream ? { events: [{ data: json }] } : { json };
    },
  };
}
