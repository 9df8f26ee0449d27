import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { IndexStorage } from '../../../../src/search/fileIndex/storage';
import { TestWorkspace } from '../workspace';
import { segmentOf } from './segmentOf';

describe('the files of an index', () => {
  let files: TestWorkspace;
  let folder: string;
  beforeEach(() => {
    files = new TestWorkspace({});
    folder = path.join(files.root, '../index');
  });
  afterEach(() => files.remove());

  const open = (key = 'a'): IndexStorage => new IndexStorage(folder, key);
  const loaded = async (storage = open()): Promise<string[]> =>
    (await storage.load()).map(({ segment }) => segment.files.map(one => one.path).join());
  const save = async (...paths: readonly string[]): Promise<string[]> => {
    const names: string[] = [];
    for (const one of paths) names.push(await open().write(segmentOf({ [one]: 'some words' })));
    await open().use(names);
    return names;
  };

  it('are none at first', async () => {
    assert.deepEqual(await loaded(), []);
  });

  it('have the segments that are in use, in their order', async () => {
    await save('b.ts', 'a.ts');
    assert.deepEqual(await loaded(), ['b.ts', 'a.ts']);
    const [first] = await open().load();
    const [from, to] = first?.segment.beginningWith(Buffer.from('word')) ?? [0, 0];
    assert.equal(to - from, 1);
  });

  it('are deleted when their segments are not in use any more', async () => {
    const [, second = ''] = await save('a.ts', 'b.ts');
    await open().use([second]);
    assert.deepEqual(await loaded(), ['b.ts']);
    assert.deepEqual(readdirSync(folder).sort(), [second, 'index.json'].sort());
  });

  it('can be read by nobody else', async function () {
    if (process.platform === 'win32') this.skip();
    const [name = ''] = await save('a.ts');
    assert.equal(statSync(folder).mode & 0o77, 0);
    for (const file of [name, 'index.json']) {
      assert.equal(statSync(path.join(folder, file)).mode & 0o77, 0, file);
    }
  });

  it('are not used for anything else, or by another version', async () => {
    await save('a.ts');
    assert.deepEqual(await loaded(open('b')), []);
    const head = path.join(folder, 'index.json');
    const text = readFileSync(head, 'utf8');
    for (const other of [0, 1, 2]) {
      writeFileSync(head, text.replace(/"version":\d+/, `"version":${other}`));
      assert.deepEqual(await loaded(), []);
    }
    writeFileSync(head, text);
    assert.deepEqual(await loaded(), ['a.ts']);
  });

  it('are not used when they are damaged', async () => {
    const [name = ''] = await save('a.ts');
    const head = path.join(folder, 'index.json');
    const text = readFileSync(head, 'utf8');
    for (const damaged of [
      '',
      '{',
      '[]',
      text.replace(name, `../${name}`),
      text.replace(name, 'x'),
    ]) {
      writeFileSync(head, damaged);
      assert.deepEqual(await loaded(), [], damaged);
    }
    writeFileSync(head, text);
    const segment = path.join(folder, name);
    const { size } = statSync(segment);
    for (const length of [size - 3, size / 2, 5, 0]) {
      truncateSync(segment, Math.floor(length));
      assert.deepEqual(await loaded(), [], `${length} bytes`);
    }
  });
});
