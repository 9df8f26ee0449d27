import * as vscode from 'vscode';
import { DisposableStore } from '../host/disposables';
import { UserError } from '../host/errors';
import type { Host } from '../host/host';
import type { OpenTransport } from '../host/serviceClient';
import type { GatedClient } from '../host/egress/gatedClient';
import { ids } from '../manifest';

/** The commands around the service address, the API key and the connection report, a read-only document. */
export function register(
  host: Host,
  client: Pick<GatedClient, 'listEndpoints' | 'catalogue' | 'predict'>,
  transport: OpenTransport,
): vscode.Disposable {
  const store = new DisposableStore();
  const address = vscode.Uri.from({ scheme: ids.reportScheme, path: '/Splice Connection.md' });
  const changed = store.add(new vscode.EventEmitter<vscode.Uri>());
  let report: string | undefined;

  // A tab that VS Code restores asks before any command has run.
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(ids.reportScheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: () =>
        report ?? vscode.l10n.t('Run "Splice: Diagnose Connection" for a report.'),
    }),
  );

  async function copy(): Promise<void> {
    if (report === undefined)
      throw new UserError(vscode.l10n.t('Run "Splice: Diagnose Connection" first.'));
    await vscode.env.clipboard.writeText(report);
    vscode.window.setStatusBarMessage(vscode.l10n.t('The connection report is copied.'), 4000);
  }

  async function diagnose(): Promise<void> {
    const { withProgress } = await import('../host/progress');
    const made = await withProgress(
      vscode.l10n.t('Diagnosing the connection'),
      async (signal, tell) => {
        const { diagnoseConnection } = await import('../host/diagnose');
        return diagnoseConnection(host, client, transport, { signal, onCheck: tell });
      },
    );
    report = made.text;
    changed.fire(address);
    const document = await vscode.workspace.openTextDocument(address);
    await vscode.window.showTextDocument(document, { preview: false });
    const { offerSteps } = await import('./afterDiagnosis');
    await offerSteps(made, { copy, diagnose });
  }

  store.add(host.registerCommand(ids.command.diagnose, diagnose));
  store.add(host.registerCommand(ids.command.copyReport, copy));

  const dialogs = async () => {
    const { AccountDialogs } = await import('./accountDialogs');
    return new AccountDialogs(host, client, transport);
  };
  const { command } = ids;
  store.add(host.registerCommand(command.setApiKey, async () => (await dialogs()).setApiKey()));
  store.add(
    host.registerCommand(command.removeApiKey, async () => (await dialogs()).removeApiKey()),
  );
  store.add(
    host.registerCommand(command.setServiceUrl, async () => (await dialogs()).setServiceUrl()),
  );
  store.add(host.registerCommand(command.showLog, () => host.log.show()));
  return store;
}
