import * as vscode from 'vscode';
import { isRecord, textOf } from '../../src/base/typeGuards';
import { asRead } from './asRead';
import { run, stub, waitFor } from './support';

/** The panel of the Playground without its page: tests send what the page would send, and read what it would show. */
export interface PlaygroundPanel {
  /** The results as HTML. */
  readonly html: () => string;
  /** Id of the run that is shown. */
  readonly run: () => string;
  /** The text beside the Send button. */
  readonly estimate: () => string;
  readonly fileText: () => string;
  send(kind: string, value?: string | object): void;
  /** Closes the tab. */
  close(): void;
  /** Waits until the results match. */
  shows(pattern: RegExp): Promise<string>;
}

export async function openPlayground(): Promise<PlaygroundPanel> {
  const received = new vscode.EventEmitter<unknown>();
  const disposed = new vscode.EventEmitter<void>();
  const latest = new Map<string, Record<string, unknown>>();
  let isClosed = false;
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    disposed.fire();
  };
  const panel = {
    visible: true,
    reveal: () => undefined,
    onDidDispose: disposed.event,
    onDidChangeViewState: new vscode.EventEmitter<void>().event,
    dispose: close,
    webview: {
      html: '',
      options: {},
      onDidReceiveMessage: received.event,
      async postMessage(message: unknown) {
        if (isRecord(message)) latest.set(String(message['kind']), message);
        return true;
      },
    },
  };
  stub(vscode.window, 'createWebviewPanel', () => panel);
  await run('splice.playground.open');
  const field = (kind: string, name: string) => asRead(textOf(latest.get(kind)?.[name]) ?? '');
  const html = () => field('content', 'html');
  received.fire({ kind: 'ready' });
  received.fire({ kind: 'form' });
  await waitFor(
    () => latest.has('targets') || field('estimate', 'text').includes('could not'),
    'the models',
  );
  return {
    html,
    run: () => field('content', 'run'),
    estimate: () => field('estimate', 'text'),
    fileText: () => field('estimate', 'fileText'),
    send: (kind, value = '') =>
      received.fire({ kind, value: typeof value === 'string' ? value : JSON.stringify(value) }),
    close,
    shows: async pattern => waitFor(() => pattern.test(html()) && html(), `results ${pattern}`),
  };
}
