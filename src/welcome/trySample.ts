import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import type { OpenedEdit } from '../contracts/chatResults';
import { runCommand } from '../platform/commands/registerCommands';
import type { Host } from '../platform/host';
import { answerName, sampleAnswer, sampleName, sampleText } from './sample';

const { t } = vscode.l10n;

export interface EditOpener {
  /** Merges the edits of a text into a file and opens their review. */
  openEdits(
    text: string,
    target: vscode.Uri,
    token: vscode.CancellationToken,
  ): Promise<readonly OpenedEdit[]>;
}

/** The sample lies outside of every workspace, where no other program and no git sees it. */
const sampleUri = ({ context }: Host, name: string): vscode.Uri =>
  vscode.Uri.joinPath(context.globalStorageUri, 'sample', name);

/** Opens the sample in its first state, and the answer beside it. */
export async function openSample(host: Host): Promise<void> {
  const sample = await firstState(sampleUri(host, sampleName), sampleText);
  const answer = await firstState(sampleUri(host, answerName), sampleAnswer);
  const { One, Two } = vscode.ViewColumn;
  await vscode.window.showTextDocument(answer, { viewColumn: Two, preview: false });
  await vscode.window.showTextDocument(sample, { viewColumn: One, preview: false });
  const apply = t('Apply the Answer');
  const picked = await vscode.window.showInformationMessage(
    t(
      '{0} shows only the lines that change in {1}. Splice finds their places; nothing is written before you accept.',
      answerName,
      sampleName,
    ),
    apply,
  );
  if (picked === apply) await runCommand('splice.welcome.applySample');
}

/** Opens the review of the answer; nothing is sent, because the merge of the sample is certain. */
export async function applySample(host: Host, opener: EditOpener): Promise<void> {
  const uri = sampleUri(host, sampleName);
  if (!(await exists(uri))) await firstState(uri, sampleText);
  const source = new vscode.CancellationTokenSource();
  try {
    const [opened] = await opener.openEdits(sampleAnswer, uri, source.token);
    if (opened?.reviewId !== undefined) return;
    throw new UserError(
      opened?.kind === 'unchanged'
        ? t('The sample already has this change.')
        : t('The answer was not applied: {0}', opened?.detail ?? ''),
      { title: t('Start Again'), command: 'splice.welcome.openSample' },
    );
  } finally {
    source.dispose();
  }
}

/** The document with the text of the beginning; what was changed in it can be taken back with undo. */
async function firstState(uri: vscode.Uri, text: string): Promise<vscode.TextDocument> {
  if (!(await exists(uri))) await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.getText() !== text) {
    const edit = new vscode.WorkspaceEdit();
    const all = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
    edit.replace(uri, all, text);
    await vscode.workspace.applyEdit(edit);
    await document.save();
  }
  return document;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
