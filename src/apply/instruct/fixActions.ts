import * as vscode from 'vscode';
import type { CommandId, Commands } from '../../platform/commands/contribute';
import { commandItem } from '../../platform/commands/registerCommands';
import { canChange, lineIntervalOf } from '../codeActions';
import type { Problem, Severity } from './problems';

const { t } = vscode.l10n;

/** Up to this many problems at one place get an action each. */
const maxSingleFixes = 3;

/**
 * Code actions that fix diagnostics and edit the selection. Sends nothing. Without an API key they stay out of
 * automatic lightbulbs, and name the missing key when the user opens the menu.
 *
 * @param isReady whether an address and a key are known; called often, so the caller caches it.
 */
export async function fixActions(
  document: vscode.TextDocument,
  range: vscode.Range | vscode.Selection,
  context: vscode.CodeActionContext,
  isReady: () => Promise<boolean>,
): Promise<vscode.CodeAction[]> {
  if (!vscode.workspace.isTrusted || !canChange(document.uri)) return [];
  const diagnostics = context.diagnostics.filter(isFixable);
  if (diagnostics.length === 0 && range.isEmpty) return [];
  if (!(await isReady())) {
    const isUserInitiated = context.triggerKind === vscode.CodeActionTriggerKind.Invoke;
    return isUserInitiated && diagnostics.length > 0 ? [needsKey(diagnostics)] : [];
  }
  return [
    ...(diagnostics.length > 0 ? fixes(document, diagnostics) : []),
    ...(range.isEmpty ? [] : [edit(document, range)]),
  ];
}

function fixes(
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const fix = (title: string, those: readonly vscode.Diagnostic[]): vscode.CodeAction =>
    quickFix(title, those, 'splice.apply.fix', document.uri, those.map(problemOf));
  const inFile = vscode.languages.getDiagnostics(document.uri).filter(isFixable);
  const isOne = diagnostics.length === 1;
  return [
    ...diagnostics
      .slice(0, maxSingleFixes)
      .map(each =>
        fix(isOne ? t('Fix with Splice') : t('Fix with Splice: {0}', shortened(each.message)), [
          each,
        ]),
      ),
    ...(isOne
      ? []
      : [fix(t('Fix all {0} problems here with Splice', diagnostics.length), diagnostics)]),
    ...(inFile.length > diagnostics.length
      ? [
          quickFix(
            t('Fix all problems in this file with Splice'),
            diagnostics,
            'splice.apply.fixFile',
            document.uri,
          ),
        ]
      : []),
  ];
}

function quickFix<Id extends CommandId>(
  title: string,
  diagnostics: readonly vscode.Diagnostic[],
  id: Id,
  ...args: Commands[Id]
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [...diagnostics];
  action.command = commandItem(title, id, ...args);
  return action;
}

const needsKey = (diagnostics: readonly vscode.Diagnostic[]): vscode.CodeAction =>
  quickFix(t('Fix with Splice (set an API key first)'), diagnostics, 'splice.service.setApiKey');

function edit({ uri }: vscode.TextDocument, range: vscode.Range): vscode.CodeAction {
  const title = t('Edit selection with instruction…');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
  action.command = commandItem(title, 'splice.apply.instruct', uri, lineIntervalOf(range));
  return action;
}

/** Hints, such as unused names, are faded and not marked. */
const isFixable = ({ severity }: vscode.Diagnostic): boolean =>
  severity !== vscode.DiagnosticSeverity.Hint;

const shortened = (message: string): string => {
  const line = message.split('\n')[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

const severities: Readonly<Record<vscode.DiagnosticSeverity, Severity>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'information',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

/** A diagnostic as plain data, for the prompt. */
export function problemOf(diagnostic: vscode.Diagnostic): Problem {
  const { severity, message, code, source, relatedInformation = [] } = diagnostic;
  const { start, end } = diagnostic.range;
  const value = typeof code === 'object' ? code.value : code;
  return {
    severity: severities[severity],
    message,
    code: value === undefined ? undefined : String(value),
    source,
    startLine: start.line + 1,
    startColumn: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
    related: relatedInformation.map(({ location, message: more }) => ({
      path: nameForModel(location.uri),
      line: location.range.start.line + 1,
      message: more,
    })),
  };
}

/** The path relative to the workspace; outside it the bare name, because folder names reveal things about the machine. */
export function nameForModel(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)
    ? vscode.workspace.asRelativePath(uri)
    : (uri.path.split('/').at(-1) ?? 'file');
}
