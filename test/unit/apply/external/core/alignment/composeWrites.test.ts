import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { alignLines } from '../../../../../../src/apply/external/core/alignment/alignment';
import { composeWrites } from '../../../../../../src/apply/external/core/alignment/composeWrites';
import {
  changesOfParts,
  keepChanges,
  undoChanges,
} from '../../../../../../src/apply/external/core/fileChanges';
import { anyLines, edited, someEdits } from '../randomTexts';

const linesOf = (words: string) => words.split(' ').map(word => `${word}\n`);
const wordsOf = (lines: readonly string[]) => lines.map(line => line.trimEnd()).join(' ');

function compose(baseline: string, now: string, written: string, edits: readonly number[] = []) {
  const [b, n, w] = [linesOf(baseline), linesOf(now), linesOf(written)];
  const parts = alignLines(b, n).map((part, at) => ({ ...part, isEdited: edits.includes(at) }));
  return changesOfParts('p', b, w, composeWrites(b, n, parts, w)).map(
    ({ baseLines, lines, isEdited }) =>
      `-${wordsOf(baseLines)} +${wordsOf(lines)}${isEdited ? ' *' : ''}`,
  );
}

describe('composeWrites', () => {
  for (const [what, baseline, now, written, expected] of [
    ['adds a change', 'a b c d', 'a B c d', 'a B c D', ['-b +B', '-d +D']],
    ['goes on with a change', 'a b c d', 'a B c d', 'a B1 B2 c d', ['-b +B1 B2']],
    ['has no change that was taken back', 'a b c d e', 'a B c D e', 'a b c D e', ['-d +D']],
    [
      'joins changes without a line between them',
      'a b c d e',
      'a B c d e',
      'a B C d e',
      ['-b c +B C'],
    ],
    ['joins what one write spans', 'a b c d e', 'a B c D e', 'a X e', ['-b c d +X']],
    ['compares again what was all replaced', 'a b c d e', 'x', 'a b C d e', ['-c +C']],
    [
      'leaves a line alone around which lines are added that are elsewhere, too',
      ...(['u } z', 'u y } z', 'x } x y u y } z', ['- +x } x y', '- +y']] as const),
    ],
  ] as const)
    it(what, () => assert.deepEqual(compose(baseline, now, written), expected));

  it('keeps the mark of an edited change, and of what comes of it', () => {
    assert.deepEqual(compose('a b c d', 'a B c D', 'a B c D1 D2', [0, 1]), [
      '-b +B *',
      '-d +D1 D2 *',
    ]);
    assert.deepEqual(compose('a b c d', 'a B c d', 'a B c D', [0]), ['-b +B *', '-d +D']);
  });

  it('is exact after any writes', () => {
    fc.assert(
      fc.property(anyLines, someEdits, someEdits, anyLines, fc.boolean(), (...given) => {
        const [baseline, first, second, other, isOther] = given;
        const now = edited(baseline, first);
        const written = isOther ? other : edited(now, second);
        const parts = composeWrites(baseline, now, alignLines(baseline, now), written);
        const changes = changesOfParts('p', baseline, written, parts);
        assert.deepEqual(keepChanges(baseline, changes), written);
        assert.deepEqual(undoChanges(written, changes), baseline);
      }),
      { numRuns: 500 },
    );
  });
});
