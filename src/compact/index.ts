import * as vscode from 'vscode';
import { lazy } from '../base/async';
import type { CompactedChat } from '../host/chatResults';
import { DisposableStore } from '../host/disposables';
import type { Host } from '../host/host';
import { ids } from '../manifest';
import type { CompactPlan } from './engine';
import type { CompactClient } from './compacting';
import type { CompactRoom, SpokenChat } from './room';

/** What a chat may ask of this room. */
export interface CompactHandle extends vscode.Disposable {
  compactChat(
    chat: SpokenChat,
    options: Partial<Pick<CompactPlan, 'ratio' | 'query'>>,
    signal: AbortSignal,
  ): Promise<CompactedChat>;
}

/** Registers what VS Code must know from the start; all else loads at the first use. */
export function register(host: Host, client: CompactClient): CompactHandle {
  const store = new DisposableStore();
  const texts = new Map<string, () => string>();
  const changed = store.add(new vscode.EventEmitter<vscode.Uri>());
  const documents = {
    serve(uri: vscode.Uri, text: () => string): void {
      texts.set(uri.toString(), text);
      changed.fire(uri);
    },
    refresh: (uri: vscode.Uri) => changed.fire(uri),
    end: (uri: vscode.Uri) => void texts.delete(uri.toString()),
  };
  // A tab that VS Code restores asks before anything was compacted.
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(ids.receiptScheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: uri =>
        texts.get(uri.toString())?.() ??
        vscode.l10n.t('This receipt has ended. Run "Splice: Compact Chat History…" again.'),
    }),
  );

  const load = lazy(
    async (): Promise<CompactRoom> =>
      (await import('./room')).openRoom(host, client, documents, store),
  );

  store.add(
    vscode.lm.registerTool(ids.compactTool, {
      async prepareInvocation({ input }) {
        return (await import('./compactTool')).prepareCompact(client, input);
      },
      async invoke({ input }, token) {
        return (await import('./compactTool')).invokeCompact(host, client, input, token);
      },
    }),
  );

  const { command } = ids;
  const commands: Record<string, (room: CompactRoom, ...args: unknown[]) => unknown> = {
    [command.compact]: (room, ...args) => room.compact(...args),
    [command.compactFile]: (room, ...args) => room.compactFile(...args),
    [command.compactOptions]: room => room.changeOptions(),
    [command.restoreLines]: (room, ...args) => room.restore(...args),
    [command.leaveOutLines]: (room, ...args) => room.leaveOut(...args),
    [command.undoInReceipt]: room => room.undo(),
    [command.nextRun]: room => room.go(1),
    [command.previousRun]: room => room.go(-1),
    [command.copyCompacted]: (room, ...args) => room.copy(...args),
    [command.showReceipt]: (room, ...args) => room.showReceipt(...args),
    [command.saveCompacted]: room => room.saveAs(),
    [command.writeBack]: room => room.writeBack(),
    [command.undoWriteBack]: room => room.undoWriteBack(),
  };
  for (const [id, run] of Object.entries(commands))
    store.add(host.registerCommand(id, async (...args: unknown[]) => run(await load(), ...args)));
  return {
    compactChat: async (...args) => (await load()).compactChat(...args),
    dispose: () => store.dispose(),
  };
}
