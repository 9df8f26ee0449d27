import * as vscode from 'vscode';
import { lazy } from '../base/async/lazy';
import { type Handlers, registerCommandHandlers } from '../platform/commands/registerCommands';
import type { Host } from '../platform/host';
import { playgroundPanel } from '../platform/ids';
import type { contributions } from './contributions';
import type { PlaygroundServices } from './controller';

/** Registers the commands, and what opens the page again after a reload; everything else loads on first use. */
export function registerPlayground(host: Host, client: PlaygroundServices): vscode.Disposable {
  const load = lazy(async () => (await import('./controller')).createPlayground(host, client));
  return vscode.Disposable.from(
    registerCommandHandlers(host, {
      'splice.playground.open': async () => (await load()).open(),
      'splice.playground.evaluate': async (_, file) => (await load()).evaluate(file),
    } satisfies Handlers<typeof contributions>),
    vscode.window.registerWebviewPanelSerializer(playgroundPanel, {
      deserializeWebviewPanel: async panel => (await load()).open(panel),
    }),
  );
}
