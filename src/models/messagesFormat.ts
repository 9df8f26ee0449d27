import { append } from '../base/arrays';
import type {
  Message,
  MessageBlock,
  MessagesRequest,
  TextBlock,
  ThinkingBlock,
} from '../service/wire/messages';
import type { ReasoningEffort } from '../service/wire/chatRequest';
import type { Conversation, ImagePart, TextPart } from './conversation';
import {
  type AssistantStep,
  type ConversionOptions,
  type Converted,
  type Plan,
  imagesOf,
  planOf,
  resultOf,
  standIns,
} from './conversion';

/** The format needs a limit; used where nobody gives one. */
const defaultMaxTokens = 8192;
/** Left for the answer besides the reasoning. */
const answerTokens = 4096;
/** Well within what the service makes `low`, `medium` and `high` of ({@link effortOfBudget}). */
const budgets: Readonly<Record<ReasoningEffort, number>> = {
  low: 4000,
  medium: 12_000,
  high: 28_000,
};
/** Besides the system text and the tools, which have a mark each; the format takes four in all. */
const cachedTurns = 2;

type Block = Exclude<MessageBlock, ThinkingBlock>;

/**
 * A conversation in the messages format: user and assistant by turns, beginning with the user, and the
 * system text outside of them. What an agent sends again with the next request is marked for the cache.
 */
export function toMessagesRequest(
  conversation: Conversation,
  options: ConversionOptions,
): Converted<MessagesRequest> {
  // This format has no place for tools within the conversation.
  const plan = planOf(conversation, { ...options, earlierTools: undefined });
  const { system, tools, names, notes } = plan;
  const { model, contextTokens, effort } = options;
  const isForced = conversation.toolMode === 'required' && tools.length > 0;
  if (isForced && effort) notes.add('reasoning left out: the format takes none with a forced tool');
  const budgetTokens = effort && !isForced ? budgets[effort] : undefined;
  const asked = options.maxTokens ?? defaultMaxTokens;
  // The reasoning counts as a part of the answer.
  const least = budgetTokens === undefined ? 1 : budgetTokens + answerTokens;
  if (asked < least)
    notes.add(`longest answer raised to ${least} tokens: the reasoning is part of it`);
  const request: MessagesRequest = {
    model,
    system: system === '' ? undefined : [{ type: 'text', text: system, isCached: true }],
    messages: withMarks(alternating(plan)),
    tools:
      tools.length === 0
        ? undefined
        : tools.map((tool, at) => (at < tools.length - 1 ? tool : { ...tool, isCached: true })),
    toolChoice: isForced ? 'any' : undefined,
    thinking: budgetTokens === undefined ? undefined : { budgetTokens },
    maxTokens: Math.max(asked, least),
    contextTokens,
  };
  return { request, names, notes: notes.lines };
}

interface OpenMessage {
  readonly role: Message['role'];
  readonly content: MessageBlock[];
}

function alternating({ steps }: Plan): OpenMessage[] {
  const messages: OpenMessage[] = [];
  const add = (role: Message['role'], blocks: readonly MessageBlock[]): void => {
    const last = messages.at(-1);
    if (blocks.length === 0) return;
    if (last?.role === role) append(last.content, blocks);
    else messages.push({ role, content: [...blocks] });
  };
  for (const step of steps)
    if (step.role === 'user') add('user', step.parts.map(blockOf));
    else if (step.role === 'assistant') {
      if (messages.length === 0) add('user', [textBlock(standIns.earlierLeftOut)]);
      add('assistant', answerBlocks(step));
      add('user', resultBlocks(step));
    }
  return messages;
}

/** Reasoning, words, calls: results must follow directly on the calls. */
function answerBlocks({ thinking, text, calls }: AssistantStep): MessageBlock[] {
  return [
    ...thinking.map(({ text: words, signature }) => ({
      type: 'thinking' as const,
      thinking: words,
      signature,
    })),
    ...(text === '' ? [] : [textBlock(text)]),
    ...calls.map(({ id, name, input }) => ({ type: 'toolUse' as const, id, name, input })),
  ];
}

function resultBlocks({ calls }: AssistantStep): Block[] {
  return [
    ...calls.map(call => ({
      type: 'toolResult' as const,
      toolUseId: call.id,
      content: resultOf(call).text,
    })),
    ...imagesOf(calls).map(blockOf),
  ];
}

function textBlock(text: string): TextBlock {
  return { type: 'text', text };
}

function blockOf(part: TextPart | ImagePart): Block {
  if (part.type === 'text') return textBlock(part.text);
  const { mediaType } = part;
  const data = Buffer.from(part.data).toString('base64');
  return { type: 'image', source: { mediaType, data } };
}

/** A mark on the last block of the last turns of the user: this request's end, and that of the one before. */
function withMarks(messages: readonly OpenMessage[]): Message[] {
  const users = messages.filter(({ role }) => role === 'user').slice(-cachedTurns);
  return messages.map(message => {
    const { role, content } = message;
    const last = content.at(-1);
    if (!users.includes(message) || !last || last.type === 'thinking') return { role, content };
    return { role, content: [...content.slice(0, -1), { ...last, isCached: true }] };
  });
}
