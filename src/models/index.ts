import * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import type { LastAnswer } from '../contracts/lastAnswer';
import type { ReadyEndpoints } from '../contracts/readyEndpoints';
import type { OpenLedger } from '../platform/client/client';
import { type Handlers, registerCommandHandlers } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { modelVendor } from '../platform/ids';
import { onServiceChange } from '../platform/serviceChange';
import type { contributions } from './contributions';
import type { ModelsClient, ModelsProvider } from './provider';

/** VS Code asks for the list once per event; after this time, in milliseconds, it no longer will. */
const echoWithinMs = 5000;

/** Registers what VS Code needs at startup; everything else is loaded when VS Code asks for models. */
export function registerModels(
  host: Host,
  client: ModelsClient,
  {
    ready: endpoints,
    last,
    ledger,
  }: {
    readonly ready: ReadyEndpoints;
    readonly last: LastAnswer;
    readonly ledger: OpenLedger;
  },
): vscode.Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  /** Until when a request for the list counts as the response to our own event, ms since the epoch. */
  const echoes: number[] = [];

  /**
   * Makes VS Code ask for the list, which it otherwise does late. Unless the list has changed, that request
   * is answered from memory because the user did not ask for it.
   */
  const announce = (readsAnew: boolean): void => {
    if (!readsAnew) echoes.push(Date.now() + echoWithinMs);
    changed.fire();
  };
  const isEcho = (): boolean => {
    for (let until = echoes.shift(); until !== undefined; until = echoes.shift()) {
      if (Date.now() <= until) return true;
    }
    return false;
  };

  let opened: ModelsProvider | undefined;
  const load = lazy(async (): Promise<ModelsProvider> => {
    const { ModelsProvider: Provider } = await import('./provider');
    return (opened = store.add(new Provider(host, client, { last, ledger }, announce)));
  });

  store.add(
    vscode.lm.registerLanguageModelChatProvider(modelVendor, {
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
    registerCommandHandlers(host, {
      'splice.models.why': async () => {
        const [{ showWhy }, provider] = await Promise.all([import('./explainCommand'), load()]);
        await showWhy(host, provider, () => announce(false));
      },
      'splice.models.manage': async () => {
        const { manageModels } = await import('./chatSetup');
        await manageModels();
      },
      'splice.models.useInChat': async (_controller, isAgreed, model) =>
        (await import('./useInChat')).useInChat(host, announce, isAgreed === true, model),
    } satisfies Handlers<typeof contributions>),
  );
  announce(false);
  return store;
}
