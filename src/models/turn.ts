import { isAbortError } from '../base/async/clock';
import type { Translate } from '../base/format/text';
import { sentence } from '../base/sentence';
import { middleModel } from '../contracts/chatModels';
import type { GatedClient } from '../platform/egress/gatedClient';
import {
  type AnswerDelta,
  type ChatResult,
  type Cost,
  chatOnlyModels,
  type MessagesResult,
  type Model,
  type ReasoningEffort,
  type RetryWait,
  ServiceError,
  type Usage,
} from '../service';
import { choiceOf, choiceText, type ModelChoice, type ModelChoiceCache, pickRequest } from './auto';
import { chatWaitText, interruptedText, limitReachedText } from './failures';
import { type AnswerPart, AnswerReader, callIdsOf } from './format/answer';
import { toChatRequest } from './format/chatFormat';
import type { Conversation } from './format/conversation';
import type { ConversionOptions, Converted } from './format/conversion';
import type { ToolMemory } from './format/dynamicTools';
import { leftOutOf } from './format/leftOut';
import { toMessagesRequest } from './format/messagesFormat';
import { noteBelow } from './format/noteBelow';
import { type PickerEntry, takesImages, takesTools, tokenLimitsOf } from './listing';

export type TurnClient = Pick<
  GatedClient,
  'chat' | 'messages' | 'pickModel' | 'endpointStatus' | 'endpointTarget'
>;

type WireFormat = 'chat' | 'messages';

/** Receives the parts of an answer. */
export interface TurnSink {
  text(text: string): void;
  /** @param signature from the messages format; it must be sent back with the thinking. */
  thinking(text: string, signature?: string): void;
  endThinking(): void;
  /** A remark by the extension, which is not sent back to a model. */
  note(text: string): void;
  toolCall(callId: string, name: string, input: object): void;
  usage(usage: Usage): void;
}

export interface TurnRequest {
  readonly conversation: Conversation;
  readonly entry: Exclude<PickerEntry, { kind: 'setup' }>;
  readonly format: WireFormat;
  readonly effort: ReasoningEffort | undefined;
  readonly temperature: number | undefined;
  readonly maxTokens: number | undefined;
  /** Estimated tokens of the whole prompt. */
  readonly promptTokens: number;
  readonly toolMemory: ToolMemory;
  readonly choices: ModelChoiceCache;
  /** Whether keys and passwords are sent; they are withheld unless the user has agreed. */
  readonly secrets?: 'withhold' | 'agreed';
  /** An id that the calls of one chat share, for the costs. */
  readonly chat?: string;
  readonly signal: AbortSignal;
  readonly t: Translate;
  /** Writes to the log; without content of the conversation. */
  readonly log: (line: string) => void;
}

export interface TurnResult {
  /** The model that answered. */
  readonly model: Model;
  readonly usage: Usage | undefined;
  /** What the answer cost, without the choice of the router. */
  readonly cost: Cost | undefined;
  /** The text of an answer to the user: one after which no tool is called. */
  readonly answer: string | undefined;
}

/**
 * Runs one turn of a conversation with the picked model, endpoint or router. If the answer is interrupted,
 * the received part is kept and a sentence is added below it.
 *
 * @throws {ServiceError} if nothing was received.
 * @throws {AbortError} if the signal is aborted.
 */
export async function runTurn(
  client: TurnClient,
  request: TurnRequest,
  sink: TurnSink,
): Promise<TurnResult> {
  const { entry, t } = request;
  if (entry.kind !== 'auto') {
    const options = await optionsOf(client, request, entry);
    return { model: entry.model, ...(await answer(client, request, options, sink)) };
  }
  const choice = await chooseModel(client, request, entry.candidates);
  const { model } = choice;
  // Not as text: an agent takes that for an answer, and titles and lists are made of it.
  sink.note(choiceText(choice, t));
  const options = await optionsOf(client, request, { kind: 'model', model, isStandby: false });
  return { model, ...(await answer(client, request, options, sink)) };
}

/** Asks the router once per prompt; if it fails, a mid-priced model is used. */
async function chooseModel(
  router: Pick<TurnClient, 'pickModel'>,
  { conversation, choices, promptTokens, secrets = 'withhold', chat, signal, t, log }: TurnRequest,
  candidates: readonly Model[],
): Promise<ModelChoice> {
  const asked = pickRequest(conversation, candidates, promptTokens);
  const known = choices.get(asked);
  if (known) return known;
  const fallback =
    candidates.find(({ id }) => id === asked.defaultModel) ?? middleModel(candidates);
  if (!fallback) throw new ServiceError('limit', t('There is no model to choose from.'));
  try {
    // The router rejects empty prompts.
    const picked =
      asked.input === ''
        ? undefined
        : await router.pickModel(asked, {
            signal,
            sending: { purpose: 'pickModel', secrets, ...(chat !== undefined && { chat }) },
          });
    const choice = (picked && choiceOf(picked, candidates, t)) ?? { model: fallback, reason: '' };
    choices.keep(asked, choice);
    return choice;
  } catch (error) {
    if (!(error instanceof ServiceError) || isFinal(error)) throw error;
    log(`models: the router failed (${error.kind}); ${fallback.id} answers`);
    return { model: fallback, reason: t('the router did not answer') };
  }
}

/** Errors that would also occur with another model. */
const isFinal = ({ kind }: ServiceError): boolean =>
  ['noKey', 'noUrl', 'badUrl', 'unauthorized', 'budget', 'payment', 'offline'].includes(kind);

async function optionsOf(
  client: TurnClient,
  request: TurnRequest,
  entry: Exclude<TurnRequest['entry'], { kind: 'auto' }>,
): Promise<ConversionOptions & { readonly format: WireFormat }> {
  const { conversation, effort, maxTokens, toolMemory, signal } = request;
  const { model } = entry;
  // Only the shared service at the standard tier supports the messages format.
  const isPlain = entry.kind === 'model' && !entry.isStandby && !chatOnlyModels.includes(model.id);
  const format = isPlain ? request.format : 'chat';
  const options = {
    format,
    model: model.id,
    takesImages: takesImages(model),
    takesTools: takesTools(model),
    contextTokens: model.contextTokens,
    maxTokens:
      maxTokens ??
      model.maxOutputTokens ??
      (format === 'messages' ? tokenLimitsOf(model).output : undefined),
    effort,
    sendsThinkingBack: sendsThinkingBack(format),
  };
  if (entry.kind === 'model') {
    // Only chat completions of the shared service take tools within a conversation.
    const earlierTools = format === 'chat' ? toolMemory.recall(conversation, model.id) : undefined;
    return { ...options, earlierTools, serviceTier: entry.isStandby ? 'standby' : undefined };
  }
  // An address stays listed after its endpoint has ended, so each turn reads it again.
  const status = await client.endpointStatus(entry.endpointId, { signal });
  return { ...options, endpoint: await client.endpointTarget(status) };
}

/**
 * Only the messages format has blocks for thinking; for chat completions the service document names no
 * field (Endpoints, "POST /v1/messages").
 */
const sendsThinkingBack = (format: WireFormat): boolean => format === 'messages';

/** @throws {ServiceError} `limit` if no part of the prompt can be sent. */
function showLeftOut(
  { conversation, t }: TurnRequest,
  options: ConversionOptions,
  sink: TurnSink,
): void {
  const { text, isAll } = leftOutOf(conversation, options.takesImages, t);
  if (text === '') return;
  if (isAll) {
    throw new ServiceError('limit', sentence('{0} Nothing was sent: nothing else is in it.', text));
  }
  // An agent takes text for an answer.
  if (conversation.tools.length > 0) sink.note(text);
  else sink.text(`> ${text}\n\n`);
}

async function answer(
  client: TurnClient,
  request: TurnRequest,
  options: ConversionOptions & { readonly format: WireFormat },
  sink: TurnSink,
): Promise<Omit<TurnResult, 'model'>> {
  const { conversation, temperature, secrets = 'withhold', chat, signal, t, log } = request;
  const shown = new AnswerWriter(sink);
  showLeftOut(request, options, sink);

  /** Sends the request and shows the answer while it streams. */
  const read = async <R, A extends ChatResult | MessagesResult>(
    { request: body, names, notes }: Converted<R>,
    send: (body: R, options: Parameters<TurnClient['chat']>[1]) => Promise<A>,
  ): Promise<A> => {
    const reader = new AnswerReader({ names, takenIds: callIdsOf(conversation), t });
    for (const note of notes) log(`models: ${note}`);
    const onDelta = (delta: AnswerDelta): void => {
      if (!signal.aborted) shown.parts(reader.add(delta));
    };
    const onWait = (wait: RetryWait): void => sink.note(chatWaitText(wait, t));
    const result = await send(body, {
      signal,
      stream: true,
      onDelta,
      onWait,
      sending: { purpose: 'chat', secrets, ...(chat !== undefined && { chat }) },
    });
    shown.parts(reader.end(result));
    for (const note of reader.notes) log(`models: ${note}`);
    return result;
  };

  try {
    const { isCut, usage, cost } =
      options.format === 'messages'
        ? await read(toMessagesRequest(conversation, options), async (body, called) =>
            client.messages(body, called),
          )
        : await read(toChatRequest(conversation, options), async (body, called) =>
            client.chat({ ...body, temperature }, called),
          );
    shown.end();
    const isAnswer = shown.text !== '' && !shown.hasCall;
    if (isCut && isAnswer) shown.noteBelow(limitReachedText(t));
    if (usage) sink.usage(usage);
    return { usage, cost, answer: isAnswer ? shown.text : undefined };
  } catch (error) {
    if (isAbortError(error) || signal.aborted || shown.text === '') throw error;
    // VS Code may drop parts that were reported just before an error, so none is thrown.
    log(`models: the answer broke off (${error instanceof ServiceError ? error.kind : 'error'})`);
    shown.end();
    shown.noteBelow(interruptedText(error, t));
    return { usage: undefined, cost: undefined, answer: undefined };
  }
}

/** Writes the parts of an answer to the sink and records what was shown. */
class AnswerWriter {
  readonly #sink: TurnSink;
  #isThinking = false;
  /** Shown so far. */
  text = '';
  hasCall = false;

  constructor(sink: TurnSink) {
    this.#sink = sink;
  }

  parts(parts: readonly AnswerPart[]): void {
    for (const part of parts) {
      if (part.type === 'thinking') {
        this.#isThinking = true;
        this.#sink.thinking(part.text, part.signature);
        continue;
      }
      this.end();
      if (part.type === 'text') {
        this.#show(part.text);
      } else {
        this.hasCall = true;
        this.#sink.toolCall(part.callId, part.name, part.input);
      }
    }
  }

  noteBelow(note: string): void {
    this.#show(noteBelow(this.text, note));
  }

  #show(text: string): void {
    this.text += text;
    this.#sink.text(text);
  }

  /** Ends a thinking block. */
  end(): void {
    if (this.#isThinking) this.#sink.endThinking();
    this.#isThinking = false;
  }
}
