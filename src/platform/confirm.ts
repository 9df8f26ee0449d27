import * as vscode from 'vscode';

/**
 * Asks in a modal dialog. The default button does nothing: a dialog can appear just when the user presses
 * Enter for something else, which must never send, spend, write or delete anything.
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
  return (await choose(question, detail, no, yes)) === yes;
}

/**
 * Asks the user to choose between several actions.
 * @param safe the default button, which sends, spends, writes and deletes nothing
 * @returns undefined for Cancel and Escape
 */
export async function choose(
  question: string,
  detail: string,
  safe: string,
  ...others: readonly string[]
): Promise<string | undefined> {
  return vscode.window.showWarningMessage(question, { modal: true, detail }, safe, ...others);
}
