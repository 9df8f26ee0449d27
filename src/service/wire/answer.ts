import { assumedCallId } from '../assumptions';
import { ServiceError } from '../errors';
import { isRecord, parseJson, textOf } from '../guards';
import type { Reply } from '../reply';
import { TextBuilder } from '../textBuilder';
import { type Timeouts, headersMs, sizeLimits } from '../timeouts';

/** A function that the model may call. */
export interface Tool {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON schema of the arguments. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

export interface ToolCall {
  /** Made up where the answer gave none; unique within the answer. */
  readonly id: string;
  readonly name: string;
  /** As they came; '' when none came. */
  readonly arguments: string;
  /** The arguments as an object; `undefined` when they are none, as in an answer that was cut. */
  readonly parsed: Readonly<Record<string, unknown>> | undefined;
}

/** What is new of a tool call. */
export interface ToolCallPiece {
  /** Place in the list of the answer's tool calls. */
  readonly index: number;
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** The characters that are new. */
  readonly arguments: string;
}

/** What one network read brought, joined. */
export interface AnswerDelta {
  readonly text: string;
  readonly reasoning: string;
  /** At most one piece per call. */
  readonly toolCalls: readonly ToolCallPiece[];
}

/** A long answer may take longer than other calls while it is being written; silence ends it all the same. */
export function turnTimeouts(stream: boolean): Partial<Timeouts> {
  return stream
    ? { headersMs: headersMs.stream, deadlineMs: 3600_000 }
    : { headersMs: headersMs.generation };
}

interface OpenPiece {
  readonly index: number;
  id: string | undefined;
  name: string | undefined;
  arguments: string;
}

const noPieces: readonly ToolCallPiece[] = [];

/** Counts what an answer holds, and hands on what is new once per network read. */
export class DeltaBatch {
  readonly #reply: Reply;
  readonly #onDelta: ((delta: AnswerDelta) => void) | undefined;
  #left: number;
  #text = '';
  #reasoning = '';
  #pieces: OpenPiece[] = [];

  /** @param most characters of the answer; the memory that it may take does not depend on the service. */
  constructor(
    reply: Reply,
    onDelta: ((delta: AnswerDelta) => void) | undefined,
    most: number = sizeLimits.jsonBody,
  ) {
    this.#reply = reply;
    this.#onDelta = onDelta;
    this.#left = most;
  }

  /** @throws {ServiceError} `tooLarge` when the answer has more characters than it may. */
  take(characters: number): void {
    this.#left -= characters;
    if (this.#left >= 0) return;
    const { requestId } = this.#reply;
    throw new ServiceError('tooLarge', 'answer too large', { requestId });
  }

  text(piece: string): void {
    this.take(piece.length);
    if (this.#onDelta) this.#text += piece;
  }

  reasoning(piece: string): void {
    this.take(piece.length);
    if (this.#onDelta) this.#reasoning += piece;
  }

  toolCall({ index, id, name, arguments: text }: ToolCallPiece): void {
    this.take(text.length);
    if (!this.#onDelta) return;
    const last = this.#pieces.at(-1);
    const open = last?.index === index ? last : this.#pieces.find(piece => piece.index === index);
    if (open) {
      open.id ??= id;
      open.name ??= name;
      open.arguments += text;
    } else this.#pieces.push({ index, id, name, arguments: text });
  }

  flush(): void {
    const onDelta = this.#onDelta;
    if (!onDelta || (!this.#text && !this.#reasoning && this.#pieces.length === 0)) return;
    const toolCalls = this.#pieces.length > 0 ? this.#pieces : noPieces;
    const delta = { text: this.#text, reasoning: this.#reasoning, toolCalls };
    this.#text = this.#reasoning = '';
    if (this.#pieces.length > 0) this.#pieces = [];
    onDelta(delta);
  }
}

/**
 * True when a piece of an answer holds anything but the names of its role and type, known or new. A piece
 * without content shows only that the line is alive.
 */
export function hasContent(piece: Readonly<Record<string, unknown>>): boolean {
  return isFilled(piece, 0);
}

/** Deeper than any known piece; what is below counts as content. */
const deepest = 6;

function isFilled(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value !== '';
  // Loops, and no list of pairs: this is asked of each event of a stream.
  if (Array.isArray(value)) {
    if (depth >= deepest) return true;
    for (const item of value) if (isFilled(item, depth + 1)) return true;
    return false;
  }
  if (!isRecord(value)) return false;
  if (depth >= deepest) return true;
  for (const name of Object.keys(value))
    if (name !== 'role' && name !== 'type' && isFilled(value[name], depth + 1)) return true;
  return false;
}

/** Characters that an answer's list items count for besides their texts. */
export const itemCharacters = 64;

class OpenCall {
  readonly index: number;
  id: string | undefined;
  name: string | undefined;
  readonly arguments = new TextBuilder();

  constructor(index: number) {
    this.index = index;
  }
}

/**
 * The tool calls of an answer, from whole calls or from the pieces of a stream.
 * @see assumptions, {@link assumedCallId}, for what may be missing
 */
export class ToolCallList {
  readonly #batch: DeltaBatch;
  readonly #calls: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall>();

  constructor(batch: DeltaBatch) {
    this.#batch = batch;
  }

  /**
   * `{index, id, function: {name, arguments}}` of a chat completion or of a piece of one.
   * @param place in a list of whole calls, where the wire's own numbers say nothing more
   * @returns true when it brought arguments
   */
  add(piece: unknown, place?: number): boolean {
    if (!isRecord(piece)) return false;
    const given = piece['function'];
    const call: Record<string, unknown> = isRecord(given) ? given : piece;
    const number = typeof piece['index'] === 'number' ? piece['index'] : undefined;
    const index = place ?? number;
    return this.addPiece(index, textOf(piece['id']), textOf(call['name']), call['arguments']);
  }

  /**
   * @param index as the wire numbers them; @param input a text, an object or nothing.
   * @returns true when it brought arguments
   */
  addPiece(
    index: number | undefined,
    id: string | undefined,
    name: string | undefined,
    input: unknown,
  ): boolean {
    const open = this.#callOf(index, id, name);
    const newId = open.id ? undefined : id || undefined;
    const newName = open.name ? undefined : name || undefined;
    open.id ??= newId;
    open.name ??= newName;
    const text = typeof input === 'string' ? input : isRecord(input) ? JSON.stringify(input) : '';
    open.arguments.add(text);
    this.#batch.toolCall({
      index: open.index,
      id: newId,
      name: newName,
      arguments: text,
    });
    return text !== '';
  }

  done(): ToolCall[] {
    return this.#calls.map(({ index, id, name, arguments: { text } }) => ({
      id: id ?? assumedCallId(index),
      name: name ?? '',
      arguments: text,
      parsed: parseArguments(text),
    }));
  }

  /** Without an index, a new id or a second name begins the next call; so does a new id with an old index. */
  #callOf(index: number | undefined, id: string | undefined, name: string | undefined): OpenCall {
    const known = index === undefined ? this.#calls.at(-1) : this.#byIndex.get(index);
    const isOther =
      known !== undefined &&
      ((id && known.id && id !== known.id) || (index === undefined && !id && name && known.name));
    if (known && !isOther) return known;
    this.#batch.take(itemCharacters);
    const call = new OpenCall(this.#calls.length);
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }
}

/** An object, also one that was written as a text within the JSON; no text at all means no arguments. */
export function parseArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  const inner = typeof value === 'string' ? parseJson(value) : value;
  return isRecord(inner) ? inner : undefined;
}
