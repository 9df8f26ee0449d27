import * as vscode from 'vscode';
import { ids } from '../manifest';
import { type AdviceAction, explain } from '../service/advice';
import { ServiceError } from '../service/errors';
import { UserError } from './errors';
import { unlockPage } from './keyring';

/** Something that helps after a failure: a button, or a row of a view. */
export interface Step {
  readonly title: string;
  readonly command: string;
  readonly arguments?: unknown[];
}

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
  const { message, actions } = explain(error);
  const text =
    error instanceof ServiceError ? message : vscode.l10n.t('{0} Details are in the log.', message);
  await offerSteps(text, [...actions, 'showLog'], retry, vscode.window.showErrorMessage);
}

/** Shows a text with a button for each action, and does what is picked. */
export async function offerSteps(
  text: string,
  actions: readonly AdviceAction[],
  retry?: () => Thenable<unknown>,
  show: (message: string, ...items: string[]) => Thenable<string | undefined> = vscode.window
    .showWarningMessage,
): Promise<void> {
  const steps = stepsFor(actions);
  const tryAgain = retry && actions.includes('retry') ? [vscode.l10n.t('Try Again')] : [];
  const picked = await show(text, ...tryAgain, ...steps.map(({ title }) => title));
  if (picked === undefined) return;
  const step = steps.find(({ title }) => title === picked);
  if (step) await take(step);
  else await retry?.();
}

export async function take({ command, arguments: values = [] }: Step): Promise<void> {
  await vscode.commands.executeCommand(command, ...values);
}

/** The steps that have a command of their own; to try again is left to who has tried. */
export function stepsFor(actions: readonly AdviceAction[]): Step[] {
  return [...new Set(actions)].flatMap(action => {
    const step = stepOf(action);
    return step ? [step] : [];
  });
}

function stepOf(action: AdviceAction): Step | undefined {
  const { t } = vscode.l10n;
  const { command } = ids;
  switch (action) {
    case 'setApiKey':
      return { title: t('Set API Key…'), command: command.setApiKey };
    case 'setUrl':
      return { title: t('Set Service URL…'), command: command.setServiceUrl };
    case 'diagnose':
      return { title: t('Diagnose Connection'), command: command.diagnose };
    case 'showCosts':
      return { title: t('Show Costs'), command: command.showCosts };
    case 'changeBudget':
      return { title: t('Change Budget'), command: command.changeBudget };
    case 'showLog':
      return { title: t('Show Log'), command: command.showLog };
    case 'unlockKeyring':
      return {
        title: t('How to Unlock'),
        command: 'vscode.open',
        arguments: [vscode.Uri.parse(unlockPage)],
      };
    default:
      return undefined;
  }
}
