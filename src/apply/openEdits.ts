import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import type { OpenedEdit } from '../contracts/chatResults';
import { signalOf } from '../platform/tools/toolCall';
import type { RefusedPart } from './answer';
import type { AnswerReviews } from './changeset/answerReviews';
import { CopiedAnswer, isChangeSet } from './changeset/changeSet';
import type { MergeFinding, MergeService } from './changeset/engine';
import type { Proposals } from './changeset/proposals';
import { firstCodeLine } from './changeset/refusedDialogs';
import type { RefusedPartsStore } from './changeset/refusedParts';
import { silentPolicy } from './changeset/silentPolicy';
import type { EditOrigin } from './history/applyHistory';
import { type ClipboardEdit, parseClipboard } from './parse/clipboard';
import { mergedBy } from './review/editor/reviewLenses';
import { severityText } from './review/model/findings';
import type { Review } from './review/review';
import { operationText } from './review/reviewRows';
import { chooseTarget, outlineOf } from './target/prompts';

const { t } = vscode.l10n;

/** What opens the edits of a chat as reviews. */
export interface EditOpeners {
  /** Opens single edits. */
  readonly proposals: Proposals;
  /** Opens answers that change several files, or create, delete or rename one. */
  readonly answers: AnswerReviews;
  readonly refused: RefusedPartsStore;
  readonly service: MergeService;
}

/** Merges every edit in a text from a chat. A refused edit does not stop the others. */
export async function openEdits(
  { proposals, answers, refused, service }: EditOpeners,
  { text, target }: { readonly text: string; readonly target: vscode.Uri | undefined },
  token: vscode.CancellationToken,
): Promise<OpenedEdit[]> {
  const call = signalOf(token);
  const from = { source: 'chat', answer: text } as const;
  try {
    const answer = new CopiedAnswer(text);
    if (await isChangeSet(answer)) {
      const opened = await answers.open(answer, {
        active: target,
        signal: call.signal,
        from,
        takePending: async () => 'stack',
        policy: edit => silentPolicy({ edit, from }, service, call.signal),
      });
      if (opened && opened.reviews.length > 0) {
        refused.add(opened);
        return [...opened.reviews.map(openedReview), ...opened.parts.map(refusedPart)];
      }
    }
    const content = parseClipboard(text);
    if (content.kind === 'rejected') return [];
    const opened: OpenedEdit[] = [];
    for (const edit of content.edits) {
      call.signal.throwIfAborted();
      opened.push(await openEdit(proposals, edit, { target, token, from, signal: call.signal }));
    }
    return opened;
  } finally {
    call.dispose();
  }
}

function openedReview(review: Review): OpenedEdit {
  const { id, fileUri, label, operation, origin, size } = review;
  return {
    kind: 'review',
    uri: fileUri.with({ fragment: '' }),
    name: label,
    reviewId: id,
    detail: [
      operationText(operation, t) ?? `+${size.added} −${size.removed}`,
      mergedBy(review),
    ].join(' · '),
    findings: findingTexts(origin.findings),
  };
}

function refusedPart({ part, path, reason }: RefusedPart): OpenedEdit {
  const name = path ?? t('the code that begins with "{0}"', firstCodeLine(part));
  return { kind: 'refused', name, detail: reason, findings: [] };
}

/** What the audit found, the worst first. */
const findingTexts = (findings: readonly MergeFinding[]): string[] =>
  findings
    .toSorted((a, b) => a.severity.localeCompare(b.severity))
    .map(finding =>
      t('{0}, line {1}: {2}', severityText(finding, t), finding.line, finding.message),
    );

async function openEdit(
  proposals: Proposals,
  edit: ClipboardEdit,
  context: {
    readonly target: vscode.Uri | undefined;
    readonly token: vscode.CancellationToken;
    readonly from: EditOrigin;
    readonly signal: AbortSignal;
  },
): Promise<OpenedEdit> {
  const named = edit.path ?? t('the code that begins with "{0}"', outlineOf(edit).firstLine);
  const refused = (reason: string, uri?: vscode.Uri): OpenedEdit => ({
    kind: 'refused',
    name: uri ? vscode.workspace.asRelativePath(uri) : named,
    detail: reason,
    findings: [],
    ...(uri && { uri }),
  });
  let uri: vscode.Uri | undefined;
  try {
    uri =
      edit.path === undefined && context.target
        ? context.target
        : await chooseTarget(edit, context.token);
  } catch (error) {
    if (error instanceof UserError) return refused(error.message);
    throw error;
  }
  context.signal.throwIfAborted();
  if (!uri) return refused(t('No file was chosen for it.'));
  const proposal = await proposals.propose({ edit, uri, from: context.from }, context.signal);
  if (proposal.kind === 'refused') return refused(proposal.reason, uri);
  const name = vscode.workspace.asRelativePath(uri);
  const { review } = proposal;
  if (proposal.kind === 'unchanged') {
    return {
      kind: 'unchanged',
      uri,
      name,
      detail: review
        ? t('its review already holds this edit')
        : t('it already holds this edit: there is nothing to change'),
      findings: [],
      ...(review && { reviewId: review.id }),
    };
  }
  const { added, removed } = proposal.review.size;
  const note = proposal.note === undefined ? '' : ` · ${proposal.note}`;
  return {
    kind: 'review',
    uri,
    name,
    reviewId: proposal.review.id,
    detail: `+${added} −${removed} · ${mergedBy(proposal.review)}${note}`,
    findings: findingTexts(proposal.findings),
  };
}
