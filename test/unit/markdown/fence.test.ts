import assert from 'node:assert/strict';
import {
  canClose,
  type Fence,
  fenceAt,
  indentEnd,
  openingFenceAt,
} from '../../../src/markdown/fence';

const fence = (marks: string, info = ''): Fence => ({ marks, info });

describe('a fence', () => {
  it('is three or more back-quotes or tildes, and what follows', () => {
    assert.deepEqual(fenceAt('```', 0), fence('```'));
    assert.deepEqual(fenceAt('````ts', 0), fence('````', 'ts'));
    assert.deepEqual(fenceAt('~~~ \t python x', 0), fence('~~~', 'python x'));
    assert.deepEqual(fenceAt('  ```ts', 2), fence('```', 'ts'));
    assert.deepEqual(fenceAt('- ```ts  ', 2), fence('```', 'ts  '));
  });

  it('is nothing shorter, nothing mixed, and no other mark', () => {
    for (const [line, at] of [
      ['``', 0],
      ['~~', 0],
      ['``~', 0],
      ['***', 0],
      ['  ```', 0],
      ['x``', 1],
      ['   ``', 3],
      ['', 0],
    ] as const)
      assert.equal(fenceAt(line, at), undefined, line);
  });

  it('opens no block where back-quotes follow', () => {
    assert.equal(openingFenceAt('```code``` here', 0), undefined);
    assert.deepEqual(openingFenceAt('```js', 0), fence('```', 'js'));
    assert.equal(openingFenceAt('``', 0), undefined);
  });

  it('closes one of the same character that is no longer', () => {
    assert.equal(canClose(fence('```'), '```'), true);
    assert.equal(canClose(fence('````'), '```'), true);
    assert.equal(canClose(fence('```'), '````'), false);
    assert.equal(canClose(fence('~~~~'), '```'), false);
    assert.equal(canClose(fence('```'), '~~~'), false);
  });

  it('stands behind the indentation', () => {
    assert.equal(indentEnd('  \t```'), 3);
    assert.equal(indentEnd('```'), 0);
    assert.equal(indentEnd('   '), 3);
  });
});
