import assert from 'node:assert/strict';
import { applyPatch } from 'diff';
import { joinChanges } from '../../../../src/merge/diff/joinChanges';
import { applyChanges, diffLines } from '../../../../src/merge/diff/lineDiff';
import { addScores, compareScores, scoreSplit } from '../../../../src/merge/diff/splitScore';
import { unifiedDiff } from '../../../../src/merge/diff/unifiedDiff';
import { attemptAll, attemptRandom } from '../../../bench/accuracy';
import { assertApproved } from '../../../support/unit/approved';

const attempts = attemptAll().filter(({ style }) => style === 'two lines of context');

describe('the diff of each edit of the set', () => {
  it('reads as it did', () =>
    assertApproved(
      'diffs',
      attempts
        .filter((_, at) => at % 2 === 0)
        .map(({ title, original, wanted }) => {
          const path = title.split(',')[0] ?? '';
          const { text, added, removed } = unifiedDiff(path, original, wanted);
          return `== ${title}: +${added} -${removed}\n${text}`;
        })
        .join(''),
    ));

  it('applies, and so do its joined changes', () => {
    for (const { original, wanted, title } of [...attempts, ...attemptRandom(2, 60)]) {
      const { text } = unifiedDiff('f', original, wanted);
      if (text !== '') assert.equal(applyPatch(original, text), wanted, title);
      const [before, after] = [original.split('\n'), wanted.split('\n')];
      const changes = joinChanges(diffLines(before, after), before);
      const replaced = applyChanges(
        before,
        changes.map(({ oldStart, oldCount, newStart, newCount }) => ({
          start: oldStart,
          count: oldCount,
          lines: after.slice(newStart, newStart + newCount),
        })),
      );
      assert.deepEqual(replaced, after, title);
    }
  });
});

describe('a unified diff', () => {
  const all = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
  /** The headers of the hunks when these lines are replaced. */
  const heads = (...rows: number[]) =>
    unifiedDiff(
      'f',
      `${all.join('\n')}\n`,
      `${all.map((line, at) => (rows.includes(at + 1) ? 'new' : line)).join('\n')}\n`,
    )
      .text.split('\n')
      .filter(line => line.startsWith('@@'));

  it('joins changes whose context touches', () => {
    assert.deepEqual(heads(10, 17), ['@@ -7,14 +7,14 @@']);
    assert.deepEqual(heads(10, 18), ['@@ -7,7 +7,7 @@', '@@ -15,7 +15,7 @@']);
    assert.deepEqual(heads(1, 30), ['@@ -1,4 +1,4 @@', '@@ -27,4 +27,4 @@']);
  });

  it('counts lines that come and go as git does', () => {
    for (const [before, after, text, added, removed] of [
      ['', 'a\n', '@@ -0,0 +1 @@\n+a\n', 1, 0],
      ['a\n', '', '@@ -1 +0,0 @@\n-a\n', 0, 1],
      ['a\nb\n', 'a\nx\ny\nb\n', '@@ -1,2 +1,4 @@\n a\n+x\n+y\n b\n', 2, 0],
      ['a\n', 'b\n', '@@ -1 +1 @@\n-a\n+b\n', 1, 1],
      ['a\nb', 'a\nb\n', '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n', 1, 1],
    ] as const)
      assert.deepEqual(
        unifiedDiff('d/f', before, after),
        { text: `--- a/d/f\n+++ b/d/f\n${text}`, added, removed },
        after,
      );
  });
});

describe('where a change may be moved to', () => {
  it('prefers to stand before what is indented less, and beside blank lines', () => {
    const lines = ['f() {', '  a();', '}', '', 'g() {', '  b();', '}', '', 'h() {', '}'];
    const at = (split: number) => scoreSplit(lines, split);
    assert.ok(compareScores(at(4), at(5)) < 0, 'above a function, not within it');
    assert.ok(compareScores(at(4), at(2)) < 0, 'not before a closing bracket');
    assert.ok(compareScores(at(0), at(1)) < 0, 'at the start');
    assert.ok(compareScores(at(10), at(9)) < 0, 'at the end');
    assert.equal(compareScores(at(4), at(4)), 0);
    assert.ok(compareScores(addScores(at(4), at(8)), addScores(at(5), at(9))) < 0);
    assertApproved(
      'splitScores',
      `${lines.map((line, split) => `${JSON.stringify(at(split))} ${line}`).join('\n')}\n${JSON.stringify(
        ['\ta', '  \tb', '        c', ''].map((_, split, all) => scoreSplit(all, split)),
      )}\n`,
    );
  });
});
