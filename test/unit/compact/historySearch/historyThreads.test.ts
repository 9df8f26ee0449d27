import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HistoryAnswer } from '../../../../src/compact/historySearch/answerHistory';
import {
  type SearchListener,
  SearchThread,
  updateIndex,
} from '../../../../src/compact/historySearch/historyThreads';
import type { IndexProgress } from '../../../../src/compact/historySearch/indexSessions';

/** Longer than any machine needs. */
const longMs = 100_000;
const query = { phrases: ['a'], match: '"a"' };
const files = [{ path: '/a', at: 1, size: 10 }];
const say = (answer: HistoryAnswer): string => `parentPort.postMessage(${JSON.stringify(answer)});`;

const sayFound = (what: string): string =>
  `parentPort.postMessage({ kind: 'found', id: asked.id, found: [${what}] });`;

describe('the threads of the search in chat histories', () => {
  let folder: string;
  /** Where a thread is that runs this code. */
  const threaded = (code: string) => {
    const script = path.join(folder, 'worker.mjs');
    writeFileSync(
      script,
      `import { parentPort, workerData } from 'node:worker_threads';\n${code}\n`,
    );
    return { script, index: '/index.db' };
  };
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'splice-threads-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const update = (code: string, signal = new AbortController().signal) => {
    const done: (number | string)[] = [];
    const listener = {
      onOpened: () => done.push('opened'),
      onProgress: (progress: IndexProgress) => done.push(progress.done),
    };
    const updated = updateIndex(threaded(code), files, listener, signal);
    return updated.then(unreadable => ({ unreadable, done }));
  };

  describe('that update the index', () => {
    it('say that the index is open, how far they are, and what they cannot read', async () => {
      const code = [
        say({ kind: 'opened' }),
        say({ kind: 'progress', progress: { total: 2, done: 1 } }),
        say({ kind: 'unreadable', path: '/a' }),
        say({ kind: 'progress', progress: { total: 2, done: 2 } }),
        say({ kind: 'indexed' }),
      ].join('\n');
      assert.deepEqual(await update(code), { unreadable: ['/a'], done: ['opened', 1, 2] });
    });

    it('know the index and the files', async () => {
      const code = `parentPort.postMessage({ kind: 'unreadable', path: JSON.stringify(workerData) });${say({ kind: 'indexed' })}`;
      const { unreadable } = await update(code);
      assert.deepEqual(JSON.parse(unreadable[0] ?? ''), { index: '/index.db', files });
    });

    it('fail with what they say, with what they throw, or when they just end', async () => {
      await assert.rejects(
        update(say({ kind: 'failed', message: 'no SQLite' })),
        /^Error: no SQLite$/,
      );
      await assert.rejects(update("throw new Error('broken');"), /^Error: broken$/);
      await assert.rejects(update('process.exit(3);'), /^Error: the thread ended with 3$/);
    });

    it('are told to stop, and may end what they do', async () => {
      const abort = new AbortController();
      const code = `${say({ kind: 'progress', progress: { total: 1, done: 0 } })}
parentPort.once('message', said => {
  parentPort.postMessage({ kind: 'unreadable', path: said });
  ${say({ kind: 'indexed' })}
});`;
      const listener = { onOpened: assert.fail, onProgress: () => abort.abort() };
      const updated = updateIndex(threaded(code), files, listener, abort.signal);
      assert.deepEqual(await updated, ['stop']);
    });

    it('are not started for nothing', async () => {
      await assert.rejects(update('', AbortSignal.abort()), /abort/);
    });
  });

  describe('that search', () => {
    let thread: SearchThread;
    afterEach(() => thread.dispose());

    /** Asks a question, and resolves with what comes until the end of it. */
    const ask = (limit = 5): Promise<readonly unknown[]> =>
      new Promise(resolve => {
        const said: unknown[] = [];
        const listener: SearchListener = {
          onFound: found => said.push(...found),
          onEnd: () => resolve([...said, 'end']),
          onError: error => resolve([...said, error.message]),
        };
        thread.ask(query, limit, listener);
      });
    const answers = (code: string, isOpened = Promise.resolve()): void => {
      const all = `parentPort.on('message', asked => {
  if (asked === 'close') return parentPort.close();
  ${code}
});`;
      thread = new SearchThread(threaded(all), isOpened);
    };
    const searched = "parentPort.postMessage({ kind: 'searched', id: asked.id });";

    it('pass on what is found until the end', async () => {
      answers(
        `${sayFound('asked.query.match, asked.limit, workerData.index')}${sayFound("'b'")}${searched}`,
      );
      assert.deepEqual(await ask(7), ['"a"', 7, '/index.db', 'b', 'end']);
      assert.deepEqual(await ask(8), ['"a"', 8, '/index.db', 'b', 'end']);
    });

    it('pass on nothing of an earlier question', async () => {
      answers(
        `parentPort.postMessage({ kind: 'found', id: asked.id - 1, found: ['old'] });
parentPort.postMessage({ kind: 'searched', id: asked.id - 1 });
parentPort.postMessage({ kind: 'failed', id: asked.id - 1, message: 'old' });
${sayFound("'new'")}${searched}`,
      );
      assert.deepEqual(await ask(), ['new', 'end']);
    });

    it('pass on nothing of a question that is forgotten', async () => {
      answers(`${sayFound('asked.id')}${searched}`);
      const forgotten: unknown[] = [];
      const listener: SearchListener = {
        onFound: all => forgotten.push(...all),
        onEnd: () => forgotten.push('end'),
        onError: error => forgotten.push(error),
      };
      thread.ask(query, 1, listener);
      thread.forget();
      assert.deepEqual(await ask(), [3, 'end']);
      assert.deepEqual(forgotten, []);
    });

    it('do not start before the index is open, and then get only the last question', async () => {
      const index = new EventEmitter();
      const isOpened = once(index, 'open').then(() => undefined);
      answers(
        `globalThis.count = (globalThis.count ?? 0) + 1;${sayFound('count, asked.limit')}${searched}`,
        isOpened,
      );
      void ask(1);
      thread.forget();
      const asked = ask(2);
      index.emit('open');
      assert.deepEqual(await asked, [1, 2, 'end']);
    });

    it('may end what they do when they are closed', async () => {
      const file = path.join(folder, 'copy');
      const write = (text: string) =>
        `fs.writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(text)});`;
      thread = new SearchThread(
        threaded(`import fs from 'node:fs';
parentPort.on('message', asked => {
  if (asked === 'close') {
    ${write('removed')}
    parentPort.close();
  } else {
    ${write('written')}
    ${searched}
  }
});`),
        Promise.resolve(),
      );
      await ask();
      assert.equal(readFileSync(file, 'utf8'), 'written');
      await thread.dispose(longMs);
      assert.equal(readFileSync(file, 'utf8'), 'removed');
    });

    it('are ended when they do not close in time', async () => {
      thread = new SearchThread(
        threaded(
          `parentPort.on('message', asked => { ${searched} if (asked === 'close') for (;;); });`,
        ),
        Promise.resolve(),
      );
      await ask();
      await thread.dispose(1);
    });

    it('say to each later question why they ended', async () => {
      for (const [code, message] of [
        [say({ kind: 'failed', message: 'locked' }), 'locked'],
        ["throw new Error('broken');", 'broken'],
      ] as const) {
        thread = new SearchThread(
          threaded(`parentPort.once('message', () => { ${code} });`),
          Promise.resolve(),
        );
        // Nobody listens when the thread ends.
        thread.forget();
        assert.deepEqual(await ask(), [message]);
        assert.deepEqual(await ask(), [message]);
        await thread.dispose();
      }
    });

    it('say why one question failed, or all', async () => {
      answers("parentPort.postMessage({ kind: 'failed', id: asked.id, message: 'no such word' });");
      assert.deepEqual(await ask(), ['no such word']);
      await thread.dispose();
      answers("parentPort.postMessage({ kind: 'failed', message: 'no SQLite' });");
      assert.deepEqual(await ask(), ['no SQLite']);
      await thread.dispose();
      answers("throw new Error('broken');");
      assert.deepEqual(await ask(), ['broken']);
    });
  });
});
