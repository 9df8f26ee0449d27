import * as vscode from 'vscode';
import { keyringError as errorOf, type ServiceError, unlockPage } from '../../service';

/** Secrets are stored on the computer that shows the window, which in a remote window is another one. */
export function localKeyringError(what: 'read' | 'write', cause: unknown): ServiceError {
  const isHere = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
  return errorOf(what, isHere ? process.platform : undefined, cause);
}

/**
 * Tells the user that the key cannot be read and that the local engines are used instead. Called once,
 * and again only after the key could be read in between.
 */
export async function notifyLocalOnly({ message }: ServiceError): Promise<void> {
  const { t } = vscode.l10n;
  const help = t('How to Unlock');
  const picked = await vscode.window.showWarningMessage(
    `${message} ${t('Until then Splice works with its local engines, as without a key.')}`,
    help,
  );
  if (picked === help) await vscode.env.openExternal(vscode.Uri.parse(unlockPage));
}
