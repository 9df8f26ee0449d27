import * as vscode from 'vscode';
import { runCommand } from '../commands/registerCommands';
import type { Purpose } from './sending';

const { t } = vscode.l10n;

let isAllowed = false;
/** A conversation is sent again with each turn, so the user is notified only of additional values. */
let notifiedCount = 0;

/** True when the user wants conversations to be sent unchanged, until the window closes. */
export function sendsChatsUnchanged(): boolean {
  return isAllowed;
}

/** Tells the user that values were left out of a conversation: the model may ask for them or make them up. */
export async function notifyWithheld(purpose: Purpose, count: number): Promise<void> {
  if ((purpose !== 'chat' && purpose !== 'prompt') || count <= notifiedCount) return;
  notifiedCount = count;
  const show = t('Show What Was Sent');
  const send = t('Send Them in This Window');
  const picked = await vscode.window.showWarningMessage(
    count === 1
      ? t('A value that looks like a key or a password was left out of the conversation.')
      : t('{0} values that look like keys or passwords were left out of the conversation.', count),
    show,
    send,
  );
  if (picked === send) isAllowed = true;
  if (picked === show) await runCommand('splice.privacy.showSent');
}
