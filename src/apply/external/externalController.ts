import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Host } from '../../platform/host';
import { AgentHooks } from './agents/agentHooks';
import { AgentTurns } from './agents/agentTurns';
import { HookCommands } from './agents/hookCommands';
import { MessageStore } from './agents/messageStore';
import { QueuedUndos } from './agents/queuedUndos';
import { UndoneNotes } from './agents/undoneNotes';
import { WaitingMessages } from './agents/waitingMessages';
import { EditorObserver } from './editorObserver';
import { ExternalChanges } from './externalChanges';
import { ExternalCommands } from './externalCommands';
import { FollowedRoots } from './followedRoots';
import { baselineScheme } from './ids';
import { BaselineDocuments } from './view/baselineDocuments';
import { ExternalDecorations } from './view/externalDecorations';
import { ExternalFindings } from './view/externalFindings';
import { ExternalLenses } from './view/externalLenses';
import { ExternalList } from './view/externalList';
import { ExternalPages } from './view/externalPages';
import { ExternalStatus } from './view/externalStatus';
import { FirstOffer } from './view/firstOffer';

/** Lists what other programs change on disk, to keep or undo it change by change. */
export interface ExternalController {
  readonly commands: ExternalCommands;
  readonly list: ExternalList;
}

/**
 * Starts to follow the folders of the workspace.
 *
 * @param onFirst called once, when something is pending for the first time.
 */
export async function createExternalController(
  host: Host,
  store: DisposableStore,
  onFirst: () => void,
): Promise<ExternalController> {
  const onError = (error: unknown): void => host.log.error('external changes', error);
  const changes = store.add(new ExternalChanges());
  const documents = store.add(new BaselineDocuments(changes));
  const pages = store.add(new ExternalPages(changes, documents, onError));
  const findings = store.add(new ExternalFindings(changes));
  const events = store.add(new EditorObserver(changes, onError));
  const { context } = host;
  const hookFolder = path.join(context.globalStorageUri.fsPath, 'hooks');
  const turns = store.add(new AgentTurns(hookFolder, onError));
  const queue: QueuedUndos = store.add(
    new QueuedUndos({
      changes,
      turns,
      memory: context.workspaceState,
      undo: async selected => commands.undoNow(selected),
      onError,
    }),
  );
  const agentHooks = new AgentHooks({
    shipped: context.asAbsolutePath('media/hooks'),
    folder: hookFolder,
    onError,
  });
  const waiting = store.add(
    new WaitingMessages({
      store: new MessageStore(hookFolder),
      turns,
      memory: context.workspaceState,
      onError,
    }),
  );
  const message = store.add(
    new UndoneNotes({ changes, waiting, hooked: async () => agentHooks.hooked() }),
  );
  const hooks = store.add(
    new HookCommands({
      hooks: agentHooks,
      memory: context.globalState,
      start: async () => turns.start(),
    }),
  );
  const list = store.add(
    new ExternalList(changes, {
      findings,
      memory: context.workspaceState,
      isInConflict: file => events.isInConflict(file),
      isQueued: file => queue.isQueued(file),
      onError,
    }),
  );
  store.add(queue.onDidChange(() => list.refresh()));
  const marks = new DisposableStore();
  store.add(marks);
  // VS Code asks providers about every document, so they wait until there is something to show.
  const first = store.add(
    changes.onDidChange(() => {
      if (changes.files.length === 0) return;
      first.dispose();
      const lenses = marks.add(new ExternalLenses(changes));
      marks.add(
        vscode.languages.registerCodeLensProvider(
          [{ scheme: 'file' }, { scheme: 'vscode-remote' }, { scheme: baselineScheme }],
          lenses,
        ),
      );
      marks.add(new ExternalDecorations(changes));
      marks.add(new ExternalStatus(changes));
      onFirst();
    }),
  );
  store.add(new FirstOffer(changes, context.globalState));
  const roots = store.add(new FollowedRoots(host, changes, turns, onError));
  const commands: ExternalCommands = new ExternalCommands({
    changes,
    pages,
    list,
    whenFollowing: async () => roots.start(),
    forget: async () => roots.forget(),
    hooks,
    queue,
    message,
  });
  // Labels need what the agents noted before.
  await hooks.resume().catch(onError);
  await roots.start();
  void queue.resume().catch(onError);
  void waiting.resume().catch(onError);
  return { list, commands };
}
