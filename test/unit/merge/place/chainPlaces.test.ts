import assert from 'node:assert/strict';
import type { BlockPlace } from '../../../../src/merge/place/aligner';
import { chainPlaces, narrowPlaces } from '../../../../src/merge/place/chainPlaces';
import { gapWorth } from '../../../../src/merge/place/costs';
import { Nesting } from '../../../../src/merge/place/nesting';
import { indexOf, sectionOf } from './places';

const place = (start: number, end: number, score: number): BlockPlace => ({
  start,
  end,
  score,
  head: 'exact',
  tail: 'exact',
});
const told = (places: readonly BlockPlace[]): string =>
  places.map(({ start, end }) => `${start}-${end}`).join(' ');

describe('the places that keep the order of the blocks', () => {
  it('begin where those above can end, and end where those below can begin', () => {
    const first = [place(0, 2, 1), place(6, 8, 1)];
    const second = [place(1, 3, 1), place(2, 4, 1), place(7, 9, 1), place(8, 9, 1)];
    assert.deepEqual(narrowPlaces([first, second], 9).map(told), ['0-2 6-8', '2-4 7-9 8-9']);
    const third = [place(3, 5, 1), place(4, 6, 1)];
    assert.deepEqual(narrowPlaces([first, second, third], 9).map(told), ['0-2', '2-4', '4-6']);
  });

  it('are the best ones, in the order of the file', () => {
    const many = [place(5, 6, 3), place(0, 4, 2), place(0, 1, 5), place(3, 4, 1)];
    assert.deepEqual(narrowPlaces([many], 3).map(told), ['0-1 0-4 5-6']);
    assert.deepEqual(narrowPlaces([many], 4).map(told), ['0-1 0-4 3-4 5-6']);
  });

  it('are none where the blocks stand in another order', () => {
    assert.deepEqual(narrowPlaces([[place(5, 6, 1)], [place(0, 1, 1)]], 9).map(told), ['', '']);
  });
});

/** A file of ten lines, the last three of which are indented. */
const file = indexOf('a\nb\nc\nd\ne\nf\ng\n  h\n  i\n  j');

interface Given {
  readonly above?: number;
  readonly below?: number;
}

/** Placements as `places score`, best first. */
function chains(places: readonly (readonly BlockPlace[])[], markers: readonly Given[], margin = 9) {
  const blocks = places.map((_, k) => sectionOf('x', file, markers[k]));
  return [...chainPlaces(blocks, places, file, new Nesting(file), margin)].map(
    found => `${told(found.places)} ${Number(found.score.toFixed(3))}`,
  );
}

/** What a placement of one block is worth whose place is worth 1. */
const worthOfOne = (marker: Given, start: number, end: number) =>
  Number(chains([[place(start, end, 1)]], [marker])[0]?.split(' ')[1]);

describe('the placements of all blocks', () => {
  const at = { above: 0, below: 0 };
  /** Both markers of a single block stand for lines. */
  const both = 2 * gapWorth.sameIndent;

  it('have the scores of the places and of the gaps, the best first', () => {
    assert.deepEqual(chains([[place(1, 2, 3), place(4, 5, 2)]], [at]), [
      `1-2 ${3 + both}`,
      `4-5 ${2 + both}`,
    ]);
    const two = [[place(1, 2, 3)], [place(4, 5, 2), place(6, 7, 4)]];
    // The best one is found by each of its places. Below 7, there are only deeper lines.
    assert.deepEqual(chains(two, [at, at]), ['1-2 6-7 7.8', '1-2 6-7 7.8', '1-2 4-5 6.2']);
  });

  it('keep the order, and one line is in one place only', () => {
    const two = [
      [place(1, 4, 1), place(5, 6, 3)],
      [place(3, 5, 9), place(6, 7, 1)],
    ];
    for (const found of chains(two, [at, at])) assert.doesNotMatch(found, /1-4 3-5|5-6 3-5/);
    assert.deepEqual(chains([[place(5, 6, 1)], [place(4, 5, 1)]], [at, at]), []);
    assert.equal(chains([[place(4, 5, 1)], [place(5, 6, 1)]], [at, at]).length, 2, 'adjacent');
  });

  it('are no worse than the best by more than the margin', () => {
    const some = [[place(1, 2, 3), place(3, 4, 2), place(5, 6, 1)]];
    assert.equal(chains(some, [at], 1).length, 2);
    assert.equal(chains(some, [at], 0.5).length, 1);
    assert.equal(chains(some, [at], 2).length, 3);
  });

  it('cost more where a marker stands for nothing, or for what is outside of it', () => {
    assert.equal(worthOfOne({ above: 0 }, 3, 10), 1 + gapWorth.sameIndent);
    assert.equal(worthOfOne({ above: 0 }, 0, 10), 1 - gapWorth.empty);
    assert.equal(worthOfOne({ above: 2 }, 3, 10), 1 - 3 * gapWorth.outdentedLine);
    assert.equal(worthOfOne({ above: 2 }, 7, 10), 1 - gapWorth.maxOutdented, 'seven lines');
    assert.equal(worthOfOne({ below: 2 }, 0, 7), 1 + gapWorth.sameIndent);
    assert.equal(worthOfOne({ below: 0 }, 0, 7), 1, 'only deeper lines');
    assert.equal(worthOfOne({}, 0, 10), 1);
    assert.equal(worthOfOne({}, 3, 10), 1 - gapWorth.open);
    assert.equal(worthOfOne({}, 3, 7), 1 - 2 * gapWorth.open);
  });

  it('go through each place, with the best places of the others', () => {
    const places = [
      [place(0, 1, 1), place(1, 2, 5)],
      [place(2, 3, 1), place(3, 4, 2)],
      [place(5, 6, 1), place(4, 5, 3)],
    ];
    const found = chains(places, [at, at, at], 20).map(text => text.replace(/ [\d.-]+$/, ''));
    assert.equal(found.length, 6);
    assert.equal(found[0]?.split(' ')[0], '1-2');
    for (const one of ['0-1', '1-2', '2-3', '3-4', '4-5', '5-6'])
      assert.ok(
        found.some(text => text.split(' ').includes(one)),
        one,
      );
  });
});
