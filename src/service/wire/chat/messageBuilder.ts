import { TextBuilder } from '../../../base/text/textBuilder';
import { isRecord, textOf } from '../../../base/typeGuards';
import { assumedCallId, messageUsage, stopReasons } from '../../assumptions';
import type { ResponseContext } from '../../http/responseContext';
import { unexpectedShape } from '../../schema';
import type { AnswerBuilder } from '../../stream/answerStream';
import type { Usage } from '../../usage';
import {
  type DeltaBatch,
  hasContent,
  itemCharacters,
  parseArguments,
  type ToolCall,
} from './answer';
import type { TextBlock, ThinkingBlock, ToolUseBlock } from './messagesRequest';

export interface MessagesResult {
  /** The last text block; reasoning and text between tool calls come before it. */
  readonly text: string;
  /** '' where the answer has none. */
  readonly thinking: string;
  readonly toolCalls: readonly ToolCall[];
  /** All blocks in their order, ready to be sent back as the message of the assistant. */
  readonly blocks: readonly (TextBlock | ThinkingBlock | ToolUseBlock)[];
  /** Unchanged: one of {@link stopReasons}. */
  readonly stopReason: string | undefined;
  /** Stopped before its end; see `ChatResult.isCut`. */
  readonly isCut: boolean;
  /** The model that answered, or the requested one when the service does not say. */
  readonly model: string;
  readonly usage: Usage | undefined;
}
/** A content block while it is being read. */
interface OpenBlock {
  readonly type: 'text' | 'thinking' | 'tool_use';
  readonly text: TextBuilder;
  signature: string | undefined;
  readonly id: string;
  readonly name: string;
  /** Index among the tool calls. */
  readonly call: number;
}

// Maps, because the keys come from the service and an object also has the key `constructor`.
const blockTypes: ReadonlyMap<unknown, OpenBlock['type']> = new Map([
  ['text', 'text'],
  ['thinking', 'thinking'],
  ['tool_use', 'tool_use'],
]);
const deltaTypes: ReadonlyMap<unknown, OpenBlock['type']> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['signature_delta', 'thinking'],
  ['input_json_delta', 'tool_use'],
]);

/** A message, in one piece or from the events of a stream. Type guards instead of zod, as for chat completions. */
export class MessageBuilder implements AnswerBuilder {
  readonly #context: ResponseContext;
  readonly #batch: DeltaBatch;
  readonly #blocks: OpenBlock[] = [];
  /** By the index in the answer. */
  readonly #open = new Map<unknown, OpenBlock>();
  #calls = 0;
  #lastText: OpenBlock | undefined;
  #stopReason: string | undefined;
  #model: string | undefined;
  #prompt: number | undefined;
  #cached: number | undefined;
  #completion: number | undefined;
  ended = false;

  constructor(context: ResponseContext, batch: DeltaBatch) {
    this.#context = context;
    this.#batch = batch;
  }

  get partial(): string {
    return this.#lastText?.text.text ?? '';
  }

  get complete(): boolean {
    return stopReasons.whole.has(this.#stopReason ?? '') || this.#isCut;
  }

  get endReason(): string | undefined {
    return this.#stopReason;
  }

  get #isCut(): boolean {
    return stopReasons.cut.has(this.#stopReason ?? '');
  }

  result(asked: string): MessagesResult {
    const toolCalls: ToolCall[] = [];
    let thinking = '';
    const blocks = this.#blocks.map(({ type, text: { text }, signature, id, name }) => {
      if (type === 'text') return { type, text };
      if (type === 'thinking') {
        thinking += text;
        return { type, thinking: text, signature };
      }
      const call = { id, name, arguments: text, parsed: parseArguments(text) };
      toolCalls.push(call);
      return { type: 'toolUse' as const, id, name, input: call.parsed ?? {} };
    });
    return {
      text: this.partial,
      thinking,
      toolCalls,
      blocks,
      stopReason: this.#stopReason,
      isCut: this.#isCut,
      model: this.#model ?? asked,
      usage: this.#usage(),
    };
  }

  /** @throws {ServiceError} `protocol` when it has no content. */
  addWhole(message: Record<string, unknown>): void {
    const { content } = message as { content?: unknown };
    const blocks: unknown[] | undefined =
      typeof content === 'string'
        ? [{ type: 'text', text: content }]
        : Array.isArray(content)
          ? content
          : undefined;
    if (!blocks) throw unexpectedShape('message', this.#context);
    blocks.forEach((block, place) => this.#begin(place, block));
    this.#addFrame(message);
  }

  add(event: Record<string, unknown>): boolean {
    const { type, index } = event as { type?: unknown; index?: unknown };
    // The most frequent one first.
    if (type === 'content_block_delta') return this.#addDelta(index, event['delta']);
    if (type === 'content_block_start') return this.#begin(index, event['content_block']);
    if (type === 'message_start') {
      this.#addFrame(event['message']);
    } else if (type === 'message_delta') {
      this.#addUsage(event['usage']);
      return this.#addFrame(event['delta']);
    } else if (type === 'message_stop') {
      return (this.ended = true);
    } else if (type === 'message' && this.#blocks.length === 0) {
      // A complete message in one event.
      this.addWhole(event);
      return true;
    } else if (type !== 'ping' && type !== 'content_block_stop') {
      this.#context.warn(`message stream has a new event "${String(type)}"`);
    }
    return false;
  }

  flush(): void {
    this.#batch.flush();
  }

  /** @returns true when there was anything in it. */
  #begin(index: unknown, block: unknown): boolean {
    if (!isRecord(block)) return false;
    const type = blockTypes.get(block['type']);
    if (!type) {
      this.#context.warn(`message has a new block "${String(block['type'])}"`);
      return hasContent(block);
    }
    const open = this.#openBlock(index, type, textOf(block['id']), textOf(block['name']));
    if (type === 'tool_use') {
      const { input } = block;
      // A stream begins with an empty object and sends the text of the actual one afterwards.
      if (isRecord(input) && Object.keys(input).length > 0) {
        this.#addText(open, JSON.stringify(input));
      }
    } else this.#addText(open, textOf(block[type]) ?? '');
    open.signature = textOf(block['signature']);
    return hasContent(block);
  }

  #addDelta(index: unknown, delta: unknown): boolean {
    if (!isRecord(delta)) return false;
    const { type } = delta as { type?: unknown };
    const blockType = deltaTypes.get(type);
    if (!blockType) {
      this.#context.warn(`message stream has a new delta "${String(type)}"`);
      return hasContent(delta);
    }
    const known = this.#open.get(index);
    const open =
      known?.type === blockType ? known : this.#openBlock(index, blockType, undefined, undefined);
    if (type === 'signature_delta') {
      const signature = textOf(delta['signature']) ?? '';
      this.#batch.take(signature.length);
      open.signature = (open.signature ?? '') + signature;
      return signature !== '';
    }
    const piece = textOf(delta[blockType === 'tool_use' ? 'partial_json' : blockType]) ?? '';
    this.#addText(open, piece);
    return piece !== '';
  }

  #openBlock(
    index: unknown,
    type: OpenBlock['type'],
    id: string | undefined,
    name = '',
  ): OpenBlock {
    this.#batch.take(itemCharacters);
    const call = type === 'tool_use' ? this.#calls++ : -1;
    const open: OpenBlock = {
      type,
      text: new TextBuilder(),
      signature: undefined,
      id: id ?? assumedCallId(call),
      name,
      call,
    };
    this.#blocks.push(open);
    this.#open.set(index, open);
    if (type === 'text') this.#lastText = open;
    if (type === 'tool_use') {
      this.#batch.toolCall({ index: call, id: open.id, name, arguments: '' });
    }
    return open;
  }

  #addText(open: OpenBlock, piece: string): void {
    if (piece === '') return;
    if (open.type === 'text') {
      this.#batch.text(piece);
    } else if (open.type === 'thinking') {
      this.#batch.reasoning(piece);
    } else {
      this.#batch.toolCall({ index: open.call, id: undefined, name: undefined, arguments: piece });
    }
    open.text.add(piece);
  }

  /**
   * Fields of a message that may stand in its first event, in its last or in the whole.
   * @returns true when it says how the message ended.
   */
  #addFrame(frame: unknown): boolean {
    if (!isRecord(frame)) return false;
    this.#model ??= textOf(frame['model']);
    const reason = textOf(frame['stop_reason']) || undefined;
    this.#stopReason = reason ?? this.#stopReason;
    this.#addUsage(frame['usage']);
    return reason !== undefined;
  }

  #addUsage(wire: unknown): void {
    if (!isRecord(wire)) return;
    const { prompt, cached, completion } = messageUsage(wire);
    this.#prompt = prompt ?? this.#prompt;
    this.#cached = cached ?? this.#cached;
    this.#completion = completion ?? this.#completion;
  }

  #usage(): Usage | undefined {
    const promptTokens = this.#prompt;
    const completionTokens = this.#completion;
    if (promptTokens === undefined || completionTokens === undefined) return undefined;
    const cachedTokens = this.#cached;
    return {
      promptTokens,
      completionTokens,
      ...(cachedTokens === undefined ? {} : { cachedTokens }),
    };
  }
}
