import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { chooseCopies } from '../../../../../src/apply/external/disk/firstCopies';
import { TestRoot } from './testRoot';

describe('the files whose bytes are copied', () => {
  let disk: TestRoot;
  beforeEach(() => {
    disk = new TestRoot({ 'small.txt': 'x' });
  });
  afterEach(() => disk.remove());

  const makeFile = (name: string, size: number): string => {
    execFileSync('truncate', [`--size=${size}`, disk.at(name)]);
    return name;
  };

  it('are all that are small, as many as fit', async () => {
    const mega = 1024 * 1024;
    const names = [makeFile('large', 2 * mega + 1), 'small.txt', makeFile('limit', 2 * mega)];
    for (let at = 0; at < 30; at++) names.push(makeFile(`f${at}`, 2 * mega));
    const paths = await chooseCopies(disk.root, names);
    assert.equal(paths[0], 'small.txt');
    // 50 MB hold 24 of these, besides the small one.
    assert.equal(paths.length, 25);
  });

  it('are regular files, or gone', async () => {
    symlinkSync('small.txt', disk.at('link'));
    const names = ['missing.txt', 'link', '.', 'small.txt/x', 'small.txt'];
    const copies = await chooseCopies(disk.root, names);
    assert.deepEqual(copies, ['missing.txt', 'small.txt/x', 'small.txt']);
    const canceled = chooseCopies(disk.root, names, AbortSignal.abort());
    await assert.rejects(canceled, { name: 'AbortError' });
  });
});
