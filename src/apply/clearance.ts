import * as vscode from 'vscode';
import { choose, confirm } from '../host/confirm';
import type { Clearance } from '../host/egress/sending';
import { agreedFile, clearFile, fileRefusal, refusalText } from '../host/egress/workspaceRules';
import { hasSecretBeside, secretLines } from '../host/egress/withhold';
import { hasSecret } from '../host/secretText';
import { settings } from '../host/settings';
import { editText, isSent, type MergeRequest, type MergeService } from './engine';

const { t } = vscode.l10n;

/** A request that stays on this machine, and why. */
export interface KeptHere {
  readonly request: MergeRequest;
  readonly reason?: string;
  /** The same beside the question whether to send it. */
  readonly detail?: string;
}

/**
 * A request that may be sent if nothing speaks against its file; else one for this machine. Nobody is
 * asked: an agent or a chat proposed the edit.
 */
export async function clearedOrLocal(request: MergeRequest, uri: vscode.Uri): Promise<KeptHere> {
  if (request.engine === 'local') return { request };
  const cleared = await clearFile(uri, request.original);
  const name = vscode.workspace.asRelativePath(uri);
  const here: MergeRequest = { ...request, engine: 'local' };
  if ('refusal' in cleared) {
    const why = refusalText(cleared.refusal);
    return {
      request: here,
      reason: t('{0} stays on this machine. {1}', name, why),
      detail: [
        t('Unless you send it, {0} stays on this machine. {1}', name, why),
        ...(hasOwnSecret(request) ? [t('The edit seems to hold a key or a password, too.')] : []),
      ].join(' '),
    };
  }
  if (besideFile(request).some(hasSecret)) {
    const why = refusalText('secret');
    return {
      request: here,
      reason: t('The edit of {0} stays on this machine. {1}', name, why),
      detail: t('Unless you send it, the edit of {0} stays on this machine. {1}', name, why),
    };
  }
  return { request: { ...request, clearance: { files: [cleared] } } };
}

/** What is sent with a file to be merged into it. */
function besideFile({ edit, instruction = '' }: MergeRequest): string[] {
  return [editText(edit), instruction];
}

/** Whether the edit holds a key that the file does not. */
function hasOwnSecret(request: MergeRequest): boolean {
  const known = new Set(secretLines(request.original));
  return besideFile(request).some(text => hasSecretBeside(text, known));
}

/**
 * The same for a command of the user, who may send the file after all; asked only where the file would
 * leave. Undefined when the user gave up.
 */
export async function askedOrLocal(
  request: MergeRequest,
  uri: vscode.Uri,
  service: Pick<MergeService, 'isReady'>,
): Promise<MergeRequest | undefined> {
  const kept = await clearedOrLocal(request, uri);
  if (kept.detail === undefined || !(await isSent(request, service))) return kept.request;
  const send = t('Send Anyway');
  const here = t('Merge on This Machine');
  const question = t('Send {0} to {1} to be merged?', request.path, settings.serviceHost);
  const picked = await choose(question, kept.detail, here, send);
  if (picked === undefined) return undefined;
  if (picked === here) return kept.request;
  return {
    ...request,
    clearance: { files: [agreedFile(uri, request.original)], texts: besideFile(request) },
  };
}

/** Texts of files, by address, that the user has agreed to send in spite of what speaks against it. */
export type AgreedFiles = Map<string, string>;

/**
 * What a chat model may get of a file for an edit: names and texts that look private are asked about, and
 * files that the workspace leaves out. Undefined when the user gave up.
 * @param asksAboutSecrets false where somebody else does
 */
export async function clearanceToEdit(
  document: vscode.TextDocument,
  name: string,
  {
    agreed,
    asksAboutSecrets,
  }: {
    readonly agreed: AgreedFiles;
    readonly asksAboutSecrets: boolean;
  },
): Promise<Clearance | undefined> {
  const { uri } = document;
  const text = document.getText();
  const refusal = await fileRefusal(uri, text);
  if (!refusal) {
    const cleared = await clearFile(uri, text);
    return 'refusal' in cleared ? undefined : { files: [cleared] };
  }
  const key = uri.toString();
  const isAsked = isCovered(text, agreed.get(key)) || (refusal === 'secret' && !asksAboutSecrets);
  if (!isAsked) {
    const question = t('Send {0} to the model?', name);
    const reason = refusalText(refusal);
    if (!(await confirm(question, reason, t('Send Anyway'), t('Do Not Send')))) return undefined;
    agreed.set(key, text);
  }
  return { files: [agreedFile(uri, text)] };
}

/** Whether an agreement still holds: a key that has come into the file since is asked about. */
function isCovered(text: string, agreed: string | undefined): boolean {
  return agreed !== undefined && !hasSecretBeside(text, new Set(secretLines(agreed)));
}
