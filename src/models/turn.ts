import { sentence } from '../base/sentence';
import type { Translate } from '../host/words';
import type { GatedClient } from '../host/egress/gatedClient';
import { ServiceError } from '../service/errors';
import type { Wait } from '../service/operation';
import { isAbortError } from '../service/time';
import type { Usage } from '../service/usage';
import type { AnswerDelta } from '../service/wire/answer';
import type { Model } from '../service/wire/catalogue';
import type { ChatResult } from '../service/wire/chat';
import type { ReasoningEffort } from '../service/wire/chatRequest';
import type { MessagesResult } from '../service/wire/messages';
import { chatOnlyModels } from '../service/wire/messages';
import { type AnswerPart, AnswerReader, callIdsOf } from './answer';
import { type Choice, type Choices, choiceOf, choiceText, middleModel, pickRequest } from './auto';
import { toChatRequest } from './chatFormat';
import type { Conversation } from './conversation';
import type { ConversionOptions, Converted } from './conversion';
import type { ToolMemory } from './dynamicTools';
import { brokenText, cutText, waitText } from './failures';
import { type Entry, takesImages, takesTools, windowsOf } from './listing';
import { leftOutOf } from './leftOut';
import { toMessagesRequest } from './messagesFormat';

export type TurnClient = Pick<
  GatedClient,
  'chat' | 'messages' | 'pickModel' | 'endpointStatus' | 'endpointTarget'
>;

export type WireFormat = 'chat' | 'messages';

/** Where the pieces of an answer go. */
export interface TurnSink {
  text(text: string): void;
  /** @param signature of the messages format; it must come back with the thinking. */
  thinking(text: string, signature?: string): void;
  endThinking(): void;
  /** A remark of ours beside the answer, which no model gets to see. */
  note(text: string): void;
  toolCall(callId: string, name: string, input: object): void;
  usage(usage: Usage): void;
}

export interface TurnRequest {
  readonly conversation: Conversation;
  readonly entry: Exclude<Entry, { kind: 'setup' }>;
  readonly format: WireFormat;
  readonly effort: ReasoningEffort | undefined;
  readonly temperature: number | undefined;
  readonly maxTokens: number | undefined;
  /** Of the whole prompt. */
  readonly promptTokens: number;
  readonly toolMemory: ToolMemory;
  readonly choices: Choices;
  /** What becomes of keys and passwords in it; they are left out unless the user wants them sent. */
  readonly secrets?: 'withhold' | 'agreed';
  readonly signal: AbortSignal;
  readonly t: Translate;
  /** For the log: no content. */
  readonly log: (line: string) => void;
}

export interface TurnResult {
  /** That answered. */
  readonly model: Model;
  readonly usage: Usage | undefined;
}

/**
 * One turn of a conversation, with whatever the entry stands for. What came before a failure stays, with
 * a sentence below it.
 *
 * @throws {ServiceError} when nothing came at all.
 * @throws {AbortError} when the signal is aborted.
 */
export async function runTurn(
  client: TurnClient,
  request: TurnRequest,
  sink: TurnSink,
): Promise<TurnResult> {
  const { entry, conversation, t } = request;
  if (entry.kind !== 'auto') {
    const options = await optionsOf(client, request, entry);
    const usage = await answer(client, request, options, sink);
    return { model: entry.model, usage };
  }
  const choice = await choose(client, request, entry.candidates);
  const { model } = choice;
  const note = choiceText(choice, t);
  // An agent reads text as an answer; between tool calls the line is a thought.
  const isAgent = conversation.tools.length > 0;
  if (isAgent) sink.note(note);
  const options = await optionsOf(client, request, { kind: 'model', model, isStandby: false });
  const usage = await answer(client, request, options, sink);
  if (!isAgent) sink.text(`\n\n*${note}*`);
  return { model, usage };
}

/** The router's choice, once for each prompt; a model in the middle where the router fails. */
async function choose(
  router: Pick<TurnClient, 'pickModel'>,
  { conversation, choices, promptTokens, secrets = 'withhold', signal, t, log }: TurnRequest,
  candidates: readonly Model[],
): Promise<Choice> {
  const asked = pickRequest(conversation, candidates, promptTokens);
  const known = choices.get(asked);
  if (known) return known;
  const fallback =
    candidates.find(({ id }) => id === asked.defaultModel) ?? middleModel(candidates);
  if (!fallback) throw new ServiceError('limit', t('There is no model to choose from.'));
  try {
    // The router takes no prompt without words.
    const picked =
      asked.input === ''
        ? undefined
        : await router.pickModel(asked, { signal, sending: { purpose: 'pickModel', secrets } });
    const choice = (picked && choiceOf(picked, candidates, t)) ?? { model: fallback, reason: '' };
    choices.keep(asked, choice);
    return choice;
  } catch (error) {
    if (!(error instanceof ServiceError) || isFinal(error)) throw error;
    log(`models: the router failed (${error.kind}); ${fallback.id} answers`);
    return { model: fallback, reason: t('the router did not answer') };
  }
}

/** The model would fail in the same way. */
const isFinal = ({ kind }: ServiceError): boolean =>
  ['noKey', 'noUrl', 'badUrl', 'unauthorized', 'budget', 'payment', 'offline'].includes(kind);

async function optionsOf(
  client: TurnClient,
  request: TurnRequest,
  entry: Exclude<TurnRequest['entry'], { kind: 'auto' }>,
): Promise<ConversionOptions & { readonly format: WireFormat }> {
  const { conversation, effort, maxTokens, toolMemory, signal } = request;
  const { model } = entry;
  // The messages format is for the shared service at the standard tier.
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
      (format === 'messages' ? windowsOf(model).output : undefined),
    effort,
    sendsThinkingBack: sendsThinkingBack(format),
  };
  if (entry.kind === 'model') {
    // Tools within a conversation are a matter of the shared service's chat completions.
    const earlierTools = format === 'chat' ? toolMemory.recall(conversation, model.id) : undefined;
    return { ...options, earlierTools, serviceTier: entry.isStandby ? 'standby' : undefined };
  }
  // An address stays after its endpoint has ended, so each turn asks anew.
  const status = await client.endpointStatus(entry.endpointId, { signal });
  return { ...options, endpoint: await client.endpointTarget(status) };
}

/**
 * The messages format has blocks for it, which "behave as in the messages format"; for chat completions
 * the service document names no field (Endpoints, "POST /v1/messages").
 */
const sendsThinkingBack = (format: WireFormat): boolean => format === 'messages';

/** @throws {ServiceError} `limit` where nothing of the prompt could be sent. */
function sayLeftOut(
  { conversation, t }: TurnRequest,
  options: ConversionOptions,
  sink: TurnSink,
): void {
  const { text, isAll } = leftOutOf(conversation, options.takesImages, t);
  if (text === '') return;
  if (isAll)
    throw new ServiceError('limit', sentence('{0} Nothing was sent: nothing else is in it.', text));
  // An agent reads text as an answer.
  if (conversation.tools.length > 0) sink.note(text);
  else sink.text(`> ${text}\n\n`);
}

async function answer(
  client: TurnClient,
  request: TurnRequest,
  options: ConversionOptions & { readonly format: WireFormat },
  sink: TurnSink,
): Promise<Usage | undefined> {
  const { conversation, temperature, secrets = 'withhold', signal, t, log } = request;
  const shown = new Shown(sink);
  sayLeftOut(request, options, sink);

  /** Sends it, and shows the answer while it comes. */
  const read = async <R, A extends ChatResult | MessagesResult>(
    { request: body, names, notes }: Converted<R>,
    send: (body: R, options: Parameters<TurnClient['chat']>[1]) => Promise<A>,
  ): Promise<A> => {
    const reader = new AnswerReader({ names, takenIds: callIdsOf(conversation), t });
    for (const note of notes) log(`models: ${note}`);
    const onDelta = (delta: AnswerDelta): void => {
      if (!signal.aborted) shown.parts(reader.add(delta));
    };
    const onWait = (wait: Wait): void => sink.note(waitText(wait, t));
    const result = await send(body, {
      signal,
      stream: true,
      onDelta,
      onWait,
      sending: { purpose: 'chat', secrets },
    });
    shown.parts(reader.end(result));
    for (const note of reader.notes) log(`models: ${note}`);
    return result;
  };

  try {
    const { isCut, usage } =
      options.format === 'messages'
        ? await read(toMessagesRequest(conversation, options), async (body, called) =>
            client.messages(body, called),
          )
        : await read(toChatRequest(conversation, options), async (body, called) =>
            client.chat({ ...body, temperature }, called),
          );
    shown.end();
    if (isCut && shown.hasText && !shown.hasCall) sink.text(`\n\n*${cutText(t)}*`);
    if (usage) sink.usage(usage);
    return usage;
  } catch (error) {
    if (isAbortError(error) || signal.aborted || !shown.hasText) throw error;
    // VS Code may drop what it was handed just before an error, so this is none.
    log(`models: the answer broke off (${error instanceof ServiceError ? error.kind : 'error'})`);
    shown.end();
    sink.text(`\n\n*${brokenText(error, t)}*`);
    return undefined;
  }
}

/** What of an answer has been shown. */
class Shown {
  readonly #sink: TurnSink;
  #isThinking = false;
  hasText = false;
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
        this.hasText = true;
        this.#sink.text(part.text);
      } else {
        this.hasCall = true;
        this.#sink.toolCall(part.callId, part.name, part.input);
      }
    }
  }

  /** No more thinking. */
  end(): void {
    if (this.#isThinking) this.#sink.endThinking();
    this.#isThinking = false;
  }
}
