import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { IndexEntries } from '../../../../../../src/apply/external/disk/git/indexEntries';

type Row = readonly [below: string, letter: string, stage: number];

const idOf = (letter: string): string => letter.repeat(40);

/** As git sorts: by the bytes of the path, then by the stage. */
function listOf(rows: readonly Row[]): IndexEntries {
  const sorted = rows.toSorted(
    ([a, , stageA], [b, , stageB]) =>
      Buffer.compare(Buffer.from(a), Buffer.from(b)) || stageA - stageB,
  );
  const text = sorted.map(([below, id, stage]) => `100644 ${idOf(id)} ${stage}\t${below}\0`);
  return new IndexEntries(Buffer.from(text.join('')));
}

const lettersOf = (rows: readonly Row[]): Map<string, string> =>
  new Map(rows.map(([below, letter]) => [below, letter]));

const noPause = async (): Promise<void> => undefined;

/** Names that begin with one another, look like an entry, or sort otherwise as text than as bytes. */
const name = fc.oneof(
  fc.constantFrom('a', 'a.b', 'a/b', 'a-', 'ab', 'a\t', '\u{1f600}', '\uffee', 'b', 'n\nl'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }).filter(text => !text.includes('\0')),
  fc.constant(`100644 ${idOf('a')} 0\ta`),
);
const someRows = fc.uniqueArray(
  fc.tuple(name, fc.constantFrom('a', 'b'), fc.constant(0)) as fc.Arbitrary<Row>,
  { selector: ([below]) => below, maxLength: 12 },
);

describe('the entries of the index', () => {
  it('say which folders are submodules', () => {
    const rows = [
      `160000 ${idOf('a')} 0\t160000 a`,
      `100644 ${idOf('b')} 0\tb 160000 `,
      `160000 ${idOf('c')} 0\tin/c`,
    ];
    const list = new IndexEntries(Buffer.from(rows.map(row => `${row}\0`).join('')));
    assert.deepEqual(list.submodules(), ['160000 a', 'in/c']);
    assert.deepEqual(new IndexEntries(Buffer.alloc(0)).submodules(), []);
  });

  it('are found by their path, and no other is', () => {
    fc.assert(
      fc.property(someRows, name, (given, other) => {
        const list = listOf(given);
        for (const [below, letter] of given) {
          assert.deepEqual(list.find(below), {
            mode: '100644',
            id: idOf(letter),
            isUnmerged: false,
          });
        }
        assert.equal(
          list.find(other)?.id,
          given.filter(([below]) => below === other).map(([, letter]) => idOf(letter))[0],
        );
      }),
    );
  });

  it('are listed in order, all or those of a folder', () => {
    fc.assert(
      fc.property(someRows, given => {
        const list = listOf(given);
        const all = [...list.paths()];
        assert.deepEqual(all.toSorted(), given.map(([below]) => below).toSorted());
        assert.deepEqual(
          [...list.paths('a')],
          all.filter(below => below.startsWith('a/')),
        );
      }),
    );
  });

  it('are compared with those of another time', async () => {
    await fc.assert(
      fc.asyncProperty(someRows, someRows, async (before, after) => {
        const [a, b] = [lettersOf(before), lettersOf(after)];
        const expected = [...new Set([...a.keys(), ...b.keys()])].filter(
          below => a.get(below) !== b.get(below),
        );
        const found = await listOf(before).differences(listOf(after), noPause);
        assert.deepEqual(found.toSorted(), expected.toSorted());
      }),
      { numRuns: 500 },
    );
  });

  it('are compared where one of many is different', async () => {
    const many = Array.from({ length: 5000 }, (_, at): Row => [`src/file${at}.ts`, 'a', 0]);
    for (const at of [0, 1, 2500, 4999]) {
      const changed = many.with(at, [`src/file${at}.ts`, 'b', 0]);
      const removed = many.toSpliced(at, 1);
      for (const other of [changed, removed]) {
        for (const [a, b] of [
          [many, other],
          [other, many],
        ] as const) {
          const found = await listOf(a).differences(listOf(b), noPause);
          assert.deepEqual(found, [`src/file${at}.ts`]);
        }
      }
    }
    assert.deepEqual(await listOf(many).differences(listOf(many), noPause), []);
    assert.deepEqual(await listOf([]).differences(listOf([]), noPause), []);
  });

  it('have several versions after a merge', async () => {
    const list = listOf([
      ['a', 'a', 0],
      ['b', 'b', 1],
      ['b', 'c', 2],
      ['b', 'd', 3],
      ['c', 'a', 0],
    ]);
    assert.deepEqual(list.find('b'), { mode: '100644', id: idOf('b'), isUnmerged: true });
    assert.deepEqual(
      [...list.versions('b')],
      [
        [1, idOf('b')],
        [2, idOf('c')],
        [3, idOf('d')],
      ],
    );
    assert.deepEqual([...list.versions('a')], [[0, idOf('a')]]);
    assert.deepEqual([...list.versions('x')], []);
    assert.deepEqual([...list.paths()], ['a', 'b', 'c']);
    const resolved = listOf([
      ['a', 'a', 0],
      ['b', 'c', 0],
      ['c', 'a', 0],
    ]);
    assert.deepEqual(await list.differences(resolved, noPause), ['b']);
    assert.deepEqual(await resolved.differences(list, noPause), ['b']);
  });

  it('may have the ids of sha256', () => {
    const text = `100755 ${'f'.repeat(64)} 0\ta/b\x00120000 ${'e'.repeat(64)} 0\ta/c\0`;
    const list = new IndexEntries(Buffer.from(text));
    assert.deepEqual(list.find('a/b'), { mode: '100755', id: 'f'.repeat(64), isUnmerged: false });
    assert.equal(list.find('a/c')?.mode, '120000');
  });

  it('leave names out that are no UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from(`100644 ${idOf('a')} 0\t`),
      Buffer.from([0x61, 0xff, 0]),
      Buffer.from(`100644 ${idOf('a')} 0\tb\0`),
    ]);
    assert.deepEqual([...new IndexEntries(bytes).paths()], ['b']);
  });
});
