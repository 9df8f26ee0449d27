import * as vscode from 'vscode';
import { lazy } from '../base/async';
import type { RoutedPrompt } from '../host/chatResults';
import { DisposableStore } from '../host/disposables';
import type { OpenGate } from '../host/egress';
import type { Host } from '../host/host';
import type { Runs } from '../host/runs';
import type { OpenLedger } from '../host/serviceClient';
import { settings } from '../host/settings';
import { ids } from '../manifest';
import type { PassedTurn } from './chat';
import type { Guard } from './guard';
import { consentKey, hasRunsKey } from '../host/storageKeys';
import type { ReflexClient, ReflexRoom } from './room';

/** What a chat may ask of this room. */
export interface ReflexHandle extends vscode.Disposable {
  passOn(turn: PassedTurn): Promise<string>;
  route(prompt: string, signal: AbortSignal): Promise<RoutedPrompt>;
}

const isGuardOn = (): boolean => settings.reflexGuard && vscode.workspace.isTrusted;

/**
 * The guard for other features that send files to a chat model. Its code loads once the user has turned
 * it on.
 */
export function lazyGuard(client: Pick<ReflexClient, 'predictMany'>): Guard {
  return async (text, signal) => {
    if (!isGuardOn()) return true;
    const [{ createGuard }, { askAboutFinding }] = await Promise.all([
      import('./guard'),
      import('./guardDialog'),
    ]);
    return createGuard({ client, isOn: isGuardOn, ask: askAboutFinding })(text, signal);
  };
}

/**
 * Registers what VS Code must know from the start. All else loads at the first use, or when the user has
 * turned the indicator on or left a batch running.
 */
export function register(
  host: Host,
  client: ReflexClient,
  shared: { readonly ledger: OpenLedger; readonly runs: Runs; readonly gate: OpenGate },
): ReflexHandle {
  const store = new DisposableStore();
  const texts = new Map<string, string>();
  const changed = store.add(new vscode.EventEmitter<vscode.Uri>());
  // A tab that VS Code restores asks before any command has run.
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(ids.reflexScheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: uri =>
        texts.get(uri.toString()) ??
        vscode.l10n.t('Run "Splice: Classify Selection" for a report.'),
    }),
  );
  const documents = {
    show(uri: vscode.Uri, text: string): void {
      texts.set(uri.toString(), text);
      changed.fire(uri);
    },
  };

  const load = lazy(
    async (): Promise<ReflexRoom> =>
      (await import('./room')).openRoom(host, client, { ...shared, documents }, store),
  );

  const { command } = ids;
  const commands: Record<string, (room: ReflexRoom, ...args: unknown[]) => unknown> = {
    [command.classify]: room => room.classify(),
    [command.chooseReflexes]: room => room.choose(),
    [command.setIndicator]: room => room.setIndicator(),
    [command.indicatorActions]: room => room.showActions(),
    [command.pauseIndicator]: room => room.pauseOrGoOn(),
    [command.whatIsSent]: room => room.showWhatIsSent(),
    [command.batchClassify]: (room, file) => room.batches.start(file),
    [command.showBatchRuns]: (room, run) => room.batches.show(run),
    [command.showTraces]: room => room.showTraces(),
    [command.sendAttachment]: (room, held) => room.sendAttachment(held),
    [command.classifyPrompt]: room => room.router.classify(),
    [command.pickModel]: room => room.router.pick(),
  };
  for (const [id, run] of Object.entries(commands))
    store.add(host.registerCommand(id, async (...args: unknown[]) => run(await load(), ...args)));

  const { workspaceState } = host.context;
  const isNeeded =
    workspaceState.get(consentKey) !== undefined || workspaceState.get(hasRunsKey) === true;
  if (isNeeded) host.quietly(load)();
  return {
    passOn: async turn => (await load()).passOn(turn),
    route: async (prompt, signal) => (await load()).router.route(prompt, signal),
    dispose: () => store.dispose(),
  };
}
