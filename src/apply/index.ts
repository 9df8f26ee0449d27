import * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import type { OpenedEdit } from '../contracts/chatResults';
import { registerCommands } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { pageScheme, reviewScheme } from '../platform/ids';
import { onServiceChange } from '../platform/serviceChange';
import { settings } from '../platform/settings';
import { createRowView } from '../platform/tree/lazyRowView';
import type { RowParts } from '../platform/tree/rowView';
import { ApplyCodeActions } from './codeActions';
import type { ApplyClient, ApplyController } from './controller';
import type { ExternalController } from './external/externalController';
import { applyTool, reviewsView } from './ids';
import type { PromptGuardCheck } from './instruct/modelPolicy';
import { ReviewFileSystem, readonlyMessage } from './review/editor/reviewFileSystem';
import { PageFileSystem } from './review/page/pageFileSystem';

/** What the chat participant needs of Apply. */
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

/** What is registered before the controller loads. */
export interface RegisteredParts {
  readonly files: ReviewFileSystem;
  readonly pageFiles: PageFileSystem;
  readonly view: RowParts;
  /** Follows what other programs change on disk. */
  readonly external: () => Promise<ExternalController>;
}

/**
 * Registers what VS Code must know from the start. The rest loads on first use.
 *
 * @param guard asked before a file goes to a chat model.
 */
export function registerApply(
  host: Host,
  client: ApplyClient,
  { guard = async () => true }: { readonly guard?: PromptGuardCheck } = {},
): ApplyHandle {
  const store = new DisposableStore();
  const load = lazy(
    async (): Promise<ApplyController> =>
      (await import('./controller')).createApplyController(
        host,
        client,
        guard,
        { files, pageFiles, view, external },
        store,
      ),
  );
  const external = lazy(
    async (): Promise<ExternalController> =>
      (await import('./external/externalController')).createExternalController(host, store, () =>
        host.quietly(load)(),
      ),
  );
  const follow = host.quietly(async () => {
    if (settings.followsExternalChanges && vscode.workspace.workspaceFolders) await external();
  });
  follow();
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(follow));
  store.add(vscode.workspace.onDidChangeConfiguration(follow));

  const files = store.add(new ReviewFileSystem(async () => void (await load())));
  const pageFiles = store.add(new PageFileSystem(async () => (await load()).page.texts));
  // Reviews of the last session appear without a command or an open view.
  host.quietly(async () => {
    const { hasStoredReviews } = await import('./review/store/reviewFolder');
    if (await hasStoredReviews(host.context)) await load();
  })();
  const view = store.add(
    createRowView(reviewsView, async row => (await load()).children(row), {
      drop: async dropped => (await load()).edits.applyDropped(dropped),
      failed: error => void host.report('apply', error),
    }),
  );
  store.add(
    vscode.workspace.registerFileSystemProvider(reviewScheme, files, {
      isReadonly: readonlyMessage(),
      isCaseSensitive: true,
    }),
  );
  store.add(
    vscode.workspace.registerFileSystemProvider(pageScheme, pageFiles, { isCaseSensitive: true }),
  );
  // Virtual file systems have schemes of their own; what cannot be changed is left out later.
  const documents: vscode.DocumentSelector = [{ scheme: '*' }, { notebookType: '*' }];
  const { registerCodeActionsProvider } = vscode.languages;
  store.add(
    registerCodeActionsProvider(documents, new ApplyCodeActions(), ApplyCodeActions.metadata),
  );
  // Needed for each lightbulb, so it is cached until the key or the address changes.
  const lookUp = () => lazy(async () => (await client.obstacle()) === undefined);
  let isReady = lookUp();
  store.add(onServiceChange(host, () => (isReady = lookUp())));
  const fixes: vscode.CodeActionProvider = {
    async provideCodeActions(document, range, context) {
      // VS Code asks at each cursor move; most places have no diagnostics.
      if (range.isEmpty && context.diagnostics.length === 0) return [];
      const { fixActions } = await import('./instruct/fixActions');
      return fixActions(document, range, context, () => isReady());
    },
  };
  const { QuickFix, RefactorRewrite } = vscode.CodeActionKind;
  store.add(
    // The weakest selector: free fixes of the language extension are listed above.
    registerCodeActionsProvider('*', fixes, {
      providedCodeActionKinds: [QuickFix, RefactorRewrite],
    }),
  );

  store.add(
    vscode.lm.registerTool(applyTool, {
      async prepareInvocation({ input }) {
        return (await import('./applyTool')).prepareApply(client, input);
      },
      async invoke({ input }, token) {
        const { invokeApply } = await import('./applyTool');
        return invokeApply(host, await load(), input, token);
      },
    }),
  );

  store.add(
    registerCommands(
      host,
      ['apply', 'edit'],
      load,
      async () => (await import('./commands')).applyCommands,
    ),
  );
  store.add(
    registerCommands(
      host,
      ['external'],
      async () => (await external()).commands,
      async () => (await import('./external/commands')).externalHandlers,
    ),
  );
  return {
    openEdits: async (...args) => (await load()).openEdits(...args),
    dispose: () => store.dispose(),
  };
}
