import * as vscode from 'vscode';
import { ids } from '../manifest';
import { explain } from '../service/advice';
import { ServiceError } from '../service/errors';
import { UserError } from './errors';
import type { Log } from './log';

/** Says what happened, once, with a button for the step that helps. */
export async function showError(error: unknown, log: Log): Promise<void> {
  if (error instanceof UserError) {
    void vscode.window.showWarningMessage(error.message);
    return;
  }
  const { message, action } = explain(error);
  const setKey = vscode.l10n.t('Set API Key…');
  const setUrl = vscode.l10n.t('Set Service URL…');
  const showLog = vscode.l10n.t('Show Log');
  const buttons = [
    ...(action === 'setApiKey' ? [setKey] : []),
    ...(action === 'setUrl' ? [setUrl] : []),
    showLog,
  ];
  const text =
    error instanceof ServiceError ? message : vscode.l10n.t('{0} Details are in the log.', message);
  const picked = await vscode.window.showErrorMessage(text, ...buttons);
  if (picked === setKey) await vscode.commands.executeCommand(ids.command.setApiKey);
  else if (picked === setUrl) await vscode.commands.executeCommand(ids.command.setServiceUrl);
  else if (picked === showLog) log.show();
}
