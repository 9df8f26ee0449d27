import * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import type { CompactedChat } from '../contracts/chatResults';
import { registerCommands } from '../platform/commands/registerCommands';
import { rememberedKey } from '../platform/commands/rememberedKey';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { showWhileOn } from '../platform/showWhileOn';
import { hasHistoryIndexKey } from '../platform/storageKeys';
import type { CompactController, ConversationToCompact } from './controller';
import type { HistorySearcher } from './historySearch/historySearcher';
import { compactTool, contextKeys, recallTool, receiptScheme } from './ids';
import { ReceiptFiles } from './receipt/receiptFiles';
import type { CompactClient } from './runCompaction';
import type { CompactPlan } from './worker/engine';

/** What other features may ask of compaction. */
export interface CompactHandle extends vscode.Disposable {
  compactChat(
    chat: ConversationToCompact,
    options: Partial<Pick<CompactPlan, 'ratio' | 'query'>>,
    signal: AbortSignal,
  ): Promise<CompactedChat>;
}

/** Registers what VS Code has to know at activation; the rest loads on first use. */
export function registerCompact(host: Host, client: CompactClient): CompactHandle {
  const store = new DisposableStore();
  const documents = store.add(new ReceiptFiles(async uri => (await load()).reopen(uri)));
  store.add(
    vscode.workspace.registerFileSystemProvider(receiptScheme, documents, {
      isReadonly: true,
      isCaseSensitive: true,
    }),
  );

  const load = lazy(
    async (): Promise<CompactController> =>
      (await import('./controller')).createCompactController(host, client, documents, store),
  );

  const hasHistoryIndex = rememberedKey(
    host.context,
    contextKeys.hasHistoryIndex,
    hasHistoryIndexKey,
  );
  store.add(
    showWhileOn(
      host,
      { setting: 'splice.compact.showFill', isOn: () => settings.showsSessionFill },
      async () => new (await import('./fill/fillStatus')).FillStatus(host),
    ),
  );
  const loadSearcher = lazy(async (): Promise<HistorySearcher> => {
    const { createHistorySearcher } = await import('./historySearch/historySearcher');
    return createHistorySearcher(host, await load(), hasHistoryIndex);
  });

  store.add(
    vscode.lm.registerTool(compactTool, {
      async prepareInvocation({ input }) {
        return (await import('./compactTool')).prepareCompact(client, input);
      },
      async invoke({ input }, token) {
        return (await import('./compactTool')).invokeCompact(host, client, input, token);
      },
    }),
  );

  store.add(
    vscode.lm.registerTool(recallTool, {
      async prepareInvocation({ input }) {
        return (await import('./recall/recallTool')).prepareRecall(host, input);
      },
      async invoke({ input }, token) {
        return (await import('./recall/recallTool')).invokeRecall(host, input, token);
      },
    }),
  );

  store.add(
    registerCommands(host, ['compact'], load, async () =>
      (await import('./commands')).compactCommands(loadSearcher),
    ),
  );
  return {
    compactChat: async (...args) => (await load()).compactChat(...args),
    dispose: () => store.dispose(),
  };
}
