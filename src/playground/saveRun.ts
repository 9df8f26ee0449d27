import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { runCsv, runJsonl } from './core/exportRun';
import type { PlaygroundRun } from './playgroundRun';

const { t } = vscode.l10n;

/** Writes the results where the user wants them: as CSV, or with all texts as JSON lines. */
export async function saveRun({ plan, states }: PlaygroundRun): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const target = await vscode.window.showSaveDialog({
    title: t('Save Results'),
    defaultUri: vscode.Uri.joinPath(folder, `playground-${plan.id.slice(0, 8)}.jsonl`),
    filters: { [t('JSON lines')]: ['jsonl'], CSV: ['csv'] },
  });
  if (!target) return;
  const text = target.path.endsWith('.csv') ? runCsv(plan, states, t) : runJsonl(plan, states, t);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const open = t('Open');
  const picked = await vscode.window.showInformationMessage(t('The results were saved.'), open);
  if (picked === open) await vscode.window.showTextDocument(target);
}
