import * as vscode from 'vscode';
import { isRecord } from '../base/typeGuards';
import { UserError } from '../base/userError';
import type { Budget, CompactRoute } from '../service';
import type { SettingId } from './commands/contribute';

export type EngineSetting = 'auto' | 'service' | 'local';
export type SearchEngineSetting = 'auto' | 'local';
export type SearchIndexSetting = 'auto' | 'always' | 'off';
export type TransportSetting = 'auto' | 'undici' | 'host';
export type NotificationSetting = 'all' | 'attention' | 'off';
export type WireFormatSetting = 'chat' | 'messages';
export type ModelSetting = 'auto' | 'svc-v3-fast' | 'svc-v3-large';

const engines: readonly EngineSetting[] = ['auto', 'service', 'local'];
const searchIndexes: readonly SearchIndexSetting[] = ['auto', 'always', 'off'];
const transports: readonly TransportSetting[] = ['auto', 'undici', 'host'];
const routes: readonly CompactRoute[] = ['compact', 'chat', 'responses'];
const notifications: readonly NotificationSetting[] = ['all', 'attention', 'off'];
const wireFormats: readonly WireFormatSetting[] = ['chat', 'messages'];
const models: readonly ModelSetting[] = ['auto', 'svc-v3-fast', 'svc-v3-large'];

/** The value of the user settings, regardless of those of a workspace or folder. */
function userValue(id: SettingId): unknown {
  const inspected = vscode.workspace.getConfiguration().inspect(id);
  return inspected?.globalValue ?? inspected?.defaultValue;
}

/** '' when the user has set none. */
function userText(id: SettingId): string {
  const value = userValue(id);
  return typeof value === 'string' ? value.trim() : '';
}

function userNumber(id: SettingId, fallback: number): number {
  const value = userValue(id);
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : fallback;
}

function purposeBudgets(): Readonly<Record<string, number>> {
  const value = userValue('splice.costs.purposeBudgetsUsd');
  return Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0,
    ),
  );
}

async function setForUser(id: SettingId, value: unknown): Promise<void> {
  try {
    await vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);
  } catch (error) {
    // VS Code words this message for the user: the file is read-only or has an error.
    throw new UserError(error instanceof Error ? error.message : String(error), {
      title: vscode.l10n.t('Open Settings (JSON)'),
      command: 'workbench.action.openSettingsJson',
    });
  }
}

/** A workspace can only restrict this to `local`, and an untrusted one always does. */
function engineOf(id: SettingId): EngineSetting {
  if (!vscode.workspace.isTrusted) return 'local';
  const effective = vscode.workspace.getConfiguration().get(id);
  return effective === 'local' ? 'local' : oneOf(engines, userValue(id), 'auto');
}

const oneOf = <T extends string>(known: readonly T[], value: unknown, fallback: T): T =>
  known.find(item => item === value) ?? fallback;

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string' && item.trim() !== '')
    : [];

/** Settings, read at each use, which is cheap and never stale. */
export const settings = {
  /** Address of the public catalogue; '' for that of the service. */
  get siteUrl(): string {
    return userText('splice.service.siteUrl');
  },

  /** '' when the user has set none. */
  get baseUrl(): string {
    return userText('splice.service.baseUrl');
  },

  /** The origin of the address; '' where none is set. */
  get origin(): string {
    return URL.canParse(this.baseUrl) ? new URL(this.baseUrl).origin : '';
  },

  get engine(): EngineSetting {
    return engineOf('splice.apply.engine');
  },

  get model(): ModelSetting {
    return oneOf(models, userValue('splice.apply.model'), 'auto');
  },

  /** How much of the history of applied edits is kept; an age of 0 keeps none. */
  get applyHistory(): { readonly ageMs: number; readonly bytes: number } {
    return {
      ageMs: userNumber('splice.apply.history.days', 30) * 24 * 3600 * 1000,
      bytes: userNumber('splice.apply.history.megabytes', 50) * 1e6,
    };
  },

  /** Whether the status bar shows how full the newest chat about the folder is. */
  get showsSessionFill(): boolean {
    return userValue('splice.compact.showFill') === true;
  },

  /** Whether changes that other programs make on disk are listed. An agent can write to the settings of a workspace. */
  get followsExternalChanges(): boolean {
    return userValue('splice.externalChanges.follow') !== false;
  },

  /** Globs of files whose changes are not listed. A workspace must not hide what was changed. */
  get ignoredExternalFiles(): readonly string[] {
    return textsOf(userValue('splice.externalChanges.ignore'));
  },

  /** Whether staging a file keeps its changes. A workspace must not hide what was changed. */
  get keepsStagedChanges(): boolean {
    return userValue('splice.externalChanges.keepStaged') === true;
  },

  /** The chat model that writes edits; '' for the default one. It costs money, so a workspace cannot set it. */
  get editModel(): string {
    return userText('splice.edit.model');
  },

  async setEditModel(value: string): Promise<void> {
    await setForUser('splice.edit.model', value);
  },

  /** A workspace must not choose how the key is sent. */
  get transport(): TransportSetting {
    return oneOf(transports, userValue('splice.network.transport'), 'auto');
  },

  /** A workspace must neither raise the budget nor stop calls of the user. */
  get budget(): Budget {
    return {
      usd: userNumber('splice.costs.monthlyBudgetUsd', 0),
      stops: userValue('splice.costs.stopAtBudget') === true,
      byPurpose: purposeBudgets(),
    };
  },

  get showsCosts(): boolean {
    return userValue('splice.costs.showInStatusBar') === true;
  },

  get showsCostBelowAnswers(): boolean {
    return userValue('splice.costs.showBelowAnswers') !== false;
  },

  get searchEngine(): SearchEngineSetting {
    return engineOf('splice.search.engine') === 'local' ? 'local' : 'auto';
  },

  get compactEngine(): EngineSetting {
    return engineOf('splice.compact.engine');
  },

  get compactRoute(): CompactRoute {
    return oneOf(routes, userValue('splice.compact.route'), 'compact');
  },

  /** A workspace must not choose what is sent to the service. */
  get wireFormat(): WireFormatSetting {
    return oneOf(wireFormats, userValue('splice.chat.wireFormat'), 'chat');
  },

  /** A workspace must not have the files of this machine indexed. */
  get searchIndex(): SearchIndexSetting {
    return oneOf(searchIndexes, userValue('splice.search.index'), 'auto');
  },

  async setSearchIndex(value: SearchIndexSetting): Promise<void> {
    await setForUser('splice.search.index', value);
  },

  /** Maximum of files in one answer, 1 to 100. */
  get searchMaxResults(): number {
    const value = vscode.workspace
      .getConfiguration()
      .get('splice.search.maxResults' satisfies SettingId);
    return typeof value === 'number' && Number.isFinite(value)
      ? Math.min(100, Math.max(1, Math.round(value)))
      : 20;
  },

  /** Web page where endpoints are ordered and canceled; '' when the user has set none. */
  get dashboardUrl(): string {
    return userText('splice.endpoints.dashboardUrl');
  },

  get endpointNotifications(): NotificationSetting {
    return oneOf(notifications, userValue('splice.endpoints.notifications'), 'attention');
  },

  async setEndpointNotifications(value: NotificationSetting): Promise<void> {
    await setForUser('splice.endpoints.notifications', value);
  },

  /** Host name of the service, to be shown; '' where none is set. */
  get serviceHost(): string {
    return URL.canParse(this.baseUrl) ? new URL(this.baseUrl).host : '';
  },

  /** Chosen reflexes. They cost money, so a workspace cannot set them. */
  get reflexes(): readonly string[] {
    return textsOf(userValue('splice.reflex.reflexes'));
  },

  /** The chosen reflexes whose label the status bar always shows. */
  get pinnedReflexes(): readonly string[] {
    return textsOf(userValue('splice.reflex.pinned'));
  },

  /** Globs of the files that may be watched. A workspace must not widen them. */
  get reflexFiles(): readonly string[] {
    return textsOf(userValue('splice.reflex.files'));
  },

  /** Calls of the indicator per day; 0 for none. */
  get reflexDailyCalls(): number {
    return userNumber('splice.reflex.dailyCalls', 500);
  },

  /** It costs money, so a workspace cannot turn it on; and it protects, so a workspace cannot turn it off. */
  get reflexGuard(): boolean {
    return userValue('splice.reflex.guard') === true;
  },

  async setReflexes(names: readonly string[], pinned: readonly string[]): Promise<void> {
    await setForUser('splice.reflex.reflexes', names);
    await setForUser('splice.reflex.pinned', pinned);
  },

  async setBaseUrl(url: string): Promise<void> {
    await setForUser('splice.service.baseUrl', url);
  },
};
