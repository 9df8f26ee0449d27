import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy';
import { type Handlers, registerCommandHandlers } from '../commands/registerCommands';
import { DisposableStore } from '../disposables';
import { createTextDocuments } from '../documents/textDocuments';
import type { Host } from '../host';
import { sentScheme } from '../ids';
import type { contributions } from './contributions';
import type { EgressGate } from './gate';

export type OpenGate = () => Promise<EgressGate>;

/** The egress gate of this window, and the command that shows what was sent. Its code loads with the first call. */
export function registerEgress(host: Host): vscode.Disposable & { readonly open: OpenGate } {
  const store = new DisposableStore();
  const uri = vscode.Uri.from({
    scheme: sentScheme,
    path: `/${vscode.l10n.t('What Was Sent')}.md`,
  });
  const documents = store.add(
    createTextDocuments(sentScheme, async () => {
      const [{ sentReport }, { record }] = await Promise.all([import('./report'), open()]);
      return sentReport(record, vscode.l10n.t);
    }),
  );
  const open = lazy(async () =>
    (await import('./openGate')).openGate(host, () => documents.refresh(uri)),
  );
  store.add(
    registerCommandHandlers(host, {
      'splice.privacy.showSent': async () => {
        documents.refresh(uri);
        await vscode.commands.executeCommand('markdown.showPreview', uri);
      },
    } satisfies Handlers<typeof contributions>),
  );
  return { open, dispose: () => store.dispose() };
}
