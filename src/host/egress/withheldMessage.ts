import * as vscode from 'vscode';
import { ids } from '../../manifest';
import type { Purpose } from './sending';

const { t } = vscode.l10n;

let isAllowed = false;
/** A conversation is sent anew with each turn; the same values are told of once. */
let told = 0;

/** The user wants conversations to be sent as they are, until the window closes. */
export function sendsChatsAsTheyAre(): boolean {
  return isAllowed;
}

/** Says that a conversation went without some values: what a model does not see, it may ask for or make up. */
export async function tellWithheld(purpose: Purpose, count: number): Promise<void> {
  if ((purpose !== 'chat' && purpose !== 'prompt') || count <= told) return;
  told = count;
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
  if (picked === show) await vscode.commands.executeCommand(ids.command.showSent);
}
