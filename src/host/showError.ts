import * as vscode from 'vscode';
import { ids } from '../manifest';
import { type Advice, explain } from '../service/advice';
import { ServiceError } from '../service/errors';
import { UserError } from './errors';
import type { Log } from './log';

/** Says what happened, once, with a button for the step that helps. */
export async function showError(error: unknown, log: Log): Promise<void> {
  if (error instanceof UserError) {
    const { message, step } = error;
    const picked = await vscode.window.showWarningMessage(message, ...(step ? [step.title] : []));
    if (step && picked === step.title)
      await vscode.commands.executeCommand(step.command, ...(step.arguments ?? []));
    return;
  }
  const advice = explain(error);
  const { message } = advice;
  const step = stepFor(advice);
  const showLog = vscode.l10n.t('Show Log');
  const buttons = [...(step ? [step.title] : []), showLog];
  const text =
    error instanceof ServiceError ? message : vscode.l10n.t('{0} Details are in the log.', message);
  const picked = await vscode.window.showErrorMessage(text, ...buttons);
  if (picked === showLog) log.show();
  else if (picked && step) await vscode.commands.executeCommand(step.command);
}

/** The button for the step that helps after a failed call, and its command. */
export function stepFor({ action }: Advice): { title: string; command: string } | undefined {
  if (action === 'setApiKey')
    return { title: vscode.l10n.t('Set API Key…'), command: ids.command.setApiKey };
  if (action === 'setUrl')
    return { title: vscode.l10n.t('Set Service URL…'), command: ids.command.setServiceUrl };
  if (action === 'showCosts')
    return { title: vscode.l10n.t('Show Costs'), command: ids.command.showCosts };
  return undefined;
}
