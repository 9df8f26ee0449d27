import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Mock, mock } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import {
  answerHistory,
  type HistoryAnswer,
  type HistoryThreadData,
} from '../../../../src/compact/historySearch/answerHistory';
import { MessageIndex } from '../../../../src/compact/historySearch/messageIndex';
import { parseHistoryQuery } from '../../../../src/compact/historySearch/query';
import { SessionReader } from '../../../../src/compact/historySearch/sessionReader';

const isEnd = ({ kind }: HistoryAnswer): boolean =>
  ['indexed', 'searched', 'failed'].includes(kind);

/** What a thread says after these messages, up to the first answer that ends something. */
async function answersOf(
  data: HistoryThreadData,
  ...messages: readonly unknown[]
): Promise<{ answers: HistoryAnswer[]; isClosed: boolean }> {
  const { port1: own, port2: other } = new MessageChannel();
  const answers: HistoryAnswer[] = [];
  let isClosed = false;
  const ended = new Promise<void>(resolve => {
    other.on('message', (answer: HistoryAnswer) => {
      answers.push(answer);
      if (isEnd(answer)) resolve();
    });
  });
  const closed = once(other, 'close').then(() => (isClosed = true));
  for (const message of messages) other.postMessage(message);
  await answerHistory(own, data);
  await ended;
  // A thread that reads sessions ends by itself, however busy the machine is; one that answers does not.
  if (data.files) await closed;
  else await setTimeout(5);
  const wasClosed = isClosed;
  own.close();
  await closed;
  return { answers, isClosed: wasClosed };
}

const questionOf = (id: number, typed: string, limit = 10) => ({
  id,
  limit,
  query: parseHistoryQuery(typed) ?? assert.fail(typed),
});

describe('a thread of the search in chat histories', () => {
  let folder: string;
  let index: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'splice-history-'));
    index = path.join(folder, 'own', 'messages.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Files with one question each, of which the first is the newest. */
  const sessions = (count: number) =>
    Array.from({ length: count }, (_, nth) => {
      const file = path.join(folder, `${nth}.md`);
      writeFileSync(file, `## User\n\nkettle ${nth}\n\n## Assistant\n\nIt is on.\n`);
      return { path: file, at: (count - nth) * 1e6, size: statSync(file).size };
    });
  const stampsOf = async (): Promise<number> => {
    const read = await MessageIndex.open(index);
    const { size } = read.stamps;
    read.close();
    return size;
  };

  it('reads sessions into the index, says that it is open, how far it is and what it cannot read, and ends', async () => {
    const files = sessions(200);
    const gone = { path: path.join(folder, 'gone.md'), at: 1, size: 10 };
    const { answers, isClosed } = await answersOf({ index, files: [...files, gone] });
    const total = files.reduce((sum, { size }) => sum + size, 10);
    const progress = answers.flatMap(answer => (answer.kind === 'progress' ? answer.progress : []));
    assert.deepEqual(progress[0], { total, done: files[0]?.size });
    assert.deepEqual(progress.at(-1), { total, done: total });
    assert.ok(progress.length < 200, 'not after each file');
    assert.deepEqual(
      answers.filter(({ kind }) => kind !== 'progress'),
      [{ kind: 'opened' }, { kind: 'unreadable', path: gone.path }, { kind: 'indexed' }],
    );
    assert.equal(answers[0]?.kind, 'opened');
    assert.equal(isClosed, true);
    assert.equal(await stampsOf(), 201);
  });

  it('stops reading after any message', async () => {
    const { answers } = await answersOf({ index, files: sessions(200) }, 'stop');
    assert.deepEqual(answers.at(-1), { kind: 'indexed' });
    assert.equal(await stampsOf(), 0);
  });

  it('says what it has found, up to the limit, and goes on', async () => {
    await answersOf({ index, files: sessions(5) });
    for (const [limit, names] of [
      [10, ['0.md', '1.md', '2.md', '3.md', '4.md']],
      [2, ['0.md', '1.md']],
      [1, ['0.md']],
    ] as const) {
      const { answers, isClosed } = await answersOf({ index }, questionOf(7, 'kettle', limit));
      const found = answers.flatMap(answer =>
        answer.kind === 'found' && answer.id === 7 ? answer.found : [],
      );
      assert.deepEqual(
        found.map(each => path.basename(each.path)),
        names,
      );
      assert.deepEqual(answers.at(-1), { kind: 'searched', id: 7 });
      assert.equal(isClosed, false);
    }
  });

  it('answers only the newest question', async () => {
    await answersOf({ index, files: sessions(5) });
    const { answers } = await answersOf(
      { index },
      questionOf(1, 'kettle'),
      questionOf(2, '"kettle 3"'),
    );
    // A slow search says in several parts what it has found.
    const said = new Set(
      answers.map(answer => ('id' in answer ? `${answer.kind} ${answer.id}` : '')),
    );
    assert.deepEqual([...said], ['found 2', 'searched 2']);
  });

  describe('whose question is replaced', () => {
    let reads: Mock<SessionReader['read']>;
    beforeEach(() => {
      reads = mock.method(SessionReader.prototype, 'read');
    });
    afterEach(() => mock.restoreAll());

    for (const replaced of ['another question', 'none']) {
      it(`by ${replaced} reads no more sessions for it`, async () => {
        await answersOf({ index, files: sessions(5) });
        reads.mock.resetCalls();
        // All sessions have the word, and none the phrase.
        const rare = questionOf(1, '"kettle kettle"');
        const { answers } = await answersOf(
          { index },
          rare,
          ...(replaced === 'none' ? ['forget', questionOf(2, 'nowhere')] : [questionOf(2, '"on"')]),
        );
        assert.deepEqual(
          reads.mock.calls.map(call => path.basename(call.arguments[0])),
          replaced === 'none' ? [] : ['0.md', '1.md', '2.md', '3.md', '4.md'],
        );
        assert.ok(answers.every(answer => 'id' in answer && answer.id === 2));
      });
    }
  });

  it('closes its copies, the index and the port when it is told to', async () => {
    await answersOf({ index, files: sessions(5) });
    const close = mock.method(SessionReader.prototype, 'close');
    const { port1: own, port2: other } = new MessageChannel();
    const answers: unknown[] = [];
    other.on('message', answer => answers.push(answer));
    other.postMessage(questionOf(1, 'kettle'));
    other.postMessage('close');
    await answerHistory(own, { index });
    await once(other, 'close');
    mock.restoreAll();
    assert.equal(close.mock.callCount(), 1);
    assert.deepEqual(answers, []);
    // SQLite removes them with the last one that has the index open.
    assert.deepEqual(readdirSync(path.dirname(index)), ['messages.db']);
  });

  it('says why it cannot search', async () => {
    await answersOf({ index, files: sessions(1) });
    const wrong = { id: 3, limit: 1, query: { phrases: ['a'], match: '"' } };
    const { answers } = await answersOf({ index }, wrong);
    assert.equal(answers.length, 1);
    const [answer] = answers;
    assert.ok(answer?.kind === 'failed' && answer.id === 3);
    assert.match(answer.message, /^(?!Error)\S/);
    // A folder in the place of the index.
    mkdirSync(path.join(folder, 'folder'));
    const { answers: others } = await answersOf({ index: path.join(folder, 'folder') });
    assert.equal(others.length, 1);
    assert.ok(others[0]?.kind === 'failed' && !('id' in others[0]));
  });
});
