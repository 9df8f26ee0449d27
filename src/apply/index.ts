import * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import type { OpenedEdit } from '../contracts/chatResults';
import { type Handlers, registerCommands } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import type { Host } from '../platform/host';
import { pageScheme, reviewScheme } from '../platform/ids';
import { onServiceChange } from '../platform/serviceChange';
import { createRowView } from '../platform/tree/lazyRowView';
import type { RowParts } from '../platform/tree/rowView';
import { ApplyCodeActions } from './codeActions';
import type { contributions } from './contributions';
import type { ApplyClient, ApplyController } from './controller';
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
        { files, pageFiles, view },
        store,
      ),
  );

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
  return {
    openEdits: async (...args) => (await load()).openEdits(...args),
    dispose: () => store.dispose(),
  };
}
