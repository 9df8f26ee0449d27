import type { Translate } from '../../base/format/text';
import type { AnswerDelta, ChatResult, MessagesResult, ToolCall } from '../../service';
import type { Conversation, TextPart, ThinkingPart } from './conversation';
import { wellFormed } from './json';
import type { ToolNames } from './toolNames';

export type AnswerPart = TextPart | ThinkingPart | AnswerToolCall;

export interface AnswerToolCall {
  readonly type: 'toolCall';
  /** Unique in the conversation. */
  readonly callId: string;
  /** The tool's name in VS Code. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface AnswerOptions {
  readonly names: ToolNames;
  /** Ids of earlier calls; see {@link callIdsOf}. */
  readonly takenIds?: ReadonlySet<string> | undefined;
  readonly t: Translate;
}

/**
 * Turns an answer into the parts that VS Code shows. `add` returns text and reasoning as they stream;
 * tool calls are returned by `end`, once they are complete. Without any `add`, `end` returns everything.
 */
export class AnswerReader {
  readonly #options: AnswerOptions;
  readonly #taken: Set<string>;
  readonly #notes: string[] = [];
  #isStreamed = false;
  #hasText = false;
  #hasThinking = false;
  /** A high surrogate, until the low surrogate is received. */
  #half = { text: '', thinking: '' };

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#taken = new Set(options.takenIds);
  }

  /** Lines for the log, without content; complete after `end`. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  add({ text, reasoning }: AnswerDelta): AnswerPart[] {
    this.#isStreamed ||= text !== '' || reasoning !== '';
    return [
      ...this.#spoken('thinking', this.#whole('thinking', reasoning)),
      ...this.#spoken('text', this.#whole('text', text)),
    ];
  }

  /** The remaining parts. There is always a text or a call: VS Code accepts no other answer. */
  end(result: ChatResult | MessagesResult): AnswerPart[] {
    const parts = this.#isStreamed
      ? [...this.#rest(), ...this.#signature(result)]
      : 'blocks' in result
        ? this.#blocks(result)
        : this.#message(result);
    const calls = result.toolCalls.flatMap((call, at) => {
      const isLast = at === result.toolCalls.length - 1;
      const part = this.#call(call, result.isCut && isLast);
      return part ? [part] : [];
    });
    parts.push(...calls);
    if (!this.#hasText && calls.length === 0) {
      parts.push({ type: 'text', text: this.#fallback(result) });
    }
    return parts;
  }

  #message({ reasoning, text }: ChatResult): AnswerPart[] {
    return [...this.#spoken('thinking', reasoning), ...this.#spoken('text', text)];
  }

  #blocks({ blocks }: MessagesResult): AnswerPart[] {
    return blocks.flatMap((block): AnswerPart[] => {
      if (block.type === 'text') return this.#spoken('text', block.text);
      if (block.type !== 'thinking') return [];
      const { thinking: text, signature } = block;
      if (text === '' && !signature) return [];
      this.#hasThinking = true;
      return [{ type: 'thinking', text: wellFormed(text), ...(signature ? { signature } : {}) }];
    });
  }

  /** The signature of reasoning that was already shown; with several blocks they cannot be told apart. */
  #signature(result: ChatResult | MessagesResult): AnswerPart[] {
    if (!('blocks' in result)) return [];
    const thinking = result.blocks.filter(block => block.type === 'thinking');
    const [signature] = thinking.map(block => block.signature).filter(Boolean);
    if (!signature) return [];
    if (thinking.length === 1) return [{ type: 'thinking', text: '', signature }];
    this.#notes.push('signatures of the reasoning left out: it came in several blocks');
    return [];
  }

  #spoken(type: 'text' | 'thinking', text: string): AnswerPart[] {
    if (text === '') return [];
    // Whitespace alone shows as no answer.
    if (type === 'text') this.#hasText ||= text.trim() !== '';
    else this.#hasThinking = true;
    return [{ type, text: wellFormed(text) }];
  }

  #whole(type: 'text' | 'thinking', piece: string): string {
    const text = this.#half[type] + piece;
    const last = text.charCodeAt(text.length - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    this.#half[type] = isHalf ? text.slice(-1) : '';
    return isHalf ? text.slice(0, -1) : text;
  }

  #rest(): AnswerPart[] {
    const { thinking, text } = this.#half;
    this.#half = { text: '', thinking: '' };
    return [...this.#spoken('thinking', thinking), ...this.#spoken('text', text)];
  }

  /** @param isCut the answer was cut off within this call */
  #call({ id, name, parsed }: ToolCall, isCut: boolean): AnswerToolCall | undefined {
    if (name === '') {
      this.#notes.push('a tool call left out: it names no tool');
      return undefined;
    }
    if (!parsed && isCut) {
      this.#notes.push('a tool call left out: the answer was cut in its input');
      return undefined;
    }
    if (!parsed) this.#notes.push('the input of a tool call is no object: an empty one is used');
    return {
      type: 'toolCall',
      callId: this.#newId(id),
      name: this.#options.names.fromWire(name),
      input: parsed ?? {},
    };
  }

  #newId(id: string): string {
    let unique = id;
    for (let n = 2; this.#taken.has(unique); n++) unique = `${id}_${n}`;
    this.#taken.add(unique);
    return unique;
  }

  #fallback({ isCut, toolCalls }: ChatResult | MessagesResult): string {
    const { t } = this.#options;
    if (isCut && toolCalls.length > 0) {
      return t('The answer reached its limit in the middle of a tool call, so nothing was called.');
    }
    if (isCut && this.#hasThinking) {
      return t(
        'The model reached its limit while it was still thinking. Ask for less, or lower its effort.',
      );
    }
    if (isCut) return t('The answer was cut off before its first word.');
    if (this.#hasThinking) {
      return t('The model was thinking but gave no answer. Ask again, or ask for its conclusion.');
    }
    return t('The model gave an empty answer. Ask again.');
  }
}

/** Ids of all calls in the conversation, which new calls must not reuse: services restart numbering per answer. */
export function callIdsOf({ turns }: Conversation): Set<string> {
  return new Set(
    turns.flatMap(({ parts }) =>
      parts.flatMap(part => (part.type === 'toolCall' ? [part.callId] : [])),
    ),
  );
}
