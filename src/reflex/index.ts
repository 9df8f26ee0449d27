import * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import type { BatchRuns } from '../contracts/batchRuns';
import type { RoutedPrompt } from '../contracts/chatResults';
import type { OpenLedger } from '../platform/client/client';
import { registerCommands } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import { createTextDocuments } from '../platform/documents/textDocuments';
import type { OpenGate } from '../platform/egress';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { consentKey, hasRunsKey } from '../platform/storageKeys';
import type { ReflexClient, ReflexController } from './controller';
import type { ForwardedTurn } from './guard/forwardPrompt';
import type { PromptGuard } from './guard/promptGuard';
import { reflexScheme } from './ids';

/** What the chat participant needs from this feature. */
export interface ReflexHandle extends vscode.Disposable {
  forwardPrompt(turn: ForwardedTurn): Promise<string>;
  route(prompt: string, signal: AbortSignal): Promise<RoutedPrompt>;
}

const isGuardOn = (): boolean => settings.reflexGuard && vscode.workspace.isTrusted;

/**
 * The guard for other features that send files to a chat model. Its code is loaded only if the guard is
 * turned on.
 */
export function lazyPromptGuard(client: Pick<ReflexClient, 'predictMany'>): PromptGuard {
  return async (text, signal) => {
    if (!isGuardOn()) return true;
    const [{ createPromptGuard }, { askAboutFinding }] = await Promise.all([
      import('./guard/promptGuard'),
      import('./guard/guardDialog'),
    ]);
    return createPromptGuard({ client, isOn: isGuardOn, ask: askAboutFinding })(text, signal);
  };
}

/**
 * Registers what VS Code needs at startup. Everything else is loaded on first use, or at startup if the
 * indicator is on or a batch is running.
 */
export function registerReflex(
  host: Host,
  client: ReflexClient,
  shared: { readonly ledger: OpenLedger; readonly runs: BatchRuns; readonly gate: OpenGate },
): ReflexHandle {
  const store = new DisposableStore();
  const documents = store.add(
    createTextDocuments(reflexScheme, () =>
      vscode.l10n.t('Run "Splice: Classify Selection" for a report.'),
    ),
  );

  const load = lazy(
    async (): Promise<ReflexController> =>
      (await import('./controller')).createReflexController(
        host,
        client,
        { ...shared, documents },
        store,
      ),
  );

  store.add(
    registerCommands(
      host,
      ['reflex', 'router'],
      load,
      async () => (await import('./commands')).reflexCommands,
    ),
  );

  const { workspaceState } = host.context;
  const isNeeded =
    workspaceState.get(consentKey) !== undefined || workspaceState.get(hasRunsKey) === true;
  if (isNeeded) host.quietly(load)();
  return {
    forwardPrompt: async turn => (await load()).forwardPrompt(turn),
    route: async (prompt, signal) => (await load()).router.route(prompt, signal),
    dispose: () => store.dispose(),
  };
}
