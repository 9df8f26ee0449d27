import assert from 'node:assert/strict';
import {
  type FoundMessage,
  findMessages,
} from '../../../../src/compact/historySearch/findMessages';
import {
  indexSessions,
  type SessionFile,
  textsOfMessages,
} from '../../../../src/compact/historySearch/indexSessions';
import type { IndexedSession, IndexHit } from '../../../../src/compact/historySearch/messageIndex';
import { parseHistoryQuery } from '../../../../src/compact/historySearch/query';
import { readChat } from '../../../../src/compact/sessions/chat';

const chatOf = (...messages: readonly (readonly [role: string, content: unknown])[]) =>
  JSON.stringify({ messages: messages.map(([role, content]) => ({ role, content })) });

const texts: Record<string, string> = {
  '/a.json': chatOf(['user', 'Why is the queue slow?'], ['assistant', 'The queue has no index.']),
  '/b.json': chatOf(...Array.from({ length: 9 }, (_, n) => ['user', `queue ${n}`] as const), [
    'assistant',
    'done',
  ]),
};
texts['/parts.json'] = chatOf([
  'user',
  ['Hello', 'The queue', 'is slow'].map(text => ({ type: 'text', text })),
]);
const codexLine = (type: string, payload: object) => `${JSON.stringify({ type, payload })}\n`;
const codexSaid = (text: string) =>
  codexLine('response_item', {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text }],
  });
texts['/compacted.jsonl'] = [
  codexLine('session_meta', { id: 'x', cwd: '/w' }),
  codexSaid('Where does the queue start?'),
  codexLine('compacted', { message: 'It was about that.' }),
  codexSaid('Go on.'),
].join('');
const read = async (file: string) => ({
  path: file,
  text: texts[file] ?? assert.fail(`no file ${file}`),
});

/** An index that says that all messages may have the words. */
function indexOf(...files: readonly string[]): { find: () => Generator<IndexHit> } {
  return {
    *find() {
      for (const path of files) {
        const count = texts[path] ? readChat({ path, text: texts[path] }).messages.length : 3;
        for (let message = count - 1; message >= 0; message--) yield { path, message };
      }
    },
  };
}

async function find(typed: string, ...files: readonly string[]): Promise<FoundMessage[]> {
  const query = parseHistoryQuery(typed) ?? assert.fail(typed);
  const found: FoundMessage[] = [];
  for await (const each of findMessages(indexOf(...files), query, read)) found.push(each);
  return found;
}

describe('messages that hold what is searched for', () => {
  it('are also those that the tool has replaced by a summary', async () => {
    const stored: IndexedSession[] = [];
    const index = {
      stamps: new Map(),
      remove: () => undefined,
      replace: (own: readonly IndexedSession[]) => stored.push(...own),
    };
    await indexSessions(index, {
      files: [{ path: '/compacted.jsonl', at: 1, size: 1 }],
      read,
      onProgress: () => undefined,
      onUnreadable: assert.fail,
      isStopped: () => false,
    });
    assert.deepEqual(
      stored.map(({ messages }) => messages),
      [['Where does the queue start?', 'Go on.']],
    );
    const found = await find('queue', '/compacted.jsonl');
    assert.deepEqual(
      found.map(({ message, text }) => [message, text]),
      [[0, 'Where does the queue start?']],
    );
  });

  it('come with their session and their line', async () => {
    const [only, ...others] = await find('no index', '/a.json');
    assert.deepEqual(others, []);
    assert.deepEqual(
      [only?.role, only?.message, only?.part, only?.line, only?.text, only?.title],
      ['assistant', 1, 0, 0, 'The queue has no index.', 'Why is the queue slow?'],
    );
  });

  it('are not hidden by many others of one session', async () => {
    const found = await find('queue', '/b.json', '/a.json');
    assert.deepEqual(
      found.map(({ path }) => path),
      [...Array.from({ length: 5 }, () => '/b.json'), '/a.json', '/a.json'],
    );
  });

  it('may hold it in several parts', async () => {
    const found = await find('slow queue', '/parts.json');
    assert.deepEqual(
      found.map(({ part, text }) => [part, text]),
      [[2, 'is slow']],
    );
    assert.deepEqual(await find('slow retry', '/parts.json'), []);
  });

  it('are not looked for in further sessions once it is stopped', async () => {
    const query = parseHistoryQuery('"slow queue"') ?? assert.fail();
    const opened: string[] = [];
    const noting = async (path: string) => {
      opened.push(path);
      return read(path);
    };
    const all = findMessages(
      indexOf('/a.json', '/b.json', '/parts.json'),
      query,
      noting,
      async () => opened.length === 2,
    );
    for await (const { text } of all) assert.fail(text);
    assert.deepEqual(opened, ['/a.json', '/b.json']);
  });

  it('are left out where the file is gone', async () => {
    const found = await find('queue', '/gone.json', '/a.json');
    assert.equal(found.length, 2);
  });
});

const file = (path: string, at: number): SessionFile => ({ path, at, size: 10 });

function indexWith(stamps: Record<string, string>) {
  const put: IndexedSession[] = [];
  const removed: string[] = [];
  return {
    put,
    removed,
    stamps: new Map(Object.entries(stamps)),
    replace: (sessions: readonly IndexedSession[]) => void put.push(...sessions),
    remove: (paths: readonly string[]) => void removed.push(...paths),
  };
}

async function update(
  index: ReturnType<typeof indexWith>,
  files: readonly SessionFile[],
  isStopped = () => false,
) {
  const unreadable: string[] = [];
  const progress: string[] = [];
  await indexSessions(index, {
    files,
    read: async path => {
      if (path === '/broken') throw new Error('no access');
      return read(path);
    },
    onProgress: ({ done, total }) => progress.push(`${done}/${total}`),
    onUnreadable: path => unreadable.push(path),
    isStopped,
  });
  return { unreadable, progress };
}

describe('the index of sessions', () => {
  it('reads what is new or has changed, and takes out what is gone', async () => {
    const index = indexWith({ '/a.json': '5-10', '/b.json': '6-10', '/gone': '1-1' });
    const { progress } = await update(index, [file('/b.json', 7), file('/a.json', 5)]);
    assert.deepEqual(
      index.put.map(({ path, stamp, messages }) => [path, stamp, messages.length]),
      [['/b.json', '7-10', 10]],
    );
    assert.deepEqual(index.removed, ['/gone']);
    assert.deepEqual(progress, ['10/10']);
  });

  it('names what cannot be read, and goes on', async () => {
    const index = indexWith({});
    const { unreadable } = await update(index, [file('/broken', 9), file('/a.json', 5)]);
    assert.deepEqual(unreadable, ['/broken']);
    assert.deepEqual(
      index.put.map(({ path, messages }) => [path, messages.length]),
      [
        ['/broken', 0],
        ['/a.json', 2],
      ],
    );
  });

  it('ends when it is stopped', async () => {
    const index = indexWith({});
    await update(index, [file('/a.json', 5)], () => true);
    assert.deepEqual(index.put, []);
  });

  it('keeps what it has read of large files when it is stopped', async () => {
    const index = indexWith({});
    const files = ['/a.json', '/b.json'].map(path => ({ path, at: 5, size: 16 * 1024 * 1024 }));
    let asked = 0;
    await update(index, files, () => ++asked > 1);
    assert.deepEqual(
      index.put.map(({ path }) => path),
      ['/a.json'],
    );
  });

  it('has all that a message holds', () => {
    const chat = readChat({ path: '/a.json', text: texts['/a.json'] ?? '' });
    assert.deepEqual(textsOfMessages(chat), ['Why is the queue slow?', 'The queue has no index.']);
  });
});
