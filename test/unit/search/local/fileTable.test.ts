import assert from 'node:assert/strict';
import { Slices } from '../../../../src/base/async/slices';
import { FileTable, PathTexts, TextTable } from '../../../../src/search/local/fileTable';

const matches = async (table: TextTable, regex: RegExp): Promise<string[]> => {
  const found: string[] = [];
  await table.forEachMatch(regex, new Slices(), number => found.push(table.texts[number] ?? ''));
  return found;
};

describe('a table of texts', () => {
  it('has each text once', () => {
    const table = new TextTable();
    assert.deepEqual(
      ['b', 'a', 'b', ''].map(text => table.add(text)),
      [0, 1, 0, 2],
    );
    assert.deepEqual(table.texts, ['b', 'a', '']);
  });

  it('finds the texts that match, each once', async () => {
    const table = new TextTable();
    for (const text of ['aba', '', 'b', 'xa', 'c']) table.add(text);
    assert.deepEqual(await matches(table, /a/g), ['aba', 'xa']);
    assert.deepEqual(await matches(table, /b|c/g), ['aba', 'b', 'c']);
    assert.deepEqual(await matches(table, /ab/g), ['aba']);
    assert.deepEqual(await matches(table, /z/g), []);
    assert.deepEqual(await matches(new TextTable(), /a/g), []);
  });

  it('finds the same texts in many as in few', async () => {
    const table = new TextTable();
    const texts = Array.from({ length: 20_000 }, (_, at) => `name${at}`);
    for (const text of texts) table.add(text);
    assert.deepEqual(
      await matches(table, /77/g),
      texts.filter(text => text.includes('77')),
    );
  });

  it('finds a text that was added later', async () => {
    const table = new TextTable();
    table.add('x');
    assert.deepEqual(await matches(table, /a/g), []);
    table.add('a');
    assert.deepEqual(await matches(table, /a/g), ['a']);
  });
});

describe('a table of files', () => {
  const texts = new PathTexts();
  const table = new FileTable(texts);
  for (const file of ['src/Queue.ts', 'src/queue.test.ts', 'src/util/index.ts', 'README.md']) {
    table.add(file);
  }
  const nameOf = (file: number): string => texts.names.texts[table.nameOf[file] ?? -1] ?? '';

  it('knows names, folders and kinds', () => {
    assert.deepEqual([0, 1, 2, 3].map(nameOf), ['queue', 'queuetest', 'util', 'readme']);
    assert.deepEqual(
      [...table.folderOf].map(folder => texts.folders.texts[folder]),
      ['src/', 'src/', 'src/util/', ''],
    );
    for (const _ of ['first', 'again']) {
      assert.deepEqual(
        [0, 1, 2, 3].map(file => table.kind(file)),
        ['source', 'test', 'source', 'docs'],
      );
    }
  });

  it('knows which name a test is for, as a number that other tables share', () => {
    assert.equal(table.tested(1), table.nameOf[0]);
    assert.equal(table.tested(1), table.nameOf[0]);
    const other = new FileTable(texts);
    assert.equal(other.add('lib/queue.js'), 0);
    assert.equal(other.nameOf[0], table.tested(1));
  });
});
