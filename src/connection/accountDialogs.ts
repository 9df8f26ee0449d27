import * as vscode from 'vscode';
import { systemClock } from '../base/async/clock';
import { UserError } from '../base/userError';
import type { StoredKey } from '../platform/client/apiKeys';
import type { OpenTransport } from '../platform/client/client';
import { proxyOf } from '../platform/client/network';
import type { Host } from '../platform/host';
import { chatExtension } from '../platform/ids';
import { settings } from '../platform/settings';
import { offerSteps } from '../platform/showError';
import { adviceFor, parseBaseUrl, ServiceError } from '../service';
import {
  type Trial,
  type TrialClient,
  type TriedService,
  trialReport,
  tryService,
} from './checks/trial';
import { askAddress, askKey } from './inputs';
import { addressText } from './pasted';

const { t } = vscode.l10n;

/** Asks for the address and the key of the service, stores them, and tests them at once. */
export class AccountDialogs {
  readonly #host: Host;
  readonly #client: TrialClient;
  readonly #transport: OpenTransport;

  constructor(host: Host, client: TrialClient, transport: OpenTransport) {
    this.#host = host;
    this.#client = client;
    this.#transport = transport;
  }

  /** Address and key in one go; nothing is stored before both are there. @param address to begin with. */
  async connect(address = settings.baseUrl): Promise<void> {
    const entered = await askAddress(t('Connect to Service (1 of 2): Address'), address);
    if (!entered) return;
    const { url } = entered;
    const stored = await this.#storedFor(url);
    const title = t('Connect to Service (2 of 2): API Key for {0}', url.host);
    const key = entered.key ?? (await askKey(title, url, stored !== undefined));
    if (key === undefined) return;
    if (key === '' && !stored) throw noKeyError();
    const isKept = key === '' || key === stored?.key;
    // The key first: what reads the account when the address changes needs it.
    if (!isKept && !(await this.#store({ origin: url.origin, key, url: addressText(url) }))) return;
    await settings.setBaseUrl(addressText(url));
    await this.#tryAndReport('both', isKept ? undefined : stored);
  }

  /** Asks for the address first when none is set: a key is stored for one origin only. */
  async setApiKey(): Promise<void> {
    if (!settings.baseUrl) return this.connect();
    const url = parseBaseUrl(settings.baseUrl);
    const key = await askKey(t('API key for {0}', url.host), url, false);
    if (key === undefined) return;
    if (key === '') throw noKeyError();
    const before = await this.#storedFor(url).catch(() => undefined);
    if (!(await this.#store({ origin: url.origin, key, url: settings.baseUrl }))) return;
    await this.#tryAndReport('key', before?.key === key ? undefined : before);
  }

  async setServiceUrl(): Promise<void> {
    const entered = await askAddress(t('Service URL'), settings.baseUrl);
    if (!entered) return;
    const { url, key } = entered;
    const text = addressText(url);
    if (key !== undefined && !(await this.#store({ origin: url.origin, key, url: text }))) return;
    await settings.setBaseUrl(text);
    await this.#tryAndReport(key === undefined ? 'address' : 'both');
  }

  async switchService(): Promise<void> {
    await (await import('./services')).switchService(this.#host, this);
  }

  async removeApiKey(): Promise<void> {
    await (await import('./services')).removeKey(this.#host, this);
  }

  /** Uses an address that a key is stored for. */
  async switchTo({ url }: StoredKey): Promise<void> {
    await settings.setBaseUrl(url);
    await this.#tryAndReport('address');
  }

  async remove(origin: string): Promise<void> {
    await this.#host.apiKeys.remove(origin);
    void vscode.window.showInformationMessage(t('The API key for {0} was removed.', origin));
  }

  async #storedFor({ origin }: URL): Promise<StoredKey | undefined> {
    return (await this.#host.apiKeys.all()).find(stored => stored.origin === origin);
  }

  /** Tries the address of the settings with its key. @param before the key that it had. */
  async #tryAndReport(about: TriedService['about'], before?: StoredKey): Promise<void> {
    const url = parseBaseUrl(settings.baseUrl);
    const keys = await this.#host.apiKeys.all();
    const hasKey = keys.some(({ origin }) => origin === url.origin);
    const trial = await this.#try(
      about === 'key' ? t('Trying the API key for {0}', url.host) : t('Trying {0}', url.host),
      async signal =>
        tryService(
          { address: url, hasKey, client: this.#client, transport: await this.#transport() },
          signal,
          systemClock,
        ),
    );
    if (trial.state === 'refusedKey') {
      this.#inBackground(() => this.#askToKeep(url, before));
      return;
    }
    if (trial.state === 'failed') this.#host.log.error('trial', trial.error);
    const proxy = await proxyOf(url);
    const name = about === 'address' ? url.origin : url.host;
    const { isGood, text, actions } = trialReport(
      trial,
      { host: name, about, proxy: proxy && hostOf(proxy) },
      t,
    );
    const setsUpChat =
      trial.state === 'works' && vscode.extensions.getExtension(chatExtension) === undefined;
    const more = [
      ...(setsUpChat ? [chatSetupText()] : []),
      ...(hasKey ? [] : keys.slice(0, 1)).map(({ origin }) =>
        t('The stored key belongs to {0} and is not sent there.', origin),
      ),
    ];
    const steps = setsUpChat ? (['setUpChat'] as const) : actions;
    const show = isGood ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
    const again = async (): Promise<void> => this.#tryAndReport(about);
    this.#inBackground(() => offerSteps([text, ...more].join(' '), steps, again, show));
  }

  async #try(title: string, run: (signal: AbortSignal) => Promise<Trial>): Promise<Trial> {
    const location = vscode.ProgressLocation.Notification;
    return vscode.window.withProgress(
      { location, title, cancellable: true },
      async (_progress, token) => {
        const controller = new AbortController();
        token.onCancellationRequested(() => controller.abort());
        if (token.isCancellationRequested) controller.abort();
        return run(controller.signal);
      },
    );
  }

  /** The key is kept unless the user decides otherwise: the service may be wrong. */
  async #askToKeep(url: URL, before?: StoredKey): Promise<void> {
    const change = t('Change API Key…');
    const keep = t('Keep It');
    const drop = before ? t('Use the Previous Key') : t('Remove It');
    const picked = await vscode.window.showErrorMessage(
      t('{0} refuses the API key that is stored. Calls fail until it is changed.', url.host),
      change,
      drop,
      keep,
    );
    if (picked === change) await this.setApiKey();
    if (picked !== drop) return;
    if (!before) return this.remove(url.origin);
    if (await this.#store(before)) {
      void vscode.window.showInformationMessage(t('The previous API key is stored again.'));
    }
  }

  /** Offers a retry when the keyring is locked, so that the typed key is not lost. */
  async #store(stored: StoredKey): Promise<boolean> {
    try {
      await this.#host.apiKeys.set(stored);
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== 'keyring') throw error;
      this.#host.log.error('keyring', error.cause);
      const { message, actions } = adviceFor(error, t);
      let isStored = false;
      await offerSteps(
        message,
        [...actions, 'showLog'],
        async () => (isStored = await this.#store(stored)),
        vscode.window.showErrorMessage,
      );
      return isStored;
    }
  }

  /** Shows a message that the command does not wait for. */
  #inBackground(run: () => Promise<void>): void {
    run().catch((error: unknown) => this.#host.report('account', error));
  }
}

const hostOf = (proxy: string): string => (URL.canParse(proxy) ? new URL(proxy).host : proxy);

const chatSetupText = (): string =>
  t(
    '"Use in Chat" turns the chat of VS Code on without a sign-in; its small tasks, such as titles, go to the model that you chat with.',
  );

const noKeyError = (): UserError =>
  new UserError(t('No API key was entered. Nothing has changed.'), {
    title: t('Connect to Service…'),
    command: 'splice.service.connect',
  });
