import * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import type { OpenedEdit } from '../contracts/chatResults';
import { type Handlers, registerCommands } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { pageScheme, reviewScheme } from '../platform/ids';
import { onServiceChange } from '../platform/serviceChange';
import { settings } from '../platform/settings';
import { createRowView } from '../platform/tree/lazyRowView';
import type { RowParts } from '../platform/tree/rowView';
import { ApplyCodeActions } from './codeActions';
import type { contributions } from './contributions';
import type { ApplyClient, ApplyController } from './controller';
import type { contributions as externalContributions } from './external/contributions';
import type { ExternalCommands } from './external/externalCommands';
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
    registerCommands(host, load, {
      'splice.apply.clipboard': (controller, ...args) => controller.edits.applyClipboard(...args),
      'splice.apply.file': (controller, ...args) => controller.edits.applyFile(...args),
      'splice.apply.selection': controller => controller.edits.applyToSelection(),
      'splice.apply.instruct': (controller, ...args) => controller.instructed.instruct(...args),
      'splice.apply.fix': (controller, ...args) => controller.instructed.fix(...args),
      'splice.apply.fixFile': (controller, ...args) => controller.instructed.fixFile(...args),
      'splice.edit.chooseModel': controller => controller.instructed.chooseModel(),
      'splice.apply.acceptChange': (controller, ...args) => controller.accept(...args),
      'splice.apply.rejectChange': (controller, ...args) => controller.reject(...args),
      'splice.apply.acceptLines': controller => controller.lines.accept(),
      'splice.apply.rejectLines': controller => controller.lines.reject(),
      'splice.apply.acceptAll': (controller, ...args) => controller.acceptAll(...args),
      'splice.apply.rejectAll': (controller, ...args) => controller.rejectAll(...args),
      'splice.apply.acceptAllFiles': controller => controller.acceptAllFiles(),
      'splice.apply.acceptSet': (controller, ...args) => controller.answers.accept(...args),
      'splice.apply.rejectSet': (controller, ...args) => controller.answers.reject(...args),
      'splice.apply.placeRefused': (controller, ...args) =>
        controller.answers.placeRefused(...args),
      'splice.apply.nextChange': (controller, ...args) => controller.go(1, ...args),
      'splice.apply.previousChange': (controller, ...args) => controller.go(-1, ...args),
      'splice.apply.undoDecision': (controller, ...args) => controller.undoDecision(...args),
      'splice.apply.saveFile': controller => controller.saveFile(),
      'splice.apply.openFile': (controller, ...args) => controller.openFile(...args),
      'splice.apply.openPage': (controller, ...args) => controller.page.open(...args),
      'splice.apply.editChange': (controller, ...args) => controller.page.edit(...args),
      'splice.apply.showLines': (controller, ...args) => controller.page.showLines(...args),
      'splice.apply.openDiff': (controller, ...args) => controller.openDiff(...args),
      'splice.apply.describeChange': controller => controller.describeChange(),
      'splice.apply.copyRemoved': controller => controller.copyRemoved(),
      'splice.apply.showFindings': (controller, ...args) => controller.showFindings(...args),
      'splice.apply.retryWithService': (controller, ...args) => controller.mergeAgain(...args),
      'splice.apply.showReviews': controller => controller.showReviews(),
      'splice.apply.showReview': (controller, ...args) => controller.showReview(...args),
      'splice.apply.reopenReview': controller => controller.reopenReview(),
      'splice.apply.showHistory': controller => controller.history.show(),
      'splice.apply.clearHistory': controller => controller.history.clear(),
    } satisfies Handlers<typeof contributions, ApplyController>),
  );
  store.add(
    registerCommands(host, async () => (await external()).commands, {
      'splice.external.openPage': (commands, ...args) => commands.openPage(...args),
      'splice.external.keepChange': (commands, ...args) => commands.keepChange(...args),
      'splice.external.undoChange': (commands, ...args) => commands.undoChange(...args),
      'splice.external.keepFile': (commands, ...args) => commands.keepFile(...args),
      'splice.external.undoFile': (commands, ...args) => commands.undoFile(...args),
      'splice.external.keepAll': (commands, ...args) => commands.keepAll(...args),
      'splice.external.undoAll': (commands, ...args) => commands.undoAll(...args),
      'splice.external.keepGenerated': commands => commands.keepGenerated(),
      'splice.external.undoDecision': commands => commands.undoDecision(),
      'splice.external.nextChange': commands => commands.go(1),
      'splice.external.previousChange': commands => commands.go(-1),
      'splice.external.openFile': (commands, ...args) => commands.openFile(...args),
      'splice.external.compare': (commands, ...args) => commands.compare(...args),
      'splice.external.showConflict': (commands, ...args) => commands.showConflict(...args),
      'splice.external.undoQueued': (commands, ...args) => commands.undoQueued(...args),
      'splice.external.cancelQueued': (commands, ...args) => commands.cancelQueued(...args),
      'splice.external.messageAgent': commands => commands.messageAgent(),
      'splice.external.takeBackMessage': commands => commands.takeBackMessage(),
      'splice.external.connectAgents': commands => commands.hooks.connect(),
      'splice.external.disconnectAgents': commands => commands.hooks.disconnect(),
      'splice.external.groupBy': commands => commands.groupBy(),
      'splice.external.filter': commands => commands.filter(),
      'splice.external.forget': commands => commands.forget(),
      'splice.external.reviewFromNow': commands => commands.reviewFromNow(),
    } satisfies Handlers<typeof externalContributions, ExternalCommands>),
  );
  return {
    openEdits: async (...args) => (await load()).openEdits(...args),
    dispose: () => store.dispose(),
  };
}
