import * as vscode from 'vscode';
import { isAbortError, systemClock } from '../base/async/clock';
import { isRecord } from '../base/typeGuards';
import { answerCostText, type LastAnswer } from '../contracts/lastAnswer';
import type { OpenLedger } from '../platform/client/client';
import { RecentCalls } from '../platform/client/recentCalls';
import type { GatedClient } from '../platform/egress/gatedClient';
import { sendsChatsUnchanged } from '../platform/egress/withheldMessage';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { type ChatCost, chatCosts, type ReasoningEffort, ServiceError } from '../service';
import { ModelChoiceCache } from './auto';
import { ChatIds } from './chatIds';
import { conversationOf, ProgressSink, turnOf } from './chatParts';
import { failureOf, type ModelFailure } from './failures';
import { AnswerCosts } from './format/answerCosts';
import type { Conversation } from './format/conversation';
import { ToolMemory } from './format/dynamicTools';
import { noteBelow } from './format/noteBelow';
import {
  listModels,
  type PickerEntry,
  type PickerItem,
  type PickerModelInfo,
  type SetupReason,
  setupEntry,
  setupText,
} from './listing';
import {
  ModelCatalogCache,
  type ModelCatalogClient,
  type ModelCatalogSnapshot,
} from './modelCatalogCache';
import { Calibration, countConversation, countTokens } from './tokenCount';
import { runTurn, type TurnClient } from './turn';

const { t } = vscode.l10n;

export type ModelsClient = ModelCatalogClient & TurnClient & Pick<GatedClient, 'obstacle'>;

/** `LanguageModelChatInformation` with further properties that VS Code reads but does not declare. */
export type Information = Omit<PickerModelInfo, 'statusIcon'> & {
  readonly statusIcon?: vscode.ThemeIcon;
};

/** Options that VS Code passes but does not declare. */
type Options = vscode.ProvideLanguageModelChatResponseOptions & {
  readonly modelConfiguration?: unknown;
  /** Id of the requesting extension. */
  readonly requestInitiator?: unknown;
};

/** Whether VS Code's own chat asks. */
const isOfChat = ({ requestInitiator }: Options): boolean =>
  typeof requestInitiator === 'string' && /^github\.copilot-chat$/i.test(requestInitiator);

/** Language model provider: lists models, answers requests, counts tokens. Keeps no content of an answer, only numbers. */
export class ModelsProvider implements vscode.Disposable {
  readonly #host: Host;
  readonly #client: ModelsClient;
  readonly #catalog: ModelCatalogCache;
  readonly #choices = new ModelChoiceCache();
  readonly #toolMemory = new ToolMemory();
  readonly #chats = new ChatIds();
  readonly #costs = new AnswerCosts();
  readonly #last: LastAnswer;
  readonly #ledger: OpenLedger;
  readonly #recentCalls = new RecentCalls();
  readonly #announce: (readsAnew: boolean) => void;
  /** By model id. */
  readonly #calibrations = new Map<string, Calibration>();

  /** @param announce makes VS Code ask for the list; see `announce` in `index.ts` */
  constructor(
    host: Host,
    client: ModelsClient,
    { last, ledger }: { readonly last: LastAnswer; readonly ledger: OpenLedger },
    announce: (readsAnew: boolean) => void,
  ) {
    this.#last = last;
    this.#ledger = ledger;
    this.#host = host;
    this.#client = client;
    this.#announce = announce;
    this.#catalog = new ModelCatalogCache({
      client,
      clock: systemClock,
      onChange: () => announce(false),
      onError: (what, error) => host.log.error(what, error),
    });
  }

  dispose(): void {
    this.#catalog.dispose();
  }

  /** @param readsAnew false: answers from memory and sends no request. */
  async list(readsAnew: boolean): Promise<Information[]> {
    return (await this.#listed(readsAnew, await this.#earlierChats())).map(
      ({ info: { statusIcon, ...info } }) => ({
        ...info,
        ...(statusIcon === undefined ? {} : { statusIcon: new vscode.ThemeIcon(statusIcon) }),
      }),
    );
  }

  /** Why no models can be listed; undefined if they can. Sends no request. */
  async setupReason(): Promise<SetupReason | undefined> {
    if (!vscode.workspace.isTrusted) return 'untrusted';
    if (settings.baseUrl === '') return 'noUrl';
    const obstacle = await this.#client.obstacle();
    if (obstacle) return obstacle.kind === 'keyring' ? 'keyring' : 'noKey';
    return this.#catalog.snapshot.isRefused ? 'refused' : undefined;
  }

  /** Reads the catalogue and the endpoints now. */
  async refresh(): Promise<ModelCatalogSnapshot> {
    return this.#catalog.refresh();
  }

  /** For a new key or address. */
  reset(): void {
    this.#catalog.reset();
    this.#choices.clear();
  }

  /** The set of serving endpoints has changed; ignored until models were listed for the first time. */
  endpointsChanged(): void {
    if (this.#catalog.snapshot.readAt === undefined) return;
    this.#catalog.expire();
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
    // A model that was selected before a reload may not be in memory yet.
    const entry = (await this.#entry(id, false)) ?? (await this.#entry(id, true));
    if (entry?.kind === 'setup') {
      const { what, next } = setupText(entry.reason, t);
      return sink.text(`${what} ${next} ${t('Then choose a model in the picker.')}`);
    }
    const reason = await this.setupReason();
    if (reason !== undefined && reason !== 'refused') {
      const { what, next } = setupText(reason, t);
      throw shownError({ kind: 'noPermissions', text: `${what} ${next}` }, options);
    }
    if (!entry) {
      this.#catalog.expire();
      this.#announce(true);
      const text = t('This model is no longer offered. Choose another one in the picker.');
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
    // Models are in use, so the list is kept up to date.
    this.#host.quietly(async () => this.#catalog.read())();
  }

  /** Computed locally because VS Code asks many times per turn. */
  count(
    { id }: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): number {
    return countTokens(typeof text === 'string' ? text : turnOf(text), this.#calibrations.get(id));
  }

  async #earlierChats(): Promise<readonly ChatCost[]> {
    const { files } = await this.#ledger();
    return this.#recentCalls.find(files, chatCosts);
  }

  async #entry(id: string, readsAnew: boolean): Promise<PickerEntry | undefined> {
    return (await this.#listed(readsAnew)).find(({ info }) => info.id === id)?.entry;
  }

  async #listed(readsAnew: boolean, costs?: readonly ChatCost[]): Promise<PickerItem[]> {
    const reason = await this.setupReason();
    // A refused key may be accepted later: the cache retries after a while.
    if (reason !== undefined && reason !== 'refused') return [setupEntry(reason, t)];
    const { catalogue, endpoints, isRefused } = readsAnew
      ? await this.#catalog.read()
      : this.#catalog.snapshot;
    return isRefused ? [setupEntry('refused', t)] : listModels(catalogue, endpoints, t, costs);
  }

  async #run(
    entry: Exclude<PickerEntry, { kind: 'setup' }>,
    conversation: Conversation,
    options: Options,
    sink: ProgressSink,
    signal: AbortSignal,
  ): Promise<void> {
    // Not calibrated, because the calibration learns from it.
    const estimate = countConversation(conversation);
    const chat = this.#chats.idOf(conversation);
    const recorder = this.#chats.recorder(chat, conversation, sink);
    const { model, usage, cost, answer } = await runTurn(
      this.#client,
      {
        conversation,
        chat,
        entry,
        format: settings.wireFormat,
        ...chosenOptions(options),
        promptTokens: estimate,
        toolMemory: this.#toolMemory,
        choices: this.#choices,
        secrets: sendsChatsUnchanged() ? 'agreed' : 'withhold',
        signal,
        t,
        log: line => this.#host.log.info(line),
      },
      recorder,
    ).finally(() => recorder.end());
    if (usage) this.#learn(model.id, estimate, usage.promptTokens);
    const spent = this.#costs.add(chat, conversation, { usage, cost });
    // Requests without tools are for titles and the like: VS Code's chat always has tools.
    if (answer === undefined || conversation.tools.length === 0) return;
    this.#last.seen(spent);
    const text = answerCostText(spent, t);
    // Not for other extensions, which may take it for a part of the answer.
    if (text !== '' && settings.showsCostBelowAnswers && isOfChat(options)) {
      sink.text(noteBelow(answer, text));
    }
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
      this.#catalog.expire();
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

/** In the chat view only the message is shown; other extensions get VS Code's own error class. */
function shownError({ kind, text }: ModelFailure, options: Options): Error {
  const { LanguageModelError } = vscode;
  if (isOfChat(options)) {
    // It shows stacks, and VS Code would recreate its own error class with one.
    const error = Object.assign(new Error(text), { code: codes[kind] });
    error.stack = '';
    return error;
  }
  if (kind === 'noPermissions') return LanguageModelError.NoPermissions(text);
  if (kind === 'notFound') return LanguageModelError.NotFound(text);
  return kind === 'blocked' ? LanguageModelError.Blocked(text) : new Error(text);
}

const efforts: readonly ReasoningEffort[] = ['low', 'medium', 'high'];

/** Takes only known options: VS Code and extensions add their own. */
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
