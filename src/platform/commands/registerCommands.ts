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

type AnyHandlers<Controller> = Readonly<
  Record<string, (controller: Controller, ...args: never[]) => unknown>
>;

/**
 * Registers the commands of a feature; what they do is loaded when the first one runs.
 *
 * @param names the middle of their ids: `apply` for `splice.apply.…`.
 * @param load gives the controller of the feature.
 */
export function registerCommands<Controller>(
  host: Pick<Host, 'registerCommand' | 'context'>,
  names: readonly string[],
  load: () => Controller | Promise<Controller>,
  handlers: () => Promise<AnyHandlers<Controller>>,
): vscode.Disposable {
  return vscode.Disposable.from(
    ...contributedIds(host.context)
      .filter(id => names.includes(id.split('.')[1] ?? ''))
      .map(id =>
        host.registerCommand(id, async (...args) => {
          const [controller, all] = await Promise.all([load(), handlers()]);
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- anybody may pass anything, so handlers check
          return all[id]?.(controller, ...(args as never[]));
        }),
      ),
  );
}

/** The commands of package.json. Their ids are in memory, and code that repeats them would be loaded to activate. */
function contributedIds({ extension }: vscode.ExtensionContext): string[] {
  const manifest: {
    readonly contributes: { readonly commands: readonly { readonly command: string }[] };
  } = extension.packageJSON;
  return manifest.contributes.commands.map(({ command }) => command);
}

/** Registers commands that need no controller. */
export function registerCommandHandlers(
  host: Pick<Host, 'registerCommand'>,
  handlers: AnyHandlers<undefined>,
): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(handlers).map(([id, run]) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- anybody may pass anything, so handlers check
      host.registerCommand(id, async (...args) => run(undefined, ...(args as never[]))),
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
