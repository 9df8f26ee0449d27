import * as vscode from 'vscode';
import { systemClock } from '../base/async/clock';
import { isRecord, parseJson } from '../base/typeGuards';
import { UserError } from '../base/userError';
import { modelVendor } from '../platform/ids';
import { withProgress } from '../platform/progress';

const { t } = vscode.l10n;

/** VS Code command that lists all models; it also enables the built-in chat extension. */
export const manageCommand = 'workbench.action.chat.manage';
/** VS Code command that adds a provider to `chatLanguageModels.json` next to the user settings. */
const addProviderCommand = 'lm.addLanguageModelsProviderGroup';

/** VS Code registers the commands of its chat once a window is restored, seconds after it takes others. */
const restoredWithinMs = 10_000;
const lookAgainMs = 250;

/** Waits for a command of VS Code's chat; false for a VS Code that does not have it. */
export async function hasCommand(id: string, signal: AbortSignal): Promise<boolean> {
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

/** VS Code has no API for this, so its file is read; undefined on a remote machine, which has no such file. */
export async function isInProviders({
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

export async function addProvider(): Promise<void> {
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
