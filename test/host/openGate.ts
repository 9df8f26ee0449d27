import * as vscode from 'vscode';
import { EgressGate } from '../../src/platform/egress/gate';
import { SentRecord } from '../../src/platform/egress/record';

/** A gate as a window has it, with a record of its own. */
export async function openGate(): Promise<EgressGate> {
  return new EgressGate({
    isTrusted: () => vscode.workspace.isTrusted,
    origin: () => '',
    record: new SentRecord(),
    now: () => Date.now(),
    t: vscode.l10n.t,
  });
}
