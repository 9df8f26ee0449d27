import * as vscode from 'vscode';
import { systemClock } from '../base/async/clock';
import { UserError } from '../base/userError';
import type { StoredKey } from '../platform/client/apiKeys';
import type { OpenTransport } from '../platform/client/client';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { offerSteps } from '../platform/showError';
import { adviceFor, parseBaseUrl, ServiceError } from '../service';
import { type Trial, type TrialClient, trialReport, tryAddress, tryKey } from './checks/trial';
import { addressRemark, type InputRemark, keyIn, keyRemark } from './pasted';

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

  /** Asks for the address first when none is set: a key is stored for one origin only. */
  async setApiKey(): Promise<void> {
    if (!settings.baseUrl && !(await askServiceUrl())) return;
    const { origin, host: name } = parseBaseUrl(settings.baseUrl);
    const text = await vscode.window.showInputBox({
      title: t('API key for {0}', name),
      prompt: t('Stored in the secret storage of VS Code and sent to {0} only.', origin),
      password: true,
      ignoreFocusOut: true,
      validateInput: value => validation(keyRemark(value, t)),
    });
    if (text === undefined) return;
    const key = keyIn(text);
    if (key === '') throw new UserError(t('No API key was entered. Nothing has changed.'));
    const before = await this.#host.apiKeys.current().catch(() => undefined);
    if (!(await this.#store({ origin, key }))) return;
    const trial = await this.#try(t('Trying the API key for {0}', name), signal =>
      tryKey(this.#client, signal, systemClock),
    );
    const other = before?.key === key ? undefined : before;
    if (trial.state === 'refusedKey') this.#inBackground(() => this.#askToKeep(name, other));
    else this.#showTrial(trial, name, 'key');
  }

  async removeApiKey(): Promise<void> {
    const origin = await this.#host.apiKeys.origin();
    await this.#host.apiKeys.remove();
    void vscode.window.showInformationMessage(
      origin ? t('The API key for {0} was removed.', origin) : t('No API key was stored.'),
    );
  }

  async setServiceUrl(): Promise<void> {
    const url = await askServiceUrl();
    if (url) await this.#tryService(url);
  }

  async #tryService(url: URL): Promise<void> {
    const keyOrigin = await this.#host.apiKeys.origin();
    const hasKey = keyOrigin === url.origin;
    const trial = await this.#try(t('Trying {0}', url.host), async signal =>
      hasKey
        ? tryKey(this.#client, signal, systemClock)
        : tryAddress(await this.#transport(), url, signal, systemClock),
    );
    if (trial.state === 'refusedKey') return this.#inBackground(() => this.#askToKeep(url.host));
    const foreign =
      keyOrigin === undefined || hasKey
        ? ''
        : ` ${t('The stored key belongs to {0} and is not sent there.', keyOrigin)}`;
    this.#showTrial(trial, url.origin, 'address', foreign);
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

  #showTrial(
    trial: Exclude<Trial, { state: 'refusedKey' }>,
    name: string,
    about: 'key' | 'address',
    more = '',
  ): void {
    if (trial.state === 'failed') this.#host.log.error('trial', trial.error);
    const { isGood, text, actions } = trialReport(trial, name, about, t);
    const show = isGood ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
    const again = async (): Promise<void> => this.#tryService(parseBaseUrl(settings.baseUrl));
    this.#inBackground(() => offerSteps(`${text}${more}`, actions, again, show));
  }

  /** The key is kept unless the user decides otherwise: the service may be wrong. */
  async #askToKeep(name: string, before?: StoredKey): Promise<void> {
    const change = t('Change API Key…');
    const keep = t('Keep It');
    const drop = before ? t('Use the Previous Key') : t('Remove It');
    const picked = await vscode.window.showErrorMessage(
      t('{0} refuses the API key that is stored. Calls fail until it is changed.', name),
      change,
      drop,
      keep,
    );
    if (picked === change) await this.setApiKey();
    if (picked !== drop) return;
    if (!before) return this.removeApiKey();
    if (await this.#store(before)) {
      void vscode.window.showInformationMessage(t('The previous API key is stored again.'));
    }
  }

  /** Offers a retry when the keyring is locked, so that the typed key is not lost. */
  async #store({ origin, key }: StoredKey): Promise<boolean> {
    try {
      await this.#host.apiKeys.set(origin, key);
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== 'keyring') throw error;
      this.#host.log.error('keyring', error.cause);
      const { message, actions } = adviceFor(error, t);
      let isStored = false;
      await offerSteps(
        message,
        [...actions, 'showLog'],
        async () => (isStored = await this.#store({ origin, key })),
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

async function askServiceUrl(): Promise<URL | undefined> {
  const value = await vscode.window.showInputBox({
    title: t('Service URL'),
    prompt: t('The base address of the service; https, or http for this machine.'),
    placeHolder: 'https://api.example.com',
    value: settings.baseUrl,
    ignoreFocusOut: true,
    validateInput: text => validation(addressRemark(text, t)),
  });
  if (!value) return undefined;
  const url = parseBaseUrl(value.trim());
  await settings.setBaseUrl(value.trim());
  return url;
}

function validation(
  remark: InputRemark | undefined,
): string | vscode.InputBoxValidationMessage | undefined {
  if (!remark) return undefined;
  const { isError, message } = remark;
  return isError ? message : { message, severity: vscode.InputBoxValidationSeverity.Info };
}
