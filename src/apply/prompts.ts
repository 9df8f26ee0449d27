import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { confirm } from '../host/confirm';
import { needsConfirmation } from '../host/egress/commandFiles';
import { UserError } from '../host/errors';
import { isMarkerLine } from '../merge/snippet/markers';
import { findTargets } from './candidates';
import type { ClipboardEdit } from './clipboard';
import { lineRangeOf } from './codeActions';
import { editText } from './engine';
import type { Review } from './review';

/** There is no file that an edit could be meant for. */
class NoTarget extends UserError {}

/** As {@link chooseTarget}; without any file to choose, it offers to open one. */
export async function chooseTargetOrOpen(edit: ClipboardEdit): Promise<vscode.Uri | undefined> {
  try {
    return await chooseTarget(edit);
  } catch (error) {
    if (!(error instanceof NoTarget)) throw error;
    await offerToOpen(error.message);
    return undefined;
  }
}

async function offerToOpen(message: string): Promise<void> {
  const openFile = {
    title: vscode.l10n.t('Open File…'),
    command: 'workbench.action.files.openFile',
  };
  const steps = vscode.workspace.workspaceFolders
    ? [{ title: vscode.l10n.t('Go to File…'), command: 'workbench.action.quickOpen' }, openFile]
    : [
        openFile,
        { title: vscode.l10n.t('Open Folder…'), command: 'workbench.action.files.openFolder' },
      ];
  const picked = await vscode.window.showWarningMessage(message, ...steps);
  if (picked) await vscode.commands.executeCommand(picked.command);
}

/** The file that an edit goes to; asks when it is not clear. Undefined when the user gave up. */
export async function chooseTarget(
  edit: ClipboardEdit,
  token?: vscode.CancellationToken,
): Promise<vscode.Uri | undefined> {
  const targets = await findTargets(edit);
  const [best] = targets;
  if (best?.clear) return best.uri;
  if (!best) {
    throw new NoTarget(
      edit.path === undefined
        ? vscode.l10n.t('Open the file that the edit is meant for, then run the command again.')
        : vscode.l10n.t(
            '{0} is not in this workspace. Open the file that the edit is meant for, then run the command again.',
            edit.path,
          ),
    );
  }
  const { lines, firstLine } = outlineOf(edit);
  const why = {
    path: vscode.l10n.t('named like the file in the snippet'),
    active: vscode.l10n.t('the active file'),
    content: vscode.l10n.t('has lines of the snippet'),
    open: vscode.l10n.t('open'),
  };
  const picked = await vscode.window.showQuickPick(
    targets.map(target => ({ label: target.path, description: why[target.why], uri: target.uri })),
    {
      title:
        edit.path === undefined
          ? vscode.l10n.t('Apply {0} lines to which file?', lines)
          : vscode.l10n.t('The snippet is for {0}. Apply it to which file?', edit.path),
      placeHolder: firstLine,
      matchOnDescription: true,
    },
    token,
  );
  return picked?.uri;
}

/** The snippet for a selection; undefined when the user gave up. */
export async function askForSnippet(selection: vscode.Selection): Promise<string | undefined> {
  const { startLine, endLine } = lineRangeOf(selection);
  const clipboard = { label: `$(clippy) ${vscode.l10n.t('From the clipboard')}`, isTyped: false };
  const typed = { label: `$(edit) ${vscode.l10n.t('Type one line…')}`, isTyped: true };
  const picked = await vscode.window.showQuickPick([clipboard, typed], {
    title: vscode.l10n.t('Apply to lines {0} to {1}', startLine, endLine),
  });
  if (!picked) return undefined;
  return picked.isTyped
    ? vscode.window.showInputBox({
        prompt: vscode.l10n.t('The line that takes the place of the selection'),
      })
    : vscode.env.clipboard.readText();
}

/** A second edit of a file under review: the first one must give way, and the user says so. */
export async function askToReplace(review: Review): Promise<'replace' | 'show' | undefined> {
  const replace = vscode.l10n.t('Replace Review');
  const show = vscode.l10n.t('Show Review');
  const picked = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} has a review with {1} undecided changes. Replace it with the new edit?',
      review.fileName,
      review.model.hunks.length,
    ),
    replace,
    show,
  );
  if (picked === undefined) return undefined;
  return picked === replace ? 'replace' : 'show';
}

/** How an edit is named to the user: its size and its first line that says something. */
export function outlineOf(edit: ClipboardEdit): { lines: number; firstLine: string } {
  const lines = editText(edit).split('\n');
  const firstLine = lines.find(line => line.trim() !== '' && !isMarkerLine(line))?.trim() ?? '';
  return { lines: lines.length, firstLine: firstLine.slice(0, 80) };
}

/**
 * An edit of a file that another program runs or obeys on its own needs a second confirmation, each time
 * it is accepted: among many files such a one is easily overlooked. The path as it is spelled counts, and
 * the one that links lead to.
 */
export async function confirmCommandFile({ fileUri, label }: Review): Promise<boolean> {
  const runner = (await pathsOf(fileUri)).map(needsConfirmation).find(Boolean);
  if (!runner) return true;
  const why = {
    editor: vscode.l10n.t('An editor reads it and may run what it says.'),
    git: vscode.l10n.t('Git reads it and may run what it says.'),
    buildServer: vscode.l10n.t(
      'The build server runs what it says, with the rights of the repository.',
    ),
    shell: vscode.l10n.t(
      'It belongs to the settings of a shell or a program, which run what it says.',
    ),
    packageManager: vscode.l10n.t('The package manager reads it and may run what it says.'),
    container: vscode.l10n.t(
      'Opening the folder in a container or a cloud workspace runs what it says.',
    ),
  }[runner];
  return confirm(
    vscode.l10n.t('Accept the change of {0}?', label),
    vscode.l10n.t('{0} Look at the change before you accept it.', why),
    vscode.l10n.t('Accept'),
    vscode.l10n.t('Do Not Accept'),
  );
}

/** Relative to the workspace where the file is in it, else absolute; as spelled and as it really is. */
async function pathsOf(uri: vscode.Uri): Promise<string[]> {
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const spelled = folder ? path.posix.relative(folder.path, uri.path) : uri.path;
  if (uri.scheme !== 'file') return [spelled];
  const [root, real] = await Promise.all(
    [folder?.fsPath, uri.fsPath].map(async file =>
      file === undefined ? undefined : realpath(file).catch(() => undefined),
    ),
  );
  if (real === undefined) return [spelled];
  const below = root === undefined ? undefined : path.relative(root, real);
  const isInside =
    below !== undefined && !path.isAbsolute(below) && !/^\.\.(?:[\\/]|$)/.test(below);
  return [spelled, isInside ? below : real];
}

/** The second confirmation that an error of the audit needs, once for each review. */
export async function confirmErrors(review: Review): Promise<boolean> {
  if (review.errors.length === 0 || review.isConfirmed) return true;
  review.isConfirmed = await confirm(
    vscode.l10n.t('The merge of {0} may be wrong.', review.fileName),
    review.errors
      .map(({ message, line }) => vscode.l10n.t('Line {0}: {1}', line, message))
      .join('\n'),
    vscode.l10n.t('Accept Anyway'),
    vscode.l10n.t('Do Not Accept'),
  );
  return review.isConfirmed;
}
