import * as vscode from 'vscode';
import type { Host } from '../host/host';
import { sendsChatsAsTheyAre } from '../host/egress/withheldMessage';
import { settings } from '../host/settings';
import type { GatedClient } from '../host/egress/gatedClient';
import { ServiceError } from '../service/errors';
import { isRecord } from '../service/guards';
import { isAbortError, systemClock } from '../service/time';
import type { ReasoningEffort } from '../service/wire/chatRequest';
import { Choices } from './auto';
import type { Conversation } from './conversation';
import { ToolMemory } from './dynamicTools';
import { type Failure, failureOf } from './failures';
import {
  type Entry,
  type Listed,
  type ListedModel,
  type SetupReason,
  listModels,
  setupEntry,
  setupWords,
} from './listing';
import { ProgressSink, conversationOf, turnOf } from './parts';
import { Shelf, type ShelfClient, type Stock } from './shelf';
import { Calibration, countConversation, countTokens } from './tokenCount';
import { type TurnClient, runTurn } from './turn';

const { t } = vscode.l10n;

export type ModelsClient = ShelfClient & TurnClient & Pick<GatedClient, 'obstacle'>;

/** `LanguageModelChatInformation`, with what VS Code takes besides and its types do not name. */
export type Information = Omit<ListedModel, 'statusIcon'> & {
  readonly statusIcon?: vscode.ThemeIcon;
};

/** What VS Code hands over besides what its types name. */
type Options = vscode.ProvideLanguageModelChatResponseOptions & {
  readonly modelConfiguration?: unknown;
  /** Id of the extension that asks. */
  readonly requestInitiator?: unknown;
};

/** Shows what it catches with the whole stack. */
const showsStacks = /^github\.copilot-chat$/i;

/** Lists the models, answers with them, counts for them. Nothing of one answer outlives it but numbers. */
export class ModelsProvider implements vscode.Disposable {
  readonly #host: Host;
  readonly #client: ModelsClient;
  readonly #shelf: Shelf;
  readonly #choices = new Choices();
  readonly #toolMemory = new ToolMemory();
  readonly #announce: (readsAnew: boolean) => void;
  /** By the model. */
  readonly #calibrations = new Map<string, Calibration>();

  /** @param announce makes VS Code ask for the list; @see `announce` in `index.ts` */
  constructor(host: Host, client: ModelsClient, announce: (readsAnew: boolean) => void) {
    this.#host = host;
    this.#client = client;
    this.#announce = announce;
    this.#shelf = new Shelf({
      client,
      clock: systemClock,
      onChange: () => announce(false),
      onError: (what, error) => host.log.error(what, error),
    });
  }

  dispose(): void {
    this.#shelf.dispose();
  }

  /** @param readsAnew false: what is known will do, and nothing is sent. */
  async list(readsAnew: boolean): Promise<Information[]> {
    return (await this.#listed(readsAnew)).map(({ info: { statusIcon, ...info } }) => ({
      ...info,
      ...(statusIcon === undefined ? {} : { statusIcon: new vscode.ThemeIcon(statusIcon) }),
    }));
  }

  /** Why there is nothing to list; undefined where there is. Sends nothing. */
  async setupReason(): Promise<SetupReason | undefined> {
    if (!vscode.workspace.isTrusted) return 'untrusted';
    if (settings.baseUrl === '') return 'noUrl';
    const obstacle = await this.#client.obstacle();
    if (obstacle) return obstacle.kind === 'keyring' ? 'keyring' : 'noKey';
    return this.#shelf.stock.isRefused ? 'refused' : undefined;
  }

  /** Reads the catalogue and the endpoints now. */
  async refresh(): Promise<Stock> {
    return this.#shelf.refresh();
  }

  /** Another key or address. */
  reset(): void {
    this.#shelf.reset();
    this.#choices.clear();
  }

  /** The endpoints that serve are others; of interest once somebody has looked at models. */
  endpointsChanged(): void {
    if (this.#shelf.stock.readAt === undefined) return;
    this.#shelf.expire();
    this.#announce(true);
  }

  async answer(
    { id }: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: Options,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const sink = new ProgressSink(progress);
    // A choice of before the window's reload may not be in what is known yet.
    const entry = (await this.#entry(id, false)) ?? (await this.#entry(id, true));
    if (entry?.kind === 'setup') {
      const { what, next } = setupWords(entry.reason, t);
      return sink.text(`${what} ${next} ${t('Then choose a model in the picker.')}`);
    }
    const reason = await this.setupReason();
    if (reason !== undefined && reason !== 'refused') {
      const { what, next } = setupWords(reason, t);
      throw shownError({ kind: 'noPermissions', text: `${what} ${next}` }, options);
    }
    if (!entry) {
      this.#shelf.expire();
      this.#announce(true);
      const text = t('This model is not offered any more. Choose another one in the picker.');
      throw shownError({ kind: 'notFound', text }, options);
    }
    const controller = new AbortController();
    const listening = token.onCancellationRequested(() => controller.abort());
    if (token.isCancellationRequested) controller.abort();
    try {
      await this.#run(entry, conversationOf(messages, options), options, sink, controller.signal);
    } catch (error) {
      if (isAbortError(error) || controller.signal.aborted) throw new vscode.CancellationError();
      throw this.#failure(error, options);
    } finally {
      listening.dispose();
    }
    // Models are in use, so the list should be a live one.
    this.#host.quietly(async () => this.#shelf.read())();
  }

  /** Local arithmetic: VS Code asks many times per turn. */
  count(
    { id }: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): number {
    return countTokens(typeof text === 'string' ? text : turnOf(text), this.#calibrations.get(id));
  }

  async #entry(id: string, readsAnew: boolean): Promise<Entry | undefined> {
    return (await this.#listed(readsAnew)).find(({ info }) => info.id === id)?.entry;
  }

  async #listed(readsAnew: boolean): Promise<Listed[]> {
    const reason = await this.setupReason();
    // A key that was refused may be good again: the shelf asks after a while.
    if (reason !== undefined && reason !== 'refused') return [setupEntry(reason, t)];
    const { catalogue, endpoints, isRefused } = readsAnew
      ? await this.#shelf.read()
      : this.#shelf.stock;
    return isRefused ? [setupEntry('refused', t)] : listModels(catalogue, endpoints, t);
  }

  async #run(
    entry: Exclude<Entry, { kind: 'setup' }>,
    conversation: Conversation,
    options: Options,
    sink: ProgressSink,
    signal: AbortSignal,
  ): Promise<void> {
    // Without the calibration, which learns from it.
    const estimate = countConversation(conversation);
    const { model, usage } = await runTurn(
      this.#client,
      {
        conversation,
        entry,
        format: settings.wireFormat,
        ...chosenOptions(options),
        promptTokens: estimate,
        toolMemory: this.#toolMemory,
        choices: this.#choices,
        secrets: sendsChatsAsTheyAre() ? 'agreed' : 'withhold',
        signal,
        t,
        log: line => this.#host.log.info(line),
      },
      sink,
    );
    if (usage) this.#learn(model.id, estimate, usage.promptTokens);
  }

  #learn(model: string, estimate: number, counted: number): void {
    const calibration = this.#calibrations.get(model) ?? new Calibration();
    calibration.learn(estimate, counted);
    this.#calibrations.set(model, calibration);
  }

  #failure(error: unknown, options: Options): Error {
    this.#host.log.error('models', error);
    if (
      error instanceof ServiceError &&
      ['unauthorized', 'notFound', 'endpoint'].includes(error.kind)
    ) {
      this.#shelf.expire();
      this.#announce(true);
    }
    return shownError(failureOf(error, t), options);
  }
}

const codes = {
  noPermissions: 'NoPermissions',
  notFound: 'NotFound',
  blocked: 'Blocked',
  other: undefined,
} as const;

/** In the chat view the words alone; for other extensions an error of VS Code's own class. */
function shownError({ kind, text }: Failure, { requestInitiator }: Options): Error {
  const { LanguageModelError } = vscode;
  if (typeof requestInitiator === 'string' && showsStacks.test(requestInitiator)) {
    // VS Code makes its own class anew where it is caught, with a stack.
    const error = Object.assign(new Error(text), { code: codes[kind] });
    error.stack = '';
    return error;
  }
  if (kind === 'noPermissions') return LanguageModelError.NoPermissions(text);
  if (kind === 'notFound') return LanguageModelError.NotFound(text);
  return kind === 'blocked' ? LanguageModelError.Blocked(text) : new Error(text);
}

const efforts: readonly ReasoningEffort[] = ['low', 'medium', 'high'];

/** Only what is known is taken: VS Code and extensions put things of their own in here. */
function chosenOptions({ modelOptions, modelConfiguration }: Options) {
  const given: Record<string, unknown> = { ...modelOptions };
  const number = (name: string, least: number, most: number): number | undefined => {
    const value = given[name];
    return typeof value === 'number' && value >= least && value <= most ? value : undefined;
  };
  const maxTokens = number('maxTokens', 1, 1e7) ?? number('max_tokens', 1, 1e7);
  const chosen = isRecord(modelConfiguration) ? modelConfiguration['reasoningEffort'] : undefined;
  return {
    temperature: number('temperature', 0, 2),
    maxTokens: maxTokens === undefined ? undefined : Math.floor(maxTokens),
    effort: efforts.find(effort => effort === chosen || effort === given['reasoningEffort']),
  };
}
