import * as vscode from 'vscode';

/** Milliseconds before a running task is worth a notification. */
const patienceMs = 400;

/**
 * Runs a task that can be cancelled. Its notification appears only when the task takes longer than
 * {@link patienceMs}; Cancel aborts the signal.
 */
export async function withProgress<T>(
  title: string,
  run: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let shown: vscode.Progress<{ message?: string }> | undefined;
  const task = run(controller.signal, message => shown?.report({ message }));
  const settled = task.then(
    () => undefined,
    () => undefined,
  );
  const timer = setTimeout(() => {
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (progress, token) => {
        shown = progress;
        token.onCancellationRequested(() => controller.abort());
        return settled;
      },
    );
  }, patienceMs);
  try {
    return await task;
  } finally {
    clearTimeout(timer);
  }
}
