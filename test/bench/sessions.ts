// How fast a session of a coding tool is opened and compacted, beside parsing each of its lines as JSON.
import { openSession } from '../../src/compact/session';

const runs = 9;
const MB = 1e6;

/** A generator of its own: every run of the benchmark reads the same sessions. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const random = randomNumbers(5);
const words =
  'the reader returns early when header is missing so check each caller first and keep its token'.split(
    ' ',
  );
const names = ['readHeader', 'parse_line', 'TokenTable', 'maxDepth', 'src/http/client.ts', 'v2.14'];
const one = (list: readonly string[]): string => list[random(list.length)] ?? '';
const word = (): string => (random(6) === 0 ? `${one(names)}${random(90)}` : one(words));
const line = (count: number): string => Array.from({ length: count }, word).join(' ');
const text = (lines: number): string =>
  Array.from({ length: lines }, () => `${'  '.repeat(random(4))}${line(4 + random(9))}`).join('\n');
const id = (at: number): string =>
  `${at.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;

/** The lines of one turn: a message of the user at times, an answer with a call, and the result of the call. */
type Turn = (at: number, parent: string | null) => { lines: unknown[]; last: string };

const claudeTurn: Turn = (at, parent) => {
  const about = { sessionId: id(1), cwd: '/work/app', version: '2.1', isSidechain: false };
  const time = '2026-03-01T10:00:00.000Z';
  const [asked, answered, done] = [id(8 * at + 2), id(8 * at + 3), id(8 * at + 4)];
  const callId = `toolu_${at}`;
  const result = text(20 + random(40));
  const call = {
    type: 'tool_use',
    id: callId,
    name: 'Edit',
    input: { path: one(names), new: text(6) },
  };
  const back = { type: 'tool_result', tool_use_id: callId, content: result };
  const entry = (uuid: string, before: string | null, type: string, message: unknown) => ({
    parentUuid: before,
    ...about,
    type,
    message,
    uuid,
    timestamp: time,
  });
  return {
    lines: [
      entry(asked, parent, 'user', { role: 'user', content: line(20) }),
      entry(answered, asked, 'assistant', {
        id: `msg_${at}`,
        role: 'assistant',
        content: [{ type: 'text', text: text(3) }, call],
        usage: { input_tokens: 9, cache_read_input_tokens: 10_000, output_tokens: 300 },
      }),
      // Claude Code keeps a copy of the result for its own display.
      {
        ...entry(done, answered, 'user', { role: 'user', content: [back] }),
        toolUseResult: { result },
      },
    ],
    last: done,
  };
};

const codexItem = (payload: unknown) => ({
  timestamp: '2026-03-01T10:00:00.000Z',
  type: 'response_item',
  payload,
});

const codexTurn: Turn = at => {
  const callId = `call_${at}`;
  const said = (role: string, type: string, own: string) =>
    codexItem({ type: 'message', role, content: [{ type, text: own }] });
  const call = { cmd: line(6), workdir: '/work/app' };
  return {
    lines: [
      ...(at % 8 === 0 ? [said('user', 'input_text', line(20))] : []),
      said('assistant', 'output_text', text(2)),
      codexItem({
        type: 'function_call',
        name: 'exec',
        arguments: JSON.stringify(call),
        call_id: callId,
      }),
      codexItem({ type: 'function_call_output', call_id: callId, output: text(30 + random(60)) }),
    ],
    last: '',
  };
};

const piEntry = (own: string | undefined, before: string | null | undefined, message: unknown) => ({
  type: 'message',
  id: own,
  parentId: before,
  timestamp: '2026-03-01T10:00:00.000Z',
  message,
});

const piTurn: Turn = (at, parent) => {
  const [asked, answered, done] = [2, 3, 4].map(step => id(8 * at + step).slice(0, 8));
  const call = {
    type: 'toolCall',
    id: `call_${at}`,
    name: 'bash',
    arguments: { command: line(8) },
  };
  return {
    lines: [
      piEntry(asked, parent, { role: 'user', content: [{ type: 'text', text: line(12) }] }),
      piEntry(answered, asked, {
        role: 'assistant',
        content: [{ type: 'text', text: line(30) }, call],
        usage: { input: 900, output: 60, cacheRead: 9000, cacheWrite: 0 },
      }),
      piEntry(done, answered, {
        role: 'toolResult',
        toolCallId: `call_${at}`,
        toolName: 'bash',
        content: [{ type: 'text', text: text(10 + random(20)) }],
      }),
    ],
    last: done ?? '',
  };
};

function sessionOf(bytes: number, head: readonly unknown[], turn: Turn): Uint8Array {
  const lines = head.map(entry => JSON.stringify(entry));
  let size = 0;
  let parent: string | null = null;
  for (let at = 0; size < bytes; at++) {
    const { lines: own, last } = turn(at, parent);
    parent = last;
    for (const entry of own)
      size += lines.push(JSON.stringify(entry)) && (lines.at(-1)?.length ?? 0);
  }
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

const codexHead = {
  timestamp: '2026-03-01T10:00:00.000Z',
  type: 'session_meta',
  payload: { id: id(1), cwd: '/work/app', timestamp: '2026-03-01T10:00:00.000Z' },
};
const piHead = {
  type: 'session',
  id: id(1),
  cwd: '/work/app',
  timestamp: '2026-03-01T10:00:00.000Z',
};
const tools = [
  { name: 'Claude Code', head: [], turn: claudeTurn },
  { name: 'Codex', head: [codexHead], turn: codexTurn },
  { name: 'pi', head: [piHead], turn: piTurn },
];

/** Milliseconds of CPU, all threads, of the fastest run. */
function cpuMsOf(run: () => unknown): number {
  const all: number[] = [];
  for (let at = 0; at < runs; at++) {
    const started = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(started);
    all.push((user + system) / 1000);
  }
  return Math.min(...all);
}

function open(bytes: Uint8Array): ReturnType<typeof compacted> {
  const session = openSession('session.jsonl', bytes);
  if ('refused' in session) throw new Error(session.refused);
  return compacted(session);
}

function compacted(session: Exclude<ReturnType<typeof openSession>, { refused: string }>) {
  return { session, result: session.compact({ ratio: 0.3 }) };
}

function parseLines(bytes: Uint8Array): number {
  let count = 0;
  for (const entry of Buffer.from(bytes).toString('utf8').split('\n')) {
    if (entry !== '' && JSON.parse(entry) !== null) count++;
  }
  return count;
}

function usedMemory(): number {
  for (let at = 0; at < 3; at++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function heldBy(bytes: Uint8Array): number {
  const before = usedMemory();
  const held = open(bytes);
  const after = usedMemory();
  return held.result.tokensAfter > 0 ? (after - before) / bytes.length : 0;
}

console.log(
  '                        MB per CPU s    CPU ms  x parse of its lines  memory held x file',
);
for (const size of [1, 20]) {
  for (const { name, head, turn } of tools) {
    const bytes = sessionOf(size * MB, head, turn);
    const cpuMs = cpuMsOf(() => open(bytes));
    const parseMs = cpuMsOf(() => parseLines(bytes));
    console.log(
      [
        `${name}, ${size} MB`.padEnd(24),
        (bytes.length / MB / (cpuMs / 1000)).toFixed(1).padStart(12),
        cpuMs.toFixed(0).padStart(10),
        (cpuMs / parseMs).toFixed(1).padStart(22),
        heldBy(bytes).toFixed(1).padStart(20),
      ].join(''),
    );
  }
}
