import * as vscode from 'vscode';
import { lazy } from '../../base/async';
import { ids } from '../../manifest';
import { DisposableStore } from '../disposables';
import type { Host } from '../host';
import type { EgressGate } from './gate';

export type OpenGate = () => Promise<EgressGate>;

/** The one gate of this window, and the command that shows what passed it. Its code loads with the first call. */
export function register(host: Host): vscode.Disposable & { readonly open: OpenGate } {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<vscode.Uri>());
  const uri = vscode.Uri.from({
    scheme: ids.sentScheme,
    path: `/${vscode.l10n.t('What Was Sent')}.md`,
  });
  const open = lazy(async () =>
    (await import('./openGate')).openGate(host, () => changed.fire(uri)),
  );
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(ids.sentScheme, {
      onDidChange: changed.event,
      async provideTextDocumentContent() {
        const [{ sentReport }, { record }] = await Promise.all([import('./report'), open()]);
        return sentReport(record, vscode.l10n.t);
      },
    }),
  );
  store.add(
    host.registerCommand(ids.command.showSent, async () => {
      changed.fire(uri);
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    }),
  );
  return { open, dispose: () => store.dispose() };
}
