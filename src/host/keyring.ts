import * as vscode from 'vscode';
import { keyringError as errorOf, unlockPage } from '../service/keyring';
import type { ServiceError } from '../service/errors';

/** The secrets are kept where the window is drawn, which in a remote window is another computer. */
export function keyringError(what: 'read' | 'write', cause: unknown): ServiceError {
  const isHere = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
  return errorOf(what, isHere ? process.platform : undefined, cause);
}

/**
 * Says once that the key cannot be read and that the local engines take over; again only after the key
 * was read meanwhile.
 */
export async function tellLocalOnly({ message }: ServiceError): Promise<void> {
  const { t } = vscode.l10n;
  const help = t('How to Unlock');
  const picked = await vscode.window.showWarningMessage(
    `${message} ${t('Until then Splice works with its local engines, as without a key.')}`,
    help,
  );
  if (picked === help) await vscode.env.openExternal(vscode.Uri.parse(unlockPage));
}
