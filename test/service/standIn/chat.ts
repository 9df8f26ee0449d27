import type { ServerResponse } from 'node:http';
import { serviceLimits } from '../../../src/service/limits';
import { estimateTokens } from '../../../src/service/tokens';
import { done, sse } from '../wire';
import {
  applyModels,
  compactModel,
  dynamicToolModels,
  isChatModel,
  modelOf,
  searchModel,
  standbyModel,
} from './catalogue';
import { writeEvents } from './eventStream';
import {
  type Answer,
  type Call,
  checkLength,
  invalid,
  isRecord,
  oneOf,
  Refusal,
  type Route,
  readFields,
} from './routing';
import { searchTask } from './searchModel';
import {
  type ChatMessage,
  type ChatRequest,
  deltasOf,
  type Effort,
  finishTurn,
  type ToolCall,
  type ToolDefinition,
  type Turn,
} from './turn';
import type { World } from './world';

/** Service document, Endpoints, "POST /v1/chat/completions". */
export function chatRoutes(world: World): Route[] {
  const cached = new PromptCache();
  return [
    {
      method: 'POST',
      path: '/v1/chat/completions',
      handle: async call => {
        const { model, request, options } = readRequest(call.body);
        if (applyModels.includes(model))
          return reply(
            world,
            call,
            { ...options, model: picked(model) },
            applyTurn(world, request),
          );
        if (model === compactModel)
          return reply(world, call, options, compactTurn(world, request.messages));
        if (model === searchModel) {
          checkSearch(call.body, request);
          const answer = await world.search(request);
          return reply(world, call, options, finishTurn(request, answer, world.nextId));
        }
        if (!isChatModel(model)) throw invalid(`unknown model: ${model}`);
        checkStandby(world, options);
        const turn = finishTurn(request, await world.chat(request), world.nextId);
        return reply(world, call, options, turn, cached.tokens(request));
      },
    },
  ];
}

/** A chat completion by a dedicated endpoint's own address, which knows one model only. */
export async function chatOf(world: World, call: Call, servedModelName: string): Promise<Answer> {
  const { model, request, options } = readRequest(call.body);
  if (model !== servedModelName) throw invalid(`unknown model: ${model}`);
  const turn = finishTurn(request, await world.chat(request), world.nextId);
  return reply(world, call, options, turn);
}

interface ReplyOptions {
  readonly model: string;
  readonly isStream: boolean;
  readonly withUsage: boolean;
  readonly withLogprobs: boolean;
  /** The tier that serves. */
  readonly tier: 'default' | 'standby';
}

function readRequest(body: Call['body']): {
  model: string;
  request: ChatRequest;
  options: ReplyOptions;
} {
  const read = readFields(body, {
    model: 'string',
    messages: 'array',
    stream: 'boolean?',
    stream_options: 'object?',
    max_tokens: 'integer?',
    temperature: 'number?',
    tools: 'array?',
    tool_choice: 'string?',
    response_format: 'object?',
    reasoning: 'object?',
    service_tier: 'string?',
    logprobs: 'boolean?',
  });
  const { model, max_tokens: maxTokens } = read;
  if (maxTokens !== undefined && maxTokens < 1) throw invalid('max_tokens must be at least 1');
  oneOf('service_tier', read.service_tier, ['default', 'auto', 'standby']);
  const isStandby = read.service_tier === 'standby' && model === standbyModel;
  const { messages, tools } = readMessages(read.messages, model);
  const { include_usage: withUsage } = readFields(
    read.stream_options ?? {},
    { include_usage: 'boolean?' },
    'stream_options.',
  );
  return {
    model,
    request: {
      model,
      messages,
      tools: [...readTools(read.tools ?? [], 'tools'), ...tools],
      toolChoice: read.tool_choice ?? 'auto',
      jsonSchema: readFormat(read.response_format),
      effort: readEffort(read.reasoning),
      maxTokens,
    },
    options: {
      model,
      isStream: read.stream === true,
      withUsage: withUsage === true,
      withLogprobs: read.logprobs === true,
      tier: isStandby ? 'standby' : 'default',
    },
  };
}

function readMessages(
  values: readonly unknown[],
  model: string,
): { messages: ChatMessage[]; tools: ToolDefinition[] } {
  if (values.length === 0) throw invalid('messages must not be empty');
  const messages: ChatMessage[] = [];
  const tools: ToolDefinition[] = [];
  values.forEach((value, at) => {
    const where = `messages[${at}].`;
    const read = readFields(
      value,
      { role: 'string', tool_calls: 'array?', tool_call_id: 'string?', tools: 'array?' },
      where,
    );
    const role = oneOf(`${where}role`, read.role, ['system', 'user', 'assistant', 'tool']);
    const content = isRecord(value) ? value['content'] : undefined;
    if (role === 'system' && read.tools) {
      if (!dynamicToolModels.includes(model))
        throw invalid(`${where}tools: this model takes tools at the top level only`);
      if (isRecord(value) && 'content' in value)
        throw invalid(`${where}content must not be there next to tools`);
      if (read.tools.length === 0) throw invalid(`${where}tools must not be empty`);
      tools.push(...readTools(read.tools, `${where}tools`));
      return;
    }
    if (role === 'tool' && read.tool_call_id === undefined)
      throw invalid(`missing field: ${where}tool_call_id`);
    const toolCalls = (read.tool_calls ?? []).map((item, n) =>
      readToolCall(item, `${where}tool_calls[${n}].`),
    );
    messages.push({
      role,
      text: readContent(content, where, toolCalls.length > 0),
      toolCalls,
      toolCallId: read.tool_call_id,
    });
  });
  checkResults(messages);
  return { messages, tools };
}

function readContent(content: unknown, where: string, mayMiss: boolean): string {
  if (typeof content === 'string') return content;
  if (mayMiss && (content === undefined || content === null)) return '';
  if (!Array.isArray(content))
    throw invalid(`${where}content must be a string or an array of parts`);
  return content
    .map((part, n) => {
      const { type, text } = readFields(
        part,
        { type: 'string', text: 'string?' },
        `${where}content[${n}].`,
      );
      return type === 'text' ? (text ?? '') : '';
    })
    .join('\n');
}

function readToolCall(value: unknown, where: string): ToolCall {
  const { id, function: called } = readFields(value, { id: 'string', function: 'object' }, where);
  const { name, arguments: given } = readFields(
    called,
    { name: 'string', arguments: 'string' },
    `${where}function.`,
  );
  return { id, name, arguments: given };
}

/** Each call is answered by one `tool` message before anybody else speaks, and no other call is. */
export function checkResults(messages: readonly ChatMessage[]): void {
  let open = new Set<string>();
  for (const { role, toolCalls, toolCallId = '' } of messages) {
    if (role === 'tool') {
      if (!open.delete(toolCallId)) throw invalid('a tool message answers no call');
    } else if (open.size > 0) throw invalid('a tool call has no result');
    if (toolCalls.length > 0) open = new Set(toolCalls.map(({ id }) => id));
  }
  if (open.size > 0) throw invalid('a tool call has no result');
}

function readTools(values: readonly unknown[], where: string): ToolDefinition[] {
  return values.map((value, at) => {
    const { type, function: defined } = readFields(
      value,
      { type: 'string', function: 'object' },
      `${where}[${at}].`,
    );
    oneOf(`${where}[${at}].type`, type, ['function']);
    const { name, description, parameters } = readFields(
      defined,
      { name: 'string', description: 'string?', parameters: 'object?' },
      `${where}[${at}].function.`,
    );
    return { name, description: description ?? '', parameters: parameters ?? {} };
  });
}

function readFormat(format: Record<string, unknown> | undefined): ChatRequest['jsonSchema'] {
  if (!format) return undefined;
  const { type } = readFields(format, { type: 'string' }, 'response_format.');
  oneOf('response_format.type', type, ['text', 'json_object', 'json_schema']);
  if (type === 'text') return undefined;
  if (type === 'json_object') return {};
  const { json_schema: named } = readFields(format, { json_schema: 'object' }, 'response_format.');
  return readFields(named, { schema: 'object' }, 'response_format.json_schema.').schema;
}

function readEffort(reasoning: Record<string, unknown> | undefined): Effort | undefined {
  if (!reasoning) return undefined;
  const { effort } = readFields(reasoning, { effort: 'string?' }, 'reasoning.');
  return oneOf('reasoning.effort', effort, ['low', 'medium', 'high']);
}

function checkStandby({ switches }: World, { tier }: ReplyOptions): void {
  if (tier === 'standby' && switches.fleetBusy)
    throw new Refusal(429, 'resource_unavailable', 'no standby capacity at the moment', {
      'retry-after': '5',
    });
}

/** With `auto` the service picks the model, and the answer names it. */
const picked = (model: string): string => (model === 'auto' ? 'svc-v3-fast' : model);

/** Service document, "Apply": one message with three tagged parts in their order. */
function applyTurn(world: World, { messages, maxTokens }: ChatRequest): Turn {
  const [message] = messages;
  if (messages.length !== 1 || message?.role !== 'user') throw invalid('exactly one user message');
  // Cut at the bare tag names.
  const match =
    /^\s*(?:<instruction>([^]*?)<\/instruction>\s*)?<code>([^]*?)<\/code>\s*<update>([^]*?)<\/update>\s*$/.exec(
      message.text,
    );
  if (!match) throw invalid('expected <instruction>, <code> and <update>');
  const [, instruction, code = '', update = ''] = match;
  return modelTurn(message.text, world.merge(code, update, instruction), maxTokens);
}

function compactTurn(world: World, messages: readonly ChatMessage[]): Turn {
  const input = messages
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text)
    .join('\n');
  checkLength('the message', input, serviceLimits.compactTokens);
  const { output } = world.compact({
    input,
    query: undefined,
    ratio: undefined,
    preserveRecent: undefined,
  });
  return modelTurn(input, output, undefined);
}

/** An answer that is cut nowhere but at `maxTokens`: a file keeps its blanks. */
function modelTurn(input: string, output: string, maxTokens = Infinity): Turn {
  const tokens = estimateTokens(output);
  const isCut = tokens > maxTokens;
  const text = isCut ? output.slice(0, Math.floor((output.length * maxTokens) / tokens)) : output;
  return {
    reasoning: '',
    text,
    toolCalls: [],
    finish: isCut ? 'length' : 'stop',
    usage: { input: estimateTokens(input), output: Math.min(tokens, maxTokens), reasoning: 0 },
  };
}

function checkSearch(body: Call['body'], { messages }: ChatRequest): void {
  if ('tools' in body) throw invalid('tools must not be sent to this model, they are built in');
  if (!searchTask(messages.find(({ role }) => role === 'user')?.text ?? ''))
    throw invalid('the first user message must hold the repository structure and the query');
}

/** Counts what an earlier request began with, for the one model that has a rate for it. */
class PromptCache {
  readonly #seen = new Set<string>();

  /** Cached part of the input; nothing for models without such a rate. */
  tokens({ model, messages }: ChatRequest): number | undefined {
    if (modelOf(model)?.cachedInput === undefined) return undefined;
    let cached = 0;
    let tokens = 0;
    let prefix = '';
    for (const { role, text } of messages) {
      prefix += `${role}\n${text}\n`;
      tokens += estimateTokens(text);
      if (this.#seen.has(prefix)) cached = tokens;
      this.#seen.add(prefix);
    }
    return cached;
  }
}

async function reply(
  world: World,
  { response }: { response: ServerResponse },
  options: ReplyOptions,
  turn: Turn,
  cachedTokens?: number,
): Promise<Answer> {
  const { model, tier, isStream, withLogprobs } = options;
  const base = {
    id: world.nextId('chatcmpl-'),
    created: world.clock.seconds(),
    model,
    service_tier: tier,
  };
  const usage = usageOf(turn, cachedTokens);
  if (isStream) {
    const events = chunks(base, turn, options.withUsage ? usage : undefined);
    await writeEvents(response, events, world.pauseMs);
    return undefined;
  }
  const { reasoning, text, toolCalls, finish } = turn;
  return {
    ...base,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          ...(toolCalls.length > 0 ? { tool_calls: toolCalls.map(wireCall) } : {}),
        },
        finish_reason: finish,
        ...(withLogprobs ? { logprobs: { content: logprobs(text) } } : {}),
      },
    ],
    usage,
  };
}

function usageOf({ usage }: Turn, cachedTokens: number | undefined): object {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    ...(cachedTokens === undefined
      ? {}
      : { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(usage.reasoning > 0
      ? { completion_tokens_details: { reasoning_tokens: usage.reasoning } }
      : {}),
  };
}

const wireCall = ({ id, name, arguments: given }: ToolCall) => ({
  id,
  type: 'function',
  function: { name, arguments: given },
});

const logprobs = (text: string) =>
  deltasOf(text).map((token, n) => ({
    token,
    logprob: -((n * 7) % 13) / 10,
    bytes: [...Buffer.from(token)],
    top_logprobs: [],
  }));

/** The role first, then what is said in small pieces, the finish, the usage where it is wanted. */
function* chunks(base: object, turn: Turn, usage: object | undefined): Generator<string> {
  const chunk = (delta: object, finish: string | null = null): string =>
    sse({
      ...base,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  yield chunk({ role: 'assistant', content: '' });
  for (const piece of deltasOf(turn.reasoning)) yield chunk({ reasoning_content: piece });
  for (const piece of deltasOf(turn.text)) yield chunk({ content: piece });
  for (const [index, call] of turn.toolCalls.entries()) {
    const { function: called, ...head } = wireCall(call);
    yield chunk({
      tool_calls: [{ index, ...head, function: { name: called.name, arguments: '' } }],
    });
    for (const piece of called.arguments.match(/[^]{1,9}/gu) ?? [])
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  yield chunk({}, turn.finish);
  if (usage) yield sse({ ...base, object: 'chat.completion.chunk', choices: [], usage });
  yield done;
}
