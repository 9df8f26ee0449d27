import * as vscode from 'vscode';
import { escapeMarkdown } from '../base/format/text';
import { UserError } from '../base/userError';
import type { CommandId } from '../platform/commands/contribute';
import type { ChatCall, ChatFeatures } from './chatFeatures';
import type { ChatMetadata } from './chatMetadata';
import { fenced, messagesToCompact, parseCompactPrompt } from './transcript';
import { chatTurns, showIgnoredAttachments } from './turns';

const { t } = vscode.l10n;

/** A compacted chat up to this length, in characters, is also shown in the answer. */
const maxShownChars = 6000;

export async function compactCommand(
  features: ChatFeatures,
  { request, context, response }: ChatCall,
  signal: AbortSignal,
): Promise<ChatMetadata['suggests']> {
  const messages = messagesToCompact(chatTurns(context));
  if (messages.length === 0) {
    throw new UserError(
      t(
        'This conversation with @splice has no turns to compact yet. For another chat, run "Splice: Compact Chat History…".',
      ),
    );
  }
  showIgnoredAttachments(response, request);
  response.progress(t('Compacting this conversation'));
  const wish = parseCompactPrompt(request.prompt);
  const { id, saved, lines, how, text } = await features.compact.compactChat(
    { messages, title: t('This conversation') },
    wish,
    signal,
  );
  response.markdown(
    `**${escapeMarkdown(saved)}**: ${t('{0} are left, each as it was.', lines)} ${t('Compacted {0}.', how)}\n\n`,
  );
  if (text.length <= maxShownChars) response.markdown(fenced(text, 'markdown'));
  response.button({
    command: 'splice.compact.copy' satisfies CommandId,
    title: t('Copy Compacted Chat'),
    arguments: [id],
  });
  response.button({
    command: 'splice.compact.showReceipt' satisfies CommandId,
    title: t('Open Receipt'),
    arguments: [id],
  });
  return 'nothing';
}
