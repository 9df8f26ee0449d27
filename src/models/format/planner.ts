import { isRecord, parseJson } from '../../base/typeGuards';
import type { Tool } from '../../service';
import type {
  Conversation,
  ConversationTurn,
  ImagePart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from './conversation';
import {
  type AssistantStep,
  type ConversionOptions,
  type ConversionPlan,
  imageProblem,
  type PlannedCall,
  type PlanStep,
  placeholders,
} from './conversion';
import { JsonCopy, wellFormed } from './json';
import { ToolNames, wireCallId } from './toolNames';
import { ConversionNotes, usableTools } from './toolSchema';

/** Limits of one call's input; no real call is larger. */
const inputLimits = { values: 100_000, depth: 100 };

export function planOf(conversation: Conversation, options: ConversionOptions): ConversionPlan {
  return new Planner(options).plan(conversation);
}

class Planner {
  readonly #options: ConversionOptions;
  readonly #names = new ToolNames();
  readonly #notes = new ConversionNotes();
  readonly #system: string[] = [];
  readonly #steps: PlanStep[] = [];
  /** Calls without a result by VS Code's id, latest step last. */
  readonly #open = new Map<string, PlannedCall[][]>();
  readonly #ids = new Set<string>();

  constructor(options: ConversionOptions) {
    this.#options = options;
  }

  plan({ turns, tools }: Conversation): ConversionPlan {
    const { takesTools, earlierTools } = this.#options;
    const top = earlierTools ? earlierTools.first : usableTools(tools, this.#notes);
    const sent = takesTools ? top : [];
    for (const note of earlierTools?.notes ?? []) this.#notes.add(note);
    if (!takesTools && tools.length > 0) {
      this.#notes.add('the tools left out: the model takes none');
    }
    // Named first, so that no name in the history can take theirs.
    const wireTools = this.#named(sent);
    const added = takesTools ? (earlierTools?.added ?? []) : [];
    turns.forEach((turn, at) => {
      this.#turn(turn, at === turns.length - 1);
      for (const { afterTurns, tools: more } of added) {
        if (afterTurns === at + 1) this.#steps.push({ role: 'tools', tools: this.#named(more) });
      }
    });
    if (!this.#steps.some(({ role }) => role !== 'tools')) this.#say(placeholders.emptyMessage);
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

  #turn({ role, parts }: ConversationTurn, isLast: boolean): void {
    const said: (TextPart | ImagePart)[] = [];
    const steps = this.#steps.length;
    let isAnswered = false;
    let answer: AssistantStep | undefined;
    const calls: PlannedCall[] = [];
    for (const part of parts) {
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
    }
    if (answer) this.#finish(answer);
    if (said.length > 0) this.#steps.push({ role: 'user', parts: said });
    // Otherwise the model would continue its own last message.
    const isSilent = this.#steps.length === steps && !isAnswered;
    if (isLast && role === 'user' && isSilent) this.#say(placeholders.emptyMessage);
  }

  #finish({ text, thinking, calls }: AssistantStep): void {
    // Blank thinking is dropped unless it has a signature.
    const thoughts = thinking.filter(block => block.text.trim() !== '' || block.signature);
    const isBlank = text.trim() === '';
    if (!isBlank || calls.length > 0) {
      this.#steps.push({ role: 'assistant', thinking: thoughts, text: isBlank ? '' : text, calls });
    } else if (thoughts.length > 0) {
      this.#notes.add('an answer left out: it has nothing but reasoning');
    }
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
    // Parts of one text are joined without a separator.
    else answer.text += wellFormed(part.text);
  }

  #userParts(part: TextPart | ImagePart): (TextPart | ImagePart)[] {
    if (part.type === 'text') {
      return part.text.trim() === '' ? [] : [{ type: 'text', text: wellFormed(part.text) }];
    }
    const problem = this.#problemOf(part);
    return [problem === undefined ? part : { type: 'text', text: problem }];
  }

  #problemOf(part: ImagePart): string | undefined {
    const problem = imageProblem(part, this.#options.takesImages);
    if (problem === undefined) return undefined;
    this.#notes.add(placeholders[problem].slice(1, -1));
    return placeholders[problem];
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
    // If two calls of one answer share an id, the first result belongs to the first call.
    if (last?.some(other => together.includes(other))) last.push(call);
    else groups.push([call]);
    this.#open.set(callId, groups);
    return call;
  }

  #uniqueId(callId: string): string {
    const id = wireCallId(callId);
    let unique = id;
    for (let n = 2; this.#ids.has(unique); n++) unique = `${id.slice(0, 56)}_${n}`;
    if (unique !== id) {
      this.#notes.add('two tool calls have the same id: the later one got another');
    }
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

  /** @returns false if no call is waiting for this result. */
  #answer({ callId, parts }: ToolResultPart): boolean {
    const groups = this.#open.get(callId);
    const call = groups?.at(-1)?.shift();
    if (!groups || !call) return false;
    if (groups.at(-1)?.length === 0) groups.pop();
    const images: ImagePart[] = [];
    const texts: string[] = [];
    for (const part of this.#resultParts(parts)) {
      if (part.type === 'text') texts.push(part.text);
      else {
        images.push(part);
        texts.push(placeholders.imageBelow);
      }
    }
    call.result = { text: texts.join('\n') || placeholders.emptyResult, images };
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
    if (this.#options.takesTools) {
      this.#notes.add('a tool result without its call: sent as words of the user');
    }
    const inside = this.#resultParts(parts);
    const opening = 'Result of an earlier tool call:';
    return [
      {
        type: 'text',
        text: inside.length > 0 ? opening : `${opening} ${placeholders.emptyResult}`,
      },
      ...inside,
    ];
  }

  #callInWords({ name, input }: ToolCallPart): string {
    return `[tool call: ${wellFormed(name)} ${JSON.stringify(this.#input(input))}]`;
  }

  #unknown(what: string): void {
    // A MIME type or a class name, bounded because other extensions provide it.
    this.#notes.add(`a part left out: ${wellFormed(what.replace(/\s+/g, ' ').slice(0, 60))}`);
  }
}

function newAnswer(): AssistantStep {
  return { role: 'assistant', thinking: [], text: '', calls: [] };
}

/** A signature comes last and closes its block; parts without one belong to the same block. */
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
