import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import type { OpenTransport } from '../platform/client/client';
import { type Handlers, registerCommandHandlers } from '../platform/commands/registerCommands';
import { DisposableStore } from '../platform/disposables';
import { createTextDocuments } from '../platform/documents/textDocuments';
import type { GatedClient } from '../platform/egress/gatedClient';
import type { Host } from '../platform/host';
import type { contributions } from './contributions';
import { connectView, reportScheme } from './ids';

/** The commands around the service address, the API key and the connection report, a read-only document. */
export function registerConnection(
  host: Host,
  client: Pick<GatedClient, 'listEndpoints' | 'catalogue' | 'predict'>,
  transport: OpenTransport,
): vscode.Disposable {
  const store = new DisposableStore();
  const address = vscode.Uri.from({ scheme: reportScheme, path: '/Splice Connection.md' });
  const documents = store.add(
    createTextDocuments(reportScheme, () =>
      vscode.l10n.t('Run "Splice: Diagnose Connection" for a report.'),
    ),
  );
  // It has nothing but its welcome text.
  store.add(
    vscode.window.registerTreeDataProvider<never>(connectView, {
      getChildren: () => [],
      getTreeItem: row => row,
    }),
  );
  let report: string | undefined;

  async function copy(): Promise<void> {
    if (report === undefined) {
      throw new UserError(vscode.l10n.t('Run "Splice: Diagnose Connection" first.'));
    }
    await vscode.env.clipboard.writeText(report);
    vscode.window.setStatusBarMessage(vscode.l10n.t('The connection report was copied.'), 4000);
  }

  async function diagnose(): Promise<void> {
    const { withProgress } = await import('../platform/progress');
    const made = await withProgress(
      vscode.l10n.t('Diagnosing the connection'),
      async (signal, tell) => {
        const { diagnoseConnection } = await import('./diagnose');
        return diagnoseConnection(host, client, transport, { signal, onCheck: tell });
      },
    );
    report = made.text;
    documents.serve(address, report);
    const document = await vscode.workspace.openTextDocument(address);
    await vscode.window.showTextDocument(document, { preview: false });
    const { showDiagnosisResult } = await import('./diagnosisResult');
    await showDiagnosisResult(made, { copy, diagnose });
  }

  const dialogs = async () => {
    const { AccountDialogs } = await import('./accountDialogs');
    return new AccountDialogs(host, client, transport);
  };
  store.add(
    registerCommandHandlers(host, {
      'splice.service.connect': async () => (await dialogs()).connect(),
      'splice.service.switch': async () => (await dialogs()).switchService(),
      'splice.service.setApiKey': async () => (await dialogs()).setApiKey(),
      'splice.service.removeApiKey': async () => (await dialogs()).removeApiKey(),
      'splice.service.setUrl': async () => (await dialogs()).setServiceUrl(),
      'splice.service.diagnose': diagnose,
      'splice.service.copyReport': copy,
      'splice.showLog': () => host.log.show(),
    } satisfies Handlers<typeof contributions>),
  );
  return store;
}
