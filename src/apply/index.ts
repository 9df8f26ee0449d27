import * as vscode from 'vscode';
import { lazy } from '../base/async';
import type { OpenedEdit } from '../host/chatResults';
import { DisposableStore } from '../host/disposables';
import type { Host } from '../host/host';
import { createRowView } from '../host/lazyRowView';
import { onServiceChange } from '../host/serviceChange';
import { ids } from '../manifest';
import { ApplyCodeActions } from './codeActions';
import type { Guard } from './instruct/instruct';
import type { ApplyClient, ApplyRoom } from './room';
import { ReviewFileSystem, readonlyMessage } from './reviewFileSystem';

/** What a chat may ask of this room. */
export interface ApplyHandle extends vscode.Disposable {
  /**
   * Merges the edits of a text and opens their reviews.
   * @param target the file of an edit that names none.
   */
  openEdits(
    text: string,
    target: vscode.Uri | undefined,
    token: vscode.CancellationToken,
  ): Promise<readonly OpenedEdit[]>;
}

/**
 * Registers what VS Code must know from the start; all else loads at the first use.
 *
 * @param guard asked before a file goes to a chat model.
 */
export function register(
  host: Host,
  client: ApplyClient,
  { guard = async () => true }: { readonly guard?: Guard } = {},
): ApplyHandle {
  const store = new DisposableStore();
  const load = lazy(
    async (): Promise<ApplyRoom> =>
      (await import('./room')).openRoom(host, client, guard, { files, view }, store),
  );

  const files = store.add(new ReviewFileSystem(async () => void (await load())));
  // What waits since the last session shows by itself, not only when somebody looks.
  host.quietly(async () => {
    const { hasStoredReviews } = await import('./reviewFolder');
    if (await hasStoredReviews(host.context)) await load();
  })();
  const view = store.add(createRowView(ids.reviewsView, async row => (await load()).children(row)));
  store.add(
    vscode.workspace.registerFileSystemProvider(ids.scheme, files, {
      isReadonly: readonlyMessage(),
      isCaseSensitive: true,
    }),
  );
  const documents: vscode.DocumentSelector = [
    { scheme: 'file' },
    { scheme: 'untitled' },
    { scheme: 'vscode-remote' },
    { notebookType: '*' },
  ];
  const { registerCodeActionsProvider } = vscode.languages;
  store.add(
    registerCodeActionsProvider(documents, new ApplyCodeActions(), ApplyCodeActions.metadata),
  );
  // Asked for each lightbulb, so it is looked up once and after each change of the key or the address.
  const lookUp = () => lazy(async () => (await client.obstacle()) === undefined);
  let isReady = lookUp();
  store.add(onServiceChange(host, () => (isReady = lookUp())));
  const fixes: vscode.CodeActionProvider = {
    async provideCodeActions(document, range, context) {
      // At each move of the cursor, mostly to nothing.
      if (range.isEmpty && context.diagnostics.length === 0) return [];
      const { fixActions } = await import('./instruct/fixActions');
      return fixActions(document, range, context, () => isReady());
    },
  };
  const { QuickFix, RefactorRewrite } = vscode.CodeActionKind;
  store.add(
    // The weakest selector: what the language itself offers, for nothing, stands above.
    registerCodeActionsProvider('*', fixes, {
      providedCodeActionKinds: [QuickFix, RefactorRewrite],
    }),
  );

  store.add(
    vscode.lm.registerTool(ids.applyTool, {
      async prepareInvocation({ input }) {
        return (await import('./applyTool')).prepareApply(client, input);
      },
      async invoke({ input }, token) {
        const { invokeApply } = await import('./applyTool');
        return invokeApply(host, await load(), input, token);
      },
    }),
  );

  const { command } = ids;
  const commands: Record<string, (room: ApplyRoom, ...args: unknown[]) => unknown> = {
    [command.applyClipboard]: (room, ...args) => room.edits.applyClipboard(...args),
    [command.applySelection]: room => room.edits.applyToSelection(),
    [command.instruct]: (room, ...args) => room.instructed.instruct(...args),
    [command.fixProblems]: (room, ...args) => room.instructed.fix(...args),
    [command.fixFile]: (room, ...args) => room.instructed.fixFile(...args),
    [command.chooseEditModel]: room => room.instructed.chooseModel(),
    [command.acceptChange]: (room, ...args) => room.accept(...args),
    [command.rejectChange]: (room, ...args) => room.reject(...args),
    [command.acceptAll]: (room, ...args) => room.acceptAll(...args),
    [command.rejectAll]: (room, ...args) => room.rejectAll(...args),
    [command.acceptAllFiles]: room => room.acceptAllFiles(),
    [command.nextChange]: (room, ...args) => room.go(1, ...args),
    [command.previousChange]: (room, ...args) => room.go(-1, ...args),
    [command.undoDecision]: (room, ...args) => room.undoDecision(...args),
    [command.saveFile]: room => room.saveFile(),
    [command.openFile]: (room, ...args) => room.openFile(...args),
    [command.openDiff]: (room, ...args) => room.openDiff(...args),
    [command.describeChange]: room => room.describeChange(),
    [command.copyRemoved]: room => room.copyRemoved(),
    [command.showFindings]: (room, ...args) => room.showFindings(...args),
    [command.retryWithService]: (room, ...args) => room.mergeAgain(...args),
    [command.showReviews]: room => room.showReviews(),
    [command.showReview]: (room, ...args) => room.showReview(...args),
    [command.reopenReview]: room => room.reopenReview(),
  };
  for (const [id, run] of Object.entries(commands))
    store.add(host.registerCommand(id, async (...args: unknown[]) => run(await load(), ...args)));
  return {
    openEdits: async (...args) => (await load()).openEdits(...args),
    dispose: () => store.dispose(),
  };
}
