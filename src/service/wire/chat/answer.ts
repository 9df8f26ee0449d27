import { TextBuilder } from '../../../base/text/textBuilder';
import { isRecord, parseJson, textOf } from '../../../base/typeGuards';
import { assumedCallId } from '../../assumptions';
import { ServiceError } from '../../errors';
import type { ResponseContext } from '../../http/responseContext';
import { headersMs, sizeLimits, type Timeouts } from '../../http/timeouts';

/** A function that the model may call. */
export interface Tool {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON schema of the arguments. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

export interface ToolCall {
  /** Generated where the answer has none; unique within the answer. */
  readonly id: string;
  readonly name: string;
  /** Unparsed; '' when there are none. */
  readonly arguments: string;
  /** The arguments as an object; `undefined` when they are not one, as in a truncated answer. */
  readonly parsed: Readonly<Record<string, unknown>> | undefined;
}

/** The new part of a tool call. */
export interface ToolCallPiece {
  /** Index among the tool calls of the answer. */
  readonly index: number;
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** The new characters. */
  readonly arguments: string;
}

/** The new parts of one network read, joined. */
export interface AnswerDelta {
  readonly text: string;
  readonly reasoning: string;
  /** At most one piece per call. */
  readonly toolCalls: readonly ToolCallPiece[];
}

/** A streamed answer may take longer than other calls; the idle timeouts still apply. */
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

/** Limits the size of an answer, and passes on its new parts once per network read. */
export class DeltaBatch {
  readonly #context: ResponseContext;
  readonly #onDelta: ((delta: AnswerDelta) => void) | undefined;
  #left: number;
  #text = '';
  #reasoning = '';
  #pieces: OpenPiece[] = [];

  /** @param maxCharacters of the answer, so that the service cannot exhaust the memory. */
  constructor(
    context: ResponseContext,
    onDelta: ((delta: AnswerDelta) => void) | undefined,
    maxCharacters: number = sizeLimits.jsonBody,
  ) {
    this.#context = context;
    this.#onDelta = onDelta;
    this.#left = maxCharacters;
  }

  /** @throws {ServiceError} `tooLarge` when the answer has more characters than it may. */
  take(characters: number): void {
    this.#left -= characters;
    if (this.#left >= 0) return;
    const { requestId } = this.#context;
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
 * True when a piece of an answer contains anything but its role and type. A piece without content shows
 * only that the connection is alive.
 */
export function hasContent(piece: Readonly<Record<string, unknown>>): boolean {
  return isFilled(piece, 0);
}

/** Deeper than any known piece; anything below counts as content. */
const maxDepth = 6;

function isFilled(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value !== '';
  // Plain loops, because this runs for each event of a stream.
  if (Array.isArray(value)) {
    if (depth >= maxDepth) return true;
    for (const item of value) if (isFilled(item, depth + 1)) return true;
    return false;
  }
  if (!isRecord(value)) return false;
  if (depth >= maxDepth) return true;
  for (const name of Object.keys(value)) {
    if (name !== 'role' && name !== 'type' && isFilled(value[name], depth + 1)) return true;
  }
  return false;
}

/** Characters that each list item of an answer counts in addition to its text. */
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
 * Collects the tool calls of an answer, from complete calls or from the pieces of a stream.
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
   * @param place index in a list of complete calls, where the indexes of the answer are not needed
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
   * @param index as in the answer; @param input a text, an object or nothing.
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

  /** Without an index, a new id or a second name begins the next call; so does a new id with a known index. */
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

/** An object, also one that is encoded as a string in the JSON; an empty text means no arguments. */
export function parseArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  const inner = typeof value === 'string' ? parseJson(value) : value;
  return isRecord(inner) ? inner : undefined;
}
