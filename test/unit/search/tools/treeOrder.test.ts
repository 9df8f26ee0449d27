import assert from 'node:assert/strict';
import { isAbortError } from '../../../../src/base/async/clock';
import { Slices } from '../../../../src/base/async/slices';
import { inTreeOrder } from '../../../../src/search/tools/treeOrder';

const ordered = async (paths: readonly string[]): Promise<string[]> => {
  const found: string[] = [];
  for await (const path of inTreeOrder(paths, new Slices())) found.push(path);
  return found;
};

describe('the order of a tree walk', () => {
  it('has each folder before what it holds, and that before the next name', async () => {
    const paths = ['a', 'a/b', 'a/b/c', 'a/d', 'a b', 'a-b/c', 'a.md', 'b'];
    assert.deepEqual(await ordered(paths.toReversed()), paths);
    assert.deepEqual(await ordered([]), []);
  });

  it('is the same for many paths, which are sorted in runs', async () => {
    const paths = Array.from({ length: 7001 }, (_, at) => {
      const id = String(at).padStart(5, '0');
      return `${id.slice(0, 2)}/${id.slice(2)}`;
    });
    const mixed = paths.map((_, at) => paths[(at * 3571) % paths.length] ?? '');
    assert.deepEqual(await ordered(mixed), paths);
  });

  it('is not looked for after an abort', async () => {
    const first = inTreeOrder(['a'], new Slices(AbortSignal.abort())).next();
    await assert.rejects(first, isAbortError);
  });
});
