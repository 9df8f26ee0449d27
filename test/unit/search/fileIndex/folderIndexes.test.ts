import assert from 'node:assert/strict';
import { FolderIndexes } from '../../../../src/search/fileIndex/folderIndexes';
import type { IndexListener } from '../../../../src/search/fileIndex/indexThread';
import type { CandidateQuery } from '../../../../src/search/local/candidateIndex';
import { VirtualTime } from '../../../support/unit/virtualTime';

const files = { exclude: ['out'], flags: [] };
const size = { files: 5000, bytes: 1_500_000, ms: 12 };
const query: CandidateQuery = { roots: [], terms: [], paths: [], requestedKinds: new Set() };

describe('the indexes of folders', () => {
  let time: VirtualTime;
  let said: string[];
  let listener: IndexListener;
  let change: Map<string, (below: string) => void>;
  let building: number;
  let indexes: FolderIndexes;
  beforeEach(() => {
    time = new VirtualTime();
    said = [];
    change = new Map();
    building = 0;
    indexes = new FolderIndexes({
      startThread: given => {
        listener = given;
        said.push('start');
        return {
          open: ({ root, storage }) => said.push(`open ${root} in ${storage}`),
          update: (root, paths) => said.push(`update ${root} ${paths.join(' ')}`),
          verify: root => said.push(`verify ${root}`),
          close: root => said.push(`close ${root}`),
          find: async () => {
            said.push('find');
            return undefined;
          },
          filesWith: async (root, name) => {
            said.push(`files of ${root} with ${name}`);
            return ['a.ts'];
          },
          correctionsOf: async (roots, words) => {
            said.push(`corrections of ${words.join(' ')} in ${roots.join(' ')}`);
            return [{ typed: 'uplaod', taken: 'upload' }];
          },
          dispose: async () => void said.push('dispose'),
        };
      },
      isWanted: count => count >= 100,
      storageOf: root => `store${root}`,
      watch: (root, onChange) => {
        change.set(root, onChange);
        return () => change.delete(root);
      },
      onOpening: ready => {
        building++;
        void ready.then(() => building--);
      },
      log: message => said.push(message),
      clock: time,
    });
  });

  /** What was said since the last time. */
  const news = (): string[] => said.splice(0);
  const search = async (roots = ['/a'], of = files, count = 100): Promise<void> => {
    indexes.searched(roots, of, count);
    await time.advance(2000);
  };
  const ready = async (...roots: readonly string[]): Promise<void> => {
    await search([...roots]);
    for (const root of roots) listener.onReady(root, size);
    await time.advance(0);
    news();
  };

  it('are opened when nothing was searched for two seconds', async () => {
    indexes.searched(['/a'], files, 100);
    await time.advance(1999);
    indexes.searched(['/a'], files, 100);
    await time.advance(1999);
    assert.deepEqual(news(), []);
    await time.advance(1);
    assert.deepEqual(news(), ['start', 'open /a in store/a']);
    assert.equal(building, 1);
    await search();
    assert.deepEqual(news(), [], 'only once');
    listener.onReady('/a', size);
    await time.advance(0);
    assert.equal(building, 0);
    assert.deepEqual(news(), ['search index: 5000 files, 1.5 MB, ready after 12 ms']);
  });

  it('are not opened for a few files, and closed when they are not wanted any more', async () => {
    await search(['/a'], files, 99);
    assert.deepEqual(news(), []);
    await ready('/a');
    await search(['/a'], files, 99);
    assert.deepEqual(news(), ['close /a', 'dispose']);
    assert.equal(change.size, 0);
    assert.equal(indexes.of(['/a'], files), undefined);
    await search();
    assert.deepEqual(news(), ['start', 'open /a in store/a']);
  });

  it('answer when they are ready, and are of just these files', async () => {
    await search(['/a', '/b']);
    listener.onReady('/a', size);
    assert.ok(indexes.of(['/a'], files));
    assert.equal(indexes.of(['/a', '/b'], files), undefined);
    assert.equal(indexes.of(['/c'], files), undefined);
    assert.equal(indexes.of(['/a'], { ...files, exclude: [] }), undefined);
    assert.equal(indexes.of(['/a'], { ...files, flags: ['--no-ignore'] }), undefined);
    listener.onReady('/b', size);
    news();
    await indexes.of(['/a', '/b'], files)?.find(query);
    assert.deepEqual(news(), ['find']);
  });

  it('are made anew for other files', async () => {
    await ready('/a');
    await search(['/a'], { ...files, exclude: [] });
    assert.deepEqual(news(), ['close /a', 'open /a in store/a']);
    assert.equal(indexes.of(['/a'], files), undefined);
  });

  it('are closed for folders that are not searched any more', async () => {
    await ready('/a', '/b');
    await search(['/b']);
    assert.deepEqual(news(), ['close /a']);
    assert.deepEqual([...change.keys()], ['/b']);
  });

  it('are told of changes, several at once', async () => {
    await ready('/a', '/b');
    for (const below of ['x.ts', 'y.ts', 'x.ts']) change.get('/a')?.(below);
    change.get('/b')?.('z.ts');
    await time.advance(299);
    assert.deepEqual(news(), []);
    await time.advance(1);
    assert.deepEqual(news(), ['update /a x.ts y.ts', 'update /b z.ts']);
    change.get('/a')?.('x.ts');
    await time.advance(300);
    assert.deepEqual(news(), ['update /a x.ts']);
  });

  it('are told of changes before they are asked', async () => {
    await ready('/a');
    change.get('/a')?.('x.ts');
    await indexes.of(['/a'], files)?.find(query);
    await time.advance(1000);
    assert.deepEqual(news(), ['update /a x.ts', 'find']);
    change.get('/a')?.('y.ts');
    assert.deepEqual(await indexes.of(['/a'], files)?.filesWith('/a', 'close'), ['a.ts']);
    assert.deepEqual(news(), ['update /a y.ts', 'files of /a with close']);
    change.get('/a')?.('z.ts');
    assert.deepEqual(await indexes.of(['/a'], files)?.correctionsOf(['/a'], ['uplaod']), [
      { typed: 'uplaod', taken: 'upload' },
    ]);
    assert.deepEqual(news(), ['update /a z.ts', 'corrections of uplaod in /a']);
  });

  it('are compared with their files after a search, once a minute', async () => {
    await ready('/a');
    await search();
    assert.deepEqual(news(), []);
    await time.advance(60_000);
    change.get('/a')?.('x.ts');
    await search();
    assert.deepEqual(news(), ['update /a x.ts', 'verify /a']);
    await search();
    assert.deepEqual(news(), []);
  });

  it('are not used any more when a change was not told', async () => {
    await ready('/a', '/b');
    listener.onVerified('/a', 0);
    assert.ok(indexes.of(['/a'], files));
    listener.onVerified('/a', 3);
    assert.deepEqual(news(), [
      'close /a',
      'search index: not used any more, as VS Code did not report 3 changed files',
    ]);
    assert.equal(indexes.of(['/a'], files), undefined);
    assert.ok(indexes.of(['/b'], files));
    await search(['/a', '/b']);
    assert.deepEqual(news(), [], 'not in this session');
  });

  it('are not used any more when they fail, one or all of them', async () => {
    await search(['/a', '/b']);
    listener.onReady('/b', size);
    news();
    listener.onFailed('/a', 'disk full');
    await time.advance(0);
    assert.deepEqual(news(), ['close /a', 'search index: not used any more: disk full']);
    assert.equal(building, 0);
    listener.onFailed(undefined, 'the thread ended');
    assert.equal(indexes.of(['/b'], files), undefined);
    await search(['/a', '/b']);
    assert.ok(!news().includes('start'));
  });

  it('are closed when nothing was searched for half an hour', async () => {
    await ready('/a');
    await time.advance(20 * 60_000);
    await search();
    news();
    await time.advance(29 * 60_000);
    assert.ok(indexes.of(['/a'], files));
    await time.advance(60_000);
    assert.deepEqual(news(), ['close /a', 'dispose']);
    await search();
    assert.deepEqual(news(), ['start', 'open /a in store/a']);
  });

  it('are told of changes again after they were closed while some were under way', async () => {
    await ready('/a');
    change.get('/a')?.('old.ts');
    indexes.close();
    await ready('/a');
    change.get('/a')?.('new.ts');
    await time.advance(300);
    assert.deepEqual(news(), ['update /a new.ts']);
  });

  it('end with the window', async () => {
    indexes.searched(['/a'], files, 100);
    indexes.close();
    await time.advance(5000);
    assert.deepEqual(news(), []);
    await ready('/a');
    change.get('/a')?.('x.ts');
    indexes.close();
    await time.advance(5000);
    assert.deepEqual(news(), ['close /a', 'dispose']);
  });
});
