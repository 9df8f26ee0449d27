import * as vscode from 'vscode';
import type { OmittedAttachment } from '../platform/tools/chatTurns';
import {
  answerText,
  isAttachedByUser,
  omittedAttachmentsText,
  referenceName,
} from '../platform/tools/chatTurns';
import type { ChatCall } from './chatFeatures';
import type { ChatTurn } from './editSource';

const { t } = vscode.l10n;

export function userAttachments({ references }: ChatCall['request']): vscode.ChatPromptReference[] {
  return references.filter(isAttachedByUser);
}

export function showLeftOutAttachments(
  response: ChatCall['response'],
  leftOut: readonly OmittedAttachment[],
): void {
  if (leftOut.length > 0) response.markdown(omittedAttachmentsText(leftOut));
}

/** Lists the attachments of a command that reads only the text of the prompt. */
export function showIgnoredAttachments(
  response: ChatCall['response'],
  request: ChatCall['request'],
): void {
  const why = t('this command takes no attachments');
  showLeftOutAttachments(
    response,
    userAttachments(request).map(reference => ({ name: referenceName(reference), why })),
  );
}

export function chatTurns({ history }: ChatCall['context']): ChatTurn[] {
  return history.map(turn =>
    turn instanceof vscode.ChatRequestTurn
      ? { role: 'user', text: turn.prompt, command: turn.command }
      : { role: 'assistant', text: answerText(turn), command: turn.command },
  );
}
