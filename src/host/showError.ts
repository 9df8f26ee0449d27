import * as vscode from 'vscode';
import { type AdviceAction, explain } from '../service/advice';
import { ServiceError } from '../service/errors';
import { UserError } from './errors';
import { type Step, stepsFor } from './steps';

/**
 * Says what happened, once, with a button for each step that helps.
 * @param retry does again what failed; absent where nothing can be tried again.
 */
export async function showError(error: unknown, retry?: () => Thenable<unknown>): Promise<void> {
  if (error instanceof UserError) {
    const { message, step } = error;
    const picked = await vscode.window.showWarningMessage(message, ...(step ? [step.title] : []));
    if (step && picked === step.title) await take(step);
    return;
  }
  const fileProblem = fileProblemOf(error);
  if (fileProblem !== undefined) {
    const text = vscode.l10n.t('A file could not be read or written: {0}', fileProblem);
    return offerSteps(text, ['retry', 'showLog'], retry, vscode.window.showErrorMessage);
  }
  const { message, actions } = explain(error, vscode.l10n.t);
  const text =
    error instanceof ServiceError ? message : vscode.l10n.t('{0} Details are in the log.', message);
  await offerSteps(text, [...actions, 'showLog'], retry, vscode.window.showErrorMessage);
}

/** A full disk, a missing right: the words of the system say more than any of ours. */
function fileProblemOf(error: unknown): string | undefined {
  if (error instanceof vscode.FileSystemError) return error.message;
  const isSystems =
    error instanceof Error && 'code' in error && ('path' in error || 'syscall' in error);
  return isSystems && !(error instanceof ServiceError) ? error.message : undefined;
}

/** Shows a text with a button for each action, and does what is picked. */
export async function offerSteps(
  text: string,
  actions: readonly AdviceAction[],
  retry?: () => Thenable<unknown>,
  show: (message: string, ...items: string[]) => Thenable<string | undefined> = vscode.window
    .showWarningMessage,
): Promise<void> {
  const steps = stepsFor(actions, vscode.l10n.t);
  const tryAgain = retry && actions.includes('retry') ? [vscode.l10n.t('Try Again')] : [];
  const picked = await show(text, ...tryAgain, ...steps.map(({ title }) => title));
  if (picked === undefined) return;
  const step = steps.find(({ title }) => title === picked);
  if (step) await take(step);
  else await retry?.();
}

export async function take({
  command,
  arguments: values = [],
}: Pick<Step, 'command' | 'arguments'>): Promise<void> {
  await vscode.commands.executeCommand(command, ...values);
}
