import * as vscode from 'vscode';
import { addressRemark, type InputRemark, keyIn, keyRemark, readAddress } from './pasted';

const { t } = vscode.l10n;

export interface EnteredAddress {
  readonly url: URL;
  /** Was pasted in the place of the address. */
  readonly key?: string;
}

/** @returns undefined when the user gives up. */
export async function askAddress(
  title: string,
  value: string,
  key?: string,
): Promise<EnteredAddress | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt:
      key === undefined
        ? t('The base address of the service; https, or http for this machine.')
        : t('The key is kept. Now enter the address of the service that it is for.'),
    placeHolder: 'https://api.example.com',
    value,
    ignoreFocusOut: true,
    validateInput: typed => validation(addressRemark(typed, t)),
  });
  if (!text?.trim()) return undefined;
  const read = readAddress(text);
  if (read.kind === 'address') return { url: read.url, ...(key !== undefined && { key }) };
  // What is wrong stands at the input, which then takes no Enter.
  return read.kind === 'key' ? askAddress(title, value, read.key) : undefined;
}

/**
 * @param mayKeep there is a key for this address, which an empty input leaves as it is.
 * @returns '' for an empty input, undefined when the user gives up.
 */
export async function askKey(
  title: string,
  { origin }: URL,
  mayKeep: boolean,
): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: mayKeep
      ? t('Leave it empty to keep the key that is stored for {0}.', origin)
      : t('Stored in the secret storage of VS Code and sent to {0} only.', origin),
    password: true,
    ignoreFocusOut: true,
    validateInput: typed => validation(keyRemark(typed, t)),
  });
  return text === undefined ? undefined : keyIn(text);
}

function validation(
  remark: InputRemark | undefined,
): string | vscode.InputBoxValidationMessage | undefined {
  if (!remark) return undefined;
  const { isError, message } = remark;
  return isError ? message : { message, severity: vscode.InputBoxValidationSeverity.Info };
}
