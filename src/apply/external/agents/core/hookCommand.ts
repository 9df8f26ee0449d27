import { type Sentence, sentence } from '../../../../base/sentence';
import { hookScripts, spoolName } from './hookFiles';

/** Where the programs and the spool file are: an absolute path, of which the last part is ours. */
export interface HookPlace {
  readonly isWindows: boolean;
  readonly folder: string;
}

/** The shell that an agent runs a hook with on Windows: one that knows single quotes, or cmd.exe. */
export type WindowsShell = 'bash or PowerShell' | 'cmd';

/**
 * The command of a hook, or why there is none. On Linux and macOS it works in every POSIX shell and in fish, `exec`
 * leaves the agent as the parent process, and nothing happens when Splice's folder is gone. The form with a list of
 * arguments is not used: versions of Claude Code that do not know it start the shell alone, which then runs the event,
 * and with it the user's prompt, as a script.
 *
 * On Windows Node.js has to be installed; neither cmd.exe nor PowerShell can leave out parts of the event fast enough.
 */
export function hookCommand(
  { isWindows, folder }: HookPlace,
  shell: WindowsShell,
  args: readonly string[],
): { readonly command: string } | { readonly problem: Sentence } {
  if (!isWindows) {
    if (/[\0\r\n]/.test(folder)) return unusable(folder);
    const files = [hookScripts.posix, spoolName].map(name => quoted(`${folder}/${name}`));
    const words = [...files, ...args].join(' ');
    return { command: `exec sh -c 'test -r "$0" || exit 0; exec sh "$0" "$@"' ${words}` };
  }
  if (shell === 'cmd') {
    // It takes no quotes here: Codex escapes them in a way that cmd.exe does not know.
    if (/["'%^&<>|!\r\n]/.test(folder)) return unusable(folder);
    const words = [hookScripts.windows, spoolName, ...args].join(' ');
    return { command: `cd /d ${folder}&& node ${words}` };
  }
  if (/['\r\n]/.test(folder)) return unusable(folder);
  const files = [hookScripts.windows, spoolName].map(name => `'${folder}\\${name}'`);
  return { command: ['node', ...files, ...args].join(' ') };
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

const unusable = (folder: string): { readonly problem: Sentence } => ({
  problem: sentence(
    'The folder {0} has a character in its name that cannot be written in a hook.',
    folder,
  ),
});

/** Whether a text of the settings is a command or a plugin of ours, of whatever version. */
export const isOurCommand = (text: string): boolean => /splice-(?:spool|opencode)\./.test(text);
