import * as vscode from 'vscode';
import { redact } from '../base/redact';

export interface Log extends vscode.Disposable {
  info(line: string): void;
  /** Writes only the name, message and stack of the error, never its other properties. */
  error(what: string, error: unknown): void;
  show(): void;
}

/** The output channel is created with the first line, so that it does not slow down activation. */
export function createLog(): Log {
  let channel: vscode.LogOutputChannel | undefined;
  const open = () => (channel ??= vscode.window.createOutputChannel('Splice', { log: true }));
  return {
    info: line => open().info(redact(line)),
    error: (what, error) =>
      open().error(
        redact(
          `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        ),
      ),
    show: () => open().show(true),
    dispose: () => channel?.dispose(),
  };
}
