import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeFileOps } from '../../../../../src/apply/review/journal/nodeFileOps';

/** The files that this process has open; only Linux lists them. */
const openFiles = '/proc/self/fd';

describe('nodeFileOps', () => {
  let root: string;
  const file = (name: string) => path.join(root, 'deep', 'folder', name);
  const text = (name: string) => readFileSync(file(name), 'utf8');

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'splice-files-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  // The operations that also exist for the moment of shutdown.
  const { now } = nodeFileOps;
  for (const [name, ops] of [
    ['that are waited for', nodeFileOps],
    [
      'at shutdown',
      {
        makeFolder: async (folder: string) => now.makeFolder(folder),
        write: async (target: string, content: string) => now.write(target, content),
        append: async (target: string, content: string) => now.append(target, content),
        rename: async (from: string, to: string) => now.rename(from, to),
      },
    ],
  ] as const)
    it(`makes, replaces, continues and renames files with operations ${name}`, async () => {
      await ops.makeFolder(file('.'));
      await ops.makeFolder(file('.'));
      await ops.write(file('a'), 'a long first text');
      await ops.write(file('a'), 'one');
      await ops.append(file('a'), ' two');
      assert.equal(text('a'), 'one two');
      await ops.write(file('b'), 'other');
      await ops.rename(file('a'), file('b'));
      assert.equal(text('b'), 'one two');
      await assert.rejects(ops.append(file('a'), 'x'), { code: 'ENOENT' });
      assert.deepEqual(readdirSync(file('.')), ['b']);
    });

  it('lists, reads, measures and removes files', async () => {
    await nodeFileOps.makeFolder(file('.'));
    const before = Date.now() - 60_000;
    await nodeFileOps.write(file('a'), 'ä');
    assert.deepEqual(await nodeFileOps.list(file('.')), ['a']);
    assert.equal(Buffer.from(await nodeFileOps.read(file('a'))).toString(), 'ä');
    const { size, time } = await nodeFileOps.stat(file('a'));
    assert.equal(size, 2);
    assert.ok(time > before);
    await nodeFileOps.remove(file('a'));
    assert.equal(existsSync(file('a')), false);
    for (const name of ['remove', 'read', 'stat', 'list'] as const)
      await assert.rejects(async () => nodeFileOps[name](file('a')), { code: 'ENOENT' });
  });

  it('leaves no file open', async function () {
    if (!existsSync(openFiles)) this.skip();
    await nodeFileOps.makeFolder(file('.'));
    const before = readdirSync(openFiles).length;
    for (let n = 0; n < 5; n++) {
      await nodeFileOps.write(file('a'), 'x');
      await nodeFileOps.append(file('a'), 'x');
      nodeFileOps.now.write(file('a'), 'x');
      nodeFileOps.now.append(file('a'), 'x');
    }
    assert.ok(readdirSync(openFiles).length < before + 5);
  });
});
