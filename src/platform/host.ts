import * as vscode from 'vscode';
import { isAbort } from '../base/async/abort';
import { trackApiKey } from './apiKeyPresence';
import { ApiKeyStore } from './client/apiKeys';
import { createLog, type Log } from './log';
import { onServiceChange } from './serviceChange';
import { settings } from './settings';

/** Services that all features share. */
export interface Host {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly apiKeys: ApiKeyStore;
  /** Registers a command; its errors are logged and shown once. */
  registerCommand(id: string, run: (...args: unknown[]) => unknown): vscode.Disposable;
  /** Logs an error and shows it once, with steps that can help. @param retry repeats what failed. */
  report(what: string, error: unknown, retry?: () => Thenable<unknown>): Promise<void>;
  /** Wraps an event listener, whose errors are only logged. */
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

  const quietly: Host['quietly'] =
    run =>
    (...args) => {
      void (async () => run(...args))().catch((error: unknown) => log.error('listener', error));
    };

  const knowsKey = trackApiKey(context);
  const apiKeys = new ApiKeyStore(context.secrets, keys =>
    knowsKey(keys.some(({ origin }) => origin === settings.origin)),
  );
  // Another window may have stored or removed one, and another address has another key.
  context.subscriptions.push(
    onServiceChange(
      { context },
      quietly(async () => apiKeys.all()),
    ),
  );

  return {
    context,
    log,
    apiKeys,
    report,
    quietly,
    registerCommand: (id, run) =>
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        try {
          return await run(...args);
        } catch (error) {
          await report(id, error, () => vscode.commands.executeCommand(id, ...args));
          return undefined;
        }
      }),
  };
}
