import * as vscode from 'vscode';
import { callsText } from '../base/format/counts';
import { formatUsd } from '../base/format/money';
import { escapeMarkdown } from '../base/format/text';
import { UserError } from '../base/userError';
import type { BatchRuns } from '../contracts/batchRuns';
import type { OpenLedger } from '../platform/client/client';
import type { CommandId } from '../platform/commands/contribute';
import { runCommand } from '../platform/commands/registerCommands';
import type { DisposableStore } from '../platform/disposables';
import type { OpenGate } from '../platform/egress';
import type { GatedClient } from '../platform/egress/gatedClient';
import type { Host } from '../platform/host';
import { withProgress } from '../platform/progress';
import { settings } from '../platform/settings';
import { withIcon } from '../platform/window/pickIcon';
import { eventPrices, ServiceError } from '../service';
import { BatchController } from './batch/batchController';
import type { BatchClient } from './batch/batchRunner';
import { type ChosenText, chooseText } from './chooseText';
import { Consent, type ConsentLevel, consentDetail } from './consent';
import {
  type ForwardedTurn,
  forwardPrompt,
  parseHeldAttachment,
  restorePrompt,
} from './guard/forwardPrompt';
import { createPromptCheck, type GuardCheck } from './guard/promptGuard';
import { reflexScheme } from './ids';
import { IndicatorController } from './indicator/indicatorController';
import { type ChooseClient, pickReflexes } from './pickReflexes';
import { indicatorReflexes, selectedLabelsText } from './reflexes';
import { type ClassifiedText, classificationReport, resultRows, toClassifiedText } from './report';
import {
  checkSetUp,
  checkTrust,
  type RouterClient,
  RouterController,
} from './router/routerController';

const { t } = vscode.l10n;

export type ReflexClient = BatchClient &
  RouterClient &
  ChooseClient &
  Pick<GatedClient, 'predictMany' | 'reflexTraces'>;

export interface ReflexParts {
  readonly ledger: OpenLedger;
  readonly runs: BatchRuns;
  readonly gate: OpenGate;
  readonly documents: ReflexDocuments;
}

/** Provides the text of reports that are shown in an editor, by document URI. */
export interface ReflexDocuments {
  serve(uri: vscode.Uri, text: string): void;
}

interface Action extends vscode.QuickPickItem {
  /** Without one it copies the result. */
  readonly id: CommandId | undefined;
}

/** Loaded by the first command, or at startup if the indicator is on or a batch is running. */
export function createReflexController(
  host: Host,
  client: ReflexClient,
  parts: ReflexParts,
  store: DisposableStore,
): ReflexController {
  return new ReflexController(host, client, parts, store);
}

/** Commands of the Reflex feature. */
export class ReflexController {
  readonly batches: BatchController;
  readonly router: RouterController;
  readonly #host: Host;
  readonly #client: ReflexClient;
  readonly #documents: ReflexDocuments;
  readonly #consent: Consent;
  readonly #indicator: IndicatorController;
  readonly #check: GuardCheck;
  /** Digests of attachments that the user sends despite the guard's warning. */
  readonly #allowed = new Set<string>();
  readonly #gate: OpenGate;

  constructor(host: Host, client: ReflexClient, parts: ReflexParts, store: DisposableStore) {
    this.#host = host;
    this.#client = client;
    this.#documents = parts.documents;
    this.#gate = parts.gate;
    this.#consent = new Consent(host.context.workspaceState);
    this.#indicator = store.add(new IndicatorController(host, client, this.#consent));
    this.batches = store.add(new BatchController(host, client, parts));
    this.router = new RouterController(client);
    this.#check = createPromptCheck({
      client,
      isOn: () => settings.reflexGuard && vscode.workspace.isTrusted,
    });
    host.quietly(() => this.#indicator.look())();
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
    await this.#showResult(chosen, toClassifiedText(chosen.what, answer, t));
  }

  /** Reflexes of the settings; lets the user choose if there are none. */
  async #names(): Promise<readonly string[]> {
    if (settings.reflexes.length === 0) await this.choose();
    return settings.reflexes;
  }

  async #showResult({ what }: ChosenText, result: ClassifiedText): Promise<void> {
    const open = { iconPath: new vscode.ThemeIcon('open-preview'), tooltip: t('Open Report') };
    const copy = { iconPath: new vscode.ThemeIcon('copy'), tooltip: t('Copy') };
    const pick = vscode.window.createQuickPick();
    pick.title = `${what} · ${result.facts}`;
    pick.placeholder = t('Press Enter to open the report');
    pick.matchOnDescription = pick.matchOnDetail = true;
    pick.buttons = [copy, open];
    pick.items = resultRows(result, t).map(withIcon);
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

  async #openReport(result: ClassifiedText): Promise<void> {
    await this.#preview(t('Classification'), classificationReport(result, t));
  }

  /** @param title also used as the name of the tab */
  async #preview(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: reflexScheme, path: `/${title}.md` });
    this.#documents.serve(uri, text);
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
    const uri = vscode.Uri.from({ scheme: reflexScheme, path: `/${t('Reflex Traces')}.json` });
    this.#documents.serve(uri, `${JSON.stringify(json, undefined, 2)}\n`);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  // --- the indicator

  /** Lets the user choose a level; a higher level than the current one requires consent. */
  async setIndicator(): Promise<void> {
    const { level } = this.#consent;
    const item = (value: ConsentLevel, label: string, detail: string) => ({
      label,
      detail,
      level: value,
      ...(value === level ? { description: t('now') } : {}),
    });
    const picked = await vscode.window.showQuickPick(
      [
        item('selection', t('Selection only'), t('Off. Nothing is sent except what you classify.')),
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
    if (picked.level === 'selection' || levelBelow(picked.level, level)) {
      await this.#consent.set(picked.level);
    } else {
      if (settings.baseUrl === '') throw new ServiceError('noUrl', 'no service address');
      await this.#consent.ask(picked.level);
    }
    await this.#indicator.look();
  }

  togglePause(): void {
    if (this.#consent.level === 'selection') {
      throw new UserError(t('The reflex indicator is off in this workspace: it sends nothing.'), {
        title: t('Set Up Reflex Indicator…'),
        command: 'splice.reflex.indicator' satisfies CommandId,
      });
    }
    this.#indicator.togglePause();
    vscode.window.setStatusBarMessage(
      this.#indicator.isPaused
        ? t('The reflex indicator is paused for an hour.')
        : t('The reflex indicator is on again.'),
      4000,
    );
  }

  async showActions(): Promise<void> {
    const { result } = this.#indicator.state;
    const copy: Action = {
      label: t('Copy result'),
      iconPath: new vscode.ThemeIcon('copy'),
      id: undefined,
    };
    const items: readonly Action[] = [
      {
        label: t('Classify selection'),
        iconPath: new vscode.ThemeIcon('checklist'),
        id: 'splice.reflex.classify',
      },
      {
        label: t('Choose reflexes…'),
        iconPath: new vscode.ThemeIcon('list-selection'),
        id: 'splice.reflex.choose',
      },
      ...(result ? [copy] : []),
      {
        label: this.#indicator.isPaused ? t('Resume') : t('Pause for 1 h'),
        iconPath: new vscode.ThemeIcon(this.#indicator.isPaused ? 'play' : 'debug-pause'),
        id: 'splice.reflex.pause',
      },
      {
        label: t('What is sent'),
        iconPath: new vscode.ThemeIcon('info'),
        id: 'splice.reflex.whatIsSent',
      },
      {
        label: t('Open batch run…'),
        iconPath: new vscode.ThemeIcon('table'),
        id: 'splice.reflex.batchRuns',
      },
      {
        label: t('Indicator…'),
        iconPath: new vscode.ThemeIcon('settings-gear'),
        id: 'splice.reflex.indicator',
      },
    ];
    const picked = await vscode.window.showQuickPick(items, { title: t('Reflex') });
    if (!picked) return;
    if (picked === copy && result) await vscode.env.clipboard.writeText(linesOf(result.readings));
    else if (picked.id) await runCommand(picked.id);
  }

  async showWhatIsSent(): Promise<void> {
    const { level } = this.#consent;
    const { calls, usd } = this.#indicator.use.today;
    const now = {
      selection: t('Nothing is sent on its own: the indicator is off in this workspace.'),
      prompts: consentDetail('prompts'),
      documents: consentDetail('documents'),
    }[level];
    const parts = [
      `# ${t('What Is Sent')}`,
      escapeLines(now),
      t('Today: {0}, about {1}.', callsText(calls, t), formatUsd(usd)),
      `## ${t('At your command')}`,
      t(
        '**Classify Selection** sends the text that you chose, once. **Batch Classify…** sends the column that you chose, after showing the price. **Classify Prompt** and **Pick Model for Prompt** send the prompt, for {0} each.',
        formatUsd(eventPrices.router),
      ),
      t('A text that contains a key or a password is never sent, whichever command asks for it.'),
    ];
    await this.#preview(t('What Reflex Sends'), `${parts.join('\n\n')}\n`);
  }

  async #askAboutAnotherService(): Promise<void> {
    if (!this.#consent.isForAnotherService || settings.baseUrl === '') return;
    const decide = t('Decide');
    const picked = await vscode.window.showInformationMessage(
      t('The reflex indicator is off because the service is now {0}.', settings.serviceHost),
      decide,
    );
    if (picked === decide) await this.setIndicator();
  }

  // --- the chat

  /** @returns the text of the answer. */
  async forwardPrompt(turn: ForwardedTurn): Promise<string> {
    const parts = {
      consent: this.#consent,
      watching: this.#indicator,
      check: this.#check,
      allowed: this.#allowed,
      gate: this.#gate,
    };
    return forwardPrompt(parts, turn);
  }

  /** Handles the button below an answer that left out an attachment. */
  async sendAttachment(value: unknown): Promise<void> {
    const held = parseHeldAttachment(value);
    if (!held) throw new UserError(t('Press the button below an answer of @splice.'));
    this.#allowed.add(held.digest);
    await restorePrompt(held);
  }
}

function levelBelow(level: ConsentLevel, than: ConsentLevel): boolean {
  return level === 'prompts' && than === 'documents';
}

function copyText({ readings, failures }: ClassifiedText): string {
  return [linesOf(readings), ...failures.map(({ model, message }) => `${model}: ${message}`)]
    .filter(Boolean)
    .join('\n');
}

function linesOf(readings: ClassifiedText['readings']): string {
  return readings.map(reading => `${reading.reflex}: ${selectedLabelsText(reading)}`).join('\n');
}

function escapeLines(text: string): string {
  return text.split('\n\n').map(escapeMarkdown).join('\n\n');
}
