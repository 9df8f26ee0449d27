import * as vscode from 'vscode';
import { choose, confirm } from '../../platform/confirm';
import {
  agreedFile,
  clearFile,
  fileRefusal,
  refusalText,
} from '../../platform/egress/paths/workspaceRules';
import { hasSecret } from '../../platform/egress/secrets/secretText';
import { hasSecretBeside, secretLines } from '../../platform/egress/secrets/withhold';
import type { Clearance } from '../../platform/egress/sending';
import { settings } from '../../platform/settings';
import { editText, isSent, type MergeRequest, type MergeService } from './engine';

const { t } = vscode.l10n;

/** A request that may be sent, or one that stays on this machine and the reason. */
export interface ClearedRequest {
  readonly request: MergeRequest;
  readonly reason?: string;
  /** The reason as shown below the question whether to send the file anyway. */
  readonly detail?: string;
}

/**
 * Clears a request for sending unless its file or edit is private; otherwise it is merged on this machine.
 * The user is not asked, because an agent or a chat proposed the edit.
 */
export async function clearOrKeepLocal(
  request: MergeRequest,
  uri: vscode.Uri,
): Promise<ClearedRequest> {
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
        ...(hasOwnSecret(request)
          ? [t('The edit also seems to contain a key or a password.')]
          : []),
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

/** The texts that are sent along with the file. */
function besideFile({ edit, instruction = '' }: MergeRequest): string[] {
  return [editText(edit), instruction];
}

/** Whether the edit contains a key that the file does not. */
function hasOwnSecret(request: MergeRequest): boolean {
  const known = new Set(secretLines(request.original));
  return besideFile(request).some(text => hasSecretBeside(text, known));
}

/**
 * Like {@link clearOrKeepLocal} for a command of the user, who may decide to send the file anyway. Asks only
 * if the file would be sent. Undefined when the user cancelled.
 */
export async function askOrKeepLocal(
  request: MergeRequest,
  uri: vscode.Uri,
  service: Pick<MergeService, 'isReady'>,
): Promise<MergeRequest | undefined> {
  const kept = await clearOrKeepLocal(request, uri);
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

/** Texts of private files that the user agreed to send, by URI. */
export type AgreedFiles = Map<string, string>;

/**
 * Clears a file to be sent to a chat model for an edit. Asks when its name or text looks private, or when the
 * workspace excludes it. Undefined when the user declined.
 * @param asksAboutSecrets false when the prompt guard asks about them.
 */
export async function clearForEdit(
  uri: vscode.Uri,
  text: string,
  {
    name,
    agreed,
    asksAboutSecrets,
  }: {
    readonly name: string;
    readonly agreed: AgreedFiles;
    readonly asksAboutSecrets: boolean;
  },
): Promise<Clearance | undefined> {
  const refusal = await fileRefusal(uri, text);
  if (!refusal) {
    const cleared = await clearFile(uri, text);
    return 'refusal' in cleared ? undefined : { files: [cleared] };
  }
  const key = uri.toString();
  const isAlreadyCleared =
    isCovered(text, agreed.get(key)) || (refusal === 'secret' && !asksAboutSecrets);
  if (!isAlreadyCleared) {
    const question = t('Send {0} to the model?', name);
    const reason = refusalText(refusal);
    if (!(await confirm(question, reason, t('Send Anyway'), t('Do Not Send')))) return undefined;
    agreed.set(key, text);
  }
  return { files: [agreedFile(uri, text)] };
}

/** Whether an agreement still holds: a key that was added to the file since then is asked about. */
function isCovered(text: string, agreed: string | undefined): boolean {
  return agreed !== undefined && !hasSecretBeside(text, new Set(secretLines(agreed)));
}
