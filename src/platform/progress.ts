import * as vscode from 'vscode';
import { withWaitListener } from './client/waitListener';
import { retryWaitText } from './polling/retryWaitText';

/** A notification appears only for a task that takes longer, in milliseconds. */
const notificationDelayMs = 400;

/**
 * Runs a task that can be cancelled. Its notification appears only when the task takes longer than
 * {@link notificationDelayMs}; Cancel aborts the signal. While a call of the task waits for the service, the
 * notification says so.
 */
export async function withProgress<T>(
  title: string,
  run: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let shown: vscode.Progress<{ message?: string }> | undefined;
  /** The latest message, also from before the notification appeared. */
  let newest: string | undefined;
  const report = (message: string): void => {
    newest = message;
    shown?.report({ message });
  };
  const task = withWaitListener(
    wait => {
      const { t } = vscode.l10n;
      const message = retryWaitText(wait, t);
      report(message);
      setTimeout(
        () => newest === message && report(t('Trying again')),
        Math.max(0, wait.retryAt - Date.now()),
      );
    },
    () => run(controller.signal, report),
  );
  const settled = task.then(
    () => undefined,
    () => undefined,
  );
  const timer = setTimeout(() => {
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (progress, token) => {
        shown = progress;
        if (newest !== undefined) progress.report({ message: newest });
        token.onCancellationRequested(() => controller.abort());
        return settled;
      },
    );
  }, notificationDelayMs);
  try {
    return await task;
  } finally {
    clearTimeout(timer);
  }
}
