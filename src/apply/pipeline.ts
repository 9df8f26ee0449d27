import * as vscode from 'vscode';
import { translated } from '../base/sentence';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { withProgress } from '../host/progress';
import type { GatedClient } from '../host/egress/gatedClient';
import { settings } from '../host/settings';
import { take } from '../host/showError';
import { stepsFor } from '../host/steps';
import type { LineRange } from '../merge';
import { splitLines } from '../merge/text';
import { explain, timeOfDay } from '../service/advice';
import { ServiceError } from '../service/errors';
import { askedOrLocal } from './clearance';
import { type ClipboardEdit, parseClipboard } from './clipboard';
import { lineRangeOf } from './codeActions';
import { linesOf } from './editFile';
import {
  editText,
  type Merged,
  type MergeOutcome,
  type MergeRequest,
  merge,
  mergeLocally,
} from './engine';
import type { Author } from './instruct/run';
import { askForSnippet, askToReplace, chooseTargetOrOpen, outlineOf } from './prompts';
import { readTarget } from './readTarget';
import type { Review } from './review';
import type { Reviews } from './reviews';

interface Job {
  readonly edit: ClipboardEdit;
  readonly uri: vscode.Uri;
  readonly range?: LineRange;
}

/** From an edit to its review: snippet, target, merge, audit. Files are only read here. */
export class EditPipeline {
  readonly #host: Host;
  readonly #client: Pick<GatedClient, 'apply' | 'isReady'>;
  readonly #reviews: Reviews;

  constructor(host: Host, client: Pick<GatedClient, 'apply' | 'isReady'>, reviews: Reviews) {
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
    if (content.kind === 'rejected')
      throw new NothingToApply(translated(content.reason, vscode.l10n.t));
    const range = isLineRange(where) ? where : undefined;
    // The editor's menu and key pass the active file anyway: there, a path in the snippet wins.
    const isForced = target instanceof vscode.Uri && (range !== undefined || !isActive(target));
    const [edit] = content.edits;
    if (isForced && content.edits.length === 1 && edit)
      await this.#start([{ edit, uri: target, ...(range && { range }) }]);
    else await this.#applyAll(content.edits);
  }

  /** The snippet merges into the file; only the selected lines may change. */
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
    if (content.kind === 'rejected')
      throw new NothingToApply(translated(content.reason, vscode.l10n.t));
    const [edit] = content.edits;
    if (content.edits.length !== 1 || !edit)
      throw new UserError(
        vscode.l10n.t(
          'The clipboard holds edits of several files; a selection takes one. Run "Apply Clipboard Edit" instead.',
        ),
      );
    await this.#start([{ edit, uri: document.uri, range: lineRangeOf(selection) }]);
  }

  /** Merges the same snippet anew with the large model, in place of this review. */
  async mergeAgain(review: Review): Promise<void> {
    if (!vscode.workspace.isTrusted)
      throw new UserError(
        vscode.l10n.t('In an untrusted workspace nothing is sent to the service.'),
      );
    const { update } = review.origin;
    if (update === undefined)
      throw new UserError(
        vscode.l10n.t('This review does not come from a snippet, so it cannot be merged again.'),
      );
    const document = await readTarget(review.fileUri);
    const edit: ClipboardEdit = { format: 'snippet', text: update };
    const wanted: MergeRequest = {
      edit,
      original: document.getText(),
      path: review.label,
      engine: 'service',
      model: 'svc-v3-large',
    };
    const request = await askedOrLocal(wanted, review.fileUri, this.#client);
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
    const jobs: Job[] = [];
    for (const edit of edits) {
      const uri = await chooseTargetOrOpen(edit);
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
    const request = await askedOrLocal(wanted, uri, this.#client);
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
    const advice = explain(error, vscode.l10n.t);
    const steps = stepsFor(advice.actions, vscode.l10n.t);
    const useLocal = vscode.l10n.t('Use the Local Merge');
    const picked = await vscode.window.showWarningMessage(
      `${advice.message} ${vscode.l10n.t('Nothing was changed.')}`,
      useLocal,
      ...steps.map(({ title }) => title),
    );
    const step = steps.find(({ title }) => title === picked);
    if (step) await take(step);
    return picked === useLocal ? local : undefined;
  }

  /**
   * Makes a review of what was merged; tells when there is nothing to change.
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

/** Says what the clipboard holds, and what to do about it. */
class NothingToApply extends UserError {
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

/** The first comment line with the path belongs to the snippet when the file has it, too. */
function withPathComment(edit: ClipboardEdit, base: readonly string[]): ClipboardEdit {
  if (edit.format !== 'snippet' || edit.pathComment === undefined) return edit;
  return base.includes(edit.pathComment)
    ? { ...edit, text: `${edit.pathComment}\n${edit.text}` }
    : edit;
}
