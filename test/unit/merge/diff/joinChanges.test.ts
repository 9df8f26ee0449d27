import assert from 'node:assert/strict';
import { joinChanges } from '../../../../src/merge/diff/joinChanges';
import { diffLines } from '../../../../src/merge/diff/lineDiff';

function changesOf(before: string[], after: string[]): string[] {
  return joinChanges(diffLines(before, after), before).map(
    ({ oldCount, newCount }) => `-${oldCount} +${newCount}`,
  );
}

describe('joinChanges', () => {
  it('keeps the two halves of a rewritten body together', () => {
    const before = ['f() {', '  const a = get();', '  if (a) {', '    a.n += 1;', '  }', '}'];
    const after = [
      'f() {',
      '  if (bad) {',
      '    throw no;',
      '  }',
      '  const a = get();',
      '  set(a);',
      '}',
    ];
    assert.equal(changesOf(before, after).length, 1);
  });

  it('leaves changes of two functions apart', () => {
    const before = ['f() {', '  return 1;', '}', 'g() {', '  return 2;', '}'];
    const after = ['f() {', '  return 10;', '}', 'g() {', '  return 20;', '}'];
    assert.deepEqual(changesOf(before, after), ['-1 +1', '-1 +1']);
  });

  it('leaves changes apart that a line of code or a blank line divides', () => {
    const before = ['a', 'x', 'b', 'y', 'c'];
    assert.deepEqual(changesOf(before, ['a', 'b', 'y', 'new', 'c']), ['-1 +0', '-0 +1']);
    assert.deepEqual(changesOf(['a', 'x', '', 'c'], ['a', '', 'new', 'c']), ['-1 +0', '-0 +1']);
  });
});
