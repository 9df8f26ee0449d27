import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { alignLines } from '../../../../../src/apply/external/core/alignment/alignment';
import {
  changesOfParts,
  keepChanges,
  undoChanges,
} from '../../../../../src/apply/external/core/fileChanges';
import { linesWithEnds, withoutEnd } from '../../../../../src/apply/external/core/fileText';
import { foldEdits } from '../../../../../src/apply/external/core/foldEdits';
import { anyLines, edited, someEdits } from './randomTexts';

const linesOf = (words: string) => (words === '' ? [] : words.split(' ').map(word => `${word}\n`));
const wordsOf = (lines: readonly string[]) => lines.map(withoutEnd).join(' ');

/** Texts in a row, lines apart by spaces: what is pending after an edit, as `-old +new`, with `*` where the user edited. */
function fold(baseline: string, now: string, saved: string) {
  const [b, n, s] = [linesOf(baseline), linesOf(now), linesOf(saved)];
  const folded = foldEdits(b, n, alignLines(b, n), s);
  return {
    baseline: wordsOf(folded.baseline),
    pending: changesOfParts('p', folded.baseline, s, folded.parts).map(
      ({ baseLines, lines: after, isEdited }) =>
        `-${wordsOf(baseLines)} +${wordsOf(after)}${isEdited ? ' *' : ''}`,
    ),
    touched: folded.touched.length,
  };
}

describe('foldEdits', () => {
  for (const [what, [baseline, now, saved], expected, pending] of [
    [
      'makes an edit elsewhere in the baseline, too',
      ['a b c d', 'a B c d', 'a B c D'],
      'a b c D',
      ['-b +B'],
    ],
    [
      'folds lines right above and below a change',
      ['a b c', 'a B c', 'a u B v c'],
      'a u b v c',
      ['-b +B'],
    ],
    [
      'folds lines at the place where others were removed',
      ['a b c d', 'a d', 'a u d'],
      'a u b c d',
      ['-b c +'],
    ],
    [
      'leaves an edit within a change pending',
      ['a b c', 'a B C D c', 'a B u D c'],
      'a b c',
      ['-b +B u D *'],
    ],
    [
      'leaves an edit pending that begins above a change and ends in it',
      ['a b c', 'a B c', 'u c'],
      'a b c',
      ['-a b +u *'],
    ],
    [
      'has nothing pending where the user typed the old lines again',
      ['a b c d', 'a X c d', 'a b c d'],
      'a b c d',
      [],
    ],
    [
      'has nothing pending where the user brings removed lines back',
      ['a b c d', 'a d', 'a b c d'],
      'a b c d',
      [],
    ],
    [
      'has less pending where the user brings some of the removed lines back',
      ['a b c d', 'a d', 'a b d'],
      'a b c d',
      ['-c + *'],
    ],
    [
      'sees that removed lines come back beside an edit',
      ['a b c d', 'a d', 'a b c D'],
      'a b c d',
      ['-d +D *'],
    ],
    [
      'joins changes when the line between them goes',
      ['a b c d e', 'a B c D e', 'a B D e'],
      'a b d e',
      ['-b d +B D'],
    ],
    [
      'folds an edit of everything around a change',
      ['a b c', 'a B c', 'x B y'],
      'x b y',
      ['-b +B'],
    ],
    ['has no lines of a baseline without lines', ['', 'a b', 'a u b'], '', ['- +a u b *']],
  ] as const)
    it(what, () => {
      const folded = fold(baseline, now, saved);
      assert.equal(folded.baseline, expected);
      assert.deepEqual(folded.pending, pending);
    });

  it('names the parts that the edits touch', () => {
    assert.equal(fold('a b c d', 'a B c D', 'a B c u').touched, 1);
    assert.equal(fold('a b c d', 'a B c D', 'a B u c D').touched, 0);
    assert.equal(fold('a b c d e', 'a B c D e', 'a u e').touched, 2);
  });

  it('does not take new line ends for edits', () => {
    const before = ['a\n', 'b\n', 'c\n', 'd\n'];
    const now = ['a\n', 'B\n', 'c\n', 'd\n'];
    const saved = ['a\r\n', 'B\r\n', 'c\r\n', 'D\r\n'];
    const folded = foldEdits(before, now, alignLines(before, now), saved);
    assert.deepEqual(folded.baseline, ['a\r\n', 'b\r\n', 'c\r\n', 'D\r\n']);
    assert.deepEqual(
      folded.parts.map(({ isEdited }) => isEdited),
      [false],
    );
    assert.deepEqual(folded.touched, []);
  });

  it('drops a change that was only another line end, when the editor writes one kind', () => {
    const before = ['a\n', 'b\n', 'c\n'];
    const now = ['a\n', 'b\r\n', 'c\n'];
    const folded = foldEdits(before, now, alignLines(before, now), before);
    assert.deepEqual(folded, { baseline: before, parts: [], touched: [] });
  });

  it('never puts two lines into one at the end of a text', () => {
    for (const { before, now, saved } of [
      { before: ['a\n', 'b\n'], now: ['a\n'], saved: ['a'] },
      { before: ['a\n', 'b\n'], now: ['a\n'], saved: ['a\n', 'u'] },
      { before: ['a\n', 'b'], now: ['a\n', 'B\n'], saved: ['a\n', 'B\n', 'u\n'] },
      { before: ['a\n', 'b'], now: ['a\n'], saved: ['a\n', 'u\n'] },
    ]) {
      const folded = foldEdits(before, now, alignLines(before, now), saved);
      for (const line of folded.baseline.slice(0, -1)) assert.match(line, /\n$/);
    }
  });

  it('is exact: keeping all is the saved text, undoing all is the baseline', () => {
    fc.assert(
      fc.property(anyLines, someEdits, someEdits, anyLines, fc.boolean(), (...given) => {
        const [before, theirs, mine, other, isOther] = given;
        const now = edited(before, theirs);
        const saved = isOther ? other : edited(now, mine);
        const folded = foldEdits(before, now, alignLines(before, now), saved);
        const changes = changesOfParts('p', folded.baseline, saved, folded.parts);
        assert.deepEqual(keepChanges(folded.baseline, changes), saved);
        assert.deepEqual(undoChanges(saved, changes), folded.baseline);
        // Also of some of them.
        const some = changes.filter((_, at) => at % 2 === 0);
        const rest = changes.filter((_, at) => at % 2 === 1);
        assert.deepEqual(undoChanges(saved, rest), keepChanges(folded.baseline, some));
        for (const [at, one] of folded.parts.entries()) {
          const next = folded.parts[at + 1];
          if (next) assert.ok(next.start > one.start + one.count);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps each line that the user typed in the baseline, unless it is in an edited part', () => {
    const typed = fc.array(fc.record({ at: fc.nat(60), count: fc.nat(2) }), { maxLength: 4 });
    fc.assert(
      fc.property(anyLines, someEdits, typed, (before, theirs, mine) => {
        const now = edited(before, theirs);
        const ended = now.map(line => (withoutEnd(line) === line ? `${line}\n` : line));
        const saved = edited(
          ended,
          mine.map((edit, n) => ({ ...edit, lines: [`typed ${n}\n`] })),
        );
        const folded = foldEdits(before, now, alignLines(before, now), saved);
        const open = changesOfParts('p', folded.baseline, saved, folded.parts);
        const inEdited = open.filter(({ isEdited }) => isEdited).flatMap(({ lines }) => lines);
        for (const line of saved.filter(one => one.startsWith('typed'))) {
          const inBaseline = folded.baseline.filter(one => withoutEnd(one) === withoutEnd(line));
          assert.equal(inBaseline.length, inEdited.includes(line) ? 0 : 1, line);
        }
        for (const { lines, isEdited } of open) {
          if (!isEdited) assert.ok(!lines.some(line => line.startsWith('typed')));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('has the same lines as splitting the text again', () => {
    const before = linesWithEnds('a\nb\nc');
    const now = linesWithEnds('a\nB\nc');
    const { baseline } = foldEdits(
      before,
      now,
      alignLines(before, now),
      linesWithEnds('a\nB\nc\nd'),
    );
    assert.deepEqual(baseline, linesWithEnds('a\nb\nc\nd'));
  });
});
