import assert from 'node:assert/strict';
import path from 'node:path';
import type { SearchIndexes } from '../../../../src/search/fileIndex/folderIndexes';
import { searchLocally } from '../../../../src/search/local/localEngine';
import type { SearchWorkspace } from '../../../../src/search/workspace/workspace';
import { commitAll } from '../repository';
import { TestWorkspace } from '../workspace';

describe('a local search over the roots of a workspace', () => {
  let files: TestWorkspace;
  beforeEach(() => {
    files = new TestWorkspace({
      'one/src/retry.ts': 'export function retryBudget() {}\n',
      'one/src/alpha.ts': 'limit();\n',
      'one/src/gamma.ts': 'limit();\n',
      'one/build/retry.ts': 'export function retryBudget() {}\n',
      'one/.ignore': 'build/\n',
      'two/net.ts': 'retry();\n',
      'two/left/out.ts': 'retry budget\n',
    });
  });
  afterEach(() => files.remove());

  const search = (query: string, more: Partial<SearchWorkspace> = {}, limit = 10) => {
    const roots = [path.join(files.root, 'one'), path.join(files.root, 'two')];
    const workspace: SearchWorkspace = {
      roots,
      rgPath: path.join(files.root, 'no-such-program'),
      excludes: ['left'],
      useIgnoreFiles: true,
      usesGit: false,
      unsaved: new Map(),
      ...more,
    };
    const { signal } = new AbortController();
    return searchLocally(workspace, workspace.roots, query, {
      limit,
      signal,
      onPartial: () => undefined,
    });
  };
  const pathsInOrder = ({ files: found }: Awaited<ReturnType<typeof search>>): string[] =>
    found.map(({ root, path: file }) => `${root} ${file}`);
  const pathsOf = (answer: Awaited<ReturnType<typeof search>>): string[] =>
    pathsInOrder(answer).sort();

  it('has the best files of each, with their lines', async () => {
    const answer = await search('retry budget');
    assert.deepEqual(pathsOf(answer), ['0 src/retry.ts', '1 net.ts']);
    assert.deepEqual(answer.files[0]?.ranges, [[1, 1]]);
    assert.equal(answer.searched, 4);
  });

  it('puts all good files before the best one of a root with none', async () => {
    for (const [right, other] of [
      ['one', 'two'],
      ['two', 'one'],
    ]) {
      files.write(`${right}/src/uploadQuota.ts`, 'export function uploadQuota() {}\n');
      files.write(`${right}/src/limits.ts`, 'export function checkUploadQuota() {}\n');
      files.write(`${other}/src/other.ts`, 'export const other = 1; // upload\n');
      const at = right === 'one' ? 0 : 1;
      assert.deepEqual(pathsInOrder(await search('quota of uploads')), [
        `${at} src/uploadQuota.ts`,
        `${at} src/limits.ts`,
        `${1 - at} src/other.ts`,
      ]);
      for (const name of ['uploadQuota', 'limits']) files.delete(`${right}/src/${name}.ts`);
      files.delete(`${other}/src/other.ts`);
    }
  });

  it('finds a file of a root in a root once', async () => {
    const roots = [files.root, path.join(files.root, 'two')];
    const found = await search('retry', { roots });
    assert.deepEqual(pathsOf(found), ['0 one/src/retry.ts', '1 net.ts']);
    assert.equal(found.searched, 4);
    const both = ['', 'one', 'two'].map(name => path.join(files.root, name));
    assert.deepEqual(pathsOf(await search('retry', { roots: both })), [
      '1 src/retry.ts',
      '2 net.ts',
    ]);
  });

  it('leaves the indexes as they are when there is no word to search for', async () => {
    const told: number[] = [];
    const indexes: SearchIndexes = {
      of: () => undefined,
      searched: (_roots, _files, count) => void told.push(count),
    };
    assert.equal((await search('???', { indexes })).searched, undefined);
    assert.deepEqual(told, []);
    await search('retry', { indexes });
    assert.deepEqual(told, [4]);
  });

  it('has no more files than asked for', async () => {
    assert.equal((await search('retry budget', {}, 1)).files.length, 1);
  });

  it('searches ignored and excluded files when told to', async () => {
    const answer = await search('retry budget', { useIgnoreFiles: false, excludes: [] });
    assert.deepEqual(pathsOf(answer), [
      '0 build/retry.ts',
      '0 src/retry.ts',
      '1 left/out.ts',
      '1 net.ts',
    ]);
  });

  it('reads what is not saved', async () => {
    const file = path.join(files.root, 'two/net.ts');
    const answer = await search('quixotic', { unsaved: new Map([[file, 'a\nquixotic();\n']]) });
    assert.deepEqual(pathsOf(answer), ['1 net.ts']);
  });

  it('learns from the history of the repository that a root lies in', async () => {
    for (const better of ['alpha', 'gamma']) {
      commitAll(files.root, [
        ['Colours of the button', ['one/src/alpha.ts', 'one/src/gamma.ts']],
        ['Limit all uploads', [`one/src/${better}.ts`]],
        ['Limit the uploads', [`one/src/${better}.ts`]],
      ]);
      const { files: found } = await search('limit the uploads', { usesGit: true });
      assert.equal(found[0]?.path, `src/${better}.ts`);
      files.remove();
      files = new TestWorkspace({
        'one/src/alpha.ts': 'limit();\n',
        'one/src/gamma.ts': 'limit();\n',
        'two/net.ts': 'retry();\n',
      });
    }
  });
});
