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
 * @param wanted id of a model; any where there is none
 */
export async function useInChat(
  host: Host,
  announce: (readsAnew: boolean) => void,
  isAgreed: boolean,
  wanted: string | undefined,
): Promise<void> {
  // On another machine nothing tells whether the chat is set up; whoever names a model has seen it there.
  const isSetUp =
    vscode.extensions.getExtension(chatExtension) !== undefined &&
    ((await isInProviders(host.context)) ?? wanted !== undefined);
  if (!isSetUp) {
    if (!isAgreed && !(await agreesToSetUp())) return;
    await setUpChat();
  }
  // A model that is wanted may be newer than the list.
  announce(wanted !== undefined);
  const model = await withProgress(t('Looking for your models'), signal =>
    firstModel(signal, wanted),
  );
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

async function firstModel(
  signal: AbortSignal,
  wanted: string | undefined,
): Promise<vscode.LanguageModelChat> {
  const end = systemClock.monotonic() + listedWithinMs;
  for (;;) {
    const models = await vscode.lm.selectChatModels({ vendor: modelVendor });
    const model = models.find(({ id }) => (wanted === undefined ? id !== setupId : id === wanted));
    if (model) return model;
    if (systemClock.monotonic() > end) {
      const text =
        wanted === undefined
          ? t('VS Code does not list the models of Splice yet.')
          : t('The chat does not list this endpoint yet. Try again in a moment.');
      throw new UserError(text, {
        title: t("Why Don't I See My Models?"),
        command: 'splice.models.why',
      });
    }
    await systemClock.sleep(lookAgainMs, signal);
  }
}
