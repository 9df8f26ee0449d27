import * as vscode from 'vscode';
import { charactersText, linesText } from '../../base/format/counts';
import { shortNumber } from '../../base/format/numbers';
import { cleanServerText } from '../../base/format/serverText';
import { timeOfDay } from '../../base/format/times';
import { splitLines } from '../../base/text/textLines';
import { confirm } from '../../platform/confirm';
import { hasSecret } from '../../platform/egress/secrets/secretText';
import type { Clearance } from '../../platform/egress/sending';
import { withProgress } from '../../platform/progress';
import { settings } from '../../platform/settings';
import { replaceOrShow } from '../changeset/askingPolicy';
import { type AgreedFiles, clearForEdit } from '../changeset/clearance';
import type { EditPolicy, EditTarget, PolicyOutcome } from '../changeset/editPipeline';
import type { Review } from '../review/review';
import { nameForModel } from './fixActions';
import { modelName, pickEditModel } from './inputs';
import type { EditContext, EditOutcome, EditProgress } from './runEdit';

const { t } = vscode.l10n;

/** Whether the prompt guard lets a file go to a chat model; resolves to true when the guard is off. */
export type PromptGuardCheck = (
  text: { readonly text: string; readonly source: 'file'; readonly name: string },
  signal: AbortSignal,
) => Promise<boolean>;

/** An edit that a chat model writes. */
export interface ModelEdit {
  readonly title: string;
  /** What the user typed. */
  readonly instruction?: string;
  /** @param text of the file, with `\n` between lines. */
  readonly run: (
    text: string,
    context: EditContext,
    report: (message: string) => void,
  ) => Promise<EditOutcome>;
  /** Only a part of the file may change. */
  readonly isNarrow: boolean;
}

export interface ModelPolicyContext {
  readonly guard: PromptGuardCheck;
  /** Private files that the user has agreed to send. */
  readonly agreed: AgreedFiles;
  readonly catalogue: Parameters<typeof pickEditModel>[0];
  /** Shows a review that the user wants to see instead of replacing it. */
  readonly show: (review: Review) => Promise<void>;
}

/**
 * For one attempt of an edit that a chat model writes: asks before a pending review is replaced and before a
 * private file is sent. After an answer that cannot be merged the user chooses whether there is another attempt,
 * for which the same policy is used.
 */
export class ModelPolicy implements EditPolicy {
  readonly from = { source: 'instruction' } as const;
  readonly #edit: ModelEdit;
  readonly #context: ModelPolicyContext;
  #replaced: Review | undefined;
  #cleared: { readonly text: string; readonly clearance: Clearance } | undefined;
  /** The model of the next attempt; undefined when there is none. */
  #next: string | undefined;
  /** When the model had answered, by `performance.now()`. */
  answeredAt = 0;

  constructor(edit: ModelEdit, model: string, context: ModelPolicyContext) {
    this.#edit = edit;
    this.#context = context;
    this.#next = model;
  }

  get nextModel(): string | undefined {
    return this.#next;
  }

  async takePending(pending: Review): Promise<'replace' | undefined> {
    if (pending === this.#replaced) return 'replace';
    const choice = await replaceOrShow(pending, this.#context.show);
    if (choice) this.#replaced = pending;
    else this.#next = undefined;
    return choice;
  }

  async merge(target: EditTarget): Promise<PolicyOutcome | undefined> {
    const model = this.#next;
    this.#next = undefined;
    if (model === undefined) return undefined;
    const clearance = await this.#clear(target);
    if (!clearance) return undefined;
    const { title, run, isNarrow } = this.#edit;
    const task = withProgress(`${title} (${modelName(model)})`, (signal, report) =>
      run(
        splitLines(target.original).join('\n'),
        {
          signal,
          now: () => performance.now(),
          model,
          engine: settings.engine,
          mergeModel: settings.model,
          t: vscode.l10n.t,
          clearance,
          onProgress: progress => report(progressText(progress)),
        },
        report,
      ),
    );
    vscode.window.setStatusBarMessage(`$(sync~spin) ${title}`, task);
    const outcome = await task;
    this.answeredAt = performance.now();
    if (outcome.kind !== 'merged') {
      this.#next = await this.#offerMore(target, outcome, model);
      return undefined;
    }
    const { merged, author, update } = outcome;
    // Merging again would ignore the selection.
    return { outcome: merged, author, update: isNarrow ? undefined : update, answer: update };
  }

  /** Asks about private and excluded files, then asks the prompt guard if it is on. */
  async #clear({ document: { uri }, original: text }: EditTarget): Promise<Clearance | undefined> {
    if (this.#cleared?.text === text) return this.#cleared.clearance;
    const { instruction = '' } = this.#edit;
    const name = nameForModel(uri);
    const hasSecretWish = hasSecret(instruction);
    if (hasSecretWish) {
      const reason = t('The instruction seems to contain a key or a password.');
      const question = t('Send the instruction to the model?');
      if (!(await confirm(question, reason, t('Send Anyway'), t('Do Not Send')))) return undefined;
    }
    const file = await clearForEdit(uri, text, {
      name,
      agreed: this.#context.agreed,
      // The prompt guard asks about them itself.
      asksAboutSecrets: !settings.reflexGuard,
    });
    if (!file) return undefined;
    const isAllowed = await withProgress(t('Checking {0}', name), signal =>
      this.#context.guard({ text, source: 'file', name }, signal),
    );
    if (!isAllowed) return undefined;
    const clearance = hasSecretWish ? { ...file, texts: [instruction] } : file;
    this.#cleared = { text, clearance };
    return clearance;
  }

  /** @returns the model for another attempt, when the user wants one. */
  async #offerMore(
    { document }: EditTarget,
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
    if (picked === other) {
      return pickEditModel(this.#context.catalogue, t('Edit with Another Model'));
    }
    if (picked === show) {
      const answer = await vscode.workspace.openTextDocument({
        content: outcome.answer,
        language: 'markdown',
      });
      await vscode.window.showTextDocument(answer, { viewColumn: vscode.ViewColumn.Beside });
    }
    return undefined;
  }
}

const writtenSoFar = (characters: number): string =>
  charactersText(characters, t, shortNumber(characters));

function progressText(progress: EditProgress): string {
  switch (progress.phase) {
    case 'routing':
      return t('picking a model');
    case 'thinking':
      return t('thinking, {0}', writtenSoFar(progress.characters));
    case 'writing':
      return t('{0}, {1}', linesText(progress.lines, t), writtenSoFar(progress.characters));
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
