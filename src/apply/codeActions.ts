import * as vscode from 'vscode';
import { isRecord } from '../base/typeGuards';
import type { LineRange } from '../merge';
import type { CommandId } from '../platform/commands/contribute';

/**
 * Offers to apply the clipboard. The clipboard is read only when the user picks the action.
 */
export class ApplyCodeActions implements vscode.CodeActionProvider {
  static readonly metadata: vscode.CodeActionProviderMetadata = {
    providedCodeActionKinds: [vscode.CodeActionKind.RefactorRewrite],
  };

  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range | vscode.Selection,
    context: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (!canChange(document.uri)) return [];
    const isUserInitiated = context.triggerKind === vscode.CodeActionTriggerKind.Invoke;
    if (range.isEmpty && !isUserInitiated) return [];
    const title = vscode.l10n.t('Apply clipboard edit here');
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
    action.command = {
      command: 'splice.apply.clipboard' satisfies CommandId,
      title,
      // Without a selection the whole file may change, but no other file.
      arguments: [document.uri, range.isEmpty ? wholeFile(document) : lineIntervalOf(range)],
    };
    return [action];
  }
}

/** False for reviews, output channels and files of other commits. */
export const canChange = ({ scheme }: vscode.Uri): boolean =>
  ['untitled', 'vscode-notebook-cell'].includes(scheme) ||
  (vscode.workspace.fs.isWritableFileSystem(scheme) === true && !scheme.startsWith('splice-'));

/** 1-based lines. A selection that ends at the start of a line does not include that line. */
export function lineIntervalOf({ start, end }: vscode.Range): LineRange {
  const endsBefore = end.character === 0 && end.line > start.line;
  return { startLine: start.line + 1, endLine: endsBefore ? end.line : end.line + 1 };
}

/** Checks a command argument, which any extension may pass. */
export function isLineRange(value: unknown): value is LineRange {
  return (
    isRecord(value) &&
    typeof value['startLine'] === 'number' &&
    typeof value['endLine'] === 'number'
  );
}

const wholeFile = ({ lineCount }: vscode.TextDocument) => ({ startLine: 1, endLine: lineCount });
