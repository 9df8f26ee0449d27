import * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import type { CompactedChat } from '../contracts/chatResults';
import { type Handlers, registerCommands } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { createTextDocuments } from '../platform/documents/textDocuments';
import type { contributions } from './contributions';
import type { CompactController, ConversationToCompact } from './controller';
import { compactTool, receiptScheme } from './ids';
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
  const documents = store.add(
    createTextDocuments(receiptScheme, () =>
      vscode.l10n.t('This receipt has ended. Run "Splice: Compact Chat History…" again.'),
    ),
  );

  const load = lazy(
    async (): Promise<CompactController> =>
      (await import('./controller')).createCompactController(host, client, documents, store),
  );

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
    registerCommands(host, load, {
      'splice.compact.start': (controller, ...args) => controller.compact(...args),
      'splice.compact.file': (controller, ...args) => controller.compactFile(...args),
      'splice.compact.options': controller => controller.changeOptions(),
      'splice.compact.restore': (controller, ...args) => controller.restore(...args),
      'splice.compact.leaveOut': (controller, ...args) => controller.leaveOut(...args),
      'splice.compact.undo': controller => controller.undo(),
      'splice.compact.nextRun': controller => controller.go(1),
      'splice.compact.previousRun': controller => controller.go(-1),
      'splice.compact.copy': (controller, ...args) => controller.copy(...args),
      'splice.compact.showReceipt': (controller, ...args) => controller.showReceipt(...args),
      'splice.compact.saveAs': controller => controller.saveAs(),
      'splice.compact.writeBack': controller => controller.writeBack(),
      'splice.compact.undoWriteBack': controller => controller.undoWriteBack(),
    } satisfies Handlers<typeof contributions, CompactController>),
  );
  return {
    compactChat: async (...args) => (await load()).compactChat(...args),
    dispose: () => store.dispose(),
  };
}
