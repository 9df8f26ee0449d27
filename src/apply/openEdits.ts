import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import type { OpenedEdit } from '../contracts/chatResults';
import { signalOf } from '../platform/tools/toolCall';
import type { Proposals } from './changeset/proposals';
import { type ClipboardEdit, parseClipboard } from './parse/clipboard';
import { mergedBy } from './review/editor/reviewLenses';
import { chooseTarget, outlineOf } from './target/prompts';

const { t } = vscode.l10n;

/** Merges every edit in a text from a chat. A refused edit does not stop the others. */
export async function openEdits(
  proposals: Proposals,
  { text, target }: { readonly text: string; readonly target: vscode.Uri | undefined },
  token: vscode.CancellationToken,
): Promise<OpenedEdit[]> {
  const content = parseClipboard(text);
  if (content.kind === 'rejected') return [];
  const call = signalOf(token);
  try {
    const opened: OpenedEdit[] = [];
    for (const edit of content.edits) {
      call.signal.throwIfAborted();
      opened.push(await openEdit(proposals, edit, { target, token, signal: call.signal }));
    }
    return opened;
  } finally {
    call.dispose();
  }
}

async function openEdit(
  proposals: Proposals,
  edit: ClipboardEdit,
  context: {
    readonly target: vscode.Uri | undefined;
    readonly token: vscode.CancellationToken;
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
  const proposal = await proposals.propose({ edit, uri }, context.signal);
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
    findings: proposal.findings
      .toSorted((a, b) => a.severity.localeCompare(b.severity))
      .map(({ line, message }) => t('Line {0}: {1}', line, message)),
  };
}
