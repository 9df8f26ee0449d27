import type { WindowsShell } from './hookCommand';

export const agentsWithHooks = ['claude', 'codex', 'copilot', 'cursor', 'gemini', 'qwen'] as const;
export type AgentWithHooks = (typeof agentsWithHooks)[number];

/** Where an agent reads its hooks, and in which form. */
interface HookForm {
  readonly file: readonly [folder: string, name: string];
  /** A variable that names another folder. */
  readonly folderVariable?: string;
  readonly hasComments: boolean;
  readonly windowsShell: WindowsShell | undefined;
  /** With a pattern of the tools for events that have one. */
  readonly events: Readonly<Record<string, string | undefined>>;
  /** The entry of one event. */
  readonly entry: (command: string, matcher: string | undefined, isWindows: boolean) => unknown;
  /** Members that a new file begins with. */
  readonly head?: Readonly<Record<string, unknown>>;
}

/** Claude Code's form, which others have taken over. */
const group = (matcher: string | undefined, hook: Readonly<Record<string, unknown>>): unknown => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: 'command', ...hook }],
});

/**
 * Only events that old versions know too: Claude Code ignores a whole file with an event that it does not know, so
 * that `SubagentStart` (since 2.0.43) is left out. Tools that only read are left out, so that reading stays fast.
 */
export const hookForms: Readonly<Record<AgentWithHooks, HookForm>> = {
  claude: {
    file: ['.claude', 'settings.json'],
    folderVariable: 'CLAUDE_CONFIG_DIR',
    hasComments: false,
    windowsShell: 'bash or PowerShell',
    events: {
      UserPromptSubmit: undefined,
      PreToolUse: 'Edit|MultiEdit|Write|NotebookEdit|Bash|PowerShell',
      PostToolUse: 'Edit|MultiEdit|Write|NotebookEdit|Bash|PowerShell',
      Stop: undefined,
      SubagentStop: undefined,
      SessionEnd: undefined,
    },
    entry: (command, matcher) => group(matcher, { command, timeout: 5 }),
  },
  codex: {
    file: ['.codex', 'hooks.json'],
    folderVariable: 'CODEX_HOME',
    hasComments: false,
    windowsShell: 'cmd',
    events: {
      UserPromptSubmit: undefined,
      PreToolUse: undefined,
      PostToolUse: undefined,
      Stop: undefined,
      SubagentStart: undefined,
      SubagentStop: undefined,
      Interrupt: undefined,
      SessionEnd: undefined,
    },
    // The longest time that SessionEnd and Interrupt may take.
    entry: command => group(undefined, { command, timeout: 3 }),
  },
  copilot: {
    // A file of ours alone: all files of the folder are read.
    file: ['.copilot', 'hooks/splice.json'],
    folderVariable: 'COPILOT_HOME',
    hasComments: false,
    windowsShell: 'bash or PowerShell',
    events: {
      userPromptSubmitted: undefined,
      preToolUse: undefined,
      postToolUse: undefined,
      agentStop: undefined,
      subagentStart: undefined,
      subagentStop: undefined,
      sessionEnd: undefined,
    },
    entry: (command, _matcher, isWindows) => ({
      type: 'command',
      [isWindows ? 'powershell' : 'bash']: command,
      timeoutSec: 5,
    }),
    head: { version: 1 },
  },
  cursor: {
    file: ['.cursor', 'hooks.json'],
    hasComments: false,
    // Its documentation does not say which shell it is there.
    windowsShell: undefined,
    // Those that it waits for before a command or a file is read are left out: they decide what the agent may do.
    events: {
      beforeSubmitPrompt: undefined,
      afterFileEdit: undefined,
      afterShellExecution: undefined,
      stop: undefined,
      subagentStop: undefined,
      sessionEnd: undefined,
    },
    // The unit of its timeout has changed: the program gives up by itself.
    entry: command => ({ command }),
    head: { version: 1 },
  },
  // Gemini CLI takes the timeout in milliseconds, and Qwen Code has changed the unit: the program gives up by itself.
  gemini: {
    file: ['.gemini', 'settings.json'],
    hasComments: true,
    windowsShell: 'bash or PowerShell',
    events: {
      BeforeAgent: undefined,
      BeforeTool: 'write_file|replace|run_shell_command',
      AfterTool: 'write_file|replace|run_shell_command',
      AfterAgent: undefined,
      SessionEnd: undefined,
    },
    entry: (command, matcher) => group(matcher, { name: 'splice', command }),
  },
  qwen: {
    file: ['.qwen', 'settings.json'],
    hasComments: true,
    // Its shell there has changed too.
    windowsShell: undefined,
    events: {
      UserPromptSubmit: undefined,
      PreToolUse: 'edit|write_file|notebook_edit|run_shell_command',
      PostToolUse: 'edit|write_file|notebook_edit|run_shell_command',
      Stop: undefined,
      SubagentStart: undefined,
      SubagentStop: undefined,
      SessionEnd: undefined,
    },
    entry: (command, matcher) => group(matcher, { command }),
  },
};
