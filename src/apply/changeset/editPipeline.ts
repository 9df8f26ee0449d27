import * as vscode from 'vscode';
import { timeOfDay } from '../../base/format/times';
import { translated } from '../../base/sentence';
import { splitLines } from '../../base/text/textLines';
import { UserError } from '../../base/userError';
import type { LineRange } from '../../merge';
import type { GatedClient } from '../../platform/egress/gatedClient';
import type { Host } from '../../platform/host';
import { withProgress } from '../../platform/progress';
import { settings } from '../../platform/settings';
import { runStep } from '../../platform/showError';
import { adviceSteps } from '../../platform/steps';
import { adviceFor, ServiceError } from '../../service';
import { lineIntervalOf } from '../codeActions';
import type { Author } from '../instruct/runEdit';
import { type ClipboardEdit, parseClipboard } from '../parse/clipboard';
import type { ReviewRegistry } from '../review/registry';
import type { Review } from '../review/review';
import { askForSnippet, askToReplace, chooseTargetOrOpen, outlineOf } from '../target/prompts';
import { readTarget } from '../target/readTarget';
import { askOrKeepLocal } from './clearance';
import { linesOf } from './editFile';
import {
  editText,
  type Merged,
  type MergeOutcome,
  type MergeRequest,
  merge,
  mergeLocally,
} from './engine';

interface ApplyJob {
  readonly edit: ClipboardEdit;
  readonly uri: vscode.Uri;
  readonly range?: LineRange;
}

/** Turns edits of the user's commands into reviews: finds the target, merges and audits. Writes no files. */
export class EditPipeline {
  readonly #host: Host;
  readonly #client: Pick<GatedClient, 'apply' | 'isReady'>;
  readonly #reviews: ReviewRegistry;

  constructor(host: Host, client: Pick<GatedClient, 'apply' | 'isReady'>, reviews: ReviewRegistry) {
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
    if (content.kind === 'rejected') {
      throw new NothingToApplyError(translated(content.reason, vscode.l10n.t));
    }
    const range = isLineRange(where) ? where : undefined;
    // The editor's menu and keybinding always pass the active file: a path in the snippet takes precedence there.
    const isForced = target instanceof vscode.Uri && (range !== undefined || !isActive(target));
    const [edit] = content.edits;
    if (isForced && content.edits.length === 1 && edit) {
      await this.#start([{ edit, uri: target, ...(range && { range }) }]);
    } else await this.#applyAll(content.edits);
  }

  /** Merges a snippet into the active file; only the selected lines may change. */
  async applyToSelection(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || this.#reviews.of(editor.document.uri)) {
      throw new UserError(
        vscode.l10n.t('Open the file to change, and select the lines that may change.'),
      );
    }
    const { selection, document } = editor;
    if (selection.isEmpty) {
      throw new UserError(
        vscode.l10n.t('Select the lines that may change, then run the command again.'),
      );
    }
    const text = await askForSnippet(selection);
    if (text === undefined) return;
    const content = parseClipboard(text);
    if (content.kind === 'rejected') {
      throw new NothingToApplyError(translated(content.reason, vscode.l10n.t));
    }
    const [edit] = content.edits;
    if (content.edits.length !== 1 || !edit) {
      throw new UserError(
        vscode.l10n.t(
          'The clipboard holds edits for several files, but a selection takes only one. Run "Apply Clipboard Edit" instead.',
        ),
      );
    }
    await this.#start([{ edit, uri: document.uri, range: lineIntervalOf(selection) }]);
  }

  /** Merges the snippet of a review again with the large model and replaces the review. */
  async mergeAgain(review: Review): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      throw new UserError(
        vscode.l10n.t('In an untrusted workspace nothing is sent to the service.'),
      );
    }
    const { update } = review.origin;
    if (update === undefined) {
      throw new UserError(
        vscode.l10n.t('This review does not come from a snippet, so it cannot be merged again.'),
      );
    }
    const document = await readTarget(review.fileUri);
    const edit: ClipboardEdit = { format: 'snippet', text: update };
    const wanted: MergeRequest = {
      edit,
      original: document.getText(),
      path: review.label,
      engine: 'service',
      model: 'svc-v3-large',
    };
    const request = await askOrKeepLocal(wanted, review.fileUri, this.#client);
    if (!request) return;
    const base = linesOf(document);
    const merged = await withProgress(
      vscode.l10n.t('Merging {0} with the large model', review.fileName),
      signal => merge(request, this.#client, { signal, now: () => performance.now() }),
    );
    if (merged.kind === 'refused') throw new UserError(merged.reason);
    await this.#reviews.discard(review);
    const next = this.open(document, base, merged, { update, author: review.origin.author });
    if (next) await this.#reviews.show(next);
  }

  async #applyAll(edits: readonly ClipboardEdit[]): Promise<void> {
    const jobs: ApplyJob[] = [];
    for (const edit of edits) {
      const uri = await chooseTargetOrOpen(edit);
      if (!uri) return;
      jobs.push({ edit, uri });
    }
    await this.#start(jobs);
  }

  /** Merges each file and opens its review; a failure does not stop the others. */
  async #start(jobs: readonly ApplyJob[]): Promise<void> {
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

  async #mergeIntoReview({ edit, uri, range }: ApplyJob): Promise<Review | undefined> {
    const document = await readTarget(uri);
    const pending = this.#reviews.ofFile(uri);
    const choice = pending && (await askToReplace(pending));
    if (pending && choice === 'show') await this.#reviews.show(pending);
    if (pending && choice !== 'replace') return undefined;
    const base = linesOf(document);
    const isNarrowed = range && (range.startLine > 1 || range.endLine < document.lineCount);
    const wanted = mergeRequest(edit, base, {
      original: document.getText(),
      path: vscode.workspace.asRelativePath(uri),
      ...(isNarrowed && { range }),
    });
    const request = await askOrKeepLocal(wanted, uri, this.#client);
    if (!request) return undefined;
    const merged = await this.#merge(request);
    if (!merged) return undefined;
    if (merged.kind === 'refused') throw new UserError(merged.reason);
    if (pending) await this.#reviews.discard(pending);
    const update = edit.format === 'snippet' ? editText(edit) : undefined;
    return this.open(document, base, merged, { update });
  }

  async #merge(request: MergeRequest): Promise<MergeOutcome | undefined> {
    const { lines, firstLine } = outlineOf(request.edit);
    const title = vscode.l10n.t('Applying {0} lines to {1}: {2}', lines, request.path, firstLine);
    const merging = withProgress(title, (signal, report) =>
      merge(request, this.#client, {
        signal,
        now: () => performance.now(),
        onText: text => report(vscode.l10n.t('{0} characters', text.length)),
        onWait: ({ retryAt }) =>
          report(vscode.l10n.t('waiting, next try at {0}', timeOfDay(retryAt))),
      }),
    );
    vscode.window.setStatusBarMessage(`$(sync~spin) ${title}`, merging);
    try {
      return await merging;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return this.#offerLocal(request, error);
    }
  }

  /** After a failed call: the local merge, if there is one and the user wants it. */
  async #offerLocal(request: MergeRequest, error: ServiceError): Promise<Merged | undefined> {
    const local = mergeLocally(request, () => performance.now());
    if (local.kind === 'refused') throw error;
    this.#host.log.error('apply', error);
    const advice = adviceFor(error, vscode.l10n.t);
    const steps = adviceSteps(advice.actions, vscode.l10n.t);
    const useLocal = vscode.l10n.t('Use the Local Merge');
    const picked = await vscode.window.showWarningMessage(
      `${advice.message} ${vscode.l10n.t('Nothing was changed.')}`,
      useLocal,
      ...steps.map(({ title }) => title),
    );
    const step = steps.find(({ title }) => title === picked);
    if (step) await runStep(step);
    return picked === useLocal ? local : undefined;
  }

  /**
   * Starts the review of a merge; tells the user when there is nothing to change.
   *
   * @param base the lines of the document that were merged with.
   */
  open(
    document: vscode.TextDocument,
    base: readonly string[],
    merged: Merged,
    { update, author }: { update?: string | undefined; author?: Author | undefined },
  ): Review | undefined {
    const text = splitLines(merged.text);
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
      ...(author && { author }),
    });
  }
}

/** The clipboard contains no edit. */
class NothingToApplyError extends UserError {
  constructor(reason: string) {
    super(vscode.l10n.t('{0} Copy the code of an edit first, then run the command again.', reason));
  }
}

function isActive(uri: vscode.Uri): boolean {
  return vscode.window.activeTextEditor?.document.uri.toString() === uri.toString();
}

function isLineRange(value: unknown): value is LineRange {
  return typeof value === 'object' && value !== null && 'startLine' in value && 'endLine' in value;
}

/** @param base the lines of `original`. */
export function mergeRequest(
  edit: ClipboardEdit,
  base: readonly string[],
  where: Pick<MergeRequest, 'original' | 'path' | 'range' | 'instruction'>,
): MergeRequest {
  const { engine, model } = settings;
  return { ...where, edit: withPathComment(edit, base), engine, model };
}

/** The first comment line with the path belongs to the snippet when the file has it too. */
function withPathComment(edit: ClipboardEdit, base: readonly string[]): ClipboardEdit {
  if (edit.format !== 'snippet' || edit.pathComment === undefined) return edit;
  return base.includes(edit.pathComment)
    ? { ...edit, text: `${edit.pathComment}\n${edit.text}` }
    : edit;
}
