import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { isRecord } from '../../base/typeGuards';
import { DisposableStore } from '../disposables';
import type { Host } from '../host';

export interface WebviewTabOptions {
  readonly viewType: string;
  readonly title: string;
  /** The page without its content. */
  readonly page: (nonce: string) => string;
  /** Handles a message of the page; any that it does not know is ignored. */
  readonly act: (kind: string, value: string) => Promise<void>;
  /** What the page is sent to show, besides its kind; undefined for nothing. */
  readonly content: () => Promise<object | undefined>;
  readonly onClose: () => void;
  /** The panel that VS Code opens again after a reload. */
  readonly restored?: vscode.WebviewPanel | undefined;
}

/** A page in a tab. It asks for its content when it opens, and gets it anew while it is visible. */
export class WebviewTab implements vscode.Disposable {
  readonly #options: WebviewTabOptions;
  readonly #panel: vscode.WebviewPanel;
  readonly #store = new DisposableStore();
  /** Refreshes; errors are only logged. */
  readonly refreshQuietly: () => void;
  /** The refresh in progress. */
  #running: Promise<void> | undefined;
  #isRefreshPending = false;
  /** The panel throws at any use after it was closed, and what waits for a file may find it so. */
  #isClosed = false;

  constructor(host: Pick<Host, 'quietly' | 'report'>, options: WebviewTabOptions) {
    this.#options = options;
    const { viewType, title, page, act, onClose, restored } = options;
    this.#panel = this.#store.add(
      restored ??
        vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, {
          enableFindWidget: true,
        }),
    );
    this.#panel.webview.options = { enableScripts: true, localResourceRoots: [] };
    this.refreshQuietly = host.quietly(() => this.refresh());
    this.#store.add(
      this.#panel.webview.onDidReceiveMessage((message: unknown) => {
        if (!isRecord(message) || typeof message['kind'] !== 'string') return;
        const { kind, value } = message;
        const done =
          kind === 'ready' ? this.refresh() : act(kind, typeof value === 'string' ? value : '');
        done.catch((error: unknown) => host.report(viewType, error));
      }),
    );
    this.#store.add(this.#panel.onDidChangeViewState(this.refreshQuietly));
    this.#panel.onDidDispose(() => {
      this.#isClosed = true;
      this.#store.dispose();
      onClose();
    });
    this.#panel.webview.html = page(randomBytes(16).toString('base64'));
  }

  get isVisible(): boolean {
    return !this.#isClosed && this.#panel.visible;
  }

  setTitle(title: string): void {
    if (!this.#isClosed && this.#panel.title !== title) this.#panel.title = title;
  }

  /** Sends a message to the page, which gets none while it is hidden. */
  post(message: object): void {
    if (this.isVisible) void this.#panel.webview.postMessage(message);
  }

  /** Disposes of it when the tab is closed. */
  add(item: vscode.Disposable): void {
    this.#store.add(item);
  }

  async show(): Promise<void> {
    this.#panel.reveal();
    await this.refresh();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** One refresh at a time; requests in the meantime are combined into one more. */
  async refresh(): Promise<void> {
    if (this.#running) {
      this.#isRefreshPending = true;
      return this.#running;
    }
    this.#running = this.#refreshNow().finally(() => (this.#running = undefined));
    await this.#running;
    if (!this.#isRefreshPending) return;
    this.#isRefreshPending = false;
    await this.refresh();
  }

  async #refreshNow(): Promise<void> {
    if (!this.isVisible) return;
    const content = await this.#options.content();
    if (content === undefined || this.#isClosed) return;
    await this.#panel.webview.postMessage({ kind: 'content', ...content });
  }
}
