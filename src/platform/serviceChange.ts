import * as vscode from 'vscode';
import type { SettingId } from './commands/contribute';
import type { Host } from './host';

/** Runs a listener when the API key or the service URL changes: data read before may be of another account. */
export function onServiceChange(host: Pick<Host, 'context'>, run: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    host.context.secrets.onDidChange(run),
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration('splice.service.baseUrl' satisfies SettingId)) run();
    }),
  );
}
