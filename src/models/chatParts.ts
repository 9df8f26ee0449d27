import * as vscode from 'vscode';
import { isRecord, textOf } from '../base/typeGuards';
import type { Usage } from '../service';
import type {
  Conversation,
  ConversationTurn,
  Part,
  TextPart,
  ToolResultPart,
} from './format/conversation';
import { withoutNotesBelow } from './format/noteBelow';
import type { TurnSink } from './turn';

/** Converts between VS Code's chat parts and plain data. */

/** Not in the stable API, but present at run time where VS Code supports thinking. */
type ThinkingClass = new (
  value: string,
  id?: string,
  metadata?: Readonly<Record<string, unknown>>,
) => vscode.LanguageModelTextPart;

/** Looked up at each use because not every VS Code has this class. */
function thinkingClass(): ThinkingClass | undefined {
  if (!('LanguageModelThinkingPart' in vscode)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no type names it
  return vscode.LanguageModelThinkingPart as ThinkingClass;
}

/** Id of thinking parts that we write ourselves, such as the router's choice; they are not sent back to a model. */
const ownThinking = 'splice-note';

export function conversationOf(
  messages: readonly vscode.LanguageModelChatRequestMessage[],
  { tools = [], toolMode }: vscode.ProvideLanguageModelChatResponseOptions,
): Conversation {
  return {
    turns: messages.map(turnOf),
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      schema: inputSchema,
    })),
    toolMode: toolMode === vscode.LanguageModelChatToolMode.Required ? 'required' : 'auto',
  };
}

export function turnOf(message: vscode.LanguageModelChatRequestMessage): ConversationTurn {
  const role = roleOf(message.role);
  const content: unknown = message.content;
  const parts = (Array.isArray(content) ? content : [content]).map(partOf);
  return { role, parts: role === 'assistant' ? parts.map(asAnswered) : parts };
}

const asAnswered = (part: Part): Part =>
  part.type === 'text' ? { ...part, text: withoutNotesBelow(part.text) } : part;

function roleOf(role: vscode.LanguageModelChatMessageRole): ConversationTurn['role'] {
  if (role === vscode.LanguageModelChatMessageRole.Assistant) return 'assistant';
  const number: number = role;
  // VS Code's own agents send the system role (3), which is not in the stable API.
  return number === 3 ? 'system' : 'user';
}

function partOf(part: unknown): Part {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (!isRecord(part)) return { type: 'unknown', what: typeof part };
  if (isCall(part)) {
    const { callId, name, input } = part;
    return { type: 'toolCall', callId, name, input };
  }
  // Also matches `LanguageModelToolResultPart2` of VS Code's own extensions.
  if (typeof part['callId'] === 'string' && Array.isArray(part['content'])) {
    return { type: 'toolResult', callId: part['callId'], parts: part['content'].map(resultPartOf) };
  }
  const Thinking = thinkingClass();
  if (Thinking && part instanceof Thinking) return thinkingOf(part);
  return resultPartOf(part);
}

function isCall(
  part: Record<string, unknown>,
): part is { callId: string; name: string; input: unknown } {
  return typeof part['callId'] === 'string' && typeof part['name'] === 'string';
}

function thinkingOf(part: Record<string, unknown>): Part {
  if (part['id'] === ownThinking) return { type: 'unknown', what: ownThinking };
  const { value, metadata } = part;
  const text = Array.isArray(value) ? value.join('') : (textOf(value) ?? '');
  const signature = isRecord(metadata) ? textOf(metadata['signature']) : undefined;
  return { type: 'thinking', text, signature };
}

/** Part types that messages and tool results have in common. */
function resultPartOf(part: unknown): ToolResultPart['parts'][number] {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (!isRecord(part)) return { type: 'unknown', what: typeof part };
  const { value, data, mimeType } = part;
  if (typeof value === 'string') return { type: 'text', text: value };
  if (data instanceof Uint8Array && typeof mimeType === 'string') return dataOf(data, mimeType);
  if (part instanceof vscode.LanguageModelPromptTsxPart) return promptText(value);
  return { type: 'unknown', what: part.constructor.name };
}

function dataOf(data: Uint8Array, mimeType: string): ToolResultPart['parts'][number] {
  if (mimeType.startsWith('image/')) return { type: 'image', mediaType: mimeType, data };
  if (/^text\/|^application\/(?:[\w.]+\+)?json$/.test(mimeType)) {
    return { type: 'text', text: new TextDecoder().decode(data) };
  }
  return { type: 'unknown', what: mimeType };
}

/** The texts of a prompt-tsx tree, which tools of VS Code's own extensions return. */
function promptText(value: unknown): TextPart {
  const texts: string[] = [];
  const visit = (node: unknown, depth: number): void => {
    if (depth > 100) return;
    if (Array.isArray(node)) for (const item of node) visit(item, depth + 1);
    else if (isRecord(node)) {
      if (typeof node['text'] === 'string') texts.push(node['text']);
      visit(node['node'], depth + 1);
      visit(node['children'], depth + 1);
    }
  };
  visit(value, 0);
  return { type: 'text', text: texts.join('') };
}

/** Reports the parts of an answer to VS Code. */
export class ProgressSink implements TurnSink {
  readonly #progress: vscode.Progress<vscode.LanguageModelResponsePart>;
  /** One id per answer, so that VS Code joins its thinking parts and no others. */
  readonly #thinkingId = `thinking-${Math.random().toString(36).slice(2, 10)}`;

  constructor(progress: vscode.Progress<vscode.LanguageModelResponsePart>) {
    this.#progress = progress;
  }

  text(text: string): void {
    this.#progress.report(new vscode.LanguageModelTextPart(text));
  }

  thinking(text: string, signature?: string): void {
    this.#think(text, this.#thinkingId, signature === undefined ? undefined : { signature });
  }

  endThinking(): void {
    this.#think('', this.#thinkingId, { vscode_reasoning_done: true });
  }

  note(text: string): void {
    this.#think(text, ownThinking);
    this.#think('', ownThinking, { vscode_reasoning_done: true });
  }

  toolCall(callId: string, name: string, input: object): void {
    this.#progress.report(new vscode.LanguageModelToolCallPart(callId, name, input));
  }

  /** VS Code uses it for the context window indicator and to decide when to compact. */
  usage({ promptTokens, completionTokens, cachedTokens = 0 }: Usage): void {
    const usage = {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: { cached_tokens: cachedTokens },
    };
    const bytes = new TextEncoder().encode(JSON.stringify(usage));
    this.#progress.report(new vscode.LanguageModelDataPart(bytes, 'usage'));
  }

  #think(text: string, id: string, metadata?: Readonly<Record<string, unknown>>): void {
    const Thinking = thinkingClass();
    if (Thinking) this.#progress.report(new Thinking(text, id, metadata));
  }
}
