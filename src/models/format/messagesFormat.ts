import { append } from '../../base/arrays';
import type {
  MessageBlock,
  MessageParam,
  MessagesRequest,
  ReasoningEffort,
  TextBlock,
  ThinkingBlock,
} from '../../service';
import type { Conversation, ImagePart, TextPart } from './conversation';
import {
  type AssistantStep,
  type ConversionOptions,
  type ConversionPlan,
  type Converted,
  imagesOf,
  placeholders,
  resultOf,
} from './conversion';
import { planOf } from './planner';

/** The format requires a limit; used if none is given. */
const defaultMaxTokens = 8192;
/** Tokens for the answer in addition to the reasoning. */
const answerTokens = 4096;
/** Thinking budgets, well within the ranges that {@link effortOfBudget} maps back to each effort. */
const budgets: Readonly<Record<ReasoningEffort, number>> = {
  low: 4000,
  medium: 12_000,
  high: 28_000,
};
/** Cache marks for turns; the format allows four, and the system text and the tools use one each. */
const cachedTurns = 2;

type Block = Exclude<MessageBlock, ThinkingBlock>;

/**
 * A conversation in the messages format: alternating user and assistant messages, starting with the user,
 * and a separate system text. The parts that the next request repeats are marked for the cache.
 */
export function toMessagesRequest(
  conversation: Conversation,
  options: ConversionOptions,
): Converted<MessagesRequest> {
  // This format cannot declare tools within the conversation.
  const plan = planOf(conversation, { ...options, earlierTools: undefined });
  const { system, tools, names, notes } = plan;
  const { model, contextTokens, effort } = options;
  const isForced = conversation.toolMode === 'required' && tools.length > 0;
  if (isForced && effort) notes.add('reasoning left out: the format takes none with a forced tool');
  const budgetTokens = effort && !isForced ? budgets[effort] : undefined;
  const asked = options.maxTokens ?? defaultMaxTokens;
  // Reasoning counts toward the answer's limit.
  const least = budgetTokens === undefined ? 1 : budgetTokens + answerTokens;
  if (asked < least) {
    notes.add(`longest answer raised to ${least} tokens: the reasoning is part of it`);
  }
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
  readonly role: MessageParam['role'];
  readonly content: MessageBlock[];
}

function alternating({ steps }: ConversionPlan): OpenMessage[] {
  const messages: OpenMessage[] = [];
  const add = (role: MessageParam['role'], blocks: readonly MessageBlock[]): void => {
    const last = messages.at(-1);
    if (blocks.length === 0) return;
    if (last?.role === role) append(last.content, blocks);
    else messages.push({ role, content: [...blocks] });
  };
  for (const step of steps) {
    if (step.role === 'user') add('user', step.parts.map(blockOf));
    else if (step.role === 'assistant') {
      if (messages.length === 0) add('user', [textBlock(placeholders.earlierLeftOut)]);
      add('assistant', answerBlocks(step));
      add('user', resultBlocks(step));
    }
  }
  return messages;
}

/** Reasoning, text, calls: the results must directly follow the calls. */
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

/** Marks the last block of the last user turns: the end of this request and of the previous one. */
function withMarks(messages: readonly OpenMessage[]): MessageParam[] {
  const users = messages.filter(({ role }) => role === 'user').slice(-cachedTurns);
  return messages.map(message => {
    const { role, content } = message;
    const last = content.at(-1);
    if (!users.includes(message) || !last || last.type === 'thinking') return { role, content };
    return { role, content: [...content.slice(0, -1), { ...last, isCached: true }] };
  });
}
