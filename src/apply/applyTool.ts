import * as vscode from 'vscode';
import { linesText } from '../base/format/counts';
import { splitLines } from '../base/text/textLines';
import { UserError } from '../base/userError';
import { isPrivate } from '../platform/egress/paths/privateNames';
import type { Host } from '../platform/host';
import { settings } from '../platform/settings';
import { findNamed, questionOf, readToolInput, runTool } from '../platform/tools/toolCall';
import { clearOrKeepLocal } from './changeset/clearance';
import { isSent, type MergeService, mergeRequest } from './changeset/engine';
import type { ApplyController } from './controller';
import { applyInput, applyReportText, type EditReport, parseToolEdit } from './parse/toolEdits';
import type { ChangeSetRef } from './review/model/fileOperation';
import { newChangeSet } from './review/newChangeSet';
import { readTarget } from './target/readTarget';

const { t } = vscode.l10n;

/** The confirmation of a tool call: which files, how many lines, and whether anything is sent. */
export async function prepareApply(
  client: MergeService,
  input: unknown,
): Promise<vscode.PreparedToolInvocation> {
  const { edits } = readToolInput(applyInput, input);
  const rows: string[] = [];
  let sends = false;
  for (const { path, update } of edits) {
    rows.push(t('{0}: {1}', path, linesText(splitLines(update.trimEnd()).length, t)));
    sends ||= await leavesMachine(client, path, update);
  }
  const [first] = edits;
  const what =
    edits.length === 1 && first ? first.path : t('{0} edits in several files', edits.length);
  const where = sends
    ? t('The complete files and the edits are sent to {0} to be merged.', settings.serviceHost)
    : t('They are merged on this machine; nothing is sent.');
  const order =
    edits.length === 1
      ? t('A review opens.')
      : t('The first file opens as a review, and each decision leads to the next one.');
  const next = t('Nothing is written until you accept it there.');
  return {
    invocationMessage: t('Merging an edit into {0}', what),
    confirmationMessages: questionOf(
      edits.length === 1
        ? t('Open a review of an edit?')
        : t('Open reviews of {0} edits?', edits.length),
      [rows, [`${where} ${order} ${next}`]],
    ),
  };
}

/** Also true where only the call will show it; false for an edit that will be refused. */
async function leavesMachine(client: MergeService, path: string, update: string): Promise<boolean> {
  const edit = parseToolEdit(update);
  if ('reason' in edit || settings.engine === 'local') return false;
  try {
    const document = await readTarget(await targetOf(path));
    const original = document.getText();
    const wanted = mergeRequest(edit, splitLines(original), settings, { original, path, t });
    const { request } = await clearOrKeepLocal(wanted, document.uri);
    return await isSent(request, client);
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

/**
 * Starts a review for each edit and shows the first one. The edits of one call are one change set.
 *
 * @throws {UserError} with a message for the agent.
 */
export async function invokeApply(
  { log }: Host,
  controller: ApplyController,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const { edits, instruction } = readToolInput(applyInput, input);
  return runTool({ log, token, failed: t('The edit could not be merged.') }, async signal => {
    const reports: EditReport[] = [];
    const opened = new Map<string, string>();
    const setOf = changeSetOf(edits);
    for (const { path, update } of edits) {
      const edit = parseToolEdit(update);
      if ('reason' in edit) {
        reports.push({ kind: 'refused', path, reason: edit.reason });
        continue;
      }
      const proposed = { path, update, edit, instruction, changeSet: setOf(path) };
      const report = await propose(controller, proposed, signal);
      reports.push(report.shown);
      if (report.reviewId !== undefined) opened.set(path, report.reviewId);
    }
    await controller.showProposed([...opened.values()], { preserveFocus: true });
    return applyReportText(reports);
  });
}

async function propose(
  controller: ApplyController,
  { path, update, edit, instruction, changeSet }: ToolEdit,
  signal: AbortSignal,
): Promise<{ shown: EditReport; reviewId?: string }> {
  let uri: vscode.Uri;
  try {
    uri = await targetOf(path);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { shown: { kind: 'refused', path, reason: error.message } };
  }
  const from = { source: 'tool', answer: update } as const;
  const proposal = await controller.proposals.propose(
    { edit, uri, instruction, from, changeSet },
    signal,
  );
  const name = vscode.workspace.asRelativePath(uri);
  if (proposal.kind === 'refused') return { shown: { ...proposal, path: name } };
  if (proposal.kind === 'unchanged') {
    return {
      shown: { kind: 'unchanged', path: name, isInReview: proposal.review !== undefined },
    };
  }
  const { review, before, after, findings, isOnTop, note } = proposal;
  const { engine } = review.origin;
  return {
    shown: { kind: 'review', path: name, before, after, findings, engine, isOnTop, note },
    reviewId: review.id,
  };
}

interface ToolEdit {
  readonly path: string;
  readonly update: string;
  readonly edit: Exclude<ReturnType<typeof parseToolEdit>, { reason: string }>;
  readonly instruction: string | undefined;
  readonly changeSet: ChangeSetRef | undefined;
}

/** Gives the place of a file among those that the edits change; none where they change only one. */
function changeSetOf(edits: readonly { readonly path: string }[]) {
  const paths = [...new Set(edits.map(({ path }) => path))];
  const set = newChangeSet(paths.length);
  return (path: string): ChangeSetRef | undefined =>
    paths.length > 1 ? { ...set, index: paths.indexOf(path) } : undefined;
}

/**
 * The file that an agent names, as the editor has it open.
 * @throws {UserError} when the file is missing, outside the workspace, or may contain secrets.
 */
async function targetOf(named: string): Promise<vscode.Uri> {
  const found = await findNamed(named);
  if (!found) {
    throw new UserError(
      t('There is no file {0} in the workspace. This tool only changes existing files.', named),
    );
  }
  if (found.below === undefined) {
    throw new UserError(t('{0} is outside the workspace, so it is not changed.', named));
  }
  if (isPrivate(found.below)) {
    throw new UserError(
      t('{0} is hidden or may contain keys. Ask the user to change it by hand.', named),
    );
  }
  // When a symbolic link leads to an open file, that file's unsaved text counts.
  return !isOpen(found.uri.fsPath) && isOpen(found.real) ? vscode.Uri.file(found.real) : found.uri;
}

function isOpen(file: string): boolean {
  return vscode.workspace.textDocuments.some(({ uri }) => uri.fsPath === file);
}
