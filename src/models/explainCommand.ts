import * as vscode from 'vscode';
import { runCommand } from '../platform/commands/registerCommands';
import type { Host } from '../platform/host';
import { chatExtension, modelVendor } from '../platform/ids';
import { withProgress } from '../platform/progress';
import { adviceFor, unlockPage } from '../service';
import { addProvider, hasCommand, isInProviders, manageCommand, manageModels } from './chatSetup';
import {
  diagnoseModels,
  type ModelListCause,
  type ModelListFacts,
  type ModelsStep,
} from './explainModels';
import { setupId } from './listing';
import type { ModelsProvider } from './provider';

const { t } = vscode.l10n;

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

const icons = { certain: 'error', possible: 'question', fine: 'pass' } as const;

function causeItem({
  weight,
  title,
  detail,
  step,
}: ModelListCause): vscode.QuickPickItem & { step?: ModelsStep } {
  const item = { label: title, iconPath: new vscode.ThemeIcon(icons[weight]), detail };
  return step ? { ...item, description: stepLabel(step), step } : item;
}

function stepLabel(step: ModelsStep): string {
  const words: Record<ModelsStep, string> = {
    trust: t('Manage Trust…'),
    connect: t('Connect to Service…'),
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
    case 'connect':
      return runCommand('splice.service.connect');
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
