import * as vscode from 'vscode';

/**
 * Asks in a dialog that must be answered. The default button is the one that does nothing: a dialog can
 * come up under an Enter that was meant for something else, and that must never send, spend, write or delete.
 *
 * @param yes the button that agrees
 * @param no the default button, for example "Do Not Send"
 * @returns false also for Cancel and Escape
 */
export async function confirm(
  question: string,
  detail: string,
  yes: string,
  no: string,
): Promise<boolean> {
  const options = { modal: true, detail };
  return (await vscode.window.showWarningMessage(question, options, no, yes)) === yes;
}
