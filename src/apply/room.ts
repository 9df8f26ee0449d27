import * as vscode from 'vscode';
import type { DisposableStore } from '../host/disposables';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { withProgress } from '../host/progress';
import type { LazyClient } from '../host/serviceClient';
import { settings } from '../host/settings';
import { stepFor } from '../host/showError';
import { ServiceError } from '../service/errors';
import { explain } from '../service/advice';
import { findTargets } from './candidates';
import { type ClipboardEdit, parseClipboard } from './clipboard';
import { lastLine } from './codeActions';
import { linesOf } from './editFile';
import {
  editText,
  type LineRange,
  type Merged,
  merge,
  mergeLocally,
  type MergeRequest,
} from './engine';
import { mergedBy } from './lenses';
import { readTarget } from './readTarget';
import type { Review } from './review';
import type { ReviewFileSystem } from './reviewFileSystem';
import type { Hunk } from './reviewModel';
import { Reviews } from './reviews';

/** Loads with the first command; brings back the reviews of the last session before anything else. */
export async function openRoom(
  host: Host,
  client: LazyClient,
  files: ReviewFileSystem,
  store: DisposableStore,
): Promise<ApplyRoom> {
  const reviews = store.add(new Reviews(host, files));
  await reviews.restore();
  return new ApplyRoom(host, client, reviews);
}

interface Job {
  readonly edit: ClipboardEdit;
  readonly uri: vscode.Uri;
  readonly range?: LineRange;
}

/** What each command of Apply does. */
export class ApplyRoom {
  readonly #host: Host;
  readonly #client: LazyClient;
  readonly #reviews: Reviews;

  constructor(host: Host, client: LazyClient, reviews: Reviews) {
    this.#host = host;
    this.#client = client;
    this.#reviews = reviews;
  }

  /**
   * @param target the file, when the command came from the explorer or a code action.
   * @param where the lines that may change; or the explorer's list of selected files.
   */
  async applyClipboard(target?: unknown, where?: unknown): Promise<void> {
    const content = parseClipboard(await vscode.env.clipboard.readText());
    if (content.kind === 'rejected') throw new UserError(content.reason);
    const isFromMenu = !(target instanceof vscode.Uri) || !isLineRange(where);
    // The editor's own menu and key pass the file that is active anyway: let a path in the snippet win.
    const forced =
      target instanceof vscode.Uri && (!isFromMenu || !isActive(target)) ? target : undefined;
    const range = isLineRange(where) ? where : undefined;
    if (forced && content.edits.length === 1 && content.edits[0])
      await this.#start([{ edit: content.edits[0], uri: forced, ...(range && { range }) }]);
    else await this.#applyAll(content.edits);
  }

  async applyToSelection(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || this.#reviews.of(editor.document.uri))
      throw new UserError(
        vscode.l10n.t('Open the file to change, and select the lines that may change.'),
      );
    const { selection, document } = editor;
    if (selection.isEmpty)
      throw new UserError(
        vscode.l10n.t('Select the lines that may change, then run the command again.'),
      );
    const text = await askForSnippet(selection);
    if (text === undefined) return;
    const content = parseClipboard(text);
    if (content.kind === 'rejected') throw new UserError(content.reason);
    const [edit] = content.edits;
    if (content.edits.length !== 1 || !edit)
      throw new UserError(
        vscode.l10n.t(
          'The clipboard holds edits of several files; a selection takes one. Run "Apply Clipboard Edit" instead.',
        ),
      );
    const range = { startLine: selection.start.line + 1, endLine: lastLine(selection) };
    await this.#start([{ edit, uri: document.uri, range }]);
  }

  async accept(reviewId?: unknown, hunkId?: unknown): Promise<void> {
    const { review, hunk } = this.#pick(reviewId, hunkId);
    await this.#reviews.accept(review, [hunk]);
  }

  async reject(reviewId?: unknown, hunkId?: unknown): Promise<void> {
    const { review, hunk } = this.#pick(reviewId, hunkId);
    await this.#reviews.reject(review, [hunk]);
  }

  async acceptAll(reviewId?: unknown): Promise<void> {
    const review = this.#review(reviewId);
    const { hunks } = review.model;
    const clean = hunks.filter(({ conflict }) => !conflict);
    await this.#reviews.accept(review, clean);
    const left = hunks.length - clean.length;
    if (left > 0)
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          '{0} of your own edits stand in the way in {1}: decide on those changes one by one.',
          left,
          review.fileName,
        ),
      );
  }

  async rejectAll(reviewId?: unknown): Promise<void> {
    const review = this.#review(reviewId);
    await this.#reviews.reject(review, review.model.hunks);
  }

  async acceptAllFiles(): Promise<void> {
    for (const review of this.#reviews.pending) await this.acceptAll(review.id);
  }

  go(direction: 1 | -1): void {
    const review = this.#review();
    const id = review.view.nextHunk(cursorRow(), direction, true);
    if (id !== undefined) this.#reviews.reveal(review, id);
  }

  async undoDecision(): Promise<void> {
    await this.#reviews.undo(this.#review());
  }

  /** Saves the reviewed file: what is accepted so far. Accepts nothing. */
  async saveFile(): Promise<void> {
    const { fileUri, fileName } = this.#review();
    const document = await vscode.workspace.openTextDocument(fileUri);
    if (document.isDirty) await document.save();
    vscode.window.setStatusBarMessage(
      vscode.l10n.t('{0} is saved with the changes accepted so far.', fileName),
      4000,
    );
  }

  async openFile(reviewId?: unknown): Promise<void> {
    const review = this.#review(reviewId);
    const line = review.view.fileLineOfRow(cursorRow());
    const at = new vscode.Range(line, 0, line, 0);
    await vscode.window.showTextDocument(review.fileUri, { selection: at, preview: false });
  }

  async openDiff(reviewId?: unknown): Promise<void> {
    await this.#reviews.showDiff(this.#review(reviewId));
  }

  /** The change at the cursor in words and lines, for a screen reader. */
  async describeChange(): Promise<void> {
    const { hunk, review } = this.#pick();
    const line = hunk.at + 1;
    await vscode.window.showQuickPick(
      [
        ...hunk.removed.map(text => ({
          label: `− ${text}`,
          description: vscode.l10n.t('removed'),
        })),
        ...hunk.inserted.map(text => ({ label: `+ ${text}`, description: vscode.l10n.t('added') })),
      ],
      {
        title: vscode.l10n.t(
          '{0}, line {1}: {2} lines removed, {3} added',
          review.fileName,
          line,
          hunk.removed.length,
          hunk.inserted.length,
        ),
      },
    );
  }

  async copyRemoved(): Promise<void> {
    const { hunk } = this.#pick();
    if (hunk.removed.length === 0)
      throw new UserError(vscode.l10n.t('This change removes no lines.'));
    await vscode.env.clipboard.writeText(hunk.removed.join('\n'));
  }

  async showFindings(reviewId?: unknown): Promise<void> {
    const review = this.#review(reviewId);
    const { findings } = review.origin;
    if (findings.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('The audit of {0} found nothing: {1}.', review.fileName, mergedBy(review)),
      );
      return;
    }
    const items = findings.map(({ severity, message, line }) => ({
      label: `$(${severity}) ${message}`,
      description: vscode.l10n.t('line {0} of the merged file', line),
      line,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('What the audit found in {0}', review.fileName),
    });
    const row = picked && review.view.rows.findIndex(({ newLine }) => newLine === picked.line);
    const id =
      row === undefined || row < 0
        ? undefined
        : (review.view.hunkAtRow(row) ?? review.view.nextHunk(row, 1, true));
    if (id !== undefined) this.#reviews.reveal(review, id);
  }

  /** Merges the same snippet anew with the large model, in place of this review. */
  async retryWithService(reviewId?: unknown): Promise<void> {
    const review = this.#review(reviewId);
    const { update } = review.origin;
    if (update === undefined)
      throw new UserError(
        vscode.l10n.t('This review does not come from a snippet, so it cannot be merged again.'),
      );
    const document = await readTarget(review.fileUri);
    const edit: ClipboardEdit = { format: 'snippet', text: update };
    const request: MergeRequest = {
      edit,
      original: document.getText(),
      path: review.label,
      engine: 'service',
      model: 'svc-v3-large',
    };
    const base = linesOf(document);
    const merged = await withProgress(
      vscode.l10n.t('Merging {0} with the large model', review.fileName),
      signal => merge(request, this.#client, { signal, now: () => performance.now() }),
    );
    if (merged.kind === 'refused') throw new UserError(merged.reason);
    await this.#reviews.discard(review);
    await this.#review1(document, base, merged, update);
  }

  async showReviews(): Promise<void> {
    const { pending } = this.#reviews;
    const all = {
      label: `$(checklist) ${vscode.l10n.t('Accept all changes in {0} files', pending.length)}`,
      review: undefined,
    };
    const items = pending.map(review => ({
      label: `$(git-compare) ${review.label}`,
      description: `${review.model.hunks.length} · +${review.size.added} −${review.size.removed}`,
      review,
    }));
    const picked = await vscode.window.showQuickPick(
      [...items, ...(pending.length > 1 ? [all] : [])],
      {
        title: vscode.l10n.t('Pending reviews'),
        placeHolder: vscode.l10n.t('Pick a review to open it'),
      },
    );
    if (picked?.review) await this.#reviews.show(picked.review);
    else if (picked) await this.acceptAllFiles();
  }

  async reopenReview(): Promise<void> {
    const review = this.#reviews.dismissed.at(-1);
    if (!review)
      throw new UserError(vscode.l10n.t('No review was closed in the last ten minutes.'));
    await this.#reviews.show(review);
  }

  async #applyAll(edits: readonly ClipboardEdit[]): Promise<void> {
    const jobs: Job[] = [];
    for (const edit of edits) {
      const uri = await chooseTarget(edit);
      if (!uri) return;
      jobs.push({ edit, uri });
    }
    await this.#start(jobs);
  }

  /** Merges each file and opens its review; one that fails does not stop the others. */
  async #start(jobs: readonly Job[]): Promise<void> {
    const opened: Review[] = [];
    const problems: unknown[] = [];
    for (const job of jobs) {
      try {
        const review = await this.#mergeIntoReview(job);
        if (review) opened.push(review);
      } catch (error) {
        if (jobs.length === 1) throw error;
        problems.push(error);
      }
    }
    // The first one last, so that it ends up in front.
    for (const review of opened.toReversed()) await this.#reviews.show(review);
    for (const problem of problems) void this.#host.report('apply', problem);
  }

  async #mergeIntoReview({ edit, uri, range }: Job): Promise<Review | undefined> {
    const document = await readTarget(uri);
    const pending = this.#reviews.ofFile(uri);
    if (pending && !(await this.#replace(pending))) return undefined;
    const base = linesOf(document);
    const request: MergeRequest = {
      edit: withPathComment(edit, base),
      original: document.getText(),
      path: vscode.workspace.asRelativePath(uri),
      engine: settings.engine,
      model: settings.model,
      ...(range && { range }),
    };
    const merged = await this.#merge(request);
    if (!merged) return undefined;
    if (merged.kind === 'refused') throw new UserError(merged.reason);
    return this.#open(
      document,
      base,
      merged,
      edit.format === 'snippet' ? editText(edit) : undefined,
    );
  }

  async #merge(request: MergeRequest) {
    const firstLine =
      editText(request.edit)
        .split('\n')
        .find(line => line.trim() !== '')
        ?.trim() ?? '';
    const count = editText(request.edit).split('\n').length;
    const title = vscode.l10n.t(
      'Applying {0} lines to {1}: {2}',
      count,
      request.path,
      firstLine.slice(0, 60),
    );
    vscode.window.setStatusBarMessage(`$(git-compare) ${title}`, 5000);
    try {
      return await withProgress(title, (signal, report) =>
        merge(request, this.#client, {
          signal,
          now: () => performance.now(),
          onText: text => report(vscode.l10n.t('{0} characters', text.length)),
        }),
      );
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return this.#offerLocal(request, error);
    }
  }

  /** After a failed call: the local merge, if there is one and the user wants it. */
  async #offerLocal(request: MergeRequest, error: ServiceError) {
    const local = mergeLocally(request, () => performance.now());
    if (local.kind === 'refused') throw error;
    this.#host.log.error('apply', error);
    const advice = explain(error);
    const step = stepFor(advice);
    const useLocal = vscode.l10n.t('Use the Local Merge');
    const picked = await vscode.window.showWarningMessage(
      `${advice.message} ${vscode.l10n.t('Nothing was changed.')}`,
      useLocal,
      ...(step ? [step.title] : []),
    );
    if (picked && picked === step?.title) await vscode.commands.executeCommand(step.command);
    return picked === useLocal ? local : undefined;
  }

  #open(
    document: vscode.TextDocument,
    base: readonly string[],
    merged: Merged,
    update: string | undefined,
  ): Review | undefined {
    const text = merged.text.split(/\r\n|\n|\r/);
    if (text.join('\n') === base.join('\n')) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          '{0} already holds this edit: there is nothing to change.',
          vscode.workspace.asRelativePath(document.uri),
        ),
      );
      return undefined;
    }
    const { engine, ms, findings, model } = merged;
    return this.#reviews.start(document, base, text, {
      engine,
      ms,
      findings,
      ...(model !== undefined && { model }),
      ...(update !== undefined && { update }),
    });
  }

  async #review1(
    document: vscode.TextDocument,
    base: readonly string[],
    merged: Merged,
    update: string,
  ): Promise<void> {
    const review = this.#open(document, base, merged, update);
    if (review) await this.#reviews.show(review);
  }

  /** A second edit of a file that is under review: the first one must give way, and the user says so. */
  async #replace(pending: Review): Promise<boolean> {
    const replace = vscode.l10n.t('Replace Review');
    const show = vscode.l10n.t('Show Review');
    const picked = await vscode.window.showWarningMessage(
      vscode.l10n.t(
        '{0} has a review with {1} undecided changes. Replace it with the new edit?',
        pending.fileName,
        pending.model.hunks.length,
      ),
      replace,
      show,
    );
    if (picked === show) await this.#reviews.show(pending);
    if (picked !== replace) return false;
    await this.#reviews.discard(pending);
    return true;
  }

  #review(id?: unknown): Review {
    const review = this.#reviews.byId(id) ?? this.#reviews.active;
    if (!review)
      throw new UserError(
        vscode.l10n.t(
          'There is no review open. Copy an edit and run "Splice: Apply Clipboard Edit".',
        ),
      );
    return review;
  }

  /** The change that a lens names, else the one at the cursor, else the next one below. */
  #pick(reviewId?: unknown, hunkId?: unknown): { review: Review; hunk: Hunk } {
    const review = this.#review(reviewId);
    const row = cursorRow();
    const id =
      typeof hunkId === 'number'
        ? hunkId
        : (review.view.hunkAtRow(row) ?? review.view.nextHunk(row, 1, true));
    const hunk = id === undefined ? undefined : review.hunk(id);
    if (!hunk) throw new UserError(vscode.l10n.t('This change is already decided.'));
    return { review, hunk };
  }
}

function cursorRow(): number {
  return vscode.window.activeTextEditor?.selection.active.line ?? 0;
}

function isActive(uri: vscode.Uri): boolean {
  return vscode.window.activeTextEditor?.document.uri.toString() === uri.toString();
}

function isLineRange(value: unknown): value is LineRange {
  return typeof value === 'object' && value !== null && 'startLine' in value && 'endLine' in value;
}

/** The first comment line with the path belongs to the snippet when the file has it, too. */
function withPathComment(edit: ClipboardEdit, base: readonly string[]): ClipboardEdit {
  if (edit.format !== 'snippet' || edit.pathComment === undefined) return edit;
  return base.includes(edit.pathComment)
    ? { ...edit, text: `${edit.pathComment}\n${edit.text}` }
    : edit;
}

/** The file that an edit goes to; asks when it is not clear. Undefined when the user gave up. */
async function chooseTarget(edit: ClipboardEdit): Promise<vscode.Uri | undefined> {
  const targets = await findTargets(edit);
  const [best] = targets;
  if (best?.clear) return best.uri;
  if (!best) {
    throw new UserError(
      edit.path === undefined
        ? vscode.l10n.t('Open the file that the edit is meant for, then run the command again.')
        : vscode.l10n.t(
            '{0} is not in this workspace. Open the file that the edit is meant for, then run the command again.',
            edit.path,
          ),
    );
  }
  const lines = editText(edit).split('\n');
  const firstLine = lines.find(line => line.trim() !== '')?.trim() ?? '';
  const why = {
    path: vscode.l10n.t('named like the file in the snippet'),
    active: vscode.l10n.t('the active file'),
    content: vscode.l10n.t('has lines of the snippet'),
    open: vscode.l10n.t('open'),
  };
  const picked = await vscode.window.showQuickPick(
    targets.map(target => ({ label: target.path, description: why[target.why], uri: target.uri })),
    {
      title:
        edit.path === undefined
          ? vscode.l10n.t('Apply {0} lines to which file?', lines.length)
          : vscode.l10n.t('The snippet is for {0}. Apply it to which file?', edit.path),
      placeHolder: firstLine.slice(0, 100),
      matchOnDescription: true,
    },
  );
  return picked?.uri;
}

async function askForSnippet(selection: vscode.Selection): Promise<string | undefined> {
  const clipboard = { label: `$(clippy) ${vscode.l10n.t('From the clipboard')}`, isTyped: false };
  const typed = { label: `$(edit) ${vscode.l10n.t('Type one line…')}`, isTyped: true };
  const picked = await vscode.window.showQuickPick([clipboard, typed], {
    title: vscode.l10n.t(
      'Apply to lines {0} to {1}',
      selection.start.line + 1,
      lastLine(selection),
    ),
  });
  if (!picked) return undefined;
  return picked.isTyped
    ? vscode.window.showInputBox({
        prompt: vscode.l10n.t('The line that takes the place of the selection'),
      })
    : vscode.env.clipboard.readText();
}
