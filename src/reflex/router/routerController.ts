import * as vscode from 'vscode';
import { costText, formatUsd } from '../../base/format/money';
import { cleanServerText } from '../../base/format/serverText';
import { durationText } from '../../base/format/times';
import { withoutIcons } from '../../base/text/withoutIcons';
import { isRecord } from '../../base/typeGuards';
import type { RoutedPrompt } from '../../contracts/chatResults';
import type { GatedClient } from '../../platform/egress/gatedClient';
import { withProgress } from '../../platform/progress';
import { untrusted } from '../../platform/trust';
import { type CallInfo, eventPrices, needsInfo } from '../../service';
import { chooseText, refuseSecret } from '../chooseText';
import { percent } from '../reflexes';

const { t } = vscode.l10n;

export type RouterClient = Pick<
  GatedClient,
  'classifyPrompt' | 'pickModel' | 'routeRaw' | 'routeWithProvider' | 'catalogue' | 'obstacle'
>;

type RouterApi = 'multimodel' | 'raw' | 'provider';

/** Options for the next pick; kept until the window closes. */
interface RouterSettings {
  api: RouterApi;
  isCostEfficient: boolean;
  allowedModels: readonly string[];
  allowedProviders: readonly string[];
  defaultModel: string | undefined;
  provider: string;
}

/** Commands that send a prompt to the router. */
export class RouterController {
  readonly #client: RouterClient;
  readonly #settings: RouterSettings = {
    api: 'multimodel',
    isCostEfficient: false,
    allowedModels: [],
    allowedProviders: [],
    defaultModel: undefined,
    provider: '',
  };

  constructor(client: RouterClient) {
    this.#client = client;
  }

  /** Shows the difficulty, ambiguity and domain of a prompt. */
  async classify(): Promise<void> {
    checkTrust();
    await checkSetUp(this.#client);
    const chosen = await chooseText(t('Classify Prompt ({0})', priceText()));
    if (!chosen) return;
    const answer = await withProgress(t('Classifying the prompt'), signal =>
      this.#client.classifyPrompt(
        { input: chosen.text },
        { signal, sending: { purpose: 'classifyPrompt' } },
      ),
    );
    const rows = answer.classifications.map(({ name, label, confidence, meetsThreshold }) => ({
      label: displayText(name),
      iconPath: new vscode.ThemeIcon(meetsThreshold === false ? 'question' : 'check'),
      description: scoreText(displayText(label), confidence),
      detail: meetsThreshold === false ? t('below its threshold: too uncertain to be used') : '',
    }));
    await showAnswer(
      needsInfo(answer)
        ? t('The prompt needs more information: its difficulty is uncertain')
        : chosen.what,
      rows,
      answer,
    );
  }

  /**
   * Classifies a prompt and picks a model at the same time, for the chat command `/route`.
   * @throws {UserError} for a prompt that must not be sent.
   */
  async route(input: string, signal: AbortSignal): Promise<RoutedPrompt> {
    checkTrust();
    refuseSecret(input);
    const { isCostEfficient, allowedModels, allowedProviders, defaultModel } = this.#settings;
    const policy = isCostEfficient ? 'cost_efficient' : 'balanced';
    const [classified, picked] = await Promise.all([
      this.#client.classifyPrompt({ input }, { signal, sending: { purpose: 'classifyPrompt' } }),
      this.#client.pickModel(
        { input, policy, allowedModels, allowedProviders, defaultModel },
        { signal, sending: { purpose: 'pickModel' } },
      ),
    ]);
    const costs = [classified, picked].flatMap(({ cost }) => cost ?? []);
    const cost = {
      usd: costs.reduce((sum, { usd }) => sum + usd, 0),
      isExact: costs.every(({ isExact }) => isExact),
    };
    return {
      classes: classified.classifications.map(({ name, label, confidence, meetsThreshold }) => ({
        name: displayText(name),
        label: displayText(label),
        confidence: confidence === undefined ? '' : percent(confidence),
        isSure: meetsThreshold !== false,
      })),
      model: picked.model === undefined ? undefined : displayText(picked.model),
      provider: picked.provider === undefined ? undefined : displayText(picked.provider),
      needsInfo: needsInfo(classified),
      facts: [
        durationText(Math.max(classified.ms, picked.ms), t),
        ...(costs.length > 0 ? [costText(cost, t)] : []),
        t('2 requests, {0}', priceText()),
      ].join(' · '),
    };
  }

  /** Shows the model that the router picks for a prompt. */
  async pick(): Promise<void> {
    checkTrust();
    await checkSetUp(this.#client);
    const title = t('Pick Model for Prompt ({0})', priceText());
    const chosen = await chooseText(title);
    if (!chosen || !(await this.#ask(title))) return;
    const { text: input } = chosen;
    const { api, isCostEfficient, allowedModels, allowedProviders, defaultModel, provider } =
      this.#settings;
    const mode = isCostEfficient ? 'aggressive' : 'balanced';
    const task = t('Picking a model');
    if (api === 'raw') {
      const answer = await withProgress(task, signal =>
        this.#client.routeRaw({ input, mode }, { signal, sending: { purpose: 'pickModel' } }),
      );
      return showAnswer(
        t('Difficulty (legacy)'),
        [row('dashboard', answer.difficulty, answer.confidence)],
        answer,
      );
    }
    if (api === 'provider') {
      const answer = await withProgress(task, signal =>
        this.#client.routeWithProvider(
          { input, mode, provider },
          { signal, sending: { purpose: 'pickModel' } },
        ),
      );
      return showAnswer(
        t('Model of {0} (deprecated)', displayText(provider)),
        [row('symbol-misc', answer.model, answer.confidence)],
        answer,
      );
    }
    const policy = isCostEfficient ? 'cost_efficient' : 'balanced';
    const answer = await withProgress(task, signal =>
      this.#client.pickModel(
        { input, policy, allowedModels, allowedProviders, defaultModel },
        { signal, sending: { purpose: 'pickModel' } },
      ),
    );
    const { model, difficulty, confidence, signals } = answer;
    const from =
      answer.provider === undefined ? '' : t('provider {0}', displayText(answer.provider));
    return showAnswer(
      t('Model to call next'),
      [
        {
          label:
            model === undefined ? t('none: the prompt needs more information') : displayText(model),
          iconPath: new vscode.ThemeIcon('symbol-misc'),
          description: from,
          ...(model === undefined ? {} : { copies: model }),
        },
        ...(difficulty === undefined ? [] : [row('dashboard', difficulty, confidence)]),
        ...Object.entries(signals).flatMap(([name, value]) => signalRows(name, value)),
      ],
      answer,
    );
  }

  /** Shows the options, each of which opens its own input. @returns false if the user cancels. */
  async #ask(title: string): Promise<boolean> {
    for (;;) {
      const choice = this.#settings;
      const isLegacy = choice.api !== 'multimodel';
      const all = t('all of the catalogue');
      const rows: (vscode.QuickPickItem & { run?: () => Promise<void> })[] = [
        {
          label: t('Ask the router'),
          iconPath: new vscode.ThemeIcon('play'),
          description: priceText(),
        },
        { label: t('Choices'), kind: vscode.QuickPickItemKind.Separator },
        {
          label: t('Policy'),
          description: policyText(choice),
          run: async () => this.#askPolicy(title),
        },
        ...(isLegacy
          ? []
          : [
              {
                label: t('Allowed models'),
                description: choice.allowedModels.join(', ') || all,
                run: async () => this.#askModels(title),
              },
              {
                label: t('Allowed providers'),
                description: choice.allowedProviders.join(', ') || all,
                run: async () => this.#askProviders(title),
              },
              {
                label: t('Default model'),
                description: choice.defaultModel ?? t('none'),
                detail: t('Used when the prompt needs more information'),
                run: async () => this.#askDefault(title),
              },
            ]),
      ];
      const picked = await vscode.window.showQuickPick(rows, { title });
      if (!picked) return false;
      if (!picked.run) return true;
      await picked.run();
    }
  }

  async #askPolicy(title: string): Promise<void> {
    const separator = { label: t('Legacy'), kind: vscode.QuickPickItemKind.Separator };
    const picked = await vscode.window.showQuickPick(
      [
        policyItem('multimodel', false, t('balanced'), ''),
        policyItem('multimodel', true, t('cost-efficient'), ''),
        { ...separator, api: undefined, isCostEfficient: false, description: '' },
        policyItem('raw', false, t('Difficulty only, balanced'), t('legacy, served on')),
        policyItem('raw', true, t('Difficulty only, aggressive'), t('legacy, served on')),
        policyItem('provider', false, t('Models of one provider, balanced'), t('deprecated')),
        policyItem('provider', true, t('Models of one provider, aggressive'), t('deprecated')),
      ],
      { title, placeHolder: t('Policy') },
    );
    if (!picked?.api) return;
    if (picked.api === 'provider') {
      const provider = await vscode.window.showInputBox({
        title,
        prompt: t('The key of the provider'),
        value: this.#settings.provider,
        validateInput: value =>
          /^[\w-]+$/.test(value.trim()) ? undefined : t('Letters, digits, - and _ only.'),
      });
      if (!provider) return;
      this.#settings.provider = provider.trim();
    }
    this.#settings.api = picked.api;
    this.#settings.isCostEfficient = picked.isCostEfficient;
  }

  async #askModels(title: string): Promise<void> {
    const { allowedModels } = this.#settings;
    const picked = await vscode.window.showQuickPick(
      (await this.#models()).map(id => ({ label: id, picked: allowedModels.includes(id) })),
      { title, canPickMany: true, placeHolder: t('Select none to allow the whole catalogue') },
    );
    if (picked) this.#settings.allowedModels = picked.map(({ label }) => label);
  }

  async #askProviders(title: string): Promise<void> {
    const names = await vscode.window.showInputBox({
      title,
      prompt: t('Additional providers whose models may be picked, separated by commas'),
      value: this.#settings.allowedProviders.join(', '),
    });
    if (names === undefined) return;
    this.#settings.allowedProviders = names
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== '');
  }

  async #askDefault(title: string): Promise<void> {
    const none = { label: t('None'), id: undefined };
    const models = (await this.#models()).map(id => ({ label: id, id }));
    const picked = await vscode.window.showQuickPick([none, ...models], {
      title,
      placeHolder: t('Default model'),
    });
    if (picked) this.#settings.defaultModel = picked.id;
  }

  async #models(): Promise<string[]> {
    const { models } = await withProgress(t('Reading the catalogue'), signal =>
      this.#client.catalogue({ signal }),
    );
    return models.filter(({ use }) => use === undefined).map(({ id }) => id);
  }
}

const policyItem = (
  api: RouterApi,
  isCostEfficient: boolean,
  label: string,
  description: string,
) => ({
  label,
  description,
  api,
  isCostEfficient,
});

function policyText({ api, isCostEfficient, provider }: RouterSettings): string {
  if (api === 'multimodel') return isCostEfficient ? t('cost-efficient') : t('balanced');
  const mode = isCostEfficient ? t('aggressive') : t('balanced');
  return api === 'raw'
    ? t('difficulty only, {0} (legacy)', mode)
    : t('models of {0}, {1} (deprecated)', provider, mode);
}

const priceText = (): string => t('{0} per request', formatUsd(eventPrices.router));
const displayText = (text: string): string => withoutIcons(cleanServerText(text));

interface AnswerRow extends vscode.QuickPickItem {
  /** Copied to the clipboard instead of the label. */
  readonly copies?: string;
}

const row = (icon: string, label: string, confidence: number | undefined): AnswerRow => ({
  label: displayText(label),
  iconPath: new vscode.ThemeIcon(icon),
  description: scoreText('', confidence),
  copies: label,
});

/** Rows for a signal of the router: labels with their confidence if it has that form, otherwise JSON. */
function signalRows(name: string, value: unknown): AnswerRow[] {
  const text = JSON.stringify(value) ?? '';
  const parts = isRecord(value) ? Object.entries(value) : [];
  const rows = parts.flatMap(([part, given]) => {
    const { label, confidence } = isRecord(given) ? given : {};
    if (typeof label !== 'string') return [];
    return [
      row('info', `${part}: ${label}`, typeof confidence === 'number' ? confidence : undefined),
    ];
  });
  return rows.length > 0 && rows.length === parts.length
    ? rows
    : [
        {
          label: displayText(name),
          iconPath: new vscode.ThemeIcon('info'),
          detail: displayText(text),
          copies: text,
        },
      ];
}

function scoreText(label: string, confidence: number | undefined): string {
  const score = confidence === undefined ? '' : percent(confidence);
  return [label, score].filter(Boolean).join('  ');
}

async function showAnswer(
  title: string,
  rows: readonly AnswerRow[],
  { ms, cost }: CallInfo,
): Promise<void> {
  const facts = [durationText(ms, t), ...(cost ? [costText(cost, t)] : [])].join(' · ');
  const picked = await vscode.window.showQuickPick(rows, {
    title: `${title} · ${facts}`,
    placeHolder: t('Press Enter to copy'),
  });
  if (picked) {
    await vscode.env.clipboard.writeText(
      picked.copies ??
        `${picked.label} ${picked.description ?? ''}`.replace(/^\$\(\S+\) /, '').trim(),
    );
  }
}

/**
 * Called before the user enters a text, which would otherwise be in vain.
 * @throws {ServiceError} if the service is not set up, with the step that helps.
 */
export async function checkSetUp(client: Pick<GatedClient, 'obstacle'>): Promise<void> {
  const obstacle = await client.obstacle();
  if (obstacle) throw obstacle;
}

/** In an untrusted workspace only Classify Selection sends anything. */
export function checkTrust(): void {
  if (!vscode.workspace.isTrusted) {
    throw untrusted(t('In Restricted Mode only Classify Selection sends anything.'));
  }
}
