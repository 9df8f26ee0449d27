import * as vscode from 'vscode';
import { escapeMarkdown } from '../base/format/text';
import { UserError } from '../base/userError';
import type { OpenedEdit } from '../contracts/chatResults';
import type { CommandId } from '../platform/commands/contribute';
import { attachmentsOf } from '../platform/tools/chatTurns';
import type { ChatCall, ChatFeatures } from './chatFeatures';
import type { ChatMetadata } from './chatMetadata';
import { editSource, editTarget } from './editSource';
import { chatTurns, showLeftOutAttachments, userAttachments } from './turns';

const { t } = vscode.l10n;

const maxFindings = 3;
const maxButtons = 5;

export async function applyCommand(
  features: ChatFeatures,
  { request, context, response, token }: ChatCall,
): Promise<ChatMetadata['suggests']> {
  const { texts, leftOut } = await attachmentsOf(userAttachments(request));
  showLeftOutAttachments(response, leftOut);
  const attached = texts.map(file => ({ ...file, isPassage: file.source === 'selection' }));
  const source = editSource(request.prompt, attached, chatTurns(context));
  if (!source) {
    response.markdown(
      t(
        'There is no code to apply yet. Ask for a change first, or put the code after `/apply`: a fenced block, a diff or search/replace blocks. Answers from other participants than `@splice` are not visible here; copy their code and run **Splice: Apply Clipboard Edit**.',
      ),
    );
    return 'nothing';
  }
  response.progress(t('Merging the edits'));
  const opened = await features.apply.openEdits(
    source.text,
    editTarget(attached, source)?.uri,
    token,
  );
  if (opened.length === 0) {
    throw new UserError(
      t('That code is not an edit of a file: terminal commands and their output are skipped.'),
    );
  }
  const reviews = opened.filter(({ kind }) => kind === 'review').length;
  if (reviews > 0) {
    response.markdown(
      `${reviews === 1 ? t('One review is open.') : t('{0} reviews are open.', reviews)} ${t('Nothing is written until you accept.')}\n\n`,
    );
  }
  for (const edit of opened) showEdit(response, edit);
  for (const { reviewId, name } of opened.slice(0, maxButtons)) {
    if (reviewId !== undefined) {
      response.button({
        command: 'splice.apply.showReview' satisfies CommandId,
        title: t('Show Review of {0}', name.split('/').at(-1) ?? name),
        arguments: [reviewId],
      });
    }
  }
  return 'nothing';
}

function showEdit(response: ChatCall['response'], edit: OpenedEdit): void {
  response.markdown('- ');
  if (edit.uri) response.anchor(edit.uri, edit.name);
  else response.markdown(escapeMarkdown(edit.name));
  const detail = escapeMarkdown(edit.detail);
  response.markdown(`: ${edit.kind === 'refused' ? t('not opened. {0}', detail) : detail}\n`);
  for (const finding of edit.findings.slice(0, maxFindings)) {
    response.markdown(`  - ${escapeMarkdown(finding)}\n`);
  }
  if (edit.findings.length > maxFindings) {
    const more = edit.findings.length - maxFindings;
    response.markdown(
      `  - ${t(more === 1 ? '1 more finding, in the review' : '{0} more findings, in the review', more)}\n`,
    );
  }
}
