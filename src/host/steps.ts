import { ids } from '../manifest';
import type { AdviceAction } from '../service/advice';
import { unlockPage } from '../service/keyring';
import type { Translate } from './words';

/** Something that helps after a failure: a button, or a row of a view. */
export interface Step {
  readonly title: string;
  readonly command: string;
  readonly arguments?: unknown[];
  /** Name of a codicon. */
  readonly icon: string;
}

/** The steps that have a command of their own; to try again is left to who has tried. */
export function stepsFor(actions: readonly AdviceAction[], t: Translate): Step[] {
  return [...new Set(actions)].flatMap(action => stepOf(action, t) ?? []);
}

function stepOf(action: AdviceAction, t: Translate): Step | undefined {
  const { command } = ids;
  switch (action) {
    case 'setApiKey':
      return { title: t('Set API Key…'), command: command.setApiKey, icon: 'key' };
    case 'changeApiKey':
      return { title: t('Change API Key…'), command: command.setApiKey, icon: 'key' };
    case 'setUrl':
      return { title: t('Set Service URL…'), command: command.setServiceUrl, icon: 'link' };
    case 'diagnose':
      return { title: t('Diagnose Connection'), command: command.diagnose, icon: 'pulse' };
    case 'showCosts':
      return { title: t('Show Costs'), command: command.showCosts, icon: 'graph' };
    case 'changeBudget':
      return { title: t('Change Budget'), command: command.changeBudget, icon: 'credit-card' };
    case 'showLog':
      return { title: t('Show Log'), command: command.showLog, icon: 'output' };
    case 'unlockKeyring':
      return {
        title: t('How to Unlock'),
        command: 'vscode.open',
        arguments: [unlockPage],
        icon: 'lock',
      };
    default:
      return undefined;
  }
}
