import * as vscode from 'vscode';
import { UserError } from '../host/errors';
import { withProgress } from '../host/progress';
import { ids } from '../manifest';
import { explain } from '../service/advice';
import { type Cause, type Facts, type Step, diagnose } from './diagnosis';
import { setupId } from './listing';
import type { ModelsProvider } from './provider';

const { t } = vscode.l10n;

/** Of VS Code: its list of all models; opening it enables the chat extension that comes with it. */
const manageCommand = 'workbench.action.chat.manage';
const chatExtension = 'GitHub.copilot-chat';

/** "Why Don't I See My Models?": the causes, each with the step that helps. */
export async function showWhy(provider: ModelsProvider, announce: () => void): Promise<void> {
  const facts = await withProgress(t('Looking for your models'), async () => readFacts(provider));
  const causes = diagnose(facts, t);
  const picked = await vscode.window.showQuickPick(causes.map(rowOf), {
    title: t("Why Don't I See My Models?"),
    placeHolder: causes.some(({ weight }) => weight === 'certain')
      ? t('Enter does what helps')
      : t('Nothing is wrong here; this may be it'),
    matchOnDetail: true,
  });
  if (picked?.step) await take(picked.step, announce);
}

export async function manageModels(): Promise<void> {
  const commands = await vscode.commands.getCommands();
  if (!commands.includes(manageCommand))
    throw new UserError(t('This VS Code has no list of chat models.'));
  await vscode.commands.executeCommand(manageCommand);
}

async function readFacts(provider: ModelsProvider): Promise<Facts> {
  const reason = await provider.setupReason();
  // A refusal may be over by now.
  const mayAsk = reason === undefined || reason === 'refused';
  const stock = mayAsk ? await provider.refresh() : undefined;
  const [setup, models, commands, isSignedIn] = await Promise.all([
    provider.setupReason(),
    vscode.lm.selectChatModels({ vendor: ids.modelVendor }),
    vscode.commands.getCommands(),
    hasAccount(),
  ]);
  const { problem: catalogueProblem } = stock?.catalogue ?? {};
  return {
    setup,
    version: vscode.version,
    isChatOff: vscode.workspace.getConfiguration().get('chat.disableAIFeatures') === true,
    canManage: commands.includes(manageCommand),
    hasChatExtension: vscode.extensions.getExtension(chatExtension) !== undefined,
    isSignedIn,
    known: models.filter(({ id }) => id !== setupId).length,
    catalogueProblem: catalogueProblem && explain(catalogueProblem).message,
    endpointsProblem: stock?.problem && explain(stock.problem).message,
  };
}

/** Does not ask for a session, so VS Code asks the user nothing. */
async function hasAccount(): Promise<boolean | undefined> {
  try {
    return (await vscode.authentication.getAccounts('github')).length > 0;
  } catch {
    // A VS Code without this provider.
    return undefined;
  }
}

const icons = { certain: 'error', possible: 'question', fine: 'pass' } as const;

function rowOf({ weight, title, detail, step }: Cause): vscode.QuickPickItem & { step?: Step } {
  const label = `$(${icons[weight]}) ${title}`;
  if (!step) return { label, detail };
  return { label, detail, description: stepWords(step), step };
}

function stepWords(step: Step): string {
  const words: Record<Step, string> = {
    trust: t('Manage Trust…'),
    setUrl: t('Set Service URL…'),
    setKey: t('Set API Key…'),
    diagnose: t('Diagnose Connection'),
    chatSetting: t('Open Setting'),
    manage: t('Manage Models'),
    announce: t('Ask Again'),
    update: t('Check for Updates'),
    accounts: t('Manage Accounts'),
  };
  return words[step];
}

async function take(step: Step, announce: () => void): Promise<void> {
  const { executeCommand } = vscode.commands;
  switch (step) {
    case 'trust':
      return executeCommand('workbench.trust.manage');
    case 'setUrl':
      return executeCommand(ids.command.setServiceUrl);
    case 'setKey':
      return executeCommand(ids.command.setApiKey);
    case 'diagnose':
      return executeCommand(ids.command.diagnose);
    case 'chatSetting':
      return executeCommand('workbench.action.openSettings', '@id:chat.disableAIFeatures');
    case 'update':
      return executeCommand('update.checkForUpdate');
    case 'accounts':
      return executeCommand('workbench.action.manageTrustedExtensionsForAccount');
    case 'announce':
      return announce();
    default:
      return manageModels();
  }
}
