import * as vscode from 'vscode';
import { translated } from '../base/sentence';
import { UserError } from '../base/userError';
import type { LineRange } from '../merge';
import type { Host } from '../platform/host';
import { withProgress } from '../platform/progress';
import { type AnswerReviews, answerSummary, isChangeSet } from './changeset/answerReviews';
import {
  type AskingContext,
  askingPolicy,
  mergeAgainPolicy,
  reviewOf,
} from './changeset/askingPolicy';
import type { EditPipeline, EditPolicy } from './changeset/editPipeline';
import type { MergeService } from './changeset/engine';
import { offerRefused, pickRefused } from './changeset/refusedDialogs';
import type { RefusedPartsStore } from './changeset/refusedParts';
import { isLineRange, lineIntervalOf } from './codeActions';
import { type ClipboardEdit, parseClipboard } from './parse/clipboard';
import type { ReviewRegistry } from './review/registry';
import type { Review } from './review/review';
import { askForSnippet, askToStack, chooseTargetOrOpen } from './target/prompts';

interface ApplyJob {
  readonly edit: ClipboardEdit;
  readonly uri: vscode.Uri;
  readonly range?: LineRange;
}

/** Edits that the user copied: finds the target of each, and opens its review. Writes no files. */
export class ClipboardEdits {
  readonly #host: Host;
  readonly #pipeline: EditPipeline;
  readonly #reviews: ReviewRegistry;
  readonly #context: AskingContext;
  readonly #answers: AnswerReviews;
  readonly #refused: RefusedPartsStore;

  constructor(
    host: Host,
    service: MergeService,
    pipeline: EditPipeline,
    {
      reviews,
      answers,
      refused,
    }: {
      readonly reviews: ReviewRegistry;
      readonly answers: AnswerReviews;
      readonly refused: RefusedPartsStore;
    },
  ) {
    this.#host = host;
    this.#answers = answers;
    this.#refused = refused;
    this.#pipeline = pipeline;
    this.#reviews = reviews;
    this.#context = { host, service, show: review => reviews.show(review) };
  }

  /**
   * @param target the file, when the command came from the explorer or a code action.
   * @param where the lines that may change; or the explorer's list of selected files.
   */
  async applyClipboard(target?: unknown, where?: unknown): Promise<void> {
    const text = await vscode.env.clipboard.readText();
    const isWhole = !isLineRange(where) && (await isChangeSet(text));
    if (isWhole && (await this.#applyAnswer(text, target))) return;
    const edits = editsOf(text);
    const range = isLineRange(where) ? where : undefined;
    // The editor's menu and keybinding always pass the active file: a path in the snippet takes precedence there.
    const isForced = target instanceof vscode.Uri && (range !== undefined || !isActive(target));
    const [edit] = edits;
    if (isForced && edits.length === 1 && edit) {
      await this.#start([{ edit, uri: target, ...(range && { range }) }]);
    } else await this.#applyAll(edits);
  }

  /**
   * Opens the reviews of a whole answer, and shows the first one.
   *
   * @returns false when nothing of it could be applied; its parts may still be placed one by one.
   */
  async #applyAnswer(text: string, target: unknown): Promise<boolean> {
    const started = performance.now();
    const active = target instanceof vscode.Uri ? target : this.#activeFile();
    const opened = await withProgress(vscode.l10n.t('Applying the answer'), async signal =>
      this.#answers.open(text, {
        active,
        signal,
        takePending: askToStack,
        policy: edit => askingPolicy({ edit }, this.#context),
      }),
    );
    if (!opened) return true;
    const [first] = opened.reviews;
    if (!first && parseClipboard(text).kind === 'edits') return false;
    if (first) {
      await this.#reviews.show(first);
      vscode.window.setStatusBarMessage(
        `$(git-compare) ${answerSummary(opened, performance.now() - started)}`,
        8000,
      );
    }
    this.#refused.add(opened);
    this.#host.quietly(async () => offerRefused(opened))();
    return true;
  }

  /** The file in front, or the one whose review is in front. */
  #activeFile(): vscode.Uri | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const review = this.#reviews.of(uri);
    return review ? review.fileUri : uri;
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
    const edits = editsOf(text);
    const [edit] = edits;
    if (edits.length !== 1 || !edit) {
      throw new UserError(
        vscode.l10n.t(
          'The clipboard holds edits for several files, but a selection takes only one. Run "Apply Clipboard Edit" instead.',
        ),
      );
    }
    await this.#start([{ edit, uri: document.uri, range: lineIntervalOf(selection) }]);
  }

  /** Lists what was not applied of answers, and places, copies or dismisses the part that the user picks. */
  async placeRefused(setId?: string, index?: number): Promise<void> {
    const picked = await pickRefused(this.#refused, setId, index);
    if (!picked) return;
    if (picked.choice !== 'place') return this.#refused.remove(picked.setId, picked.part);
    if (await this.#applyAll(editsOf(picked.part.part))) {
      this.#refused.remove(picked.setId, picked.part);
    }
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
    const next = await this.#open(review.fileUri, mergeAgainPolicy(review, update, this.#context));
    if (!next) return;
    // One that was closed is not pending, so the pipeline has left it.
    if (review.state !== 'done') await this.#reviews.discard(review);
    await this.#reviews.show(next);
  }

  /** Returns whether a review has opened for each of the edits. */
  async #applyAll(edits: readonly ClipboardEdit[]): Promise<boolean> {
    const jobs: ApplyJob[] = [];
    for (const edit of edits) {
      const uri = await chooseTargetOrOpen(edit);
      if (!uri) return false;
      jobs.push({ edit, uri });
    }
    return this.#start(jobs);
  }

  /**
   * Merges each file and opens its review; a failure does not stop the others.
   *
   * @returns whether all have opened.
   */
  async #start(jobs: readonly ApplyJob[]): Promise<boolean> {
    const opened: Review[] = [];
    const problems: unknown[] = [];
    for (const job of jobs) {
      try {
        const review = await this.#open(job.uri, askingPolicy(job, this.#context));
        if (review) opened.push(review);
      } catch (error) {
        if (jobs.length === 1) throw error;
        problems.push(error);
      }
    }
    // The first one last, so that it ends up in front.
    for (const review of opened.toReversed()) await this.#reviews.show(review);
    for (const problem of problems) void this.#host.report('apply', problem);
    return opened.length === jobs.length;
  }

  async #open(uri: vscode.Uri, policy: EditPolicy): Promise<Review | undefined> {
    return reviewOf(await this.#pipeline.run(uri, policy));
  }
}

/** @throws {NothingToApplyError} when the text contains no edit. */
function editsOf(text: string): readonly ClipboardEdit[] {
  const content = parseClipboard(text);
  if (content.kind === 'edits') return content.edits;
  throw new NothingToApplyError(translated(content.reason, vscode.l10n.t));
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
