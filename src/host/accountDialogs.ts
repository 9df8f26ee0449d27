import * as vscode from 'vscode';
import { explain } from '../service/advice';
import { parseBaseUrl } from '../service/baseUrl';
import type { Host } from './host';
import { settings } from './settings';

/** Asks for the address first when none is set: a key is stored for one origin only. */
export async function setApiKey(host: Host): Promise<void> {
  if (!settings.baseUrl && !(await askServiceUrl())) return;
  const { origin, host: name } = parseBaseUrl(settings.baseUrl);
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('API key for {0}', name),
    prompt: vscode.l10n.t('Stored in the secret storage of VS Code and sent to {0} only.', origin),
    password: true,
    ignoreFocusOut: true,
    validateInput: value =>
      /^[\x21-\x7e]+$/.test(value.trim())
        ? undefined
        : vscode.l10n.t('An API key has no spaces and no special characters.'),
  });
  if (!key) return;
  await host.apiKeys.set(origin, key.trim());
  void vscode.window.showInformationMessage(vscode.l10n.t('The API key for {0} is stored.', name));
}

export async function removeApiKey(host: Host): Promise<void> {
  const origin = await host.apiKeys.origin();
  await host.apiKeys.remove();
  void vscode.window.showInformationMessage(
    origin
      ? vscode.l10n.t('The API key for {0} is removed.', origin)
      : vscode.l10n.t('No API key was stored.'),
  );
}

export async function setServiceUrl(host: Host): Promise<void> {
  const url = await askServiceUrl();
  if (!url) return;
  const keyOrigin = await host.apiKeys.origin();
  if (keyOrigin === url.origin) return;
  const setKey = vscode.l10n.t('Set API Key…');
  const picked = await vscode.window.showInformationMessage(
    keyOrigin
      ? vscode.l10n.t(
          'Requests now go to {0}. The stored key belongs to {1} and is not sent there.',
          url.origin,
          keyOrigin,
        )
      : vscode.l10n.t('Requests now go to {0}.', url.origin),
    setKey,
  );
  if (picked === setKey) await setApiKey(host);
}

async function askServiceUrl(): Promise<URL | undefined> {
  const value = await vscode.window.showInputBox({
    title: vscode.l10n.t('Service URL'),
    prompt: vscode.l10n.t('The base address of the service; https, or http for this machine.'),
    placeHolder: 'https://api.example.com',
    value: settings.baseUrl,
    ignoreFocusOut: true,
    validateInput: complaint,
  });
  if (!value) return undefined;
  const url = parseBaseUrl(value.trim());
  await settings.setBaseUrl(value.trim());
  return url;
}

/** @returns what is wrong with an address, or undefined. */
function complaint(address: string): string | undefined {
  try {
    parseBaseUrl(address.trim());
    return undefined;
  } catch (error) {
    return explain(error).message;
  }
}
