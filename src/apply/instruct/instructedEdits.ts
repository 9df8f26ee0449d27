import * as vscode from 'vscode';
import { isRecord } from '../../base/typeGuards';
import { UserError } from '../../base/userError';
import type { GatedClient } from '../../platform/egress/gatedClient';
import type { Host } from '../../platform/host';
import { settings } from '../../platform/settings';
import { untrusted } from '../../platform/trust';
import { reviewOf } from '../changeset/askingPolicy';
import type { AgreedFiles } from '../changeset/clearance';
import { linesOf } from '../changeset/editFile';
import type { EditPipeline, Proposal } from '../changeset/editPipeline';
import { isLineRange, lineIntervalOf } from '../codeActions';
import type { ReviewRegistry } from '../review/registry';
import { readTarget } from '../target/readTarget';
import { nameForModel, problemOf } from './fixActions';
import { InstructionInput, pickEditModel } from './inputs';
import { type ModelEdit, ModelPolicy, type PromptGuardCheck } from './modelPolicy';
import { groupProblems, type Problem } from './problems';
import { shownTokens } from './prompt';
import { defaultEditModel, type EditClient, runEdit } from './runEdit';
import { runFixes } from './runFixes';

const { t } = vscode.l10n;

export type InstructClient = EditClient & Pick<GatedClient, 'catalogue' | 'obstacle'>;

interface EditJob extends ModelEdit {
  readonly document: vscode.TextDocument;
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
    const document = await this.#document(uri);
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
    await this.#fix(await this.#document(target), problems, false);
  }

  /** All errors and warnings of a file, in one review. */
  async fixFile(target?: unknown): Promise<void> {
    const uri =
      target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
    await this.#checkReady();
    const document = await this.#document(uri);
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

  /** One attempt after another, as long as the user wants another one. */
  async #perform(job: EditJob): Promise<void> {
    const { uri } = job.document;
    const key = uri.toString();
    if (this.#running.has(key)) {
      throw new UserError(
        t('An edit of {0} is being written. Wait for it, or cancel it.', nameForModel(uri)),
      );
    }
    this.#running.add(key);
    try {
      const policy = new ModelPolicy(job, settings.editModel || defaultEditModel, {
        guard: this.#guard,
        agreed: this.#agreed,
        catalogue: this.#client,
        show: review => this.#reviews.show(review),
      });
      while (policy.nextModel !== undefined) {
        await this.#open(await this.#pipeline.run(uri, policy), policy);
      }
    } finally {
      this.#running.delete(key);
    }
  }

  async #open(proposal: Proposal, { answeredAt }: ModelPolicy): Promise<void> {
    const review = reviewOf(proposal);
    if (!review) return;
    await this.#reviews.show(review);
    const { author, ms } = review.origin;
    this.#host.log.info(
      `edit: answered in ${Math.round(author?.ms ?? 0)} ms, merged in ${ms.toFixed(1)} ms, shown in ${Math.round(performance.now() - answeredAt)} ms`,
    );
  }

  /** @throws {UserError} without trust. @throws {ServiceError} `noKey` or `noUrl`, with the step that helps. */
  async #checkReady(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      throw untrusted(t('In Restricted Mode no file is sent to a model.'));
    }
    const obstacle = await this.#client.obstacle();
    if (obstacle) throw obstacle;
  }

  async #document(uri: vscode.Uri | undefined): Promise<vscode.TextDocument> {
    if (!uri || this.#reviews.of(uri)) {
      throw new UserError(t('Open the file to change, and select the lines to edit.'));
    }
    return readTarget(uri);
  }
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
