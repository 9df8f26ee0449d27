import type { Translate } from '../base/format/text';
import { type AdviceAction, unlockPage } from '../service';
import type { CommandId } from './commands/contribute';

/** Something that can help after a failure: a button, or a row of a view. */
export interface AdviceStep {
  readonly title: string;
  readonly command: string;
  readonly arguments?: unknown[];
  /** Name of a codicon. */
  readonly icon: string;
}

/** The steps that have a command; `retry` is left to the caller. */
export function adviceSteps(actions: readonly AdviceAction[], t: Translate): AdviceStep[] {
  return [...new Set(actions)].flatMap(action => adviceStep(action, t) ?? []);
}

function adviceStep(action: AdviceAction, t: Translate): AdviceStep | undefined {
  switch (action) {
    case 'setApiKey':
      return own(t('Set API Key…'), 'splice.service.setApiKey', 'key');
    case 'changeApiKey':
      return own(t('Change API Key…'), 'splice.service.setApiKey', 'key');
    case 'connect':
      return own(t('Connect to Service…'), 'splice.service.connect', 'plug');
    case 'useInChat':
      return own(t('Use in Chat'), 'splice.models.useInChat', 'comment-discussion');
    case 'setUpChat':
      return own(t('Use in Chat'), 'splice.models.useInChat', 'comment-discussion', [true]);
    case 'proxySettings':
      return {
        title: t('Open Proxy Settings'),
        command: 'workbench.action.openSettings',
        arguments: ['http.proxy'],
        icon: 'settings-gear',
      };
    case 'setUrl':
      return own(t('Set Service URL…'), 'splice.service.setUrl', 'link');
    case 'diagnose':
      return own(t('Diagnose Connection'), 'splice.service.diagnose', 'pulse');
    case 'showCosts':
      return own(t('Show Costs'), 'splice.costs.show', 'graph');
    case 'changeBudget':
      return own(t('Change Budget'), 'splice.costs.changeBudget', 'credit-card');
    case 'ignoreBudget':
      return own(t('Ignore Budget for Today'), 'splice.costs.ignoreBudget', 'debug-continue');
    case 'showLog':
      return own(t('Show Log'), 'splice.showLog', 'output');
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

const own = (title: string, command: CommandId, icon: string, values?: unknown[]): AdviceStep => ({
  title,
  command,
  icon,
  ...(values && { arguments: values }),
});
