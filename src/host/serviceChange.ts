import * as vscode from 'vscode';
import { ids } from '../manifest';
import type { Host } from './host';

/** After the API key or the service address has changed: whatever was read may be of another account. */
export function onServiceChange(host: Host, run: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    host.context.secrets.onDidChange(run),
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration(ids.setting.baseUrl)) run();
    }),
  );
}
