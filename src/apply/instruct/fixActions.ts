import * as vscode from 'vscode';
import { ids } from '../../manifest';
import { lineRangeOf } from '../codeActions';
import type { Problem, Severity } from './problems';

const { t } = vscode.l10n;
const { command } = ids;

/** Actions of their own for as many problems at one place. */
const mostSingle = 3;

/**
 * Offers to fix what is marked and to edit what is selected. It looks at what VS Code holds already and
 * sends nothing. Without a key it stays out of every lightbulb, and tells what is missing when the user
 * opens the menu.
 *
 * @param isReady whether an address and a key are known; asked often, so remembered by the caller.
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
    const isAsked = context.triggerKind === vscode.CodeActionTriggerKind.Invoke;
    return isAsked && diagnostics.length > 0 ? [needsKey(diagnostics)] : [];
  }
  return [
    ...(diagnostics.length > 0 ? fixes(document, diagnostics) : []),
    ...(range.isEmpty ? [] : [edit(document, range)]),
  ];
}

/** Not a review, an output or a file of another commit. */
const canChange = ({ scheme }: vscode.Uri): boolean =>
  ['untitled', 'vscode-notebook-cell'].includes(scheme) ||
  vscode.workspace.fs.isWritableFileSystem(scheme) === true;

function fixes(
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const fix = (title: string, those: readonly vscode.Diagnostic[]): vscode.CodeAction =>
    quickFix(title, those, command.fixProblems, document.uri, those.map(problemOf));
  const inFile = vscode.languages.getDiagnostics(document.uri).filter(isFixable);
  const isOne = diagnostics.length === 1;
  return [
    ...diagnostics
      .slice(0, mostSingle)
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
            command.fixFile,
            document.uri,
          ),
        ]
      : []),
  ];
}

function quickFix(
  title: string,
  diagnostics: readonly vscode.Diagnostic[],
  id: string,
  ...args: unknown[]
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [...diagnostics];
  action.command = { command: id, title, arguments: args };
  return action;
}

const needsKey = (diagnostics: readonly vscode.Diagnostic[]): vscode.CodeAction =>
  quickFix(t('Fix with Splice (set an API key first)'), diagnostics, command.setApiKey);

function edit({ uri }: vscode.TextDocument, range: vscode.Range): vscode.CodeAction {
  const title = t('Edit selection with instruction…');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
  action.command = { command: command.instruct, title, arguments: [uri, lineRangeOf(range)] };
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

/** As plain data, for the prompt. */
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

/** Relative to the workspace; outside of it the name alone, because folders tell about the machine. */
export function nameForModel(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)
    ? vscode.workspace.asRelativePath(uri)
    : (uri.path.split('/').at(-1) ?? 'file');
}
