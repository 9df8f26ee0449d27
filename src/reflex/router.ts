import * as vscode from 'vscode';
import type { RoutedPrompt } from '../host/chatResults';
import { costText, durationText } from '../host/phrases';
import { withProgress } from '../host/progress';
import { untrusted } from '../host/trust';
import { eventPrices, formatUsd } from '../service/billing/pricing';
import type { GatedClient } from '../host/egress/gatedClient';
import { cleanServerText } from '../service/errors';
import { isRecord } from '../service/guards';
import type { CallInfo } from '../service/operation';
import { needsInfo } from '../service/wire/router';
import { bar, percent, withoutIcons } from './reflexes';
import { chooseText, refuseSecret } from './texts';

const { t } = vscode.l10n;

export type RouterClient = Pick<
  GatedClient,
  'classifyPrompt' | 'pickModel' | 'routeRaw' | 'routeWithProvider' | 'catalogue' | 'obstacle'
>;

type Way = 'multimodel' | 'raw' | 'provider';

/** What the user wants of the next pick; kept until the window closes. */
interface Choice {
  way: Way;
  isThrifty: boolean;
  allowedModels: readonly string[];
  allowedProviders: readonly string[];
  defaultModel: string | undefined;
  provider: string;
}

/** The commands that ask the router about a prompt. */
export class RouterRoom {
  readonly #client: RouterClient;
  readonly #choice: Choice = {
    way: 'multimodel',
    isThrifty: false,
    allowedModels: [],
    allowedProviders: [],
    defaultModel: undefined,
    provider: '',
  };

  constructor(client: RouterClient) {
    this.#client = client;
  }

  /** Difficulty, ambiguity and domain. */
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
      label: `$(${meetsThreshold === false ? 'question' : 'check'}) ${shown(name)}`,
      description: scoreText(shown(label), confidence),
      detail: meetsThreshold === false ? t('below its threshold: not sure enough to be used') : '',
    }));
    await showAnswer(
      needsInfo(answer)
        ? t('The prompt needs more information: its difficulty is not sure')
        : chosen.what,
      rows,
      answer,
    );
  }

  /**
   * Both questions at once, for a prompt that somebody gave the command for.
   * @throws {UserError} for a prompt that must not be sent.
   */
  async route(input: string, signal: AbortSignal): Promise<RoutedPrompt> {
    checkTrust();
    refuseSecret(input);
    const { isThrifty, allowedModels, allowedProviders, defaultModel } = this.#choice;
    const policy = isThrifty ? 'cost_efficient' : 'balanced';
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
        name: shown(name),
        label: shown(label),
        confidence: confidence === undefined ? '' : percent(confidence),
        isSure: meetsThreshold !== false,
      })),
      model: picked.model === undefined ? undefined : shown(picked.model),
      provider: picked.provider === undefined ? undefined : shown(picked.provider),
      needsInfo: needsInfo(classified),
      facts: [
        durationText(Math.max(classified.ms, picked.ms), t),
        ...(costs.length > 0 ? [costText(cost, t)] : []),
        t('2 requests, {0}', priceText()),
      ].join(' · '),
    };
  }

  /** The model to call next. */
  async pick(): Promise<void> {
    checkTrust();
    await checkSetUp(this.#client);
    const title = t('Pick Model for Prompt ({0})', priceText());
    const chosen = await chooseText(title);
    if (!chosen || !(await this.#ask(title))) return;
    const { text: input } = chosen;
    const { way, isThrifty, allowedModels, allowedProviders, defaultModel, provider } =
      this.#choice;
    const mode = isThrifty ? 'aggressive' : 'balanced';
    const task = t('Picking a model');
    if (way === 'raw') {
      const answer = await withProgress(task, signal =>
        this.#client.routeRaw({ input, mode }, { signal, sending: { purpose: 'pickModel' } }),
      );
      return showAnswer(
        t('Difficulty (legacy)'),
        [row('dashboard', answer.difficulty, answer.confidence)],
        answer,
      );
    }
    if (way === 'provider') {
      const answer = await withProgress(task, signal =>
        this.#client.routeWithProvider(
          { input, mode, provider },
          { signal, sending: { purpose: 'pickModel' } },
        ),
      );
      return showAnswer(
        t('Model of {0} (deprecated)', shown(provider)),
        [row('symbol-misc', answer.model, answer.confidence)],
        answer,
      );
    }
    const policy = isThrifty ? 'cost_efficient' : 'balanced';
    const answer = await withProgress(task, signal =>
      this.#client.pickModel(
        { input, policy, allowedModels, allowedProviders, defaultModel },
        { signal, sending: { purpose: 'pickModel' } },
      ),
    );
    const { model, difficulty, confidence, signals } = answer;
    const from = answer.provider === undefined ? '' : t('provider {0}', shown(answer.provider));
    return showAnswer(
      t('Model to call next'),
      [
        {
          label: `$(symbol-misc) ${model === undefined ? t('none: the prompt needs more information') : shown(model)}`,
          description: from,
          ...(model === undefined ? {} : { copies: model }),
        },
        ...(difficulty === undefined ? [] : [row('dashboard', difficulty, confidence)]),
        ...Object.entries(signals).flatMap(([name, value]) => signalRows(name, value)),
      ],
      answer,
    );
  }

  /** A list of the choices, each of which opens its own; false when it is left. */
  async #ask(title: string): Promise<boolean> {
    for (;;) {
      const choice = this.#choice;
      const isLegacy = choice.way !== 'multimodel';
      const all = t('all of the catalogue');
      const rows: (vscode.QuickPickItem & { run?: () => Promise<void> })[] = [
        { label: `$(play) ${t('Ask the router')}`, description: priceText() },
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
                detail: t('Comes back when the prompt needs more information'),
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
        policyItem('multimodel', false, 'balanced', ''),
        policyItem('multimodel', true, 'cost_efficient', ''),
        { ...separator, way: undefined, isThrifty: false, description: '' },
        policyItem('raw', false, t('Difficulty only, balanced'), t('legacy, served on')),
        policyItem('raw', true, t('Difficulty only, aggressive'), t('legacy, served on')),
        policyItem('provider', false, t('Models of one provider, balanced'), t('deprecated')),
        policyItem('provider', true, t('Models of one provider, aggressive'), t('deprecated')),
      ],
      { title, placeHolder: t('Policy') },
    );
    if (!picked?.way) return;
    if (picked.way === 'provider') {
      const provider = await vscode.window.showInputBox({
        title,
        prompt: t('The key of the provider'),
        value: this.#choice.provider,
        validateInput: value =>
          /^[\w-]+$/.test(value.trim()) ? undefined : t('Letters, digits, - and _ only.'),
      });
      if (!provider) return;
      this.#choice.provider = provider.trim();
    }
    this.#choice.way = picked.way;
    this.#choice.isThrifty = picked.isThrifty;
  }

  async #askModels(title: string): Promise<void> {
    const { allowedModels } = this.#choice;
    const picked = await vscode.window.showQuickPick(
      (await this.#models()).map(id => ({ label: id, picked: allowedModels.includes(id) })),
      { title, canPickMany: true, placeHolder: t('None of them allows the whole catalogue') },
    );
    if (picked) this.#choice.allowedModels = picked.map(({ label }) => label);
  }

  async #askProviders(title: string): Promise<void> {
    const names = await vscode.window.showInputBox({
      title,
      prompt: t('Providers whose models may be picked too, with commas between them'),
      value: this.#choice.allowedProviders.join(', '),
    });
    if (names === undefined) return;
    this.#choice.allowedProviders = names
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
    if (picked) this.#choice.defaultModel = picked.id;
  }

  async #models(): Promise<string[]> {
    const { models } = await withProgress(t('Reading the catalogue'), signal =>
      this.#client.catalogue({ signal }),
    );
    return models.filter(({ use }) => use === undefined).map(({ id }) => id);
  }
}

const policyItem = (way: Way, isThrifty: boolean, label: string, description: string) => ({
  label,
  description,
  way,
  isThrifty,
});

function policyText({ way, isThrifty, provider }: Choice): string {
  if (way === 'multimodel') return isThrifty ? 'cost_efficient' : 'balanced';
  const mode = isThrifty ? 'aggressive' : 'balanced';
  return way === 'raw'
    ? t('difficulty only, {0} (legacy)', mode)
    : t('models of {0}, {1} (deprecated)', provider, mode);
}

const priceText = (): string => t('{0} per request', formatUsd(eventPrices.router));
const shown = (text: string): string => withoutIcons(cleanServerText(text));

interface AnswerRow extends vscode.QuickPickItem {
  /** Put on the clipboard instead of the label. */
  readonly copies?: string;
}

const row = (icon: string, label: string, confidence: number | undefined): AnswerRow => ({
  label: `$(${icon}) ${shown(label)}`,
  description: scoreText('', confidence),
  copies: label,
});

/** A signal that the router echoes: labels with their confidence where it has that form, else JSON. */
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
    : [{ label: `$(info) ${shown(name)}`, detail: shown(text), copies: text }];
}

function scoreText(label: string, confidence: number | undefined): string {
  const score = confidence === undefined ? '' : `${bar(confidence)} ${percent(confidence)}`;
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
    placeHolder: t('Enter copies'),
  });
  if (picked)
    await vscode.env.clipboard.writeText(
      picked.copies ??
        `${picked.label} ${picked.description ?? ''}`.replace(/^\$\(\S+\) /, '').trim(),
    );
}

/**
 * Before a text is asked for: it would be typed in vain.
 * @throws {ServiceError} with the step that helps.
 */
export async function checkSetUp(client: Pick<GatedClient, 'obstacle'>): Promise<void> {
  const obstacle = await client.obstacle();
  if (obstacle) throw obstacle;
}

/** Beyond the selection that somebody classifies, an untrusted workspace sends nothing. */
export function checkTrust(): void {
  if (!vscode.workspace.isTrusted)
    throw untrusted(t('In Restricted Mode only Classify Selection sends something.'));
}
