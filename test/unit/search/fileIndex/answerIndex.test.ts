import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import {
  answerIndex,
  type IndexAnswer,
  type IndexRequest,
} from '../../../../src/search/fileIndex/answerIndex';
import type { CandidateQuery } from '../../../../src/search/local/candidateIndex';
import { termsOf } from '../../../../src/search/local/query/terms';
import { eventually } from '../../../support/unit/eventually';
import { ripgrepPath } from '../../../support/unit/ripgrepPath';
import { TestWorkspace } from '../workspace';

/** Asks again while the thread has no answer in time, as on a busy machine. */
const known = async <T>(asking: () => Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await asking();
    if (found !== undefined) return found;
  }
};

describe('the thread of the indexes', () => {
  let files: TestWorkspace;
  let here: MessagePort;
  let there: MessagePort;
  let said: IndexAnswer[];
  beforeEach(() => {
    files = new TestWorkspace({ 'a.ts': 'retry\n', 'b.ts': 'budget\n' });
    ({ port1: here, port2: there } = new MessageChannel());
    said = [];
    here.on('message', (answer: IndexAnswer) => said.push(answer));
    answerIndex(there);
  });
  afterEach(() => {
    here.close();
    files.remove();
  });

  const ask = (request: IndexRequest): void => here.postMessage(request);
  const open = (root = files.root): void =>
    ask({
      kind: 'open',
      folder: {
        root,
        storage: path.join(files.root, '../index', path.basename(root)),
        files: { rgPath: ripgrepPath() },
      },
    });
  const answer = async <K extends IndexAnswer['kind']>(
    kind: K,
  ): Promise<IndexAnswer & { kind: K }> => {
    const of = (each: IndexAnswer): each is IndexAnswer & { kind: K } => each.kind === kind;
    await eventually(() => said.some(of));
    const found = said.find(of) ?? assert.fail();
    said.splice(said.indexOf(found), 1);
    return found;
  };
  const query = (word: string, roots = [files.root]): CandidateQuery => ({
    roots: roots.map(root => ({ path: root, without: [], unsaved: new Map() })),
    terms: termsOf(word),
    paths: [],
    requestedKinds: new Set(),
  });
  const find = async (word: string, roots?: string[]): Promise<string[] | undefined> => {
    ask({ kind: 'find', id: 1, query: query(word, roots) });
    return (await answer('found')).found?.candidates.map(one => `${one.root}:${one.path}`);
  };

  it('finds candidates once it is ready', async () => {
    assert.equal(await find('retry'), undefined);
    open();
    assert.equal(await find('retry'), undefined);
    const { root, size } = await answer('ready');
    assert.deepEqual([root, size.files], [files.root, 2]);
    assert.ok(size.bytes > 0 && size.ms > 0);
    assert.deepEqual(await find('retry'), ['0:a.ts']);
  });

  it('knows what it was told before it was asked', async () => {
    open();
    await answer('ready');
    files.write('c.ts', 'retry\n');
    files.delete('a.ts');
    ask({ kind: 'update', root: files.root, paths: ['a.ts', 'c.ts'] });
    assert.deepEqual(await known(async () => find('retry')), ['0:c.ts']);
  });

  it('finds the files that may mention an identifier', async () => {
    const mention = async (name: string): Promise<readonly string[] | undefined> => {
      ask({ kind: 'filesWith', id: 2, root: files.root, name });
      return (await answer('filesFound')).files;
    };
    assert.equal(await mention('retry'), undefined);
    open();
    await answer('ready');
    assert.deepEqual(await mention('retry'), ['a.ts']);
    files.write('c.ts', 'retry\n');
    ask({ kind: 'update', root: files.root, paths: ['c.ts'] });
    const found = await known(async () => mention('retry'));
    assert.deepEqual(found.toSorted(), ['a.ts', 'c.ts']);
  });

  it('says what a word that no file has is taken for', async () => {
    const correct = async (word: string) => {
      ask({ kind: 'correct', id: 3, roots: [files.root], words: [word] });
      return (await answer('corrected')).corrections;
    };
    assert.equal(await correct('reptry'), undefined);
    open();
    await answer('ready');
    assert.deepEqual(await correct('reptry'), [{ typed: 'reptry', taken: 'retry' }]);
    assert.deepEqual(await correct('quandong'), []);
  });

  it('says what it was not told', async () => {
    open();
    await answer('ready');
    ask({ kind: 'verify', root: files.root });
    assert.equal((await answer('verified')).missed, 0);
  });

  it('finds candidates of several roots, if it knows all of them', async () => {
    const other = new TestWorkspace({ 'x.ts': 'retry\n' });
    try {
      open();
      await answer('ready');
      assert.equal(await find('retry', [files.root, other.root]), undefined);
      open(other.root);
      await answer('ready');
      assert.deepEqual((await find('retry', [files.root, other.root]))?.sort(), [
        '0:a.ts',
        '1:x.ts',
      ]);
      ask({ kind: 'close', root: other.root });
      assert.equal(await find('retry', [files.root, other.root]), undefined);
      assert.deepEqual(await find('retry'), ['0:a.ts']);
    } finally {
      other.remove();
    }
  });

  it('says when an index cannot be kept, and answers nothing from it', async () => {
    writeFileSync(path.join(files.root, '../index'), 'not a folder');
    open();
    const { root, message } = await answer('failed');
    assert.equal(root, files.root);
    assert.match(message, /EEXIST|ENOTDIR/);
    assert.equal(await find('retry'), undefined);
  });
});
