import * as vscode from 'vscode';
import { charactersText } from '../base/format/counts';
import { UserError } from '../base/userError';
import { hasSecret } from '../platform/egress/secrets/secretText';

const { t } = vscode.l10n;

export interface ChosenText {
  readonly text: string;
  /** "Selection, 214 characters" */
  readonly what: string;
}

/**
 * The selection; without one, the user chooses between the document and entering a text.
 */
export async function chooseText(title: string): Promise<ChosenText | undefined> {
  const chosen = await choose(title);
  if (!chosen || chosen.text.trim() === '') return undefined;
  refuseSecret(chosen.text);
  return chosen;
}

/** @throws {UserError} */
export function refuseSecret(text: string): void {
  if (hasSecret(text)) {
    throw new UserError(
      t('The text seems to contain a key or a password. Nothing was sent; remove it first.'),
    );
  }
}

async function choose(title: string): Promise<ChosenText | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor && !editor.selection.isEmpty) {
    return named(t('Selection'), editor.document.getText(editor.selection));
  }
  const whole = editor?.document.getText() ?? '';
  if (whole.trim() === '') return typeText(title);
  const document = {
    label: t('Whole document'),
    iconPath: new vscode.ThemeIcon('file'),
    description: charactersText(whole.length, t),
  };
  const typed = {
    label: t('Type a text…'),
    iconPath: new vscode.ThemeIcon('edit'),
    description: '',
  };
  const picked = await vscode.window.showQuickPick([typed, document], {
    title,
    placeHolder: t('Nothing is selected. What should be sent?'),
  });
  if (!picked) return undefined;
  return picked === document ? named(t('Document'), whole) : typeText(title);
}

async function typeText(title: string): Promise<ChosenText | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: t('The text to send; press Enter to send it.'),
    ignoreFocusOut: true,
  });
  return text === undefined ? undefined : named(t('Typed text'), text);
}

function named(what: string, text: string): ChosenText {
  return { text, what: t('{0}, {1}', what, charactersText(text.length, t)) };
}
