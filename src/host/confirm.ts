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
  return (await choose(question, detail, no, yes)) === yes;
}

/**
 * Asks which of several things to do.
 * @param safe the default button: what sends, spends, writes and deletes nothing
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
