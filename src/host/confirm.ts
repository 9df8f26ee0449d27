import * as vscode from 'vscode';

/**
 * Asks in a dialog that must be answered.
 * @param yes the button that agrees
 * @returns false also for Cancel and Escape
 */
export async function confirm(question: string, detail: string, yes: string): Promise<boolean> {
  const options = { modal: true, detail };
  return (await vscode.window.showWarningMessage(question, options, yes)) === yes;
}
