import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UnsupportedHistory } from '../../../../src/compact/sessions/history';
import { NoSqlite } from '../../../../src/compact/sessions/stores/databaseCopy';
import { WorkerClient } from '../../../../src/compact/worker/workerClient';
import { DatabaseFile } from '../sessions/stores/databaseFiles';

const text = '## User\n\nalpha\nbeta\n\n## Assistant\n\ngamma\n';
const file = { path: 'chat.md', text };
const plan = {
  engine: 'local',
  route: 'compact',
  ratio: 1,
  query: '',
  keepRecent: 0,
  pins: [],
} as const;

describe('WorkerClient', () => {
  let folder: string;
  const { signal } = new AbortController();
  /** A client whose every task goes to a thread that runs this code. */
  const threaded = (code: string, limit = 0) => {
    const script = path.join(folder, 'worker.mjs');
    writeFileSync(
      script,
      `import { parentPort, workerData } from 'node:worker_threads';\n${code}\n`,
    );
    return new WorkerClient(script, limit);
  };
  const answering = (answer: string) => threaded(`parentPort.postMessage(${answer});`);

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'splice-worker-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('opens, compacts and writes short texts without a thread', async () => {
    const client = new WorkerClient('there is no such file');
    const opened = await client.open(file, signal);
    assert.equal(opened.lineIndex.text, text);
    const { kept } = await client.compact(opened, plan, signal);
    assert.ok(kept.every(one => one === 1));
    const session = JSON.stringify([{ role: 'user', content: 'hi' }]);
    const written = await client.write(
      { path: 'chat.json', text: session },
      { edits: [['changed']], asCopy: true, now: new Date(0) },
      signal,
    );
    assert.match(written.files[0]?.text ?? '', /changed/);
    const erased = await client.erase(
      { path: 'chat.json', text: session },
      { edits: [['[removed]']], lines: ['hi'] },
      signal,
    );
    assert.match(erased.files[0]?.text ?? '', /\[removed\]/);
    assert.equal(erased.files[0]?.path, 'chat.json');
  });

  it('takes a thread for a text that is longer than the limit', async () => {
    const code = 'parentPort.postMessage({ done: { opened: workerData.file.path } });';
    assert.equal((await threaded(code, text.length).open(file, signal)).chat.formatId, 'markdown');
    assert.equal(await threaded(code, text.length - 1).open(file, signal), 'chat.md');
    const opened = await new WorkerClient('').open(file, signal);
    const compacts = threaded(
      'parentPort.postMessage({ done: { compaction: workerData.plan.route } });',
    );
    assert.equal(await compacts.compact(opened, plan, signal), 'compact');
  });

  it('takes a thread for what is written before it does for what is read', async () => {
    const code = `parentPort.postMessage({
      done: { opened: 'thread', session: 'thread', erased: 'thread' },
    });`;
    const client = threaded(code, 1_000_000);
    const large = { ...file, text: text.repeat(1_000) };
    assert.equal((await client.open(large, signal)).chat.formatId, 'markdown');
    const edits = [['left']];
    const request = { edits, asCopy: false, now: new Date(0) };
    assert.equal(await client.write(large, request, signal), 'thread');
    assert.equal(await client.erase(large, { edits, lines: ['gone'] }, signal), 'thread');
  });

  describe('with a database', () => {
    let database: DatabaseFile;
    beforeEach(() => {
      database = new DatabaseFile(
        'opencode.db',
        `CREATE TABLE session (id, parent_id, title, directory, time_updated);
         CREATE TABLE part (session_id, id, message_id, data);
         CREATE TABLE message (session_id, id, time_created, data);`,
      );
      database.add('session', {
        id: 'ses_1',
        title: 'On?',
        directory: '/home/ada',
        time_updated: 9,
      });
    });
    afterEach(() => database.remove());

    it('lists and reads a small one without a thread', async () => {
      const client = new WorkerClient('there is no such file');
      const { path: place } = database;
      const stored = { id: 'ses_1', title: 'On?', directory: '/home/ada', at: 9, size: 0 };
      assert.deepEqual(await client.listStored(place, 10), [stored]);
      assert.match((await client.readStored({ database: place, id: 'ses_1' })) ?? '', /"On\?"/);
      assert.equal(await client.readStored({ database: place, id: 'ses_2' }), undefined);
      await assert.rejects(client.listStored(`${place}-gone`, 10), { code: 'ENOENT' });
    });

    it('takes a thread for a large one', async () => {
      const code = `const { kind, database, limit, id } = workerData;
        const text = [kind, database, limit, id].join();
        parentPort.postMessage({ done: { listed: text, read: { text } } });`;
      const client = threaded(code, statSync(database.path).size / 4 - 1);
      const { path: place } = database;
      assert.equal(await client.listStored(place, 10), `listStored,${place},10,`);
      assert.equal(
        await client.readStored({ database: place, id: 'ses_1' }),
        `readStored,${place},,ses_1`,
      );
      const none = answering("{ refused: undefined, hasNoSqlite: true, message: 'missing' }");
      await assert.rejects(none.listStored(place, 10), new NoSqlite('missing'));
    });
  });

  for (const { what, code, error } of [
    {
      what: 'a history that is not supported',
      code: "parentPort.postMessage({ refused: { tool: 'Aider', what: 'empty', advice: 'No.' } });",
      error: new UnsupportedHistory('Aider', 'empty', 'No.'),
    },
    {
      what: 'another error',
      code: "parentPort.postMessage({ refused: undefined, message: 'broken' });",
      error: new Error('broken'),
    },
    {
      what: 'an answer without a result',
      code: 'parentPort.postMessage({ done: {} });',
      error: new TypeError('the work has no result'),
    },
    { what: 'an exception', code: "throw new RangeError('deep');", error: new RangeError('deep') },
    {
      what: 'an end without an answer',
      code: 'process.exit(3);',
      error: new Error('the thread ended with 3'),
    },
  ])
    it(`rejects with ${what} of the thread`, async () => {
      await assert.rejects(threaded(code).open(file, signal), error);
    });

  it('ends the thread at once when it is aborted', async () => {
    const controller = new AbortController();
    const opened = threaded('setInterval(() => {}, 1000);').open(file, controller.signal);
    controller.abort(new Error('stopped'));
    await assert.rejects(opened, /stopped/);
    await assert.rejects(
      answering('{ done: { opened: 1 } }').open(file, controller.signal),
      /stopped/,
    );
  });
});
