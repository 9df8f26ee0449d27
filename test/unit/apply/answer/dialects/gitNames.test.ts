import assert from 'node:assert/strict';
import {
  gitLineNames,
  nameAt,
  withoutPrefixes,
} from '../../../../../src/apply/answer/dialects/gitNames';

const names = (rest: string) => gitLineNames(`diff --git ${rest}`);

describe('a file name in the header of a diff', () => {
  it('is plain up to a tab, or quoted', () => {
    const cases: [text: string, name: string, length: number][] = [
      ['a/src/a.ts', 'a/src/a.ts', 10],
      ['a/b c.ts \t2024-01-01', 'a/b c.ts', 9],
      ['\tx', '', 0],
      ['"a/b c.ts" rest', 'a/b c.ts', 10],
      [String.raw`"a\tb\\c\"d"`, 'a\tb\\c"d', 12],
      [String.raw`"\303\244.ts"`, 'ä.ts', 13],
      ['"ä😀"', 'ä😀', 5],
      [String.raw`"\7x"`, '\u0007x', 5],
    ];
    for (const [text, name, length] of cases)
      assert.deepEqual(nameAt(text), { name, length }, text);
  });

  it('stands twice in the line of git', () => {
    assert.deepEqual(names('a/x.ts b/y.ts'), ['a/x.ts', 'b/y.ts']);
    assert.deepEqual(names('a/x y.ts b/x y.ts '), ['a/x y.ts', 'b/x y.ts']);
    assert.deepEqual(names('"a/\\303\\244" "b/\\303\\244"'), ['a/ä', 'b/ä']);
    assert.deepEqual(names('a/x "b/\\303\\244"'), ['a/x', 'b/ä']);
    assert.equal(names('a/x y.ts b/z y.ts'), undefined);
  });

  it('loses its prefix where both names have one', () => {
    const cases: [old: string | undefined, fresh: string | undefined, expected: unknown[]][] = [
      ['a/x', 'b/x', ['x', 'x']],
      ['i/x', 'w/x', ['x', 'x']],
      ['a/x', '/dev/null', ['x', '/dev/null']],
      [undefined, 'b/x', [undefined, 'x']],
      ['a/x', 'a/y', ['a/x', 'a/y']],
      ['a/x', 'x', ['a/x', 'x']],
      ['src/x', 'src/x', ['src/x', 'src/x']],
      [undefined, undefined, [undefined, undefined]],
    ];
    for (const [old, fresh, expected] of cases)
      assert.deepEqual(withoutPrefixes(old, fresh), expected);
  });
});
