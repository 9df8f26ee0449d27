import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LineFinder } from '../../../../src/merge/patch/lineFinder';

const lines = (maxLength: number) =>
  fc.array(fc.constantFrom('a', 'a', 'a', 'b'), { minLength: 1, maxLength });

const repeated = (part: string, times: number): string[] => part.repeat(times).split('');

describe('LineFinder', () => {
  it('finds the places of lines that repeat, however many there are', () =>
    fc.assert(
      fc.property(lines(400), lines(80), (text, wanted) => {
        const places = text.flatMap((_, at) =>
          wanted.every((line, offset) => text[at + offset] === line) ? [at] : [],
        );
        assert.deepEqual(new LineFinder(text).find(wanted).places, places);
      }),
      { numRuns: 500 },
    ));

  it('finds each place of lines that overlap', () => {
    for (const [part, length] of [
      ['a', 1],
      ['ab', 2],
      ['aab', 3],
      ['aabab', 5],
    ] as const) {
      const finder = new LineFinder([...repeated(part, 240 / length), 'c', ...repeated(part, 60)]);
      const wanted = repeated(part, 20);
      const places = Array.from({ length: 240 / length - 19 }, (_, at) => at * length);
      const below = Array.from({ length: 41 }, (_, at) => 241 + at * length);
      assert.deepEqual(finder.find(wanted).places, [...places, ...below], part);
      // The last of them is not the whole part.
      assert.deepEqual(finder.find([...wanted, 'c']).places, [240 - 20 * length], part);
    }
  });

  it('prefers equal lines to those with other blanks at the end or the start', () => {
    const finder = new LineFinder([' a', 'b', 'a ', 'b', 'a', 'b', ' c ', 'd ', ' d']);
    for (const [wanted, places, closeness] of [
      [['a', 'b'], [4], 0],
      [['a  ', 'b'], [2, 4], 1],
      [['  a', 'b '], [0, 2, 4], 2],
      [['c'], [6], 2],
      [['d'], [7], 1],
      [['e'], [], 2],
      [['d', 'e'], [], 2],
      [Array.from({ length: 10 }, () => 'a'), [], 2],
    ] as const)
      assert.deepEqual(finder.find(wanted), { places, closeness }, wanted.join());
  });

  it('stops at five hundred places', () => {
    const many = new LineFinder(Array.from({ length: 600 }, () => 'a'));
    assert.equal(many.find(['a']).places.length, 500);
    assert.equal(many.find(Array.from({ length: 60 }, () => 'a')).places.length, 500);
  });

  it('finds the places where a few lines are missing, but none of those that must stand', () => {
    const letters = fc.constantFrom('a', 'b', 'c', ' a');
    const wantedLines = fc.array(fc.tuple(letters, fc.boolean()), { minLength: 3, maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(letters, { maxLength: 40 }),
        wantedLines,
        fc.integer({ min: 1, max: 2 }),
        (text, wanted, most) => {
          const missing = (at: number) =>
            wanted.filter(([line], offset) => text[at + offset]?.trim() !== line.trim());
          // Also before the start and behind the end, where lines are missing too.
          const places = Array.from({ length: text.length + 20 }, (_, row) => row - 10).filter(
            at => missing(at).length <= most && missing(at).every(([, stands]) => !stands),
          );
          const found = new LineFinder(text).findNearly(
            wanted.map(([line]) => line),
            wanted.map(([, stands]) => stands),
            most,
          );
          assert.deepEqual(found, { places, closeness: 2 });
        },
      ),
      { numRuns: 400 },
    );
  });
});
