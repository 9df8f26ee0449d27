import * as vscode from 'vscode';
import { ids } from '../manifest';
import type { LineRange } from '../merge';

/**
 * Offers to apply the clipboard. Whether it holds code is looked at only when the user picks the
 * action: the clipboard is never read unasked.
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
    const isAsked = context.triggerKind === vscode.CodeActionTriggerKind.Invoke;
    if (range.isEmpty && !isAsked) return [];
    const title = vscode.l10n.t('Apply clipboard edit here');
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
    action.command = {
      command: ids.command.applyClipboard,
      title,
      // Without a selection the whole file may change, and still only this one.
      arguments: [document.uri, range.isEmpty ? wholeFile(document) : lineRangeOf(range)],
    };
    return [action];
  }
}

/** 1-based lines; a selection that ends at the start of a line does not take that line in. */
export function lineRangeOf({ start, end }: vscode.Range): LineRange {
  const endsBefore = end.character === 0 && end.line > start.line;
  return { startLine: start.line + 1, endLine: endsBefore ? end.line : end.line + 1 };
}

const wholeFile = ({ lineCount }: vscode.TextDocument) => ({ startLine: 1, endLine: lineCount });
