import * as vscode from 'vscode';
import { ids } from '../manifest';
import { UserError } from './errors';
import type { Budget } from '../service/billing/budget';
import type { CompactRoute } from '../service/wire/compact';

export type EngineSetting = 'auto' | 'service' | 'local';
export type SearchEngineSetting = 'auto' | 'local';
export type TransportSetting = 'auto' | 'undici' | 'host';
export type NotificationSetting = 'all' | 'attention' | 'off';
export type WireFormatSetting = 'chat' | 'messages';
export type ModelSetting = 'auto' | 'svc-v3-fast' | 'svc-v3-large';

const engines: readonly EngineSetting[] = ['auto', 'service', 'local'];
const transports: readonly TransportSetting[] = ['auto', 'undici', 'host'];
const routes: readonly CompactRoute[] = ['compact', 'chat', 'responses'];
const notifications: readonly NotificationSetting[] = ['all', 'attention', 'off'];
const wireFormats: readonly WireFormatSetting[] = ['chat', 'messages'];
const models: readonly ModelSetting[] = ['auto', 'svc-v3-fast', 'svc-v3-large'];

/** The value of the user settings, whatever a workspace, folder or .code-workspace says. */
function userValue(id: string): unknown {
  const inspected = vscode.workspace.getConfiguration().inspect(id);
  return inspected?.globalValue ?? inspected?.defaultValue;
}

/** '' when the user has set none. */
function userText(id: string): string {
  const value = userValue(id);
  return typeof value === 'string' ? value.trim() : '';
}

function userNumber(id: string, fallback: number): number {
  const value = userValue(id);
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : fallback;
}

async function setForUser(id: string, value: unknown): Promise<void> {
  try {
    await vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);
  } catch (error) {
    // Written for the user by VS Code: the file is read-only, or holds an error.
    throw new UserError(error instanceof Error ? error.message : String(error), {
      title: vscode.l10n.t('Open Settings (JSON)'),
      command: 'workbench.action.openSettingsJson',
    });
  }
}

/** A workspace, and an untrusted one always, can only make this stricter. */
function engineOf(id: string): EngineSetting {
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

/** Settings, read when they are used: reading is cheap and nothing can be stale. */
export const settings = {
  /** Where the public catalogue is; '' means at the service's own address. */
  get siteUrl(): string {
    return userText(ids.setting.siteUrl);
  },

  /** '' when the user has set none. */
  get baseUrl(): string {
    return userText(ids.setting.baseUrl);
  },

  get engine(): EngineSetting {
    return engineOf(ids.setting.engine);
  },

  get model(): ModelSetting {
    return oneOf(models, userValue(ids.setting.model), 'auto');
  },

  /** The chat model that writes edits; '' for the default one. It spends, so a workspace has no say. */
  get editModel(): string {
    return userText(ids.setting.editModel);
  },

  async setEditModel(value: string): Promise<void> {
    await setForUser(ids.setting.editModel, value);
  },

  /** A workspace must not choose how the key travels. */
  get transport(): TransportSetting {
    return oneOf(transports, userValue(ids.setting.transport), 'auto');
  },

  /** A workspace must neither spend more nor stop the user's calls. */
  get budget(): Budget {
    return {
      usd: userNumber(ids.setting.monthlyBudget, 0),
      stops: userValue(ids.setting.stopAtBudget) === true,
    };
  },

  get searchEngine(): SearchEngineSetting {
    return engineOf(ids.setting.searchEngine) === 'local' ? 'local' : 'auto';
  },

  get compactEngine(): EngineSetting {
    return engineOf(ids.setting.compactEngine);
  },

  get compactRoute(): CompactRoute {
    return oneOf(routes, userValue(ids.setting.compactRoute), 'compact');
  },

  /** A workspace must not choose what the service is sent. */
  get wireFormat(): WireFormatSetting {
    return oneOf(wireFormats, userValue(ids.setting.wireFormat), 'chat');
  },

  /** Files of one answer, 1 to 100. */
  get searchMaxResults(): number {
    const value = vscode.workspace.getConfiguration().get(ids.setting.searchMaxResults);
    return typeof value === 'number' && Number.isFinite(value)
      ? Math.min(100, Math.max(1, Math.round(value)))
      : 20;
  },

  /** Where endpoints are bought and canceled; '' when the user has set none. */
  get dashboardUrl(): string {
    return userText(ids.setting.dashboardUrl);
  },

  get endpointNotifications(): NotificationSetting {
    return oneOf(notifications, userValue(ids.setting.endpointNotifications), 'attention');
  },

  async setEndpointNotifications(value: NotificationSetting): Promise<void> {
    await setForUser(ids.setting.endpointNotifications, value);
  },

  /** Host name of the service, for people; '' where none is set. */
  get serviceHost(): string {
    return URL.canParse(this.baseUrl) ? new URL(this.baseUrl).host : '';
  },

  /** Chosen reflexes; what is paid for is the user's to choose. */
  get reflexes(): readonly string[] {
    return textsOf(userValue(ids.setting.reflexes));
  },

  /** Of the chosen ones, those whose label the status bar always shows. */
  get pinnedReflexes(): readonly string[] {
    return textsOf(userValue(ids.setting.reflexPinned));
  },

  /** Globs of the files that may be watched. A workspace must not widen them. */
  get reflexFiles(): readonly string[] {
    return textsOf(userValue(ids.setting.reflexFiles));
  },

  /** Calls of the indicator a day; 0 for none. */
  get reflexDailyCalls(): number {
    return userNumber(ids.setting.reflexDailyCalls, 500);
  },

  /** It spends, so a workspace cannot turn it on; and it protects, so one cannot turn it off. */
  get reflexGuard(): boolean {
    return userValue(ids.setting.reflexGuard) === true;
  },

  async setReflexes(names: readonly string[], pinned: readonly string[]): Promise<void> {
    await setForUser(ids.setting.reflexes, names);
    await setForUser(ids.setting.reflexPinned, pinned);
  },

  async setBaseUrl(url: string): Promise<void> {
    await setForUser(ids.setting.baseUrl, url);
  },
};
