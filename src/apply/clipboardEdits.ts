import * as vscode from 'vscode';
import { translated } from '../base/sentence';
import { UserError } from '../base/userError';
import type { LineRange } from '../merge';
import type { Host } from '../platform/host';
import { withProgress } from '../platform/progress';
import { type AnswerReviews, answerSummary, type OpenedAnswer } from './changeset/answerReviews';
import {
  type AskingContext,
  askingPolicy,
  mergeAgainPolicy,
  reviewOf,
} from './changeset/askingPolicy';
import { CopiedAnswer, isChangeSet } from './changeset/changeSet';
import type { EditPipeline, EditPolicy } from './changeset/editPipeline';
import type { MergeService } from './changeset/engine';
import { offerRefused, pickRefused } from './changeset/refusedDialogs';
import type { RefusedPartsStore } from './changeset/refusedParts';
import { isLineRange, lineIntervalOf } from './codeActions';
import { type ClipboardEdit, parseClipboard } from './parse/clipboard';
import type { ApplySource } from './review/model/reviewMeta';
import type { ReviewRegistry } from './review/registry';
import type { Review } from './review/review';
import { droppedParts } from './target/droppedParts';
import { askForSnippet, askToStack, chooseTargetOrOpen } from './target/prompts';
import { readTarget } from './target/readTarget';

interface ApplyJob {
  readonly edit: ClipboardEdit;
  readonly uri: vscode.Uri;
  readonly range?: LineRange;
  /** The whole text that the user copied. */
  readonly answer?: string | undefined;
  readonly source?: ApplySource;
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
    await this.#applyText(text, target, where);
  }

  /**
   * Applies the patch or the answer that a file holds.
   *
   * @param file asked for if left out and the active editor shows none.
   */
  async applyFile(file?: unknown): Promise<void> {
    const uri = file instanceof vscode.Uri ? file : await this.#patchFile();
    if (!uri) return;
    const text = (await readTarget(uri)).getText();
    const answer = new CopiedAnswer(text);
    if (parseClipboard(text).kind !== 'edits' && !(await isChangeSet(answer))) {
      throw new UserError(
        vscode.l10n.t(
          '{0} holds no patch and no code to apply. Choose a patch, or the text of an answer.',
          vscode.workspace.asRelativePath(uri),
        ),
      );
    }
    const opened = await this.#openAnswer(answer, {
      active: undefined,
      except: uri,
      source: 'file',
    });
    if (opened) this.#offerRefused(opened);
  }

  /** Applies files or text that were dropped on the Reviews view. */
  async applyDropped(dropped: vscode.DataTransfer): Promise<void> {
    const { texts, uris } = await droppedParts(dropped);
    for (const uri of uris) await this.applyFile(uri);
    for (const text of texts) await this.#applyText(text, undefined, undefined, 'drop');
  }

  async #patchFile(): Promise<vscode.Uri | undefined> {
    const active = vscode.window.activeTextEditor?.document;
    if (active?.languageId === 'diff') return active.uri;
    const picked = await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Apply Patch File'),
      openLabel: vscode.l10n.t('Review Changes'),
      filters: {
        [vscode.l10n.t('Patches and answers')]: [
          'patch',
          'diff',
          'eml',
          'mbox',
          'md',
          'txt',
          'json',
        ],
        [vscode.l10n.t('All files')]: ['*'],
      },
    });
    return picked?.[0];
  }

  async #applyText(
    text: string,
    target?: unknown,
    where?: unknown,
    source: ApplySource = 'clipboard',
  ): Promise<void> {
    const answer = new CopiedAnswer(text);
    if (!isLineRange(where) && (await isChangeSet(answer))) {
      const active = target instanceof vscode.Uri ? target : this.#activeFile();
      const opened = await this.#openAnswer(answer, { active, source });
      if (!opened) return;
      // When no part of it could be applied, its parts may still be placed one by one.
      const isHopeless = opened.reviews.length === 0 && parseClipboard(text).kind === 'edits';
      if (!isHopeless) return this.#offerRefused(opened);
    }
    const edits = editsOf(text);
    const range = isLineRange(where) ? where : undefined;
    // The editor's menu and keybinding always pass the active file: a path in the snippet takes precedence there.
    const isForced = target instanceof vscode.Uri && (range !== undefined || !isActive(target));
    const [edit] = edits;
    if (isForced && edits.length === 1 && edit) {
      await this.#start([{ edit, uri: target, answer: text, ...(range && { range }) }]);
    } else await this.#applyAll(edits, text, source);
  }

  /** Opens the reviews of a whole answer and shows the first one; undefined when the user gives up. */
  async #openAnswer(
    answer: CopiedAnswer,
    {
      source,
      ...files
    }: {
      readonly active: vscode.Uri | undefined;
      readonly except?: vscode.Uri;
      readonly source: ApplySource;
    },
  ): Promise<OpenedAnswer | undefined> {
    const started = performance.now();
    const opened = await withProgress(vscode.l10n.t('Applying the answer'), async signal =>
      this.#answers.open(answer, {
        ...files,
        signal,
        from: { source, answer: answer.text },
        takePending: askToStack,
        policy: edit => askingPolicy({ edit, answer: answer.text, source }, this.#context),
        show: async review => this.#reviews.show(review),
      }),
    );
    if (opened && opened.reviews.length > 0) {
      vscode.window.setStatusBarMessage(
        `$(git-compare) ${answerSummary(opened, performance.now() - started)}`,
        8000,
      );
    }
    return opened;
  }

  /** Lists what was not applied, and offers to place it. */
  #offerRefused(opened: OpenedAnswer): void {
    this.#refused.add(opened);
    this.#host.quietly(async () => offerRefused(opened))();
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
    await this.#start([
      { edit, uri: document.uri, range: lineIntervalOf(selection), answer: text },
    ]);
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
  async #applyAll(
    edits: readonly ClipboardEdit[],
    answer?: string,
    source: ApplySource = 'clipboard',
  ): Promise<boolean> {
    const jobs: ApplyJob[] = [];
    for (const edit of edits) {
      const uri = await chooseTargetOrOpen(edit);
      if (!uri) return false;
      jobs.push({ edit, uri, answer, source });
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
