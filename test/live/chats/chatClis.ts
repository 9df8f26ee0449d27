import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ChatFile } from '../../../src/compact/sessions/chat';
import { type AgentCli, type Place, runWith, screenOf, startWith } from '../agents/cli';
import {
  claude,
  cline,
  codex,
  continueCli,
  copilot,
  droid,
  gemini,
  grok,
  kilo,
  kimi,
  nanocoder,
  ohMyPi,
  opencode,
  pi,
  qwen,
} from '../agents/clis';
import { EditorConnection } from './editorConnection';

/** How an agent's command line goes on with a session, and where it keeps them. */
export interface ChatCli {
  readonly cli: AgentCli;
  /** Tokens of the model's context, as the tool believes. */
  readonly window: number;
  /** A file below the home, with which its summaries keep only the newest messages beside them. */
  readonly keepsLittle?: readonly [file: string, text: string];
  /** How much is to stay, where 30 % is little more than instructions of the tool, which stay. */
  readonly share?: number;
  /** How full its last answer says that it is; 95 % where the tool does not summarize at the end of a turn. */
  readonly fill?: number;
  /** Arguments that continue a session. */
  resume(id: string, prompt: string, place: Place): readonly string[];
  /** Arguments with which it is the agent of an editor, where it goes on with a session only so. */
  readonly editor?: readonly string[];
  /** It keeps a session only so, too. */
  readonly keepsOnlyInEditor?: true;
  /** It goes on with a session only in a terminal: what that shows when it takes a prompt. */
  readonly terminal?: string;
  /** The folder of the sessions, below the home, and how their files are named. */
  readonly sessions: readonly [folder: string, name: RegExp];
  idOf(file: string): string;
  /** What the tool's own list of sessions shows: with their ids, or on a screen that is read until it has the title. */
  listed(title: string, place: Place): Promise<string>;
  readonly listsIds?: true;
  /** It opens the only session, at its end. */
  readonly opensSession?: true;
  /** The newest figure of the context in a session, where that has some: its first group. */
  readonly meter?: RegExp;
  /** The end of the name of the file beside the session that has the figure. */
  readonly meterFile?: string;
  /** The tool has sessions in a database: it writes one into a file, and takes it from one. */
  readonly exchange?: {
    exported(id: string, place: Place): Promise<string>;
    imported(file: string, place: Place): Promise<void>;
  };
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const uuidIn = (file: string): string => uuid.exec(path.basename(file))?.[0] ?? '';

const onScreen = (cli: AgentCli, ...args: readonly string[]): Pick<ChatCli, 'listed'> => ({
  listed: (title, place) => screenOf(cli, args, place, title),
});

const printed = (
  cli: AgentCli,
  ...args: readonly string[]
): Pick<ChatCli, 'listed' | 'listsIds'> => ({
  listed: async (_title, place) => {
    const { out, err } = await runWith(cli, args, place);
    return out + err;
  },
  listsIds: true,
});

/** What the picker of Codex asks its own server. */
const codexThreads: ChatCli['listed'] = async (_title, place) => {
  const { child, ended } = startWith(codex, ['app-server'], place, { keepsInput: true });
  const ask = (message: object): void => void child.stdin?.write(`${JSON.stringify(message)}\n`);
  child.stdout?.on('data', (text: Buffer) => {
    if (text.toString().includes('"id":2')) child.stdin?.end();
  });
  ask({ id: 1, method: 'initialize', params: { clientInfo: { name: 'test', version: '1' } } });
  ask({ method: 'initialized' });
  // Those with a terminal are listed without being asked for.
  ask({ id: 2, method: 'thread/list', params: { limit: 20, sourceKinds: ['cli', 'exec'] } });
  return (await ended).out;
};

const droidAgent = ['exec', '--output-format', 'acp'];
const nanocoderAgent = ['--acp', '--provider', 'scripted', '--model', 'scripted'];

/** What an agent that needs a terminal or an account for its own picker shows to an editor. */
const toEditor = (cli: AgentCli, args: readonly string[]): Pick<ChatCli, 'editor' | 'listed'> => ({
  editor: args,
  listed: async (_title, place) => {
    const connection = await EditorConnection.open(cli, args, place);
    const listed = await connection.ask('session/list', { cwd: place.project });
    await connection.close();
    return JSON.stringify(listed);
  },
});

/** The command line of a new session, with more arguments before its last one, the prompt. */
const withArgs =
  (cli: AgentCli, more: (id: string) => readonly string[], at: number): ChatCli['resume'] =>
  (id, prompt, place) =>
    cli.args(prompt, place).toSpliced(at, 0, ...more(id));

/** Also of what was made from it. */
const chatCliOfOpencode = (cli: AgentCli): ChatCli => ({
  cli,
  ...printed(cli, 'session', 'list'),
  window: 128_000,
  fill: 0.8,
  // On the screen, it goes on with the model that is chosen; without, with that of the session.
  resume: withArgs(cli, id => ['--session', id, '--model', 'scripted/scripted'], 1),
  sessions: [`.local/share/${cli.name}`, new RegExp(`^${cli.name}\\.db$`)],
  idOf: () => '',
  meter: /"input": ?(\d+)/g,
  exchange: {
    exported: async (id, place) => {
      const { out } = await runWith(cli, ['export', id], place);
      return out.slice(out.indexOf('{'));
    },
    imported: async (file, place) => {
      await runWith(cli, ['import', file], place);
    },
  },
});

export const chatClis: readonly ChatCli[] = [
  {
    cli: claude,
    ...onScreen(claude, '--resume'),
    window: 200_000,
    resume: withArgs(claude, id => ['--resume', id], 0),
    sessions: ['.claude/projects', /^[^/]+\/[0-9a-f-]{36}\.jsonl$/],
    idOf: uuidIn,
    meter: /"input_tokens":(\d+)/g,
  },
  {
    cli: codex,
    listed: codexThreads,
    listsIds: true,
    window: 258_400,
    resume: (id, prompt) => ['exec', '--skip-git-repo-check', 'resume', id, prompt],
    sessions: ['.codex/sessions', /rollout-.*\.jsonl$/],
    idOf: uuidIn,
    meter: /"last_token_usage":\{"input_tokens":(\d+)/g,
  },
  {
    cli: gemini,
    ...printed(gemini, '--list-sessions'),
    window: 1_048_576,
    resume: withArgs(gemini, id => ['--resume', id], 0),
    sessions: ['.gemini/tmp', /chats\/session-.*\.jsonl?$/],
    idOf: file => /"sessionId": ?"([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '',
    meter: /"tokens":\{"input":(\d+)/g,
  },
  {
    cli: qwen,
    ...onScreen(qwen, '--auth-type', 'openai', '--resume'),
    window: 131_072,
    resume: withArgs(qwen, id => ['--resume', id], 0),
    sessions: ['.qwen/projects', /chats\/.*\.jsonl$/],
    idOf: uuidIn,
    meter: /"promptTokenCount":(\d+)/g,
  },
  chatCliOfOpencode(opencode),
  chatCliOfOpencode(kilo),
  {
    cli: copilot,
    opensSession: true,
    ...onScreen(copilot, '--no-auto-update', '--resume'),
    window: 128_000,
    resume: withArgs(copilot, id => [`--resume=${id}`], 0),
    sessions: ['.copilot/session-state', /events\.jsonl$/],
    idOf: file => path.basename(path.dirname(file)),
    meter: /"inputTokens":(\d+)/g,
  },
  {
    cli: continueCli,
    ...printed(continueCli, 'ls', '--json'),
    window: 128_000,
    resume: withArgs(continueCli, id => ['--fork', id], 3),
    sessions: ['.continue/sessions', /^[0-9a-f-]{36}\.json$/],
    idOf: uuidIn,
    meter: /"prompt_tokens": ?(\d+)/g,
  },
  {
    cli: pi,
    keepsLittle: ['.pi/agent/settings.json', '{ "compaction": { "keepRecentTokens": 50 } }'],
    ...onScreen(pi, '--offline', '--resume'),
    window: 128_000,
    resume: withArgs(pi, id => ['--session', id], 0),
    sessions: ['.pi/agent/sessions', /\.jsonl$/],
    idOf: uuidIn,
    meter: /"usage":\{"input":(\d+)/g,
  },
  {
    cli: cline,
    ...printed(cline, 'history', '--json'),
    window: 128_000,
    resume: (id, _prompt, place) => ['--id', id, ...cline.args('', place).slice(0, -1)],
    terminal: 'Auto-approve',
    sessions: ['.cline/data/sessions', /\.messages\.json$/],
    idOf: file => path.basename(path.dirname(file)),
    meter: /"inputTokens": ?(\d+)/g,
  },
  {
    cli: kimi,
    ...onScreen(kimi, '--session'),
    window: 128_000,
    resume: withArgs(kimi, id => ['--session', id], 0),
    sessions: ['.kimi-code/sessions', /agents\/main\/wire\.jsonl$/],
    idOf: file => path.basename(path.resolve(file, '../../..')),
    meter: /"tokens":(\d+)/g,
  },
  {
    cli: ohMyPi,
    keepsLittle: ['.omp/agent/config.yml', 'compaction: { keepRecentTokens: 50 }\n'],
    ...onScreen(ohMyPi, '--resume'),
    window: 128_000,
    fill: 0.7,
    resume: withArgs(ohMyPi, id => ['--resume', id], 0),
    sessions: ['.omp/agent/sessions', /\.jsonl$/],
    idOf: uuidIn,
    meter: /"usage":\{"input":(\d+)/g,
  },
  {
    cli: droid,
    ...toEditor(droid, droidAgent),
    share: 0.5,
    listsIds: true,
    window: 128_000,
    resume: () => droidAgent,
    sessions: ['.factory/sessions', /\.jsonl$/],
    idOf: uuidIn,
    meter: /"lastCallTokenUsage": \{\s+"inputTokens": ?(\d+)/g,
    meterFile: '.settings.json',
  },
  {
    cli: grok,
    ...printed(grok, 'sessions', 'list'),
    share: 0.7,
    window: 128_000,
    resume: withArgs(grok, id => ['--resume', id], 0),
    sessions: ['.grok/sessions', /chat_history\.jsonl$/],
    idOf: file => path.basename(path.dirname(file)),
    meter: /"totalTokens":(\d+)/g,
    meterFile: 'updates.jsonl',
  },
  {
    cli: nanocoder,
    ...toEditor(nanocoder, nanocoderAgent),
    keepsOnlyInEditor: true,
    listsIds: true,
    window: 128_000,
    resume: () => nanocoderAgent,
    sessions: ['.local/share/nanocoder/sessions', /^[0-9a-f-]{36}\.json$/],
    idOf: uuidIn,
  },
];

/** Files of sessions, newest first. */
export function sessionFiles({ sessions: [folder, name] }: ChatCli, { home }: Place): string[] {
  const root = path.join(home, folder);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(file => name.test(file) && !file.includes('subagents'))
    .map(file => path.join(root, file))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
}

/** The newest figure of the context that a session notes; undefined where it notes none. */
export function meterOf(
  { meter, meterFile }: ChatCli,
  { text, companions }: ChatFile,
): number | undefined {
  if (!meter) return undefined;
  const other = meterFile && companions?.find(({ path: file }) => file.endsWith(meterFile));
  const figures = other ? other.text : text;
  return Number([...figures.matchAll(meter)].findLast(([, tokens]) => tokens !== '0')?.[1] ?? 0);
}
