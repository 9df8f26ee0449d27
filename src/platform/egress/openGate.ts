import * as vscode from 'vscode';
import type { Host } from '../host';
import { settings } from '../settings';
import { EgressGate } from './gate';
import { SentRecord } from './record';
import { notifyWithheld } from './withheldMessage';

/** @param onChange called when the record changes */
export function openGate(host: Host, onChange: () => void): EgressGate {
  return new EgressGate({
    isTrusted: () => vscode.workspace.isTrusted,
    origin: () => (URL.canParse(settings.baseUrl) ? new URL(settings.baseUrl).origin : ''),
    record: new SentRecord(onChange),
    now: () => Date.now(),
    t: vscode.l10n.t,
    onWithheld: host.quietly(notifyWithheld),
  });
}
