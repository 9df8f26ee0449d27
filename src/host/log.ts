import * as vscode from 'vscode';
import { redact } from './redact';

export interface Log extends vscode.Disposable {
  info(line: string): void;
  /** Only the error's name, message and stack are written, never what it carries. */
  error(what: string, error: unknown): void;
  show(): void;
}

/** The output channel is made at the first line, so that activation does not pay for it. */
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
