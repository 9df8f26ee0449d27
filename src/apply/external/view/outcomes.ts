import * as vscode from 'vscode';
import { filesText } from '../../../base/format/counts';
import type { CommandId } from '../../../platform/commands/contribute';
import { confirm } from '../../../platform/confirm';
import type { ShownOutcome } from '../externalChanges';

const { t } = vscode.l10n;

/** Says what was decided, and why the rest was not. */
export async function showOutcomes(
  decided: readonly ShownOutcome[],
  done: (files: number) => string,
): Promise<void> {
  const count = decided.filter(({ outcome }) => outcome === 'done').length;
  if (count > 0) vscode.window.setStatusBarMessage(done(count), 6000);
  const failed = decided.filter(({ outcome }) => outcome !== 'done' && outcome !== 'edited');
  const [first, ...others] = failed;
  if (!first) return;
  const more =
    others.length > 0 ? ` ${t('The same or more: {0}.', filesText(others.length, t))}` : '';
  if (first.outcome === 'conflict') {
    const compare = t('Compare with Disk');
    const picked = await vscode.window.showWarningMessage(reasonOf(first) + more, compare);
    if (picked === compare) {
      await vscode.commands.executeCommand(
        'splice.external.showConflict' satisfies CommandId,
        first.uri.toString(),
      );
    }
    return;
  }
  void vscode.window.showWarningMessage(reasonOf(first) + more);
}

function reasonOf({ outcome, label, error }: ShownOutcome): string {
  switch (outcome) {
    case 'stale':
      return t(
        '{0} has changed since it was shown, so nothing was done with it. Look at it again.',
        label,
      );
    case 'conflict':
      return t(
        '{0} was changed on disk while you have unsaved text in it, so nothing was done with it. Save or revert your text first.',
        label,
      );
    case 'readOnly':
      return t('{0} cannot be written, so nothing was done with it.', label);
    case 'otherWindow':
      return t(
        // The toast shows the beginning alone.
        'Decide in the other window of this folder, or close it: only one decides about its changes, so nothing was done with {0}. After the other one is closed, this one takes over.',
        label,
      );
    case 'lost':
      return t('The earlier bytes of {0} are not known, so it can be kept but not undone.', label);
    default:
      return t(
        '{0} could not be changed: {1}',
        label,
        error instanceof Error ? error.message : t('VS Code refused the edit.'),
      );
  }
}

/** Asks before edits of the user are undone together with the change that they are in. */
export async function confirmEdited(edited: readonly ShownOutcome[]): Promise<boolean> {
  return confirm(
    t('You have edited these changes since they were made. Undo them with your edits?'),
    edited.map(({ label }) => label).join('\n'),
    t('Undo with My Edits'),
    t('Leave as It Is'),
  );
}

/** Asks before several files are written. */
export async function confirmUndo(files: readonly string[]): Promise<boolean> {
  return confirm(
    t('Undo all changes in {0}?', filesText(files.length, t)),
    `${files.slice(0, maxListed).join('\n')}${files.length > maxListed ? '\n…' : ''}\n\n${t(
      'The files get their reviewed text back. "Undo Last Keep or Undo" brings the changes back.',
    )}`,
    t('Undo All'),
    t('Do Not Undo'),
  );
}

const maxListed = 12;
