import { estimateTokens } from '../../../src/service/tokens';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

/** A message of either wire format. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** Of a `tool` message: the call that it answers. */
  readonly toolCallId: string | undefined;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export type Effort = 'low' | 'medium' | 'high';

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
  /** `auto`, `none`, `required` or a tool's name. */
  readonly toolChoice: string;
  /** JSON mode: `{}`, or the schema that the answer must fit. */
  readonly jsonSchema: Readonly<Record<string, unknown>> | undefined;
  readonly effort: Effort | undefined;
  readonly maxTokens: number | undefined;
}

/** What a model says, before it is cut to `maxTokens` and counted. */
export interface ChatAnswer {
  readonly reasoning?: string;
  readonly text?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object | string }[];
}

export type ChatModel = (request: ChatRequest) => ChatAnswer | Promise<ChatAnswer>;

/** An answer as it goes out, in either wire format. */
export interface Turn {
  readonly reasoning: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finish: 'stop' | 'length' | 'tool_calls';
  readonly usage: TurnUsage;
}

export interface TurnUsage {
  readonly input: number;
  readonly output: number;
  /** Part of `output`. */
  readonly reasoning: number;
}

/** Cuts an answer to the request's limit; reasoning counts as output (service document, Model catalogue). */
export function finishTurn(
  { messages, tools, maxTokens = Infinity }: Pick<ChatRequest, 'messages' | 'tools' | 'maxTokens'>,
  answer: ChatAnswer,
  nextId: (prefix: string) => string,
): Turn {
  const reasoning = cutToTokens(answer.reasoning ?? '', maxTokens);
  const text = cutToTokens(answer.text ?? '', maxTokens - reasoning.tokens);
  const calls = (answer.toolCalls ?? []).map(({ name, arguments: given }) => ({
    id: nextId('call_'),
    name,
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
  }));
  const callTokens = calls.reduce((sum, call) => sum + estimateTokens(call.arguments) + 4, 0);
  const spoken = reasoning.tokens + text.tokens;
  const isCut = reasoning.isCut || text.isCut || spoken + callTokens > maxTokens;
  return {
    reasoning: reasoning.text,
    text: text.text,
    toolCalls: isCut ? [] : calls,
    finish: isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop',
    usage: {
      input: inputTokens(messages, tools),
      output: spoken + (isCut ? 0 : callTokens),
      reasoning: reasoning.tokens,
    },
  };
}

export function inputTokens(
  messages: readonly ChatMessage[],
  tools: readonly ToolDefinition[],
): number {
  let tokens = tools.length > 0 ? estimateTokens(JSON.stringify(tools)) : 0;
  for (const { text, toolCalls } of messages)
    tokens += estimateTokens(text) + toolCalls.length * 4 + callLength(toolCalls);
  return tokens;
}

function callLength(calls: readonly ToolCall[]): number {
  return calls.reduce((sum, call) => sum + estimateTokens(call.arguments), 0);
}

/** As many whole words of `text` as have at most `most` tokens. */
function cutToTokens(text: string, most: number): { text: string; tokens: number; isCut: boolean } {
  const all = estimateTokens(text);
  if (all <= most) return { text, tokens: all, isCut: false };
  let end = 0;
  let tokens = 0;
  for (const { 0: word, index } of text.matchAll(/\s*\S+/g)) {
    const more = estimateTokens(word);
    if (tokens + more > most) break;
    tokens += more;
    end = index + word.length;
  }
  return { text: text.slice(0, end), tokens, isCut: true };
}

/** Pieces of a text as a model sends them: words for an answer to read, longer ones for a file. */
export function deltasOf(text: string): string[] {
  if (text.length < 4000) return text.match(/\s*\S{1,12}|\s+$/gu) ?? [];
  const size = Math.max(40, Math.ceil(text.length / 2000));
  return text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [];
}

export function lastText(messages: readonly ChatMessage[], role: ChatMessage['role']): string {
  return messages.findLast(message => message.role === role)?.text ?? '';
}
