import * as vscode from 'vscode';
import { DisposableStore } from '../disposables';
import { jsonScheme } from '../ids';

/** The text of a document, or what gives it each time VS Code asks. */
type TextSource = string | (() => string | Promise<string>);

/** Read-only documents of one scheme whose texts are generated. */
export interface TextDocuments extends vscode.Disposable {
  /** Sets the text of a document; one that is open is updated. */
  serve(uri: vscode.Uri, text: TextSource): void;
  /** Asks the source of an open document again. */
  refresh(uri: vscode.Uri): void;
  /** Forgets the text of a document. */
  end(uri: vscode.Uri): void;
}

/** @param placeholder shown in a tab that VS Code restores before its text is served. */
export function createTextDocuments(
  scheme: string,
  placeholder: () => string | Promise<string>,
): TextDocuments {
  const store = new DisposableStore();
  const texts = new Map<string, TextSource>();
  const changed = store.add(new vscode.EventEmitter<vscode.Uri>());
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: uri => {
        const text = texts.get(uri.toString()) ?? placeholder;
        return typeof text === 'string' ? text : text();
      },
    }),
  );
  return {
    serve(uri, text) {
      texts.set(uri.toString(), text);
      changed.fire(uri);
    },
    refresh: uri => changed.fire(uri),
    end: uri => void texts.delete(uri.toString()),
    dispose: () => store.dispose(),
  };
}

/** Read-only documents with answers of the service as JSON. */
export interface JsonDocuments extends vscode.Disposable {
  /** @param name of the tab. */
  show(name: string, value: unknown): Promise<void>;
}

export function createJsonDocuments(): JsonDocuments {
  const documents = createTextDocuments(jsonScheme, () =>
    vscode.l10n.t('Open it from the view again.'),
  );
  return {
    dispose: () => documents.dispose(),
    async show(name, value) {
      const path = `/${name.replaceAll(/[^\p{L}\p{N}._ -]/gu, '-')}.json`;
      const uri = vscode.Uri.from({ scheme: jsonScheme, path });
      documents.serve(uri, jsonText(value));
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: true });
    },
  };
}

const jsonText = (value: unknown): string => JSON.stringify(value, withDates, 2) ?? '';

/** Writes dates, which are ms since the epoch, in ISO 8601. */
function withDates(name: string, part: unknown): unknown {
  return typeof part === 'number' && /(?:At|Deadline)$/.test(name) && Math.abs(part) < 8.64e15
    ? new Date(part).toISOString()
    : part;
}
