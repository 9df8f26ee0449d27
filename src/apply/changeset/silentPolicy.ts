import * as vscode from 'vscode';
import { splitLines } from '../../base/text/textLines';
import { settings } from '../../platform/settings';
import { adviceFor, ServiceError } from '../../service';
import type { EditOrigin } from '../history/applyHistory';
import type { ClipboardEdit } from '../parse/clipboard';
import { clearOrKeepLocal } from './clearance';
import type { EditPolicy } from './editPipeline';
import {
  editText,
  isSent,
  type MergeOutcome,
  type MergeRequest,
  type MergeService,
  merge,
  mergeLocally,
  mergeRequest,
} from './engine';

const clock = () => performance.now();

/**
 * For edits from a chat or an agent: the user is asked nothing, private files stay on this machine, and an edit
 * of a file with a pending review goes on top of its undecided changes.
 *
 * @param signal when it is aborted, the edit ends with an {@link AbortError} and no review starts.
 */
export function silentPolicy(
  {
    edit,
    instruction,
    from,
  }: {
    readonly edit: ClipboardEdit;
    readonly instruction?: string | undefined;
    readonly from: EditOrigin;
  },
  service: MergeService,
  signal: AbortSignal,
): EditPolicy {
  return {
    from,
    takePending: async () => 'stack',
    async merge({ document, original, path }) {
      const wanted = mergeRequest(edit, splitLines(original), settings, {
        original,
        path,
        instruction,
        t: vscode.l10n.t,
      });
      const { request, reason } = await clearOrKeepLocal(wanted, document.uri);
      const isKept = reason !== undefined && (await isSent(wanted, service));
      const { outcome, note } = await mergeOrLocal(request, service, signal);
      signal.throwIfAborted();
      if (outcome.kind === 'refused' && isKept) {
        return { outcome: { ...outcome, reason: `${reason} ${outcome.reason}` } };
      }
      const update = edit.format === 'snippet' ? editText(edit) : undefined;
      return { outcome, note: note ?? (isKept ? reason : undefined), update };
    },
  };
}

/** Merges by the settings; with `auto`, a failure of the service falls back to the local engine. */
async function mergeOrLocal(
  request: MergeRequest,
  service: MergeService,
  signal: AbortSignal,
): Promise<{ outcome: MergeOutcome; note?: string }> {
  try {
    return { outcome: await merge(request, service, { signal, now: clock }) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { message } = adviceFor(error, vscode.l10n.t);
    const local = settings.engine === 'auto' ? mergeLocally(request, clock) : undefined;
    if (local?.kind === 'merged') return { outcome: local, note: message };
    const reason = local?.kind === 'refused' ? `${message} ${local.reason}` : message;
    return { outcome: { kind: 'refused', reason } };
  }
}
