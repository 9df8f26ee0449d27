import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import { autoSaveDelayMs, pageLanguageOf } from './pageLanguages';
import { readPageUri } from './pageUri';

/**
 * Gives documents of the page the language of the page where VS Code has gone by an exact name, such as `Makefile` or
 * `tsconfig.json`, which counts more than the folder. What is typed in them is stored here: VS Code may have looked up
 * whether it saves them while they had the other language.
 */
export class PageDocuments implements vscode.Disposable {
  readonly #resources = new DisposableStore();
  /** The URIs of the documents that were given another language. */
  readonly #changed = new Set<string>();
  readonly #timers = new Map<vscode.TextDocument, NodeJS.Timeout>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
    const { workspace } = vscode;
    const resources = this.#resources;
    resources.add(workspace.onDidOpenTextDocument(document => this.#opened(document)));
    resources.add(workspace.onDidChangeTextDocument(({ document }) => this.#edited(document)));
    resources.add(
      workspace.onDidCloseTextDocument(document => {
        if (!isOpen(document)) this.#changed.delete(document.uri.toString());
      }),
    );
    for (const document of workspace.textDocuments) this.#opened(document);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#resources.dispose();
  }

  #opened(document: vscode.TextDocument): void {
    if (!readPageUri(document.uri)) return;
    const language = pageLanguageOf(document.uri.path);
    if (language === undefined || document.languageId === language) return;
    this.#changed.add(document.uri.toString());
    vscode.languages
      .setTextDocumentLanguage(document, language)
      .then(() => this.#edited(document), this.#onError);
  }

  #edited(document: vscode.TextDocument): void {
    if (!document.isDirty || !this.#changed.has(document.uri.toString())) return;
    clearTimeout(this.#timers.get(document));
    this.#timers.set(
      document,
      setTimeout(() => {
        this.#timers.delete(document);
        if (document.isClosed) return;
        document.save().then(() => this.#edited(document), this.#onError);
      }, autoSaveDelayMs),
    );
  }
}

/** False once a document is closed. A document that changes its language is told of as closed too. */
export const isOpen = ({ uri }: vscode.TextDocument): boolean =>
  vscode.workspace.textDocuments.some(document => document.uri.toString() === uri.toString());
