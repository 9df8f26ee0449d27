import * as vscode from 'vscode';
import { lazy } from '../base/async';
import { DisposableStore } from '../host/disposables';
import type { Host } from '../host/host';
import type { ReadyEndpoints } from '../host/readyEndpoints';
import { onServiceChange } from '../host/serviceChange';
import { ids } from '../manifest';
import type { ModelsClient, ModelsProvider } from './provider';

/** An event is followed by one question; one that does not come within this time comes no more. */
const askedWithinMs = 5000;

/** Registers what VS Code must know from the start; all else loads when it asks. */
export function register(
  host: Host,
  client: ModelsClient,
  endpoints: ReadyEndpoints,
): vscode.Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  /** Until when the next question is only the echo of our own event, ms since the epoch. */
  const echoes: number[] = [];

  /**
   * Makes VS Code ask for the list, which it otherwise does late. By itself that is no wish of the user's,
   * so it is answered with what is known.
   */
  const announce = (readsAnew: boolean): void => {
    if (!readsAnew) echoes.push(Date.now() + askedWithinMs);
    changed.fire();
  };
  const isEcho = (): boolean => {
    for (let until = echoes.shift(); until !== undefined; until = echoes.shift())
      if (Date.now() <= until) return true;
    return false;
  };

  let opened: ModelsProvider | undefined;
  const load = lazy(async (): Promise<ModelsProvider> => {
    const { ModelsProvider: Provider } = await import('./provider');
    return (opened = store.add(new Provider(host, client, announce)));
  });

  store.add(
    vscode.lm.registerLanguageModelChatProvider(ids.modelVendor, {
      onDidChangeLanguageModelChatInformation: changed.event,
      async provideLanguageModelChatInformation() {
        const readsAnew = !isEcho();
        return (await load()).list(readsAnew);
      },
      async provideLanguageModelChatResponse(model, messages, options, progress, token) {
        await (await load()).answer(model, messages, options, progress, token);
      },
      async provideTokenCount(model, text) {
        return (await load()).count(model, text);
      },
    }),
  );
  store.add(
    onServiceChange(host, () => {
      opened?.reset();
      announce(false);
    }),
  );
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => announce(false)));
  store.add(endpoints.onChange(() => opened?.endpointsChanged()));
  store.add(
    host.registerCommand(ids.command.whyNoModels, async () => {
      const [{ showWhy }, provider] = await Promise.all([import('./why'), load()]);
      await showWhy(host, provider, () => announce(false));
    }),
  );
  store.add(
    host.registerCommand(ids.command.manageModels, async () => {
      const { manageModels } = await import('./why');
      await manageModels();
    }),
  );
  announce(false);
  return store;
}
