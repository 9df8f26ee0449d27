import * as vscode from 'vscode';
import { isAbort } from './abort';
import { createLog, type Log } from './log';
import { ApiKeyStore } from './secrets';

/** What features share of VS Code. */
export interface Host {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly apiKeys: ApiKeyStore;
  /** Registers a command; what it throws is logged and shown once, in words. */
  registerCommand(id: string, run: (...args: unknown[]) => unknown): vscode.Disposable;
  /** Shows an error once, in words, with the steps that help. @param retry does again what failed. */
  report(what: string, error: unknown, retry?: () => Thenable<unknown>): Promise<void>;
  /** Wraps a listener: nobody asked, so an error goes to the log only. */
  quietly<A extends unknown[]>(run: (...args: A) => unknown): (...args: A) => void;
}

export function createHost(context: vscode.ExtensionContext): Host {
  const log = createLog();
  context.subscriptions.push(log);

  const report: Host['report'] = async (what, error, retry) => {
    if (isAbort(error)) return;
    log.error(what, error);
    const { showError } = await import('./showError');
    await showError(error, retry);
  };

  return {
    context,
    log,
    apiKeys: new ApiKeyStore(context.secrets),
    report,
    registerCommand: (id, run) =>
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        try {
          return await run(...args);
        } catch (error) {
          await report(id, error, () => vscode.commands.executeCommand(id, ...args));
          return undefined;
        }
      }),
    quietly:
      run =>
      (...args) => {
        void (async () => run(...args))().catch((error: unknown) => log.error('listener', error));
      },
  };
}
