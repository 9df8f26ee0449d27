import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import { type AdviceAction, adviceFor, ServiceError } from '../service';
import { type AdviceStep, adviceSteps } from './steps';

/**
 * Shows an error with a button for each step that can help.
 * @param retry repeats what failed; absent where that makes no sense.
 */
export async function showError(error: unknown, retry?: () => Thenable<unknown>): Promise<void> {
  if (error instanceof UserError) {
    const { message, step } = error;
    const picked = await vscode.window.showWarningMessage(message, ...(step ? [step.title] : []));
    if (step && picked === step.title) await runStep(step);
    return;
  }
  const fileProblem = fileProblemOf(error);
  if (fileProblem !== undefined) {
    const text = vscode.l10n.t('A file could not be read or written: {0}', fileProblem);
    return offerSteps(text, ['retry', 'showLog'], retry, vscode.window.showErrorMessage);
  }
  const { message, actions } = adviceFor(error, vscode.l10n.t);
  const text =
    error instanceof ServiceError ? message : vscode.l10n.t('{0} Details are in the log.', message);
  await offerSteps(text, [...actions, 'showLog'], retry, vscode.window.showErrorMessage);
}

/** The message of a file system error, such as a full disk, which says more than any of ours. */
function fileProblemOf(error: unknown): string | undefined {
  if (error instanceof vscode.FileSystemError) return error.message;
  const isSystems =
    error instanceof Error && 'code' in error && ('path' in error || 'syscall' in error);
  return isSystems && !(error instanceof ServiceError) ? error.message : undefined;
}

/** Shows a text with a button for each action, and runs the picked one. */
export async function offerSteps(
  text: string,
  actions: readonly AdviceAction[],
  retry?: () => Thenable<unknown>,
  show: (message: string, ...items: string[]) => Thenable<string | undefined> = vscode.window
    .showWarningMessage,
): Promise<void> {
  const steps = adviceSteps(actions, vscode.l10n.t);
  const tryAgain = retry && actions.includes('retry') ? [vscode.l10n.t('Try Again')] : [];
  const picked = await show(text, ...tryAgain, ...steps.map(({ title }) => title));
  if (picked === undefined) return;
  const step = steps.find(({ title }) => title === picked);
  if (step) await runStep(step);
  else await retry?.();
}

export async function runStep({
  command,
  arguments: values = [],
}: Pick<AdviceStep, 'command' | 'arguments'>): Promise<void> {
  await vscode.commands.executeCommand(command, ...values);
}
