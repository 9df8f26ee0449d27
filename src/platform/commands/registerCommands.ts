import * as vscode from 'vscode';
import type { Host } from '../host';
import type { CommandId, Commands, CommandsOf } from './contribute';

/**
 * What the commands of a feature do: `{…} satisfies Handlers<typeof contributions, Controller>` refuses a
 * forgotten command, an unknown one, and a handler that expects other arguments than callers pass.
 */
export type Handlers<Feature, Controller = undefined> = {
  readonly [Id in keyof CommandsOf<Feature>]: Handler<Controller, CommandsOf<Feature>[Id]>;
};

type Handler<Controller, Args> = Args extends readonly unknown[]
  ? (controller: Controller, ...args: Args) => unknown
  : never;

/** Registers the commands of a feature. @param load gives its controller, at the first command that runs. */
export function registerCommands<Controller>(
  host: Pick<Host, 'registerCommand'>,
  load: () => Controller | Promise<Controller>,
  handlers: Readonly<Record<string, (controller: Controller, ...args: never[]) => unknown>>,
): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(handlers).map(([id, run]) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- anybody may pass anything, so handlers check
      host.registerCommand(id, async (...args) => run(await load(), ...(args as never[]))),
    ),
  );
}

/** Runs a command of the extension with arguments that the compiler checks. */
export function runCommand<Id extends CommandId>(id: Id, ...args: Commands[Id]): Thenable<void> {
  return vscode.commands.executeCommand(id, ...args);
}

/** A command of the extension for a button, a lens or a quick fix. */
export function commandItem<Id extends CommandId>(
  title: string,
  id: Id,
  ...args: Commands[Id]
): vscode.Command {
  return { title, command: id, arguments: args };
}
