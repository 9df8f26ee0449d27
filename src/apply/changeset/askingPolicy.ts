import * as vscode from 'vscode';
import { charactersText, linesText } from '../../base/format/counts';
import { timeOfDay } from '../../base/format/times';
import { splitLines } from '../../base/text/textLines';
import { UserError } from '../../base/userError';
import type { LineRange } from '../../merge';
import type { Host } from '../../platform/host';
import { withProgress } from '../../platform/progress';
import { settings } from '../../platform/settings';
import { runStep } from '../../platform/showError';
import { adviceSteps } from '../../platform/steps';
import { adviceFor, ServiceError } from '../../service';
import type { ClipboardEdit } from '../parse/clipboard';
import type { ApplySource } from '../review/model/reviewMeta';
import type { Review } from '../review/review';
import { askToReplace, outlineOf } from '../target/prompts';
import { askOrKeepLocal } from './clearance';
import type { EditPolicy, Proposal } from './editPipeline';
import {
  editText,
  type Merged,
  type MergeOutcome,
  type MergeRequest,
  type MergeService,
  merge,
  mergeLocally,
  mergeRequest,
} from './engine';

const { t } = vscode.l10n;
const clock = () => performance.now();

export interface AskingContext {
  readonly host: Pick<Host, 'log'>;
  readonly service: MergeService;
  /** Shows a review that the user wants to see instead of replacing it. */
  readonly show: (review: Review) => Promise<void>;
}

/**
 * For edits that the user asked for: asks before a pending review is replaced and before a private file leaves
 * this machine, and offers the local merge when the service fails.
 *
 * @param range the lines that may change.
 */
export function askingPolicy(
  {
    edit,
    range,
    answer,
    source = 'clipboard',
  }: {
    readonly edit: ClipboardEdit;
    readonly range?: LineRange | undefined;
    /** The whole text that the user copied, for the history. */
    readonly answer?: string | undefined;
    readonly source?: ApplySource | undefined;
  },
  context: AskingContext,
): EditPolicy {
  return {
    from: { source: range ? 'selection' : source, answer },
    takePending: pending => replaceOrShow(pending, context.show),
    async merge({ document, original, path }) {
      const isNarrowed = range && (range.startLine > 1 || range.endLine < document.lineCount);
      const wanted = mergeRequest(edit, splitLines(original), settings, {
        original,
        path,
        t,
        ...(isNarrowed && { range }),
      });
      const request = await askOrKeepLocal(wanted, document.uri, context.service);
      const outcome = request && (await mergeShowingProgress(request, context));
      const update = edit.format === 'snippet' ? editText(edit) : undefined;
      return outcome && { outcome, update };
    },
  };
}

/** Asks whether the new edit replaces the review; shows the review if the user wants to see it. */
export async function replaceOrShow(
  pending: Review,
  show: (review: Review) => Promise<void>,
): Promise<'replace' | undefined> {
  const choice = await askToReplace(pending);
  if (choice === 'show') await show(pending);
  return choice === 'replace' ? 'replace' : undefined;
}

/**
 * The review that an edit of the user has led to; tells the user when there is nothing to change.
 *
 * @throws {UserError} with the reason when the edit is refused.
 */
export function reviewOf(proposal: Proposal): Review | undefined {
  if (proposal.kind === 'refused') throw new UserError(proposal.reason);
  if (proposal.kind === 'unchanged') {
    void vscode.window.showInformationMessage(
      t('{0} already holds this edit: there is nothing to change.', proposal.path),
    );
  }
  return proposal.kind === 'review' ? proposal.review : undefined;
}

/** Merges the snippet of a review again with the large model, and replaces that review. */
export function mergeAgainPolicy(
  review: Review,
  update: string,
  context: AskingContext,
): EditPolicy {
  return {
    from: { source: review.origin.source ?? 'clipboard' },
    takePending: async pending =>
      pending === review ? 'replace' : replaceOrShow(pending, context.show),
    async merge({ document, original }) {
      const wanted: MergeRequest = {
        edit: { format: 'snippet', text: update },
        original,
        path: review.label,
        engine: 'service',
        model: 'svc-v3-large',
        t,
      };
      const request = await askOrKeepLocal(wanted, document.uri, context.service);
      if (!request) return undefined;
      const outcome = await withProgress(
        t('Merging {0} with the large model', review.fileName),
        signal => merge(request, context.service, { signal, now: clock }),
      );
      const { author } = review.origin;
      return { outcome, update, author, answer: update };
    },
  };
}

async function mergeShowingProgress(
  request: MergeRequest,
  context: AskingContext,
): Promise<MergeOutcome | undefined> {
  const { lines, firstLine } = outlineOf(request.edit);
  const title = t('Applying {0} to {1}: {2}', linesText(lines, t), request.path, firstLine);
  const merging = withProgress(title, (signal, report) =>
    merge(request, context.service, {
      signal,
      now: clock,
      onText: text => report(charactersText(text.length, t)),
      onWait: ({ retryAt }) => report(t('waiting, next try at {0}', timeOfDay(retryAt))),
    }),
  );
  vscode.window.setStatusBarMessage(`$(sync~spin) ${title}`, merging);
  try {
    return await merging;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return offerLocal(request, error, context);
  }
}

/** After a failed call: the local merge, if there is one and the user wants it. */
async function offerLocal(
  request: MergeRequest,
  error: ServiceError,
  { host }: AskingContext,
): Promise<Merged | undefined> {
  const local = mergeLocally(request, clock);
  if (local.kind === 'refused') throw error;
  host.log.error('apply', error);
  const advice = adviceFor(error, t);
  const steps = adviceSteps(advice.actions, t);
  const useLocal = t('Use the Local Merge');
  const picked = await vscode.window.showWarningMessage(
    `${advice.message} ${t('Nothing was changed.')}`,
    useLocal,
    ...steps.map(({ title }) => title),
  );
  const step = steps.find(({ title }) => title === picked);
  if (step) await runStep(step);
  return picked === useLocal ? local : undefined;
}
