import type { EndpointTarget, ReasoningEffort, Tool } from '../../service';
import type { ImagePart, TextPart, ThinkingPart } from './conversation';
import type { ToolNames } from './toolNames';
import type { ConversionNotes } from './toolSchema';

export interface ConversionOptions {
  readonly model: string;
  readonly takesImages: boolean;
  /** If false, earlier calls and results are sent as text. */
  readonly takesTools: boolean;
  /** Maximum tokens of the answer, reasoning included. */
  readonly maxTokens?: number | undefined;
  readonly contextTokens?: number | undefined;
  readonly effort?: ReasoningEffort | undefined;
  /** Endpoints support only the chat-completions format. */
  readonly endpoint?: EndpointTarget | undefined;
  readonly serviceTier?: 'standby' | undefined;
  /** Whether the reasoning of earlier answers is sent. */
  readonly sendsThinkingBack: boolean;
  /** Tools of this conversation including this request; only for models that take tools within a conversation. */
  readonly earlierTools?: ToolHistory | undefined;
}

export interface Converted<R> {
  readonly request: R;
  /** Maps tool names in the answer back to VS Code's. */
  readonly names: ToolNames;
  /** Log lines about what was left out or repaired, without content. */
  readonly notes: readonly string[];
}

/** The tools of one conversation in order of declaration, with VS Code's names. */
export interface ToolHistory {
  /** Tools of the first request; they stay at the top, byte for byte, so that the prompt cache applies. */
  readonly first: readonly Tool[];
  /** Tools that were added later, in the order of the conversation. */
  readonly added: readonly AddedTools[];
  /** Log lines about what was left out. */
  readonly notes: readonly string[];
}

export interface AddedTools {
  /** Number of turns before the declaration. */
  readonly afterTurns: number;
  readonly tools: readonly Tool[];
}

/**
 * A conversation in the order that both formats need. The result is part of the call, so that no call can
 * lack one.
 */
export interface ConversionPlan {
  /** '' where there is none. */
  readonly system: string;
  /** Never empty. */
  readonly steps: readonly PlanStep[];
  /** Tools at the top of the request, with their wire names. */
  readonly tools: readonly Tool[];
  readonly names: ToolNames;
  readonly notes: ConversionNotes;
}

export type PlanStep = UserStep | AssistantStep | ToolsStep;

interface UserStep {
  readonly role: 'user';
  /** Never empty; contains no blank texts. */
  readonly parts: (TextPart | ImagePart)[];
}

/** Contains a text or at least one call. */
export interface AssistantStep {
  readonly role: 'assistant';
  readonly thinking: ThinkingPart[];
  text: string;
  readonly calls: PlannedCall[];
}

/** Declares more tools from here on. */
interface ToolsStep {
  readonly role: 'tools';
  readonly tools: readonly Tool[];
}

export interface PlannedCall {
  /** Unique in the request. */
  readonly id: string;
  /** Wire name. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  result: PlannedResult | undefined;
}

export interface PlannedResult {
  /** Never blank. */
  readonly text: string;
  /** Not all models accept images in results, so they follow after all results of the step. */
  readonly images: readonly ImagePart[];
}

/** Text in place of what cannot be sent; meant for the model, so not translated. */
export const placeholders = {
  noImages: '[image left out: this model takes no images]',
  oddImage: '[image left out: its format is not supported]',
  emptyImage: '[image left out: it has no data]',
  imageBelow: '[image: in the message after the tool results]',
  noResult: '[no result]',
  emptyResult: '[empty result]',
  emptyMessage: '[empty message]',
  earlierLeftOut: '[earlier messages left out]',
} as const;

const imageTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);

/** Why an image cannot be sent; undefined if it can. */
export function imageProblem(
  { mediaType, data }: ImagePart,
  takesImages: boolean,
): 'noImages' | 'oddImage' | 'emptyImage' | undefined {
  if (!takesImages) return 'noImages';
  if (!imageTypes.has(mediaType)) return 'oddImage';
  return data.length === 0 ? 'emptyImage' : undefined;
}

/** The results of a step, in the order of the calls. */
export function resultOf({ result }: PlannedCall): PlannedResult {
  return result ?? { text: placeholders.noResult, images: [] };
}

/** The images of a step's results, each group preceded by a text that names its call. */
export function imagesOf(calls: readonly PlannedCall[]): (TextPart | ImagePart)[] {
  return calls.flatMap(call => {
    const { images } = resultOf(call);
    if (images.length === 0) return [];
    const count = images.length === 1 ? 'Image' : `${images.length} images`;
    const text = `${count} in the result of the tool call ${call.id} (${call.name}):`;
    return [{ type: 'text' as const, text }, ...images];
  });
}
