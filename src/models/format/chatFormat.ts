import { append } from '../../base/arrays';
import {
  type ChatCompletionMessage,
  type ChatContent,
  type ChatContentPart,
  type ChatRequest,
  standbyModels,
} from '../../service';
import type { Conversation, ImagePart, TextPart } from './conversation';
import {
  type AssistantStep,
  type ConversionOptions,
  type ConversionPlan,
  type Converted,
  imagesOf,
  resultOf,
} from './conversion';
import { planOf } from './planner';

/**
 * A conversation as a chat completion: one system message first, since many models accept it nowhere
 * else, then the turns in order.
 */
export function toChatRequest(
  conversation: Conversation,
  options: ConversionOptions,
): Converted<ChatRequest> {
  const plan = planOf(conversation, options);
  const { tools, names, notes } = plan;
  const { model, maxTokens, contextTokens, effort, endpoint, serviceTier } = options;
  const messages = messagesOf(plan);
  const hasTools = tools.length > 0 || messages.some(message => 'tools' in message);
  const isStandby =
    serviceTier === 'standby' && endpoint === undefined && standbyModels.includes(model);
  if (serviceTier === 'standby' && !isStandby) {
    notes.add('standby left out: it is not offered for this model');
  }
  const request: ChatRequest = {
    model,
    messages,
    tools: tools.length > 0 ? tools : undefined,
    toolChoice: hasTools && conversation.toolMode === 'required' ? 'required' : undefined,
    reasoning: effort && { effort },
    maxTokens,
    contextTokens,
    serviceTier: isStandby ? serviceTier : undefined,
    endpoint,
  };
  return { request, names, notes: notes.lines };
}

function messagesOf({ system, steps }: ConversionPlan): ChatCompletionMessage[] {
  const messages: ChatCompletionMessage[] =
    system === '' ? [] : [{ role: 'system', content: system }];
  for (const step of steps) {
    if (step.role === 'user') messages.push({ role: 'user', content: contentOf(step.parts) });
    else if (step.role === 'tools') messages.push({ role: 'system', tools: step.tools });
    else append(messages, answerOf(step));
  }
  return messages;
}

/** The assistant message, the results of all its calls, then their images. */
function answerOf({ text, thinking, calls }: AssistantStep): ChatCompletionMessage[] {
  const reasoning = thinking.map(block => block.text).join('\n\n');
  const messages: ChatCompletionMessage[] = [
    {
      role: 'assistant',
      content: text === '' ? undefined : text,
      reasoning: reasoning.trim() === '' ? undefined : reasoning,
      toolCalls: calls.map(({ id, name, input }) => ({
        id,
        name,
        arguments: JSON.stringify(input),
      })),
    },
    ...calls.map(call => ({
      role: 'tool' as const,
      toolCallId: call.id,
      content: resultOf(call).text,
    })),
  ];
  const images = imagesOf(calls);
  if (images.length > 0) messages.push({ role: 'user', content: contentOf(images) });
  return messages;
}

/** A plain string if there is only text: all models accept that form. */
function contentOf(parts: readonly (TextPart | ImagePart)[]): ChatContent {
  const [first, ...others] = parts;
  if (first?.type === 'text' && others.length === 0) return first.text;
  return parts.map(partOf);
}

function partOf(part: TextPart | ImagePart): ChatContentPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const data = Buffer.from(part.data).toString('base64');
  return { type: 'image', url: `data:${part.mediaType};base64,${data}` };
}
