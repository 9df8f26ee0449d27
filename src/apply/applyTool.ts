import * as vscode from 'vscode';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import { isPrivate } from '../host/egress/privateNames';
import { settings } from '../host/settings';
import { findNamed, questionOf, readToolInput, runTool } from '../host/toolCall';
import { splitLines } from '../merge/text';
import { clearedOrLocal } from './clearance';
import { isSent, type MergeService } from './engine';
import { mergeRequest } from './pipeline';
import { readTarget } from './readTarget';
import type { ApplyRoom } from './room';
import { applyInput, editOf, type EditReport, reportText } from './toolEdits';

const { t } = vscode.l10n;

/** Says which files, how much, and whether it leaves the machine. */
export async function prepareApply(
  client: MergeService,
  input: unknown,
): Promise<vscode.PreparedToolInvocation> {
  const { edits } = readToolInput(applyInput, input);
  const rows: string[] = [];
  let sends = false;
  for (const { path, update } of edits) {
    rows.push(t('{0}: {1} lines', path, splitLines(update.trimEnd()).length));
    sends ||= await leavesMachine(client, path, update);
  }
  const [first] = edits;
  const what =
    edits.length === 1 && first ? first.path : t('{0} edits in several files', edits.length);
  const where = sends
    ? t('The files, whole, and the edits are sent to {0} to be merged.', settings.serviceHost)
    : t('They are merged on this machine; nothing is sent.');
  const next = t('A review opens for each file. Nothing is written until you accept it there.');
  return {
    invocationMessage: t('Merging an edit into {0}', what),
    confirmationMessages: questionOf(
      edits.length === 1
        ? t('Open a review of an edit?')
        : t('Open reviews of {0} edits?', edits.length),
      [rows, [`${where} ${next}`]],
    ),
  };
}

/** True also where it cannot be told before the call; false for what will be refused. */
async function leavesMachine(client: MergeService, path: string, update: string): Promise<boolean> {
  const edit = editOf(update);
  if ('reason' in edit || settings.engine === 'local') return false;
  try {
    const document = await readTarget(await targetOf(path));
    const original = document.getText();
    const wanted = mergeRequest(edit, splitLines(original), { original, path });
    const { request } = await clearedOrLocal(wanted, document.uri);
    return await isSent(request, client);
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

/** Opens a review for each edit. @throws {UserError} in a sentence for the agent. */
export async function invokeApply(
  { log }: Host,
  room: ApplyRoom,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const { edits, instruction } = readToolInput(applyInput, input);
  return runTool({ log, token, failed: t('The edit could not be merged.') }, async signal => {
    const reports: EditReport[] = [];
    const opened = new Map<string, string>();
    for (const { path, update } of edits) {
      const edit = editOf(update);
      if ('reason' in edit) {
        reports.push({ kind: 'refused', path, reason: edit.reason });
        continue;
      }
      const report = await propose(room, { path, edit, instruction }, signal);
      reports.push(report.shown);
      if (report.reviewId !== undefined) opened.set(path, report.reviewId);
    }
    await room.showProposed([...opened.values()], { preserveFocus: true });
    return reportText(reports);
  });
}

async function propose(
  room: ApplyRoom,
  { path, edit, instruction }: ToolEdit,
  signal: AbortSignal,
): Promise<{ shown: EditReport; reviewId?: string }> {
  let uri: vscode.Uri;
  try {
    uri = await targetOf(path);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { shown: { kind: 'refused', path, reason: error.message } };
  }
  const proposal = await room.proposals.propose({ edit, uri, instruction }, signal);
  const name = vscode.workspace.asRelativePath(uri);
  if (proposal.kind === 'refused') return { shown: { ...proposal, path: name } };
  if (proposal.kind === 'unchanged')
    return {
      shown: { kind: 'unchanged', path: name, isInReview: proposal.review !== undefined },
    };
  const { review, before, after, findings, isOnTop, note } = proposal;
  const { engine } = review.origin;
  return {
    shown: { kind: 'review', path: name, before, after, findings, engine, isOnTop, note },
    reviewId: review.id,
  };
}

interface ToolEdit {
  readonly path: string;
  readonly edit: Exclude<ReturnType<typeof editOf>, { reason: string }>;
  readonly instruction: string | undefined;
}

/**
 * The file that an agent names, as the editor has it open.
 * @throws {UserError} for what is missing, outside of the workspace, or may hold secrets.
 */
async function targetOf(named: string): Promise<vscode.Uri> {
  const found = await findNamed(named);
  if (!found)
    throw new UserError(
      t('There is no file {0} in the workspace. This tool changes files that are there.', named),
    );
  if (found.below === undefined)
    throw new UserError(t('{0} is outside of the workspace, and is not changed.', named));
  if (isPrivate(found.below))
    throw new UserError(
      t('{0} is hidden or may hold keys. Ask the user to change it by hand.', named),
    );
  // A link to a file that is open under its own name: its unsaved text counts.
  return !isOpen(found.uri.fsPath) && isOpen(found.real) ? vscode.Uri.file(found.real) : found.uri;
}

function isOpen(file: string): boolean {
  return vscode.workspace.textDocuments.some(({ uri }) => uri.fsPath === file);
}
