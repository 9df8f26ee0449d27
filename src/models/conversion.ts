import { isRecord, parseJson } from '../service/guards';
import type { Tool } from '../service/wire/answer';
import type { ReasoningEffort } from '../service/wire/chatRequest';
import type { EndpointTarget } from '../service/wire/dedicated';
import type {
  Conversation,
  ImagePart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from './conversation';
import { JsonCopy, wellFormed } from './json';
import { ToolNames, wireCallId } from './toolNames';
import { Notes, usableTools } from './toolSchema';

export interface ConversionOptions {
  readonly model: string;
  readonly takesImages: boolean;
  /** Without it earlier calls and results are told in words. */
  readonly takesTools: boolean;
  /** Longest answer, reasoning included. */
  readonly maxTokens?: number | undefined;
  readonly contextTokens?: number | undefined;
  readonly effort?: ReasoningEffort | undefined;
  /** Speaks the chat-completions format only. */
  readonly endpoint?: EndpointTarget | undefined;
  readonly serviceTier?: 'standby' | undefined;
  /** Whether the reasoning of earlier answers goes along. */
  readonly sendsThinkingBack: boolean;
  /** Of this conversation, this request included; only where the model takes tools within a conversation. */
  readonly earlierTools?: ToolHistory | undefined;
}

export interface Converted<R> {
  readonly request: R;
  /** Translates the names in the answer back. */
  readonly names: ToolNames;
  /** One line each for the log: what was left out or repaired, without its content. */
  readonly notes: readonly string[];
}

/** The tools of one conversation in the order in which they came, with their own names. */
export interface ToolHistory {
  /** Of the first request; they stay at its top, byte for byte. */
  readonly first: readonly Tool[];
  /** In the order of the conversation. */
  readonly added: readonly AddedTools[];
  /** For the log: what was left out. */
  readonly notes: readonly string[];
}

export interface AddedTools {
  /** How many turns of the conversation come before. */
  readonly afterTurns: number;
  readonly tools: readonly Tool[];
}

/** Of one call's input; a larger one is no input that a tool was called with. */
const inputLimits = { values: 100_000, depth: 100 };

/**
 * A conversation in the order that both formats need. That each call has its result is a matter of the
 * type: the result is part of the call.
 */
export interface Plan {
  /** '' where there is none. */
  readonly system: string;
  /** Never empty. */
  readonly steps: readonly Step[];
  /** Those at the top of the request, with their wire names. */
  readonly tools: readonly Tool[];
  readonly names: ToolNames;
  readonly notes: Notes;
}

export type Step = UserStep | AssistantStep | ToolsStep;

export interface UserStep {
  readonly role: 'user';
  /** Never empty, no blank texts. */
  readonly parts: (TextPart | ImagePart)[];
}

/** Has a text or a call. */
export interface AssistantStep {
  readonly role: 'assistant';
  readonly thinking: ThinkingPart[];
  text: string;
  readonly calls: PlannedCall[];
}

/** More tools from here on. */
export interface ToolsStep {
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
  /** Neither format takes images in results from all models; they follow after all results of the step. */
  readonly images: readonly ImagePart[];
}

/** Words in the place of what cannot be sent; for the model, so not translated. */
export const standIns = {
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

/** Why an image cannot be sent. */
export function imageProblem(
  { mediaType, data }: ImagePart,
  takesImages: boolean,
): 'noImages' | 'oddImage' | 'emptyImage' | undefined {
  if (!takesImages) return 'noImages';
  if (!imageTypes.has(mediaType)) return 'oddImage';
  return data.length === 0 ? 'emptyImage' : undefined;
}

export function planOf(conversation: Conversation, options: ConversionOptions): Plan {
  return new Planner(options).plan(conversation);
}

/** The results of a step, in the order of the calls. */
export function resultOf({ result }: PlannedCall): PlannedResult {
  return result ?? { text: standIns.noResult, images: [] };
}

/** The images of a step's results, each group after words that name its call; empty without images. */
export function imagesOf(calls: readonly PlannedCall[]): (TextPart | ImagePart)[] {
  return calls.flatMap(call => {
    const { images } = resultOf(call);
    if (images.length === 0) return [];
    const count = images.length === 1 ? 'Image' : `${images.length} images`;
    const text = `${count} in the result of the tool call ${call.id} (${call.name}):`;
    return [{ type: 'text' as const, text }, ...images];
  });
}

class Planner {
  readonly #options: ConversionOptions;
  readonly #names = new ToolNames();
  readonly #notes = new Notes();
  readonly #system: string[] = [];
  readonly #steps: Step[] = [];
  /** Calls without a result, latest step last, by the id that VS Code knows. */
  readonly #open = new Map<string, PlannedCall[][]>();
  readonly #ids = new Set<string>();

  constructor(options: ConversionOptions) {
    this.#options = options;
  }

  plan({ turns, tools }: Conversation): Plan {
    const { takesTools, earlierTools } = this.#options;
    const top = earlierTools ? earlierTools.first : usableTools(tools, this.#notes);
    const sent = takesTools ? top : [];
    for (const note of earlierTools?.notes ?? []) this.#notes.add(note);
    if (!takesTools && tools.length > 0)
      this.#notes.add('the tools left out: the model takes none');
    // Named first, so that no name of the history can take theirs.
    const wireTools = this.#named(sent);
    const added = takesTools ? (earlierTools?.added ?? []) : [];
    turns.forEach((turn, at) => {
      this.#turn(turn, at === turns.length - 1);
      for (const { afterTurns, tools: more } of added)
        if (afterTurns === at + 1) this.#steps.push({ role: 'tools', tools: this.#named(more) });
    });
    if (!this.#steps.some(({ role }) => role !== 'tools')) this.#say(standIns.emptyMessage);
    return {
      system: this.#system.join('\n\n'),
      steps: this.#steps,
      tools: wireTools,
      names: this.#names,
      notes: this.#notes,
    };
  }

  #named(tools: readonly Tool[]): Tool[] {
    return tools.map(tool => ({ ...tool, name: this.#names.toWire(tool.name) }));
  }

  #turn({ role, parts }: Turn, isLast: boolean): void {
    const said: (TextPart | ImagePart)[] = [];
    const steps = this.#steps.length;
    let isAnswered = false;
    let answer: AssistantStep | undefined;
    const calls: PlannedCall[] = [];
    for (const part of parts)
      switch (part.type) {
        case 'text':
        case 'image':
          if (role === 'assistant') this.#answerPart((answer ??= newAnswer()), part);
          else if (role === 'user') said.push(...this.#userParts(part));
          else this.#systemPart(part);
          break;
        case 'thinking':
          if (this.#options.sendsThinkingBack) addThinking((answer ??= newAnswer()), part);
          break;
        case 'toolCall':
          answer ??= newAnswer();
          if (this.#options.takesTools) calls.push(this.#call(answer, part, calls));
          else answer.text = joined(answer.text, this.#callInWords(part));
          break;
        case 'toolResult':
          if (this.#options.takesTools && this.#answer(part)) isAnswered = true;
          else said.push(...this.#resultInWords(part));
          break;
        default:
          this.#unknown(part.what);
      }
    if (answer) this.#finish(answer);
    if (said.length > 0) this.#steps.push({ role: 'user', parts: said });
    // The answer would go on with the model's own last words.
    const isSilent = this.#steps.length === steps && !isAnswered;
    if (isLast && role === 'user' && isSilent) this.#say(standIns.emptyMessage);
  }

  #finish({ text, thinking, calls }: AssistantStep): void {
    // Without a word; a signature says something even so.
    const thoughts = thinking.filter(block => block.text.trim() !== '' || block.signature);
    const isBlank = text.trim() === '';
    if (!isBlank || calls.length > 0)
      this.#steps.push({ role: 'assistant', thinking: thoughts, text: isBlank ? '' : text, calls });
    else if (thoughts.length > 0)
      this.#notes.add('an answer left out: it has nothing but reasoning');
  }

  #say(text: string): void {
    this.#steps.push({ role: 'user', parts: [{ type: 'text', text }] });
  }

  #systemPart(part: TextPart | ImagePart): void {
    if (part.type === 'image') this.#notes.add('an image left out: it is in a system message');
    else if (part.text.trim() !== '') this.#system.push(wellFormed(part.text));
  }

  #answerPart(answer: AssistantStep, part: TextPart | ImagePart): void {
    if (part.type === 'image') this.#notes.add('an image left out: it is in an answer');
    // Pieces of one text, as it was written.
    else answer.text += wellFormed(part.text);
  }

  #userParts(part: TextPart | ImagePart): (TextPart | ImagePart)[] {
    if (part.type === 'text')
      return part.text.trim() === '' ? [] : [{ type: 'text', text: wellFormed(part.text) }];
    const problem = this.#problemOf(part);
    return [problem === undefined ? part : { type: 'text', text: problem }];
  }

  #problemOf(part: ImagePart): string | undefined {
    const problem = imageProblem(part, this.#options.takesImages);
    if (problem === undefined) return undefined;
    this.#notes.add(standIns[problem].slice(1, -1));
    return standIns[problem];
  }

  #call(
    answer: AssistantStep,
    { callId, name, input }: ToolCallPart,
    together: PlannedCall[],
  ): PlannedCall {
    const call: PlannedCall = {
      id: this.#uniqueId(callId),
      name: this.#names.toWire(name),
      input: this.#input(input),
      result: undefined,
    };
    answer.calls.push(call);
    const groups = this.#open.get(callId) ?? [];
    const last = groups.at(-1);
    // Of two calls with one id in one answer the first result is that of the first.
    if (last?.some(other => together.includes(other))) last.push(call);
    else groups.push([call]);
    this.#open.set(callId, groups);
    return call;
  }

  #uniqueId(callId: string): string {
    const id = wireCallId(callId);
    let unique = id;
    for (let n = 2; this.#ids.has(unique); n++) unique = `${id.slice(0, 56)}_${n}`;
    if (unique !== id)
      this.#notes.add('two tool calls have the same id: the later one got another');
    this.#ids.add(unique);
    return unique;
  }

  #input(input: unknown): Record<string, unknown> {
    const copy = this.#jsonOf(input);
    const value = typeof copy === 'string' ? (parseJson(copy) ?? copy) : copy;
    if (isRecord(value)) return value;
    if (value === undefined || value === null) return {};
    this.#notes.add('the input of a tool call is no object: sent as its field "input"');
    return { input: value };
  }

  #jsonOf(value: unknown): unknown {
    try {
      return new JsonCopy(inputLimits).of(value);
    } catch {
      this.#notes.add('the input of a tool call cannot be read: sent empty');
      return {};
    }
  }

  /** False where no call waits for it. */
  #answer({ callId, parts }: ToolResultPart): boolean {
    const groups = this.#open.get(callId);
    const call = groups?.at(-1)?.shift();
    if (!groups || !call) return false;
    if (groups.at(-1)?.length === 0) groups.pop();
    const images: ImagePart[] = [];
    const texts: string[] = [];
    for (const part of this.#resultParts(parts))
      if (part.type === 'text') texts.push(part.text);
      else {
        images.push(part);
        texts.push(standIns.imageBelow);
      }
    call.result = { text: texts.join('\n') || standIns.emptyResult, images };
    return true;
  }

  #resultParts(parts: ToolResultPart['parts']): (TextPart | ImagePart)[] {
    return parts.flatMap(part => {
      if (part.type !== 'unknown') return this.#userParts(part);
      this.#unknown(part.what);
      return [];
    });
  }

  #resultInWords({ parts }: ToolResultPart): (TextPart | ImagePart)[] {
    if (this.#options.takesTools)
      this.#notes.add('a tool result without its call: sent as words of the user');
    const inside = this.#resultParts(parts);
    const opening = 'Result of an earlier tool call:';
    return [
      { type: 'text', text: inside.length > 0 ? opening : `${opening} ${standIns.emptyResult}` },
      ...inside,
    ];
  }

  #callInWords({ name, input }: ToolCallPart): string {
    return `[tool call: ${wellFormed(name)} ${JSON.stringify(this.#input(input))}]`;
  }

  #unknown(what: string): void {
    // A MIME type or a class name; never longer, whoever sent it.
    this.#notes.add(`a part left out: ${wellFormed(what.replace(/\s+/g, ' ').slice(0, 60))}`);
  }
}

function newAnswer(): AssistantStep {
  return { role: 'assistant', thinking: [], text: '', calls: [] };
}

/** The signature comes last and closes its block; what comes without one are pieces of the same block. */
function addThinking({ thinking }: AssistantStep, { text, signature }: ThinkingPart): void {
  const last = thinking.at(-1);
  const isOpen = last !== undefined && last.signature === undefined;
  const whole = (isOpen ? last.text : '') + wellFormed(text);
  if (isOpen) thinking.pop();
  if (whole === '' && !signature) return;
  thinking.push({ type: 'thinking', text: whole, ...(signature ? { signature } : {}) });
}

function joined(text: string, more: string): string {
  return text === '' ? more : `${text}\n${more}`;
}
