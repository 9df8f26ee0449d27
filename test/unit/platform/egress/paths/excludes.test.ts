import assert from 'node:assert/strict';
import { globsBelow } from '../../../../../src/platform/egress/paths/excludes';

describe('a glob of the workspace, inside one of its folders', () => {
  it('has each choice between braces for itself', () => {
    assert.deepEqual(
      [...new Set(globsBelow('src/{a,b/{c,d}}/*.ts', 'src'))],
      ['a/*.ts', 'b/c/*.ts', 'b/d/*.ts'],
    );
    assert.deepEqual(globsBelow('{src,lib}/old', 'lib'), ['old']);
    assert.deepEqual(globsBelow('{src,lib}', 'src/a'), ['**']);
  });

  it('leaves out everything where it has more choices than anybody writes', () => {
    for (const glob of [
      '{a,b}'.repeat(40),
      `{${'a,'.repeat(3000)}}`,
      '{a,b}'.repeat(14) + '{c}'.repeat(1000),
    ])
      assert.deepEqual(globsBelow(`src/${glob}`, 'src'), ['**']);
  });
});
