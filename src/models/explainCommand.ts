import * as vscode from 'vscode';
import { systemClock } from '../base/async/clock';
import { isRecord, parseJson } from '../base/typeGuards';
import { UserError } from '../base/userError';
import { runCommand } from '../platform/commands/registerCommands';
import type { Host } from '../platform/host';
import { modelVendor } from '../platform/ids';
import { withProgress } from '../platform/progress';
import { adviceFor, unlockPage } from '../service';
import {
  diagnoseModels,
  type ModelListCause,
  type ModelListFacts,
  type ModelsStep,
} from './explainModels';
import { setupId } from './listing';
import type { ModelsProvider } from './provider';

const { t } = vscode.l10n;

/** VS Code command that lists all models; it also enables the built-in chat extension. */
const manageCommand = 'workbench.action.chat.manage';
const chatExtension = 'GitHub.copilot-chat';
/** VS Code command that adds a provider to `chatLanguageModels.json` next to the user settings. */
const addProviderCommand = 'lm.addLanguageModelsProviderGroup';

/** "Why Don't I See My Models?": lists the causes, each with the step that helps. */
export async function showWhy(
  host: Host,
  provider: ModelsProvider,
  announce: () => void,
): Promise<void> {
  const facts = await withProgress(t('Looking for your models'), async signal =>
    readFacts(host, provider, signal),
  );
  const causes = diagnoseModels(facts, t);
  const picked = await vscode.window.showQuickPick(causes.map(causeItem), {
    title: t("Why Don't I See My Models?"),
    placeHolder: causes.some(({ weight }) => weight === 'certain')
      ? t('Choose a cause to fix it')
      : t('No problem found; one of these may be the cause'),
    matchOnDetail: true,
  });
  if (picked?.step) await runStep(picked.step, announce);
}

/** VS Code registers the commands of its chat once a window is restored, seconds after it takes others. */
const restoredWithinMs = 10_000;
const lookAgainMs = 250;

/** Waits for a command of VS Code's chat; false for a VS Code that does not have it. */
async function hasCommand(id: string, signal: AbortSignal): Promise<boolean> {
  const end = systemClock.monotonic() + restoredWithinMs;
  while (!(await vscode.commands.getCommands()).includes(id)) {
    if (systemClock.monotonic() > end) return false;
    await systemClock.sleep(lookAgainMs, signal);
  }
  return true;
}

export async function manageModels(): Promise<void> {
  const isKnown = await withProgress(t('Looking for your models'), signal =>
    hasCommand(manageCommand, signal),
  );
  if (!isKnown) {
    throw new UserError(t('This VS Code has no list of chat models.'));
  }
  await vscode.commands.executeCommand(manageCommand);
}

async function readFacts(
  { context }: Host,
  provider: ModelsProvider,
  signal: AbortSignal,
): Promise<ModelListFacts> {
  const reason = await provider.setupReason();
  // The key may be accepted by now.
  const mayAsk = reason === undefined || reason === 'refused';
  const stock = mayAsk ? await provider.refresh() : undefined;
  const isChatOff = vscode.workspace.getConfiguration().get('chat.disableAIFeatures') === true;
  const [setup, models, canManage, isSignedIn, isProvider] = await Promise.all([
    provider.setupReason(),
    vscode.lm.selectChatModels({ vendor: modelVendor }),
    !isChatOff && hasCommand(manageCommand, signal),
    hasAccount(),
    isInProviders(context),
  ]);
  const { problem: catalogueProblem } = stock?.catalogue ?? {};
  return {
    setup,
    version: vscode.version,
    isChatOff,
    canManage,
    hasChatExtension: vscode.extensions.getExtension(chatExtension) !== undefined,
    isSignedIn,
    isProvider,
    known: models.filter(({ id }) => id !== setupId).length,
    catalogueProblem: catalogueProblem && adviceFor(catalogueProblem, t).message,
    endpointsProblem: stock?.problem && adviceFor(stock.problem, t).message,
  };
}

/** Reads accounts without requesting a session, so that VS Code shows no sign-in prompt. */
async function hasAccount(): Promise<boolean | undefined> {
  try {
    return (await vscode.authentication.getAccounts('github')).length > 0;
  } catch {
    // This VS Code has no such authentication provider.
    return undefined;
  }
}

/** VS Code has no API for this, so its file is read; undefined on a remote machine, which has no such file. */
async function isInProviders({
  globalStorageUri,
}: vscode.ExtensionContext): Promise<boolean | undefined> {
  const folder = vscode.Uri.joinPath(globalStorageUri, '..', '..');
  try {
    // Without `settings.json` in the same folder this is a remote machine.
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
      vendor: modelVendor,
    });
  } catch (error) {
    // The provider has been added before.
    if (!(error instanceof Error && /already exists/.test(error.message))) throw error;
  }
  vscode.window.setStatusBarMessage(t('Splice is now a provider of chat models.'), 4000);
}

const icons = { certain: 'error', possible: 'question', fine: 'pass' } as const;

function causeItem({
  weight,
  title,
  detail,
  step,
}: ModelListCause): vscode.QuickPickItem & { step?: ModelsStep } {
  const label = `$(${icons[weight]}) ${title}`;
  if (!step) return { label, detail };
  return { label, detail, description: stepLabel(step), step };
}

function stepLabel(step: ModelsStep): string {
  const words: Record<ModelsStep, string> = {
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

async function runStep(step: ModelsStep, announce: () => void): Promise<void> {
  const { executeCommand } = vscode.commands;
  switch (step) {
    case 'trust':
      return executeCommand('workbench.trust.manage');
    case 'setUrl':
      return runCommand('splice.service.setUrl');
    case 'setKey':
      return runCommand('splice.service.setApiKey');
    case 'unlock':
      await vscode.env.openExternal(vscode.Uri.parse(unlockPage));
      return;
    case 'diagnose':
      return runCommand('splice.service.diagnose');
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
