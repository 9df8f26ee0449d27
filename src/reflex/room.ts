import * as vscode from 'vscode';
import type { DisposableStore } from '../host/disposables';
import type { OpenGate } from '../host/egress';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { withProgress } from '../host/progress';
import type { Runs } from '../host/runs';
import type { OpenLedger } from '../host/serviceClient';
import { settings } from '../host/settings';
import { escapeMarkdown } from '../host/words';
import { ids } from '../manifest';
import { ServiceError } from '../service/errors';
import { eventPrices, formatUsd } from '../service/billing/pricing';
import { BatchRoom } from './batches';
import { type PassedTurn, heldAttachment, passOn, writePromptAgain } from './chat';
import { type GuardCheck, createCheck } from './guard';
import type { BatchClient } from './batchRun';
import { type ChooseClient, pickReflexes } from './choose';
import { Consent, type Level, consentDetail } from './consent';
import { type Classified, classified, reportOf, rowsOf } from './report';
import { indicatorReflexes, selectedText } from './reflexes';
import { type RouterClient, RouterRoom, checkSetUp, checkTrust } from './router';
import { type ChosenText, chooseText } from './texts';
import { Watching } from './watching';
import type { GatedClient } from '../host/egress/gatedClient';

const { t } = vscode.l10n;

export type ReflexClient = BatchClient &
  RouterClient &
  ChooseClient &
  Pick<GatedClient, 'predictMany' | 'reflexTraces'>;

export interface RoomParts {
  readonly ledger: OpenLedger;
  readonly runs: Runs;
  readonly gate: OpenGate;
  readonly documents: ReflexDocuments;
}

/** The text of reports that are shown in an editor, by the address of the document. */
export interface ReflexDocuments {
  show(uri: vscode.Uri, text: string): void;
}

/** Loads with the first command, and with what the user has left running. */
export function openRoom(
  host: Host,
  client: ReflexClient,
  parts: RoomParts,
  store: DisposableStore,
): ReflexRoom {
  return new ReflexRoom(host, client, parts, store);
}

/** What each command around classifiers does. */
export class ReflexRoom {
  readonly batches: BatchRoom;
  readonly router: RouterRoom;
  readonly #host: Host;
  readonly #client: ReflexClient;
  readonly #documents: ReflexDocuments;
  readonly #consent: Consent;
  readonly #watching: Watching;
  readonly #check: GuardCheck;
  /** Digests of attachments that the guard has warned of and the user sends nevertheless. */
  readonly #allowed = new Set<string>();
  readonly #gate: OpenGate;

  constructor(host: Host, client: ReflexClient, parts: RoomParts, store: DisposableStore) {
    this.#host = host;
    this.#client = client;
    this.#documents = parts.documents;
    this.#gate = parts.gate;
    this.#consent = new Consent(host.context.workspaceState);
    this.#watching = store.add(new Watching(host, client, this.#consent));
    this.batches = store.add(new BatchRoom(host, client, parts));
    this.router = new RouterRoom(client);
    this.#check = createCheck({
      client,
      isOn: () => settings.reflexGuard && vscode.workspace.isTrusted,
    });
    host.quietly(() => this.#watching.look())();
    host.quietly(() => this.#askAboutAnotherService())();
  }

  // --- a text at once

  async classify(): Promise<void> {
    await checkSetUp(this.#client);
    const names = await this.#names();
    if (names.length === 0) return;
    const chosen = await chooseText(t('Classify'));
    if (!chosen) return;
    const answer = await withProgress(t('Classifying'), signal =>
      this.#client.predictMany(
        { models: names, text: chosen.text },
        { signal, sending: { purpose: 'classify' } },
      ),
    );
    await this.#showResult(chosen, classified(chosen.what, answer, t));
  }

  /** Those of the settings; lets the user choose where there are none. */
  async #names(): Promise<readonly string[]> {
    if (settings.reflexes.length === 0) await this.choose();
    return settings.reflexes;
  }

  async #showResult({ what }: ChosenText, result: Classified): Promise<void> {
    const open = { iconPath: new vscode.ThemeIcon('open-preview'), tooltip: t('Open Report') };
    const copy = { iconPath: new vscode.ThemeIcon('copy'), tooltip: t('Copy') };
    const pick = vscode.window.createQuickPick();
    pick.title = `${what} · ${result.facts}`;
    pick.placeholder = t('Enter opens the report');
    pick.matchOnDescription = pick.matchOnDetail = true;
    pick.buttons = [copy, open];
    pick.items = rowsOf(result, t);
    await new Promise<void>(resolve => {
      const openReport = this.#host.quietly(async () => {
        pick.hide();
        await this.#openReport(result);
      });
      pick.onDidAccept(openReport);
      pick.onDidTriggerButton(
        this.#host.quietly(async button => {
          if (button === open) return openReport();
          await vscode.env.clipboard.writeText(copyText(result));
          pick.hide();
        }),
      );
      pick.onDidHide(() => {
        pick.dispose();
        resolve();
      });
      pick.show();
    });
  }

  async #openReport(result: Classified): Promise<void> {
    await this.#preview(t('Classification'), reportOf(result, t));
  }

  /** @param title also the name of the tab */
  async #preview(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: ids.reflexScheme, path: `/${title}.md` });
    this.#documents.show(uri, text);
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }

  async choose(): Promise<void> {
    const picked = await pickReflexes(this.#client, {
      title: t('Choose Reflexes'),
      chosen: settings.reflexes,
      note: t(
        '{0} per reflex and text; the status bar asks the first {1}',
        formatUsd(eventPrices.reflex.first),
        indicatorReflexes,
      ),
      pins: settings.pinnedReflexes,
    });
    if (picked) await settings.setReflexes(picked.names, picked.pinned);
  }

  async showTraces(): Promise<void> {
    checkTrust();
    const { json } = await withProgress(t('Reading the traces'), signal =>
      this.#client.reflexTraces({ signal }),
    );
    const uri = vscode.Uri.from({ scheme: ids.reflexScheme, path: `/${t('Reflex Traces')}.json` });
    this.#documents.show(uri, `${JSON.stringify(json, undefined, 2)}\n`);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  // --- the indicator

  /** Lets the user choose a level; more than the present one asks for consent. */
  async setIndicator(): Promise<void> {
    const { level } = this.#consent;
    const item = (value: Level, label: string, detail: string) => ({
      label,
      detail,
      level: value,
      ...(value === level ? { description: t('now') } : {}),
    });
    const picked = await vscode.window.showQuickPick(
      [
        item('selection', t('Selection only'), t('Off. Nothing is sent but what you classify.')),
        item(
          'prompts',
          t('Prompts'),
          t('Also a prompt for @splice in the chat, at the moment you send it.'),
        ),
        item(
          'documents',
          t('Prompts and documents'),
          t('Also the paragraph at the cursor, in files of prose, when you pause.'),
        ),
      ],
      { title: t('Reflex Indicator'), placeHolder: t('What may be classified in this workspace?') },
    );
    if (!picked) return;
    checkTrust();
    if (picked.level === 'selection' || levelBelow(picked.level, level))
      await this.#consent.set(picked.level);
    else {
      if (settings.baseUrl === '') throw new ServiceError('noUrl', 'no service address');
      await this.#consent.ask(picked.level);
    }
    await this.#watching.look();
  }

  pauseOrGoOn(): void {
    if (this.#consent.level === 'selection')
      throw new UserError(t('The reflex indicator is off in this workspace: it sends nothing.'), {
        title: t('Reflex Indicator…'),
        command: ids.command.setIndicator,
      });
    this.#watching.pauseOrGoOn();
    vscode.window.setStatusBarMessage(
      this.#watching.isPaused
        ? t('The reflex indicator is paused for an hour.')
        : t('The reflex indicator works again.'),
      4000,
    );
  }

  async showActions(): Promise<void> {
    const { command } = ids;
    const { result } = this.#watching.state;
    const copy = { label: `$(copy) ${t('Copy result')}`, id: '' };
    const items = [
      { label: `$(checklist) ${t('Classify selection')}`, id: command.classify },
      { label: `$(list-selection) ${t('Choose reflexes…')}`, id: command.chooseReflexes },
      ...(result ? [copy] : []),
      {
        label: this.#watching.isPaused
          ? `$(play) ${t('Go on')}`
          : `$(debug-pause) ${t('Pause 1 h')}`,
        id: command.pauseIndicator,
      },
      { label: `$(info) ${t('What is sent')}`, id: command.whatIsSent },
      { label: `$(table) ${t('Open batch run…')}`, id: command.showBatchRuns },
      { label: `$(settings-gear) ${t('Indicator…')}`, id: command.setIndicator },
    ];
    const picked = await vscode.window.showQuickPick(items, { title: t('Reflex') });
    if (!picked) return;
    if (picked === copy && result) await vscode.env.clipboard.writeText(linesOf(result.readings));
    else await vscode.commands.executeCommand(picked.id);
  }

  async showWhatIsSent(): Promise<void> {
    const { level } = this.#consent;
    const { calls, usd } = this.#watching.use.today;
    const now = {
      selection: t('Nothing is sent on its own: the indicator is off in this workspace.'),
      prompts: consentDetail('prompts'),
      documents: consentDetail('documents'),
    }[level];
    const parts = [
      `# ${t('What Is Sent')}`,
      escapeLines(now),
      t('Today: {0} calls, about {1}.', calls, formatUsd(usd)),
      `## ${t('At your command')}`,
      t(
        '**Classify Selection** sends the text that you chose, once. **Batch Classify…** sends the column that you chose, after it has told the price. **Classify Prompt** and **Pick Model for Prompt** send the prompt, for {0} each.',
        formatUsd(eventPrices.router),
      ),
      t('A text with a key or a password in it is never sent, whatever asks for it.'),
    ];
    await this.#preview(t('What Reflex Sends'), `${parts.join('\n\n')}\n`);
  }

  async #askAboutAnotherService(): Promise<void> {
    if (!this.#consent.isForAnotherService || settings.baseUrl === '') return;
    const decide = t('Decide');
    const picked = await vscode.window.showInformationMessage(
      t('The reflex indicator is off: the service is {0} now.', settings.serviceHost),
      decide,
    );
    if (picked === decide) await this.setIndicator();
  }

  // --- the chat

  /** @returns the text of the answer. */
  async passOn(turn: PassedTurn): Promise<string> {
    const parts = {
      consent: this.#consent,
      watching: this.#watching,
      check: this.#check,
      allowed: this.#allowed,
      gate: this.#gate,
    };
    return passOn(parts, turn);
  }

  /** The button below an answer that an attachment was left out of. */
  async sendAttachment(value: unknown): Promise<void> {
    const held = heldAttachment(value);
    if (!held) throw new UserError(t('Press the button below an answer of @splice.'));
    this.#allowed.add(held.digest);
    await writePromptAgain(held);
  }
}

function levelBelow(level: Level, than: Level): boolean {
  return level === 'prompts' && than === 'documents';
}

function copyText({ readings, failures }: Classified): string {
  return [linesOf(readings), ...failures.map(({ model, message }) => `${model}: ${message}`)]
    .filter(Boolean)
    .join('\n');
}

function linesOf(readings: Classified['readings']): string {
  return readings.map(reading => `${reading.reflex}: ${selectedText(reading)}`).join('\n');
}

function escapeLines(text: string): string {
  return text.split('\n\n').map(escapeMarkdown).join('\n\n');
}
