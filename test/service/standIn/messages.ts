import { formatVersionHeader } from '../../../src/service/assumptions';
import { isChatModel } from './catalogue';
import { checkResults } from './chat';
import { namedEvent, writeEvents } from './eventStream';
import { type Call, invalid, isRecord, oneOf, type Route, readFields } from './routing';
import {
  type ChatMessage,
  type ChatRequest,
  deltasOf,
  type Effort,
  finishTurn,
  inputTokens,
  type ToolCall,
  type ToolDefinition,
  type Turn,
} from './turn';
import type { World } from './world';

/** `2023-06-01` is in use; that others are refused is not said. */
const formatVersion = /^\d{4}-\d\d-\d\d$/;

/** Service document, Endpoints, "POST /v1/messages and POST /v1/messages/count_tokens". */
export function messagesRoutes(world: World): Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/messages',
      auth: 'keyHeader',
      async handle(call) {
        const { request, isStream } = readRequest(call, true);
        const turn = finishTurn(request, await world.chat(request), world.nextId);
        const head = {
          id: world.nextId('msg_'),
          type: 'message',
          role: 'assistant',
          model: request.model,
        };
        if (isStream) {
          await writeEvents(call.response, messageEvents(head, turn), world.pauseMs);
          return undefined;
        }
        return {
          ...head,
          content: blocksOf(turn).map(({ block }) => block),
          stop_reason: stopReason(turn),
          stop_sequence: null,
          usage: { input_tokens: turn.usage.input, output_tokens: turn.usage.output },
        };
      },
    },
    {
      method: 'POST',
      path: '/v1/messages/count_tokens',
      auth: 'keyHeader',
      handle(call) {
        const { request } = readRequest(call, false);
        return { input_tokens: inputTokens(request.messages, request.tools) };
      },
    },
  ];
}

function readRequest(
  { headers, body }: Call,
  isGeneration: boolean,
): { request: ChatRequest; isStream: boolean } {
  const version = headers[formatVersionHeader];
  if (version === undefined) throw invalid(`missing header: ${formatVersionHeader}`);
  if (!formatVersion.test(String(version)))
    throw invalid(`unknown format version: ${String(version)}`);
  const read = readFields(body, {
    model: 'string',
    max_tokens: isGeneration ? 'integer' : 'integer?',
    messages: 'array',
    stream: 'boolean?',
    tools: 'array?',
    tool_choice: 'object?',
    thinking: 'object?',
    cache_control: 'object?',
    temperature: 'number?',
  });
  if (!isChatModel(read.model)) throw invalid(`unknown model: ${read.model}`);
  if (read.max_tokens !== undefined && read.max_tokens < 1)
    throw invalid('max_tokens must be at least 1');
  if (read.messages.length === 0) throw invalid('messages must not be empty');
  const system = textOf(body['system'], 'system');
  const messages: ChatMessage[] =
    system === '' ? [] : [{ role: 'system', text: system, toolCalls: [], toolCallId: undefined }];
  read.messages.forEach((value, at) => messages.push(...readMessage(value, `messages[${at}].`)));
  checkResults(messages);
  return {
    isStream: read.stream === true,
    request: {
      model: read.model,
      messages,
      tools: readTools(read.tools ?? []),
      toolChoice: readChoice(read.tool_choice),
      jsonSchema: undefined,
      effort: readThinking(read.thinking),
      maxTokens: read.max_tokens,
    },
  };
}

/** One message can hold several tool results besides text; each becomes a message of its own. */
function readMessage(value: unknown, where: string): ChatMessage[] {
  const { role } = readFields(value, { role: 'string' }, where);
  if (role !== 'user' && role !== 'assistant') throw invalid(`invalid message role: '${role}'`);
  const content = isRecord(value) ? value['content'] : undefined;
  if (typeof content === 'string')
    return [{ role, text: content, toolCalls: [], toolCallId: undefined }];
  if (!Array.isArray(content))
    throw invalid(`${where}content must be a string or an array of blocks`);
  const results: ChatMessage[] = [];
  const toolCalls: ToolCall[] = [];
  const texts: string[] = [];
  content.forEach((block: unknown, n) => {
    const place = `${where}content[${n}].`;
    const { type, cache_control: _ } = readFields(
      block,
      { type: 'string', cache_control: 'object?' },
      place,
    );
    if (type === 'text') texts.push(readFields(block, { text: 'string' }, place).text);
    else if (type === 'tool_use') {
      const { id, name, input } = readFields(
        block,
        { id: 'string', name: 'string', input: 'object' },
        place,
      );
      toolCalls.push({ id, name, arguments: JSON.stringify(input) });
    } else if (type === 'tool_result') {
      const { tool_use_id: toolCallId } = readFields(block, { tool_use_id: 'string' }, place);
      const text = textOf(isRecord(block) ? block['content'] : '', `${place}content`);
      results.push({ role: 'tool', text, toolCalls: [], toolCallId });
    } else oneOf(`${place}type`, type, ['image', 'thinking', 'redacted_thinking']);
  });
  const isSpoken = texts.length > 0 || toolCalls.length > 0 || results.length === 0;
  return isSpoken
    ? [...results, { role, text: texts.join('\n'), toolCalls, toolCallId: undefined }]
    : results;
}

/** A string, or blocks of text. */
function textOf(value: unknown, name: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) throw invalid(`${name} must be a string or an array of blocks`);
  return value
    .map(
      (block, n) => readFields(block, { type: 'string', text: 'string?' }, `${name}[${n}].`).text,
    )
    .join('\n');
}

function readTools(values: readonly unknown[]): ToolDefinition[] {
  return values.map((value, at) => {
    const {
      name,
      description,
      input_schema: parameters,
    } = readFields(
      value,
      { name: 'string', description: 'string?', input_schema: 'object' },
      `tools[${at}].`,
    );
    return { name, description: description ?? '', parameters };
  });
}

function readChoice(choice: Record<string, unknown> | undefined): string {
  if (!choice) return 'auto';
  const { type, name } = readFields(choice, { type: 'string', name: 'string?' }, 'tool_choice.');
  oneOf('tool_choice.type', type, ['auto', 'any', 'tool', 'none']);
  return type === 'tool' ? (name ?? 'required') : type === 'any' ? 'required' : type;
}

/** "Under 8k gives `low`, under 24k gives `medium`, above gives `high`." */
function readThinking(thinking: Record<string, unknown> | undefined): Effort | undefined {
  if (!thinking) return undefined;
  const { type, budget_tokens: budget } = readFields(
    thinking,
    { type: 'string', budget_tokens: 'integer?' },
    'thinking.',
  );
  oneOf('thinking.type', type, ['enabled', 'disabled']);
  if (type === 'disabled') return undefined;
  if (budget === undefined) throw invalid('missing field: thinking.budget_tokens');
  return budget < 8000 ? 'low' : budget < 24_000 ? 'medium' : 'high';
}

const stopReason = ({ finish }: Turn): string =>
  ({ stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' })[finish];

interface Block {
  /** Whole, as in an answer that is no stream. */
  readonly block: object;
  /** As a stream begins it. */
  readonly start: object;
  readonly deltas: readonly object[];
}

/** Reasoning before the text, the calls last. */
function blocksOf({ reasoning, text, toolCalls }: Turn): Block[] {
  const signature = 'c3RhbmQtaW4=';
  const blocks: Block[] = [];
  if (reasoning !== '')
    blocks.push({
      block: { type: 'thinking', thinking: reasoning, signature },
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...deltasOf(reasoning).map(thinking => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature },
      ],
    });
  if (text !== '' || toolCalls.length === 0)
    blocks.push({
      block: { type: 'text', text },
      start: { type: 'text', text: '' },
      deltas: deltasOf(text).map(piece => ({ type: 'text_delta', text: piece })),
    });
  for (const { id, name, arguments: given } of toolCalls)
    blocks.push({
      block: { type: 'tool_use', id, name, input: JSON.parse(given) },
      start: { type: 'tool_use', id, name, input: {} },
      deltas: (given.match(/[^]{1,9}/gu) ?? []).map(piece => ({
        type: 'input_json_delta',
        partial_json: piece,
      })),
    });
  return blocks;
}

function* messageEvents(head: object, turn: Turn): Generator<string> {
  const { input, output } = turn.usage;
  yield namedEvent('message_start', {
    message: {
      ...head,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: input, output_tokens: 1 },
    },
  });
  yield namedEvent('ping');
  for (const [index, { start, deltas }] of blocksOf(turn).entries()) {
    yield namedEvent('content_block_start', { index, content_block: start });
    for (const delta of deltas) yield namedEvent('content_block_delta', { index, delta });
    yield namedEvent('content_block_stop', { index });
  }
  yield namedEvent('message_delta', {
    delta: { stop_reason: stopReason(turn), stop_sequence: null },
    usage: { output_tokens: output },
  });
  yield namedEvent('message_stop');
}
