import assert from 'node:assert/strict';
import {
  beginsPart,
  blocksEnd,
  incompleteEnd,
  readBlocks,
} from '../../../../../src/apply/answer/dialects/blocks';

const block = (search: string, replace: string): string =>
  `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`;
const read = (text: string, path?: string) =>
  readBlocks(text.split('\n'), path).map(({ operation, source }) =>
    operation.kind === 'blocks'
      ? [operation.path, operation.blocks.map(({ search, replace }) => `${search} => ${replace}`)]
      : [operation.path, source],
  );

const end = (text: string): number => blocksEnd(text.split('\n'), 0);

describe('search/replace blocks', () => {
  it('are one part for each file, which the lines between them may name', () => {
    assert.deepEqual(read(`${block('a', 'b')}\n\n${block('c', 'd')}`, 'a.ts'), [
      ['a.ts', ['a => b', 'c => d']],
    ]);
    assert.deepEqual(
      read(
        `${block('a', 'b')}\nsrc/b.ts\n${block('c', 'd')}\n${block('e', 'f')}\nsrc/c.ts\n${block('g', 'h')}`,
      ),
      [
        [undefined, ['a => b']],
        ['src/b.ts', ['c => d', 'e => f']],
        ['src/c.ts', ['g => h']],
      ],
    );
    assert.deepEqual(read(`src/b.ts\n${block('a', 'b')}`, 'a.ts'), [['src/b.ts', ['a => b']]]);
  });

  it('are named where they have no end, in their place', () => {
    const open = '<<<<<<< SEARCH\nx\n=======\ny';
    assert.deepEqual(read(`${block('a', 'b')}\n${open}\n${block('c', 'd')}`, 'a.ts'), [
      ['a.ts', ['a => b']],
      ['a.ts', open],
      ['a.ts', ['c => d']],
    ]);
    assert.deepEqual(read(open, 'a.ts'), [['a.ts', open]]);
  });

  it('have code around them that is named once', () => {
    const code = 'const one = call(1);\nconst two = call(2);';
    assert.deepEqual(read(`${code}\n${block('a', 'b')}\n${block('c', 'd')}`, 'a.ts'), [
      [undefined, code],
      ['a.ts', ['a => b', 'c => d']],
    ]);
    assert.deepEqual(read(`${block('a', 'b')}\n${code}`, 'a.ts'), [
      ['a.ts', ['a => b']],
      [undefined, code],
    ]);
  });

  it('end before other lines, but not before blank ones between them', () => {
    assert.equal(end(`${block('a', 'b')}\n\n${block('c', 'd')}\n\nwords\n${block('e', 'f')}`), 11);
    assert.equal(end('words'), 0);
    assert.equal(end('<<<<<<< SEARCH\nx\nwords\n```'), 3);
  });
});

describe('what begins another part', () => {
  it('ends one without an end', () => {
    for (const line of [
      '<<<<<<< SEARCH',
      '```ts',
      '~~~',
      '<file path="a.ts">',
      '<invoke name="edit">',
      '*** Begin Patch',
      'diff --git a/a b/a',
    ]) {
      const lines = ['<x>', 'one', 'two', line, 'three'];
      assert.ok(beginsPart(lines, 3), line);
      assert.equal(incompleteEnd(lines, 0), 2, line);
      assert.equal(incompleteEnd(lines, 3), 4, line);
    }
    for (const line of ['words', ' ```', '<parameter name="path">', '<div>', '====='])
      assert.ok(!beginsPart([line], 0), line);
  });
});
