import path from 'node:path';
import * as vscode from 'vscode';
import { recentTimeText } from '../base/format/times';
import { endpointName } from '../contracts/endpointName';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { ClaimFiles } from './core/claimFiles';
import { groupNotices, type Notice, type NoticeGroup } from './core/notices';

const { t } = vscode.l10n;

/** What the buttons of a notification do. */
export interface NoticeActions {
  readonly useInChat: (endpoint: { readonly id: string } | undefined) => Promise<void>;
  readonly copyUrl: (endpoint: { readonly id: string } | undefined) => Promise<void>;
  readonly openDashboard: () => Promise<unknown>;
  /** Selects the endpoint in the view. */
  readonly reveal: (id: string) => Promise<void>;
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

  async #notify({ kind, text, ids }: NoticeGroup): Promise<void> {
    const [id = '', ...others] = ids;
    // Where several endpoints are ready, the user picks one.
    const endpoint = others.length > 0 ? undefined : { id };
    const { useInChat, copyUrl, openDashboard, reveal } = this.#actions;
    const steps: Record<string, () => Promise<unknown>> =
      kind === 'ready'
        ? {
            [t('Use in Chat')]: () => useInChat(endpoint),
            [t('Copy URL')]: () => copyUrl(endpoint),
          }
        : kind === 'suspended'
          ? { [t('Open Billing')]: openDashboard }
          : { [t('Show')]: () => reveal(id) };
    const never = t("Don't Show Again");
    const show =
      kind === 'ready' ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
    const picked = await show(text, ...Object.keys(steps), never);
    if (picked === never) await settings.setEndpointNotifications('off');
    try {
      if (picked !== undefined) await steps[picked]?.();
    } catch (error) {
      await this.#host.report('notification', error);
    }
  }
}

const dateOf = (ms: number): string => recentTimeText(ms, Date.now(), vscode.env.language);
