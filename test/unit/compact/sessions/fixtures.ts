import { readFileSync } from 'node:fs';
import {
  type Edits,
  type History,
  HistoryFile,
  type NewSession,
  type ReadHistory,
  readHistory,
} from '../../../../src/compact/sessions';

export interface Fixture {
  /** Of `test/fixtures/histories`. */
  readonly name: string;
  readonly format: string;
  /** Where the tool has it; some formats are told by it. */
  readonly path: string;
  readonly companions?: readonly HistoryFile[];
  readonly isReadOnly?: true;
}

const historyItem = new HistoryFile(
  '/tasks/t1/history_item.json',
  '{"id":"t1","ts":1772445600000,"task":"Paint the kettle","workspace":"/home/ada/kettle"}',
);

const fixture = (name: string, format: string, more: Partial<Fixture> = {}): Fixture => ({
  name,
  format,
  path: name,
  ...more,
});

export const fixtures: readonly Fixture[] = [
  fixture('claude.jsonl', 'claudeCode'),
  fixture('claude-agent.jsonl', 'claudeCode'),
  fixture('codex.jsonl', 'codex'),
  fixture('codex-early.jsonl', 'codexEarly', { isReadOnly: true }),
  fixture('codex-compacted.jsonl', 'codex'),
  fixture('gemini.jsonl', 'gemini'),
  fixture('gemini.json', 'gemini'),
  fixture('pi.jsonl', 'pi'),
  fixture('omp.jsonl', 'ohMyPi'),
  fixture('kimi.jsonl', 'kimi', {
    path: '/sessions/wd_kettle_1/session_k1/agents/main/wire.jsonl',
    companions: [
      new HistoryFile(
        '/sessions/wd_kettle_1/session_k1/state.json',
        '{"id":"session_k1","version":2,"cwd":"/home/ada/kettle","title":"The fuse","createdAt":1,"agents":{"main":{"homedir":"/sessions/wd_kettle_1/session_k1/agents/main","type":"main"},"agent-0":{"type":"sub"}}}',
      ),
    ],
  }),
  fixture('copilot-cli.jsonl', 'copilotCli'),
  fixture('cline-session.json', 'clineSession', {
    isReadOnly: true,
    companions: [
      new HistoryFile(
        '/sessions/1/1.json',
        '{"workspace_root":"/home/ada/kettle","metadata":{"title":"The lamp"}}',
      ),
    ],
  }),
  fixture('qwen.jsonl', 'qwen'),
  fixture('droid.jsonl', 'droid', {
    companions: [
      new HistoryFile(
        '/sessions/droid.settings.json',
        '{"model":"custom:Model-D","tokenUsage":{"inputTokens":24000},"lastCallTokenUsage":{"inputTokens":12000,"outputTokens":9,"cacheReadTokens":50}}',
      ),
    ],
  }),
  fixture('grok.jsonl', 'grok', {
    path: '/sessions/g/chat_history.jsonl',
    companions: [
      new HistoryFile(
        '/sessions/g/summary.json',
        '{"info":{"id":"77777777-aaaa-4bbb-8ccc-00000000000b","cwd":"/home/ada/kettle"},"session_summary":"Loud","created_at":"2026-03-02T12:00:00Z","updated_at":"2026-03-02T12:01:00Z","num_messages":9,"num_chat_messages":10,"session_kind":"fork","generated_title":"How loud it is"}',
      ),
      new HistoryFile('/sessions/g/signals.json', '{"contextTokensUsed":9500}'),
    ],
  }),
  fixture('nanocoder.json', 'nanocoder'),
  fixture('continue.json', 'continue'),
  fixture('roo.json', 'roo', {
    path: '/tasks/t1/api_conversation_history.json',
    companions: [historyItem, new HistoryFile('/tasks/t1/ui_messages.json', '[ ]\n')],
  }),
  fixture('openai.json', 'openai'),
  fixture('openai.jsonl', 'openai'),
  fixture('opencode.json', 'opencode'),
  fixture('vscode-export.json', 'vscodeExport'),
  fixture('vscode-session.jsonl', 'vscodeSession'),
  fixture('aider.md', 'aider'),
  fixture('transcript.md', 'markdown'),
  fixture('transcript.txt', 'text'),
  fixture('copilot.jsonl', 'copilot', { isReadOnly: true }),
  fixture('cursor.json', 'cursor', { isReadOnly: true }),
  fixture('crush.jsonl', 'crush', { isReadOnly: true }),
  fixture('goose.jsonl', 'goose', { isReadOnly: true }),
  fixture('amp.json', 'amp', { isReadOnly: true }),
  fixture('zed.json', 'zed', { isReadOnly: true }),
  fixture('roo.json', 'cline', {
    path: '/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json',
    isReadOnly: true,
  }),
];

export const writable = fixtures.filter(({ isReadOnly }) => isReadOnly !== true);
/** Their parts are found again after an edit; in a text, a header that goes joins two of them. */
export const structured = writable.filter(
  ({ format }) => !['aider', 'markdown', 'text'].includes(format),
);

export function textOf({ name }: Fixture): string {
  return readFileSync(`test/fixtures/histories/${name}`, 'utf8');
}

export function readFixture(one: Fixture, text = textOf(one)): ReadHistory {
  return readHistory(one.path, text, one.companions);
}

/** The history of messages in the shape of Chat Completions. */
export const historyOf = (messages: readonly object[]): History =>
  readHistory('chat.json', JSON.stringify(messages)).history;

/** JSON Lines. */
export const jsonLines = (lines: readonly object[]): string =>
  lines.map(line => `${JSON.stringify(line)}\n`).join('');

export const parsedLines = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));

export const textsOf = ({ history }: ReadHistory): string[] =>
  history.messages.flatMap(({ parts }) => parts.map(part => part.text));

/** Every part as it is. */
export function sameEdits({ messages }: History): (string | null)[][] {
  return messages.map(({ parts }) => parts.map(({ text }) => text));
}

/** A line for each message, and one for each of its parts. */
export function draw({ messages }: History): string[] {
  return messages.flatMap(({ role, parts }) => [
    role,
    ...parts.map(({ type, name, callId, isEditable, text }) => {
      const head = [type, name, callId === undefined ? undefined : `#${callId}`];
      const what = [...head.filter(word => word !== undefined), ...(isEditable ? [] : ['whole'])];
      return `  ${what.join(' ')}: ${text.replaceAll('\n', '|')}`;
    }),
  ]);
}

export const asCopy = { asCopy: true } as const;

/** Ids that look like those of a real source, and are the same in each run. */
export function minting() {
  let count = 0;
  const newId = () => `99999999-9999-4999-8999-${String(++count).padStart(12, '0')}`;
  return { newId, now: new Date('2026-03-03T08:00:00Z') };
}

export function write(
  { format, history }: ReadHistory,
  edits: Edits,
  options: typeof asCopy | ReturnType<typeof minting>,
): NewSession {
  if (!format.write) throw new Error('a format that is only read');
  return format.write(history, edits, options);
}

export function textWritten(read: ReadHistory, edits: Edits): string {
  return write(read, edits, asCopy).files[0]?.text ?? '';
}
