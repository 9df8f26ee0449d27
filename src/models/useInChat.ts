import * as vscode from 'vscode';
import { systemClock } from '../base/async/clock';
import { UserError } from '../base/userError';
import { confirm } from '../platform/confirm';
import type { Host } from '../platform/host';
import { chatExtension, modelVendor } from '../platform/ids';
import { withProgress } from '../platform/progress';
import { addProvider, isInProviders, manageModels } from './chatSetup';
import { setupId } from './listing';

const { t } = vscode.l10n;

/** Which model VS Code's chat uses for titles and the like, where the user has no plan of Copilot. */
const utilitySetting = 'chat.byokUtilityModelDefault';

/** VS Code learns of models a moment after it was told that there are some, in milliseconds. */
const listedWithinMs = 30_000;
const lookAgainMs = 100;

/**
 * Opens the chat with a model of the service, and sets the chat up before where that has not been done.
 * @param isAgreed the user knows what is set up.
 */
export async function useInChat(
  host: Host,
  announce: () => void,
  isAgreed: boolean,
): Promise<void> {
  const isSetUp =
    vscode.extensions.getExtension(chatExtension) !== undefined &&
    (await isInProviders(host.context)) === true;
  if (!isSetUp) {
    if (!isAgreed && !(await agreesToSetUp())) return;
    await setUpChat();
  }
  announce();
  const model = await withProgress(t('Looking for your models'), firstModel);
  const modelSelector = { vendor: modelVendor, id: model.id };
  await vscode.commands.executeCommand('workbench.action.chat.open', { modelSelector });
}

async function agreesToSetUp(): Promise<boolean> {
  return confirm(
    t("Set up VS Code's chat for the models of Splice?"),
    t(
      'VS Code turns its chat on and lists Splice as a provider of models; no sign-in is needed. Small tasks of the chat, such as titles, go to the model that you chat with.',
    ),
    t('Set Up Chat'),
    t('Not Now'),
  );
}

async function setUpChat(): Promise<void> {
  const before = new Set(tabs());
  await manageModels();
  await addProvider();
  const settings = vscode.workspace.getConfiguration();
  const { defaultValue, globalValue } = settings.inspect(utilitySetting) ?? {};
  if (defaultValue !== undefined && globalValue === undefined) {
    await settings.update(utilitySetting, 'mainAgent', vscode.ConfigurationTarget.Global);
  }
  // The list of models, whose command is what turns the chat on.
  await vscode.window.tabGroups.close(tabs().filter(tab => !before.has(tab)));
}

const tabs = (): vscode.Tab[] => vscode.window.tabGroups.all.flatMap(group => group.tabs);

async function firstModel(signal: AbortSignal): Promise<vscode.LanguageModelChat> {
  const end = systemClock.monotonic() + listedWithinMs;
  for (;;) {
    const models = await vscode.lm.selectChatModels({ vendor: modelVendor });
    const model = models.find(({ id }) => id !== setupId);
    if (model) return model;
    if (systemClock.monotonic() > end) {
      throw new UserError(t('VS Code does not list the models of Splice yet.'), {
        title: t("Why Don't I See My Models?"),
        command: 'splice.models.why',
      });
    }
    await systemClock.sleep(lookAgainMs, signal);
  }
}
