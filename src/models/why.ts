import * as vscode from 'vscode';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { withProgress } from '../host/progress';
import { ids } from '../manifest';
import { explain } from '../service/advice';
import { unlockPage } from '../service/keyring';
import { isRecord, parseJson } from '../service/guards';
import { type Cause, type Facts, type Step, diagnose } from './diagnosis';
import { setupId } from './listing';
import type { ModelsProvider } from './provider';

const { t } = vscode.l10n;

/** Of VS Code: its list of all models; opening it enables the chat extension that comes with it. */
const manageCommand = 'workbench.action.chat.manage';
const chatExtension = 'GitHub.copilot-chat';
/** Of VS Code: adds a provider to its list, `chatLanguageModels.json` in the folder of the user's settings. */
const addProviderCommand = 'lm.addLanguageModelsProviderGroup';

/** "Why Don't I See My Models?": the causes, each with the step that helps. */
export async function showWhy(
  host: Host,
  provider: ModelsProvider,
  announce: () => void,
): Promise<void> {
  const facts = await withProgress(t('Looking for your models'), async () =>
    readFacts(host, provider),
  );
  const causes = diagnose(facts, t);
  const picked = await vscode.window.showQuickPick(causes.map(rowOf), {
    title: t("Why Don't I See My Models?"),
    placeHolder: causes.some(({ weight }) => weight === 'certain')
      ? t('Choose a cause to do what helps')
      : t('Nothing is wrong here; one of these may be it'),
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

async function readFacts({ context }: Host, provider: ModelsProvider): Promise<Facts> {
  const reason = await provider.setupReason();
  // A refusal may be over by now.
  const mayAsk = reason === undefined || reason === 'refused';
  const stock = mayAsk ? await provider.refresh() : undefined;
  const [setup, models, commands, isSignedIn, isProvider] = await Promise.all([
    provider.setupReason(),
    vscode.lm.selectChatModels({ vendor: ids.modelVendor }),
    vscode.commands.getCommands(),
    hasAccount(),
    isInProviders(context),
  ]);
  const { problem: catalogueProblem } = stock?.catalogue ?? {};
  return {
    setup,
    version: vscode.version,
    isChatOff: vscode.workspace.getConfiguration().get('chat.disableAIFeatures') === true,
    canManage: commands.includes(manageCommand),
    hasChatExtension: vscode.extensions.getExtension(chatExtension) !== undefined,
    isSignedIn,
    isProvider,
    known: models.filter(({ id }) => id !== setupId).length,
    catalogueProblem: catalogueProblem && explain(catalogueProblem, t).message,
    endpointsProblem: stock?.problem && explain(stock.problem, t).message,
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

/** VS Code offers no way to ask, so its file is read. On another machine than VS Code's own there is none. */
async function isInProviders({
  globalStorageUri,
}: vscode.ExtensionContext): Promise<boolean | undefined> {
  const folder = vscode.Uri.joinPath(globalStorageUri, '..', '..');
  try {
    // Nothing of another room of VS Code: without settings beside it, it is another machine.
    await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, 'settings.json'));
  } catch {
    return undefined;
  }
  try {
    const file = vscode.Uri.joinPath(folder, 'chatLanguageModels.json');
    const groups = parseJson(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
    if (!Array.isArray(groups)) return undefined;
    return groups.some(group => isRecord(group) && group['vendor'] !== 'copilot');
  } catch {
    return false;
  }
}

async function addProvider(): Promise<void> {
  const commands = await vscode.commands.getCommands();
  if (!commands.includes(addProviderCommand)) return manageModels();
  try {
    await vscode.commands.executeCommand(addProviderCommand, {
      name: 'Splice',
      vendor: ids.modelVendor,
    });
  } catch (error) {
    // It is there already.
    if (!(error instanceof Error && /already exists/.test(error.message))) throw error;
  }
  vscode.window.setStatusBarMessage(t('Splice is a provider of chat models now.'), 4000);
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
    unlock: t('How to Unlock'),
    diagnose: t('Diagnose Connection'),
    chatSetting: t('Open Setting'),
    manage: t('Manage Models'),
    enable: t('Enable Chat'),
    addProvider: t('Use Without Sign-In'),
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
    case 'unlock':
      await vscode.env.openExternal(vscode.Uri.parse(unlockPage));
      return;
    case 'diagnose':
      return executeCommand(ids.command.diagnose);
    case 'chatSetting':
      return executeCommand('workbench.action.openSettings', '@id:chat.disableAIFeatures');
    case 'update':
      return executeCommand('update.checkForUpdate');
    case 'accounts':
      return executeCommand('workbench.action.manageTrustedExtensionsForAccount');
    case 'addProvider':
      return addProvider();
    case 'enable':
      await manageModels();
      return addProvider();
    case 'announce':
      return announce();
    default:
      return manageModels();
  }
}
