import * as vscode from 'vscode';
import { shortNumber } from '../../base/format/numbers';
import { cleanServerText } from '../../base/format/serverText';
import { timeOfDay } from '../../base/format/times';
import { isRecord } from '../../base/typeGuards';
import { UserError } from '../../base/userError';
import type { LineRange } from '../../merge';
import { confirm } from '../../platform/confirm';
import type { GatedClient } from '../../platform/egress/gatedClient';
import { hasSecret } from '../../platform/egress/secrets/secretText';
import type { Clearance } from '../../platform/egress/sending';
import type { Host } from '../../platform/host';
import { withProgress } from '../../platform/progress';
import { settings } from '../../platform/settings';
import { untrusted } from '../../platform/trust';
import { type AgreedFiles, clearForEdit } from '../changeset/clearance';
import { linesOf } from '../changeset/editFile';
import type { EditPipeline } from '../changeset/editPipeline';
import { lineIntervalOf } from '../codeActions';
import type { ReviewRegistry } from '../review/registry';
import { askToReplace } from '../target/prompts';
import { readTarget } from '../target/readTarget';
import { nameForModel, problemOf } from './fixActions';
import { InstructionInput, modelName, pickEditModel } from './inputs';
import { groupProblems, type Problem } from './problems';
import { shownTokens } from './prompt';
import {
  defaultEditModel,
  type EditClient,
  type EditContext,
  type EditOutcome,
  type EditProgress,
  runEdit,
} from './runEdit';
import { runFixes } from './runFixes';

const { t } = vscode.l10n;

/** Whether the prompt guard lets a file go to a chat model; resolves to true when the guard is off. */
export type PromptGuardCheck = (
  text: { readonly text: string; readonly source: 'file'; readonly name: string },
  signal: AbortSignal,
) => Promise<boolean>;

export type InstructClient = EditClient & Pick<GatedClient, 'catalogue' | 'obstacle'>;

interface EditJob {
  readonly document: vscode.TextDocument;
  readonly title: string;
  /** What the user typed. */
  readonly instruction?: string;
  readonly run: (
    text: string,
    context: EditContext,
    report: (message: string) => void,
  ) => Promise<EditOutcome>;
  /** Only a part of the file may change. */
  readonly isNarrow: boolean;
}

/** Edits that a chat model writes, from an instruction or to fix problems. Each opens a review. */
export class InstructedEdits {
  readonly #host: Host;
  readonly #client: InstructClient;
  readonly #pipeline: EditPipeline;
  readonly #reviews: ReviewRegistry;
  readonly #guard: PromptGuardCheck;
  readonly #input: InstructionInput;
  readonly #agreed: AgreedFiles = new Map();
  readonly #running = new Set<string>();

  constructor(
    host: Host,
    client: InstructClient,
    pipeline: EditPipeline,
    reviews: ReviewRegistry,
    guard: PromptGuardCheck,
  ) {
    this.#host = host;
    this.#client = client;
    this.#pipeline = pipeline;
    this.#reviews = reviews;
    this.#guard = guard;
    this.#input = new InstructionInput(host);
  }

  /** @param target, where given by the code action; else the active editor and its selection. */
  async instruct(target?: unknown, where?: unknown): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const uri = target instanceof vscode.Uri ? target : editor?.document.uri;
    await this.#checkReady();
    const document = await this.#open(uri);
    const selection = editor?.document === document ? editor.selection : undefined;
    const range = isLineRange(where)
      ? where
      : selection && !selection.isEmpty
        ? lineIntervalOf(selection)
        : undefined;
    const isNarrow =
      range !== undefined && (range.startLine > 1 || range.endLine < document.lineCount);
    const name = nameForModel(document.uri);
    const instruction = await this.#input.ask(
      range === undefined
        ? t('Edit {0}', name)
        : range.startLine === range.endLine
          ? t('Edit line {0} of {1}', range.startLine, name)
          : t('Edit lines {0} to {1} of {2}', range.startLine, range.endLine, name),
      async () => this.chooseModel(),
    );
    if (instruction === undefined) return;
    await this.#perform({
      document,
      title: t('Editing {0}', name),
      instruction,
      isNarrow,
      run: (text, context) =>
        runEdit(
          {
            path: name,
            languageId: document.languageId,
            text,
            instruction,
            ...(isNarrow && { range }),
          },
          this.#client,
          context,
        ),
    });
  }

  /** @param problems given by the code action. */
  async fix(target?: unknown, problems?: unknown): Promise<void> {
    if (!(target instanceof vscode.Uri) || !isProblems(problems)) {
      throw new UserError(
        t('Put the cursor on a problem and open the lightbulb menu, then choose Fix with Splice.'),
      );
    }
    await this.#checkReady();
    await this.#fix(await this.#open(target), problems, false);
  }

  /** All errors and warnings of a file, in one review. */
  async fixFile(target?: unknown): Promise<void> {
    const uri =
      target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
    await this.#checkReady();
    const document = await this.#open(uri);
    await this.#fix(document, vscode.languages.getDiagnostics(document.uri).map(problemOf), true);
  }

  async chooseModel(): Promise<void> {
    const model = await pickEditModel(this.#client, t('Choose Model for Edits'));
    if (model !== undefined) await settings.setEditModel(model);
  }

  async #fix(
    document: vscode.TextDocument,
    problems: readonly Problem[],
    isWholeFile: boolean,
  ): Promise<void> {
    const name = nameForModel(document.uri);
    // Problems that the user picked are fixed whatever their severity.
    const chosen = isWholeFile
      ? problems
      : problems.map(problem => ({
          ...problem,
          severity: problem.severity === 'error' ? ('error' as const) : ('warning' as const),
        }));
    const { groups, count, left } = groupProblems(chosen, linesOf(document), shownTokens / 2);
    if (count === 0) throw new UserError(t('{0} has no errors and no warnings to fix.', name));
    const title =
      count === 1
        ? t('Fixing 1 problem in {0}', name)
        : t('Fixing {0} problems in {1}', count, name);
    if (left > 0) {
      void vscode.window.showInformationMessage(
        t(
          '{0} has {1} problems. The first {2} are fixed now, errors before warnings; run the command again for the rest.',
          name,
          count + left,
          count,
        ),
      );
    }
    await this.#perform({
      document,
      title,
      isNarrow: false,
      run: (text, context, report) =>
        runFixes({ path: name, languageId: document.languageId, text, groups }, this.#client, {
          ...context,
          t,
          onGroup: nth => {
            if (groups.length > 1) report(t('part {0} of {1}', nth, groups.length));
          },
        }),
    });
  }

  /** Asks for consent, then sends, merges and opens the review; after a failure the user chooses how to continue. */
  async #perform(job: EditJob): Promise<void> {
    const { document } = job;
    const key = document.uri.toString();
    if (this.#running.has(key)) {
      throw new UserError(
        t(
          'An edit of {0} is being written. Wait for it, or cancel it.',
          nameForModel(document.uri),
        ),
      );
    }
    const pending = this.#reviews.ofFile(document.uri);
    const choice = pending && (await askToReplace(pending));
    if (pending && choice === 'show') await this.#reviews.show(pending);
    if (pending && choice !== 'replace') return;
    this.#running.add(key);
    try {
      const clearance = await this.#clear(job);
      if (!clearance) return;
      for (let model: string | undefined = settings.editModel || defaultEditModel; model; ) {
        model = await this.#attempt(job, model, clearance);
      }
    } finally {
      this.#running.delete(key);
    }
  }

  /** @returns the model for another attempt, when the user wants one. */
  async #attempt(
    { document, title, run, isNarrow }: EditJob,
    model: string,
    clearance: Clearance,
  ): Promise<string | undefined> {
    const base = linesOf(document);
    const task = withProgress(`${title} (${modelName(model)})`, (signal, report) =>
      run(
        base.join('\n'),
        {
          signal,
          now: () => performance.now(),
          model,
          engine: settings.engine,
          mergeModel: settings.model,
          clearance,
          onProgress: progress => report(progressText(progress)),
        },
        report,
      ),
    );
    vscode.window.setStatusBarMessage(`$(sync~spin) ${title}`, task);
    const outcome = await task;
    const answered = performance.now();
    if (outcome.kind !== 'merged') return this.#offerMore(document, outcome, model);
    const pending = this.#reviews.ofFile(document.uri);
    if (pending) await this.#reviews.discard(pending);
    const { merged, author } = outcome;
    const review = this.#pipeline.open(document, base, merged, {
      author,
      // Merging again would ignore the selection.
      update: isNarrow ? undefined : outcome.update,
    });
    if (review) await this.#reviews.show(review);
    this.#host.log.info(
      `edit: answered in ${Math.round(author.ms)} ms, merged in ${merged.ms.toFixed(1)} ms, shown in ${Math.round(performance.now() - answered)} ms`,
    );
    return undefined;
  }

  async #offerMore(
    document: vscode.TextDocument,
    outcome: Exclude<EditOutcome, { kind: 'merged' }>,
    model: string,
  ): Promise<string | undefined> {
    const show = t('Show Answer');
    const again = t('Try Again');
    const other = t('Other Model…');
    const name = nameForModel(document.uri);
    const text =
      outcome.kind === 'words'
        ? t(
            '{0} changed nothing in {1}: {2}',
            outcome.author.model,
            name,
            modelText(outcome.answer),
          )
        : t(
            'The answer from {0} cannot be merged: {1} Nothing was changed.',
            outcome.author.model,
            outcome.reason,
          );
    const picked = await vscode.window.showWarningMessage(text, show, again, other);
    if (picked === again) return model;
    if (picked === other) return pickEditModel(this.#client, t('Edit with Another Model'));
    if (picked === show) {
      const answer = await vscode.workspace.openTextDocument({
        content: outcome.answer,
        language: 'markdown',
      });
      await vscode.window.showTextDocument(answer, { viewColumn: vscode.ViewColumn.Beside });
    }
    return undefined;
  }

  /** @throws {UserError} without trust. @throws {ServiceError} `noKey` or `noUrl`, with the step that helps. */
  async #checkReady(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      throw untrusted(t('In Restricted Mode no file is sent to a model.'));
    }
    const obstacle = await this.#client.obstacle();
    if (obstacle) throw obstacle;
  }

  async #open(uri: vscode.Uri | undefined): Promise<vscode.TextDocument> {
    if (!uri || this.#reviews.of(uri)) {
      throw new UserError(t('Open the file to change, and select the lines to edit.'));
    }
    return readTarget(uri);
  }

  /** Asks about private and excluded files, then asks the prompt guard if it is on. */
  async #clear({ document, instruction = '' }: EditJob): Promise<Clearance | undefined> {
    const name = nameForModel(document.uri);
    const hasSecretWish = hasSecret(instruction);
    if (hasSecretWish) {
      const reason = t('The instruction seems to contain a key or a password.');
      const question = t('Send the instruction to the model?');
      if (!(await confirm(question, reason, t('Send Anyway'), t('Do Not Send')))) return undefined;
    }
    const clearance = await clearForEdit(document, name, {
      agreed: this.#agreed,
      // The prompt guard asks about them itself.
      asksAboutSecrets: !settings.reflexGuard,
    });
    if (!clearance) return undefined;
    const isAllowed = await withProgress(t('Checking {0}', name), signal =>
      this.#guard({ text: document.getText(), source: 'file', name }, signal),
    );
    if (!isAllowed) return undefined;
    return hasSecretWish ? { ...clearance, texts: [instruction] } : clearance;
  }
}

function progressText(progress: EditProgress): string {
  switch (progress.phase) {
    case 'routing':
      return t('picking a model');
    case 'thinking':
      return t('thinking, {0} characters', shortNumber(progress.characters));
    case 'writing':
      return t('{0} lines, {1} characters', progress.lines, shortNumber(progress.characters));
    case 'merging':
      return t('merging');
    case 'again':
      return t('asking again: {0}', progress.reason);
    default:
      return t('waiting, next try at {0}', timeOfDay(progress.retryAt));
  }
}

/** Text of a model, cleaned up and cut for a message. */
const modelText = (text: string): string => cleanServerText(text, 300) || t('it gave no reason.');

function isLineRange(value: unknown): value is LineRange {
  return (
    isRecord(value) &&
    typeof value['startLine'] === 'number' &&
    typeof value['endLine'] === 'number'
  );
}

function isProblems(value: unknown): value is Problem[] {
  return (
    Array.isArray(value) &&
    value.every(
      item =>
        isRecord(item) &&
        typeof item['message'] === 'string' &&
        typeof item['startLine'] === 'number' &&
        typeof item['endLine'] === 'number' &&
        Array.isArray(item['related']),
    )
  );
}
