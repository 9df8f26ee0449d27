import path from 'node:path';
import * as vscode from 'vscode';
import { isAbort } from '../../base/async/abort';
import { linesText } from '../../base/format/counts';
import { UserError } from '../../base/userError';
import { isMarkerLine } from '../../merge';
import { confirm } from '../../platform/confirm';
import { needsConfirmation } from '../../platform/egress/paths/commandFiles';
import { realPlaceOf } from '../../platform/egress/paths/realPaths';
import { withProgress } from '../../platform/progress';
import { signalOf } from '../../platform/tools/toolCall';
import { editText } from '../changeset/engine';
import { lineIntervalOf } from '../codeActions';
import type { ClipboardEdit } from '../parse/clipboard';
import type { Review } from '../review/review';
import { findPlaces, triedMerge } from './findPlaces';
import { findTargets, openDocuments, type Target } from './findTargets';
import { browse, pickAnyFile, pickTarget, placeRow } from './pickTarget';
import type { Place } from './places';
import type { WorkspaceFile } from './workspaceFiles';

/** No file was found that an edit could be meant for. */
class NoTargetError extends UserError {}

/** Like {@link chooseTarget}; if there is no file to choose from, offers to choose or open one. */
export async function chooseTargetOrOpen(edit: ClipboardEdit): Promise<vscode.Uri | undefined> {
  try {
    return await chooseTarget(edit);
  } catch (error) {
    if (!(error instanceof NoTargetError)) throw error;
    return offerToOpen(error.message, titleOf(edit));
  }
}

async function offerToOpen(message: string, title: string): Promise<vscode.Uri | undefined> {
  const openFile = {
    title: vscode.l10n.t('Open File…'),
    run: async () => browse(title),
  };
  const steps = vscode.workspace.workspaceFolders
    ? [{ title: vscode.l10n.t('Choose File…'), run: async () => pickAnyFile(title) }, openFile]
    : [
        openFile,
        {
          title: vscode.l10n.t('Open Folder…'),
          run: async () => {
            await vscode.commands.executeCommand('workbench.action.files.openFolder');
            return undefined;
          },
        },
      ];
  const picked = await vscode.window.showWarningMessage(message, ...steps);
  return picked?.run();
}

/**
 * The file that an edit goes to: an open one, the one that the edit names, or the one of the workspace that holds
 * its lines. Asks when that is unclear. Undefined when the user cancelled.
 */
export async function chooseTarget(
  edit: ClipboardEdit,
  token?: vscode.CancellationToken,
): Promise<vscode.Uri | undefined> {
  const targets = await findTargets(edit);
  const [best] = targets;
  if (best?.clear && isSettled(edit, best)) return best.uri;
  const isNamed = targets.some(({ why }) => why === 'path');
  const places = isNamed ? [] : await placesOf(edit, token);
  if (!places) return undefined;
  const [place] = places;
  if (place?.certain) return place.file.uri;
  // Other files hold no more of the edit than the one in front.
  const isInFront = place === undefined || place.file.uri.toString() === best?.uri.toString();
  if (best?.clear && isInFront) return best.uri;
  if (!best && !place) {
    throw new NoTargetError(
      edit.path === undefined
        ? vscode.l10n.t('Open the file that the edit is meant for, then run the command again.')
        : vscode.l10n.t(
            '{0} is not in this workspace. Open the file that the edit is meant for, then run the command again.',
            edit.path,
          ),
    );
  }
  const why = {
    path: vscode.l10n.t('named like the file in the snippet'),
    active: vscode.l10n.t('the active file'),
    content: vscode.l10n.t('contains lines of the snippet'),
    open: vscode.l10n.t('open'),
  };
  const placed = new Set(places.map(({ file }) => file.uri.toString()));
  return pickTarget(
    [
      ...places.map(placeRow),
      ...targets
        .filter(({ uri }) => !placed.has(uri.toString()))
        .map(target => ({ label: target.path, description: why[target.why], uri: target.uri })),
    ],
    { title: titleOf(edit), placeHolder: outlineOf(edit).firstLine },
    token,
  );
}

/** Whether the file need not be compared with those of the workspace. */
function isSettled(edit: ClipboardEdit, { why, uri, path: name }: Target): boolean {
  if (why === 'path') return true;
  const document = vscode.workspace.textDocuments.find(
    one => one.uri.toString() === uri.toString(),
  );
  if (!document) return false;
  const merged = triedMerge(edit, document.getText(), name);
  return merged.kind === 'merged' && merged.certain;
}

/** Undefined when the user cancelled. */
async function placesOf(
  edit: ClipboardEdit,
  token?: vscode.CancellationToken,
): Promise<Place<WorkspaceFile>[] | undefined> {
  const call = token && signalOf(token);
  try {
    return await withProgress(
      vscode.l10n.t('Looking for the file of the edit'),
      async cancelled => {
        const signal = call ? AbortSignal.any([cancelled, call.signal]) : cancelled;
        return findPlaces(edit, openDocuments(), signal);
      },
    );
  } catch (error) {
    if (isAbort(error)) return undefined;
    throw error;
  } finally {
    call?.dispose();
  }
}

function titleOf(edit: ClipboardEdit): string {
  return edit.path === undefined
    ? vscode.l10n.t('Apply {0} to which file?', linesText(outlineOf(edit).lines, vscode.l10n.t))
    : vscode.l10n.t('The snippet is for {0}. Apply it to which file?', edit.path);
}

/** The snippet for a selection; undefined when the user cancelled. */
export async function askForSnippet(selection: vscode.Selection): Promise<string | undefined> {
  const { startLine, endLine } = lineIntervalOf(selection);
  const clipboard = {
    label: vscode.l10n.t('From the clipboard'),
    iconPath: new vscode.ThemeIcon('clippy'),
    isTyped: false,
  };
  const typed = {
    label: vscode.l10n.t('Type one line…'),
    iconPath: new vscode.ThemeIcon('edit'),
    isTyped: true,
  };
  const picked = await vscode.window.showQuickPick([clipboard, typed], {
    title: vscode.l10n.t('Apply to lines {0} to {1}', startLine, endLine),
  });
  if (!picked) return undefined;
  return picked.isTyped
    ? vscode.window.showInputBox({
        prompt: vscode.l10n.t('The line that replaces the selection'),
      })
    : vscode.env.clipboard.readText();
}

/** Asks whether a new edit should replace the pending review of its file. */
export async function askToReplace(review: Review): Promise<'replace' | 'show' | undefined> {
  const replace = vscode.l10n.t('Replace Review');
  const show = vscode.l10n.t('Show Review');
  const picked = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      review.model.hunks.length === 1
        ? '{0} has a review with 1 undecided change. Replace it with the new edit?'
        : '{0} has a review with {1} undecided changes. Replace it with the new edit?',
      review.fileName,
      review.model.hunks.length,
    ),
    replace,
    show,
  );
  if (picked === undefined) return undefined;
  return picked === replace ? 'replace' : 'show';
}

/** Asks what happens to pending reviews of files that an answer changes. */
export async function askToStack(
  pending: readonly Review[],
): Promise<'stack' | 'replace' | undefined> {
  const stack = vscode.l10n.t('Add to Them');
  const replace = vscode.l10n.t('Replace Them');
  const [first] = pending;
  const picked = await vscode.window.showWarningMessage(
    pending.length === 1 && first
      ? vscode.l10n.t('{0} has a review with undecided changes.', first.fileName)
      : vscode.l10n.t('{0} of the files have reviews with undecided changes.', pending.length),
    stack,
    replace,
  );
  if (picked === stack) return 'stack';
  return picked === replace ? 'replace' : undefined;
}

/** How an edit is described to the user: its size and its first line of code. */
export function outlineOf(edit: ClipboardEdit): { lines: number; firstLine: string } {
  const lines = editText(edit).split('\n');
  const firstLine = lines.find(line => line.trim() !== '' && !isMarkerLine(line))?.trim() ?? '';
  return { lines: lines.length, firstLine: firstLine.slice(0, 80) };
}

/**
 * A change to a file that other programs run or read as configuration needs a second confirmation each time it
 * is accepted, because it is easily overlooked among many files. Checks the path as given and the path that
 * symbolic links lead to.
 */
export async function confirmCommandFile({ fileUri, label }: Review): Promise<boolean> {
  const runner = (await pathsOf(fileUri)).map(needsConfirmation).find(Boolean);
  if (!runner) return true;
  const why = {
    editor: vscode.l10n.t('Editors read this file and may run commands in it.'),
    git: vscode.l10n.t('Git reads this file and may run commands in it.'),
    buildServer: vscode.l10n.t(
      'The build server runs the commands in it, with the permissions of the repository.',
    ),
    shell: vscode.l10n.t(
      'It belongs to the settings of a shell or a program, which run the commands in it.',
    ),
    packageManager: vscode.l10n.t(
      'The package manager reads this file and may run commands in it.',
    ),
    container: vscode.l10n.t(
      'Opening the folder in a container or a cloud workspace runs the commands in it.',
    ),
  }[runner];
  return confirm(
    vscode.l10n.t('Accept the change to {0}?', label),
    vscode.l10n.t('{0} Check the change before you accept it.', why),
    vscode.l10n.t('Accept'),
    vscode.l10n.t('Do Not Accept'),
  );
}

/** The path as given and the real path; relative if in the workspace, else absolute. */
async function pathsOf(uri: vscode.Uri): Promise<string[]> {
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const spelled = folder ? path.posix.relative(folder.path, uri.path) : uri.path;
  const { real, inFolder } = await realPlaceOf(uri);
  return real === undefined ? [spelled] : [spelled, inFolder?.below ?? real];
}

/** The second confirmation that audit errors need, once per review. */
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
