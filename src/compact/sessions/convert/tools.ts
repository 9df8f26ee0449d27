import { textOf } from '../../../base/typeGuards';
import type { Call } from './conversation';

/** What several tools can do, under names of their own. */
type Action =
  | { readonly do: 'run'; readonly command: string }
  | { readonly do: 'read'; readonly path: string }
  | { readonly do: 'write'; readonly path: string; readonly text: string };

interface ToolNames {
  readonly run?: readonly [name: string, command: string];
  readonly read?: readonly [name: string, path: string];
  readonly write?: readonly [name: string, path: string, text: string];
}

const names = {
  claudeCode: {
    run: ['Bash', 'command'],
    read: ['Read', 'file_path'],
    write: ['Write', 'file_path', 'content'],
  },
  codex: { run: ['exec_command', 'cmd'] },
  gemini: {
    run: ['run_shell_command', 'command'],
    read: ['read_file', 'file_path'],
    write: ['write_file', 'file_path', 'content'],
  },
  opencode: {
    run: ['bash', 'command'],
    read: ['read', 'filePath'],
    write: ['write', 'filePath', 'content'],
  },
} as const satisfies Record<string, ToolNames>;

export type ToolSet = keyof typeof names;

const runs =
  /^(?:bash|shell|exec_command|shell_command|run_shell_command|execute_command|run_in_terminal|local_shell|terminal|developer__shell|execute|execute_bash|run_terminal_command)$/i;
const reads = /^(?:read|read_file|view|view_file)$/i;
const writes = /^(?:write|write_file|write_to_file|create|create_file)$/i;

/** The call as the other tool would make it; undefined where it has no such tool, or the arguments say more. */
export function callFor(
  tools: ToolSet,
  { name, input }: Call,
): Pick<Call, 'name' | 'input'> | undefined {
  const action = actionOf(name, input);
  const own: ToolNames = names[tools];
  if (action?.do === 'run' && own.run) {
    return { name: own.run[0], input: { [own.run[1]]: action.command } };
  }
  if (action?.do === 'read' && own.read) {
    return { name: own.read[0], input: { [own.read[1]]: action.path } };
  }
  if (action?.do === 'write' && own.write) {
    const [called, path, text] = own.write;
    return { name: called, input: { [path]: action.path, [text]: action.text } };
  }
  return undefined;
}

function actionOf(name: string, input: Call['input']): Action | undefined {
  const first = (...keys: readonly string[]) =>
    keys.map(key => textOf(input[key])).find(value => value !== undefined);
  const path = first('file_path', 'filePath', 'path', 'absolute_path', 'target_file');
  if (runs.test(name)) {
    const command = first('command', 'cmd') ?? commandLine(input['command']);
    return command === undefined ? undefined : { do: 'run', command };
  }
  if (reads.test(name)) return path === undefined ? undefined : { do: 'read', path };
  const text = first('content', 'file_text', 'text');
  if (!writes.test(name) || path === undefined || text === undefined) return undefined;
  return { do: 'write', path, text };
}

/** Some tools have the command as a list: a shell, its option, and the command. */
function commandLine(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const words = value.map(String);
  return /^-l?c$/.test(words[1] ?? '') && words.length === 3 ? words[2] : words.join(' ');
}
