import * as vscode from 'vscode';
import { ids } from '../manifest';
import { DisposableStore } from './disposables';

/** Read-only documents that show what the service told, as JSON. */
export interface JsonDocuments extends vscode.Disposable {
  /** @param name of the tab. */
  show(name: string, value: unknown): Promise<void>;
}

export function createJsonDocuments(): JsonDocuments {
  const store = new DisposableStore();
  const texts = new Map<string, string>();
  const changed = store.add(new vscode.EventEmitter<vscode.Uri>());
  // A tab that VS Code restores asks before anything was shown.
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(ids.jsonScheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: uri =>
        texts.get(uri.toString()) ?? vscode.l10n.t('Open it from the view again.'),
    }),
  );
  return {
    dispose: () => store.dispose(),
    async show(name, value) {
      const path = `/${name.replaceAll(/[^\p{L}\p{N}._ -]/gu, '-')}.json`;
      const uri = vscode.Uri.from({ scheme: ids.jsonScheme, path });
      texts.set(uri.toString(), jsonText(value));
      changed.fire(uri);
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: true });
    },
  };
}

const jsonText = (value: unknown): string => JSON.stringify(value, withDates, 2) ?? '';

/** Dates as people read them. */
function withDates(name: string, part: unknown): unknown {
  return typeof part === 'number' && /(?:At|Deadline)$/.test(name) && Math.abs(part) < 8.64e15
    ? new Date(part).toISOString()
    : part;
}
