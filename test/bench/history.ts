// How fast messages are found in the chat histories of all tools, with made-up sessions: `-- --gb=1` for more of them.
// The time of the index does not grow with the histories for words that the newest 65,536 messages have, and at most in
// proportion for others. What comes after it are sessions that are read, as many as it takes to fill the list.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findMessages } from '../../src/compact/historySearch/findMessages';
import { indexSessions, type SessionFile } from '../../src/compact/historySearch/indexSessions';
import { MessageIndex } from '../../src/compact/historySearch/messageIndex';
import { parseHistoryQuery } from '../../src/compact/historySearch/query';
import { SessionReader } from '../../src/compact/historySearch/sessionReader';

const GB = 1e9;
const option = process.argv.find(argument => argument.startsWith('--gb='))?.slice(5);
const wantedBytes = Number(option ?? 0.5) * GB;
const maxFound = 100; // as in the window
const minute = 60_000;
const wordCount = 200_000;
const queriesPerKind = 10;
/** A search that goes on for longer counts as this long, in milliseconds. */
const maxMs = 10_000;

let state = 7;
/** From 0 to 1; every run of the benchmark makes the same sessions. */
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

const syllables = 'ba con de fi ge ha in jo ke lo ma ne or pa qui re sta ti un vo'.split(' ');

/** The word with a rank, from 1; its letters tell nothing about the rank, so that beginnings are shared as in a language. */
function word(rank: number): string {
  let rest = Math.imul(rank, 2654435761) >>> 0;
  let text = '';
  for (let at = 0; at < 3 || rest > 0; at++) {
    text += syllables[rest % syllables.length] ?? '';
    rest = at > 3 ? 0 : Math.floor(rest / syllables.length);
  }
  return text;
}

const words = Array.from({ length: wordCount }, (_, at) => word(at + 1));
const wordAt = (rank: number): string => words[Math.floor(rank) - 1] ?? '';
/** Words as in a text: the one with rank n is n times as rare as the first. */
const anyWord = (): string => wordAt(wordCount ** random());
const text = (count: number): string =>
  Array.from({ length: count }, (_, at) => (at % 9 === 8 ? `${anyWord()}\n` : anyWord())).join(' ');

const line = (payload: object): string =>
  JSON.stringify({ timestamp: '2026-03-01T10:00:00.000Z', type: 'response_item', payload });
const said = (role: string, type: string, own: string): string =>
  line({ type: 'message', role, content: [{ type, text: own }] });

/** A session of Codex with 100 KB to 10 MB, most of it results of calls. */
function sessionText(number: number): string {
  const id = `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const about = { id, cwd: '/work/app', timestamp: '2026-03-01T10:00:00.000Z' };
  const lines = [
    JSON.stringify({ timestamp: about.timestamp, type: 'session_meta', payload: about }),
  ];
  const wanted = 100_000 * 100 ** random();
  for (let size = 0, at = 0; size < wanted; at++) {
    const call = {
      type: 'function_call',
      name: 'exec',
      arguments: '{"cmd":"ls"}',
      call_id: `c${at}`,
    };
    const output = text(200 + 600 * random());
    const own = [
      ...(at % 8 === 0 ? [said('user', 'input_text', text(30))] : []),
      said('assistant', 'output_text', `${text(50)} only${number}of${at}`),
      line(call),
      line({ type: 'function_call_output', call_id: call.call_id, output }),
    ];
    for (const each of own) size += each.length;
    lines.push(...own);
  }
  return `${lines.join('\n')}\n`;
}

function writeSessions(folder: string): SessionFile[] {
  const files: SessionFile[] = [];
  mkdirSync(folder);
  for (let bytes = 0; bytes < wantedBytes; ) {
    const file = path.join(folder, `rollout-${files.length}.jsonl`);
    writeFileSync(file, sessionText(files.length));
    const { size } = statSync(file);
    files.push({ path: file, at: files.length * minute, size });
    bytes += size;
  }
  return files.reverse();
}

const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
const figures = (times: readonly number[]): string => {
  const sorted = times.toSorted((a, b) => a - b);
  return [0.5, 0.95].map(part => share(sorted, part).toFixed(0).padStart(7)).join('');
};

/** Milliseconds until the index has its first hits, the user the first message, and the user all of them. */
async function search(index: MessageIndex, typed: string): Promise<readonly number[]> {
  const query = parseHistoryQuery(typed);
  if (!query) throw new Error(`nothing to search for in "${typed}"`);
  const started = performance.now();
  index.find(query.match).next();
  const hit = performance.now() - started;
  const reader = new SessionReader();
  let [first, count] = [Number.NaN, 0];
  const asked = performance.now();
  for await (const _ of findMessages(index, query, async file => reader.read(file))) {
    if (count === 0) first = performance.now() - asked;
    if (++count >= maxFound || performance.now() - asked > maxMs) break;
  }
  await reader.close();
  const all = performance.now() - asked;
  return [hit, count === 0 ? all : first, all];
}

const pick = (from: number, to: number): string => wordAt(from + (to - from) * random());
const queries: Readonly<Record<string, (files: number) => string>> = {
  'in one message': files => `only${Math.floor(files * random())}of0`,
  'in no message': () => `zz${Math.floor(1e6 * random())}`,
  'a rare word': () => pick(20_000, 100_000),
  'a common word': () => pick(20, 200),
  'two common words': () => `${pick(20, 200)} ${pick(20, 200)}`,
  'four common words': () => Array.from({ length: 4 }, () => pick(20, 200)).join(' '),
  'three letters': () => pick(1, 1000).slice(0, 3),
  'five letters': () => pick(1, 1000).slice(0, 5),
  'a phrase of two common words': () => `"${pick(20, 200)} ${pick(20, 200)}"`,
};

const folder = mkdtempSync(path.join(tmpdir(), 'splice-bench-'));
try {
  const files = writeSessions(path.join(folder, 'sessions'));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const file = path.join(folder, 'index', 'index.db');
  const index = await MessageIndex.open(file);
  const reader = new SessionReader();
  const started = performance.now();
  const used = process.cpuUsage();
  await indexSessions(index, {
    files,
    read: async each => reader.read(each),
    onProgress: () => undefined,
    onUnreadable: (each, error) => {
      throw new Error(each, { cause: error });
    },
    isStopped: () => false,
  });
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(used);
  const size = statSync(file).size;
  console.log(
    `${files.length} sessions, ${(bytes / GB).toFixed(2)} GB, indexed in ${seconds.toFixed(0)} s ` +
      `(${(bytes / 1e6 / ((user + system) / 1e6)).toFixed(1)} MB per CPU s); the index has ` +
      `${(size / 1e6).toFixed(0)} MB, ${((100 * size) / bytes).toFixed(1)} % of them\n`,
  );
  console.log('milliseconds, p50 and p95           index alone   first message  all up to 100');
  for (const [kind, make] of Object.entries(queries)) {
    const rows: (readonly number[])[] = [];
    for (let at = 0; at < queriesPerKind; at++) rows.push(await search(index, make(files.length)));
    const column = (at: number): string => figures(rows.map(row => row[at] ?? 0));
    console.log(`${kind.padEnd(34)}${column(0)} ${column(1)} ${column(2)}`);
  }
  index.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
