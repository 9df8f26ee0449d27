import path from 'node:path';
import { isRecord, parseJson, textOf } from '../../../../base/typeGuards';

/** Programs that Splice knows hooks of, with the names that they give themselves. */
export const agentNames = {
  claude: 'Claude Code',
  codex: 'Codex',
  copilot: 'Copilot CLI',
  cursor: 'Cursor',
  gemini: 'Gemini CLI',
  opencode: 'opencode',
  qwen: 'Qwen Code',
  vscode: 'VS Code Chat',
} as const;

export type AgentId = keyof typeof agentNames;

/** The name to show; an id that is not known stands for itself. */
export const agentName = (id: string): string => (isAgent(id) ? agentNames[id] : id);

/** What an agent has noted in the spool file. Nothing of a prompt, a command or a file is in it. */
export interface HookEvent {
  readonly agent: AgentId;
  readonly kind:
    | 'prompt'
    | 'tool'
    | 'toolDone'
    | 'stop'
    | 'sessionEnd'
    | 'subagentStart'
    | 'subagentStop';
  readonly session: string;
  /** The agent's own id of the turn; some have none. */
  readonly turn?: string;
  readonly subagent?: string;
  readonly tool?: string;
  /** The same for the start and the end of one call of a tool. */
  readonly call?: string;
  /** Files that the tool was told to write, absolute where the agent said where it works. */
  readonly paths?: readonly string[];
  readonly cwd?: string;
  /** ms since the epoch */
  readonly time: number;
  /** The process of the agent. */
  readonly pid?: number;
}

export interface HookEvents {
  readonly events: readonly HookEvent[];
  /** Lines that are no event: damaged, of another version, or made up. */
  readonly skipped: number;
}

const maxLine = 16_384; // characters; a line of the hook's script has at most 4,096 bytes
const maxId = 200;
const maxPath = 1024;
const maxPaths = 64;

/** The names that the agents' settings have for the same thing. */
const kinds: Readonly<Record<string, HookEvent['kind'] | 'other'>> = {
  SessionStart: 'other',
  sessionStart: 'other',
  UserPromptSubmit: 'prompt',
  userPromptSubmitted: 'prompt',
  BeforeAgent: 'prompt',
  beforeSubmitPrompt: 'prompt',
  PreToolUse: 'tool',
  preToolUse: 'tool',
  BeforeTool: 'tool',
  beforeShellExecution: 'tool',
  PostToolUse: 'toolDone',
  postToolUse: 'toolDone',
  PostToolUseFailure: 'toolDone',
  postToolUseFailure: 'toolDone',
  AfterTool: 'toolDone',
  afterShellExecution: 'toolDone',
  afterFileEdit: 'toolDone',
  Stop: 'stop',
  stop: 'stop',
  agentStop: 'stop',
  StopFailure: 'stop',
  Interrupt: 'stop',
  AfterAgent: 'stop',
  SessionEnd: 'sessionEnd',
  sessionEnd: 'sessionEnd',
  SubagentStart: 'subagentStart',
  subagentStart: 'subagentStart',
  SubagentStop: 'subagentStop',
  subagentStop: 'subagentStop',
};

/** Tools that name files which they only read. */
const readingTool =
  /^(?:read|read_file|read_many_files|view|view_image|grep|grep_search|search_file_content|glob|list|ls|list_directory)$/i;

/** Reads lines of the spool file. */
export function readHookEvents(lines: readonly string[]): HookEvents {
  const events: HookEvent[] = [];
  let skipped = 0;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const event = readLine(line);
    if (event === 'other') continue;
    if (event) events.push(event);
    else skipped += 1;
  }
  return { events, skipped };
}

function readLine(line: string): HookEvent | 'other' | undefined {
  const data = line.length <= maxLine ? parseJson(line) : undefined;
  if (!isRecord(data)) return undefined;
  const name = idOf(data, 'hook_event_name', 'hookEventName');
  const kind = name !== undefined && Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  const agent = agentOf(data);
  const session = idOf(data, 'session_id', 'sessionId', 'conversation_id');
  const time = data['time'];
  if (kind === 'other') return 'other';
  if (!kind || !agent || session === undefined || !isTime(time)) return undefined;
  const turn = idOf(data, 'prompt_id', 'turn_id', 'turnId', 'generation_id');
  const subagent = idOf(data, 'agent_id');
  const tool = idOf(data, 'tool_name', 'toolName');
  const call = idOf(data, 'tool_use_id');
  const cwd = folderOf(data['cwd']);
  const paths = readingTool.test(tool ?? '') ? [] : pathsOf(data['paths'], cwd);
  const pid = data['pid'];
  return {
    agent,
    kind,
    session,
    time,
    ...(turn === undefined ? {} : { turn }),
    ...(subagent === undefined ? {} : { subagent }),
    ...(tool === undefined ? {} : { tool }),
    ...(call === undefined ? {} : { call }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(paths.length > 0 ? { paths } : {}),
    ...(typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 1 ? { pid } : {}),
  };
}

/** VS Code's chat runs the hooks of Claude Code's settings too, with names of its own for their input. */
function agentOf(data: Readonly<Record<string, unknown>>): AgentId | undefined {
  const agent = textOf(data['agent']);
  if (agent === undefined || !isAgent(agent)) return undefined;
  return agent === 'claude' && 'hookEventName' in data ? 'vscode' : agent;
}

const isAgent = (name: string): name is AgentId => Object.hasOwn(agentNames, name);

/** The first of these fields that has an id: what is shown must be short and without control characters. */
function idOf(
  data: Readonly<Record<string, unknown>>,
  ...names: readonly string[]
): string | undefined {
  return names
    .map(name => textOf(data[name]))
    .find(value => value !== undefined && isClean(value, maxId));
}

const isClean = (value: string, max: number): boolean =>
  value !== '' && value.length <= max && !/\p{Cc}/u.test(value);

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

const pathOf = (value: unknown): string | undefined =>
  typeof value === 'string' && isClean(value, maxPath) ? value : undefined;

function folderOf(value: unknown): string | undefined {
  const folder = pathOf(value);
  return folder !== undefined && pathRules(folder).isAbsolute(folder) ? folder : undefined;
}

/** Relative ones are left out when it is not known what they are relative to. */
function pathsOf(value: unknown, cwd: string | undefined): string[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, maxPaths)
    .map(pathOf)
    .filter(found => found !== undefined)
    .map(found => (cwd === undefined ? found : pathRules(cwd).resolve(cwd, found)))
    .filter(found => pathRules(found).isAbsolute(found));
}

/** The rules of the computer that wrote the path, whichever reads it. */
export const pathRules = (absolute: string): path.PlatformPath =>
  /^(?:[a-z]:[\\/]|\\\\)/i.test(absolute) ? path.win32 : path.posix;
