import path from 'node:path';
import * as vscode from 'vscode';
import { recentTimeText } from '../base/format/times';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { ClaimFiles } from './core/claimFiles';
import { groupNotices, type Notice, type NoticeGroup } from './core/notices';
import { endpointName } from './tree/endpointRows';

const { t } = vscode.l10n;

/** What the buttons of a notification do. */
export interface NoticeActions {
  copyUrl(endpoint: { readonly id: string }): Promise<void>;
  openDashboard(): Promise<unknown>;
  /** Selects the endpoint in the view. */
  reveal(id: string): Promise<void>;
}

/** Shows notices about endpoints, each in one window only. */
export class EndpointNotifier {
  readonly #host: Host;
  readonly #actions: NoticeActions;
  readonly #claims: ClaimFiles;

  constructor(host: Host, actions: NoticeActions) {
    this.#host = host;
    this.#actions = actions;
    this.#claims = new ClaimFiles(path.join(host.context.globalStorageUri.fsPath, 'told'));
  }

  announce(notices: readonly Notice[]): void {
    this.#host.quietly(async () => {
      const mine: Notice[] = [];
      for (const notice of notices) {
        if (await this.#claims.claim(`${settings.baseUrl} ${notice.endpoint.id} ${notice.kind}`)) {
          mine.push(notice);
        }
      }
      for (const group of groupNotices(mine, endpointName, dateOf, t)) {
        this.#host.quietly(() => this.#notify(group))();
      }
    })();
  }

  async #notify({ kind, text, ids: [id] }: NoticeGroup): Promise<void> {
    const isReady = kind === 'ready';
    const action = isReady ? t('Copy URL') : kind === 'suspended' ? t('Open Billing') : t('Show');
    const never = t("Don't Show Again");
    const show = isReady ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
    const picked = await show(text, action, never);
    if (picked === never) await settings.setEndpointNotifications('off');
    if (picked !== action || id === undefined) return;
    try {
      if (isReady) await this.#actions.copyUrl({ id });
      else if (kind === 'suspended') await this.#actions.openDashboard();
      else await this.#actions.reveal(id);
    } catch (error) {
      await this.#host.report('notification', error);
    }
  }
}

const dateOf = (ms: number): string => recentTimeText(ms, Date.now(), vscode.env.language);
