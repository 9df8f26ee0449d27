import assert from 'node:assert/strict';
import type { Hit } from '../../../../../src/search/local/text/fileText';
import { bestWindow, bestWindows } from '../../../../../src/search/local/text/windows';

const hit = (line: number, term = 0, quality = 1, factor = 1): Hit => ({
  line,
  quality,
  matches: [{ term, factor }],
  isDeclared: false,
  nameShare: 0,
});
const weights = [1, 1, 1];

/** The best window as `first-last score`. */
const best = (hits: readonly Hit[], size = 30, ofTerms: readonly number[] = weights) => {
  const window = bestWindow(hits, ofTerms, size);
  return window && `${window.firstLine}-${window.lastLine} ${Number(window.score.toFixed(3))}`;
};

describe('the best window', () => {
  it('has no more lines than it may, from its first hit to its last', () => {
    assert.equal(best([hit(3, 0), hit(32, 1)]), '3-32 2');
    assert.equal(best([hit(3, 0), hit(33, 1)]), '3-3 1');
    assert.equal(best([hit(3, 0), hit(3, 1)], 1), '3-3 2');
  });

  it('is the first of those that are as good', () => {
    assert.equal(best([hit(1), hit(100), hit(200)]), '1-1 1');
    assert.equal(best([hit(1), hit(100), hit(101, 1), hit(200), hit(201, 1)]), '100-101 2');
  });

  it('is none without hits, or without any that counts', () => {
    assert.equal(best([]), undefined);
    assert.equal(best([hit(1)], 30, [0]), undefined);
    assert.equal(best([hit(1, 5)]), undefined, 'a term without a weight');
  });

  it('counts a term fully once, and each further time for less', () => {
    const scores = [1, 2, 3, 4].map(
      count =>
        bestWindow(
          Array.from({ length: count }, () => hit(7)),
          weights,
          30,
        )?.score ?? 0,
    );
    assert.deepEqual(
      scores.map(score => score.toFixed(3)),
      ['1.000', '1.173', '1.275', '1.347'],
    );
  });

  it('counts a part of a word and a synonym for their share, up to a whole word', () => {
    assert.equal(best([hit(1, 0, 0.4)]), '1-1 0.4');
    assert.equal(best([hit(1, 0, 1, 0.5)]), '1-1 0.5');
    assert.equal(best([hit(1, 0, 0.4, 0.5)]), '1-1 0.2');
    assert.equal(best([hit(1, 0, 0.5), hit(2, 0, 0.25)]), '1-2 0.75');
  });

  it('counts terms by their weight', () => {
    assert.equal(best([hit(1, 0), hit(90, 1), hit(91, 1)], 30, [2, 1]), '1-1 2');
    assert.equal(best([hit(1, 0), hit(90, 1)], 30, [1, 2]), '90-90 2');
  });

  it('forgets what lies above it', () => {
    const crowd = [1, 2, 3, 4].map(line => hit(line, 0, 0.5));
    assert.equal(best([...crowd, hit(100, 0), hit(101, 1)]), '100-101 2');
    // Whole and partial hits leave without a trace.
    const often = Array.from({ length: 20 }, (_, n) => hit(1 + 10 * n, 0, 0.3));
    assert.equal(best(often, 10), '1-1 0.3');
    assert.equal(best([...often, hit(500, 1, 0.9)], 10), '500-500 0.9');
  });

  it('counts a hit of two terms for both', () => {
    const both: Hit = {
      ...hit(5),
      matches: [
        { term: 0, factor: 1 },
        { term: 2, factor: 0.5 },
      ],
    };
    assert.equal(best([both, hit(80)]), '5-5 1.5');
  });
});

const windows = (hits: readonly Hit[], most = 9, minShare = 0) =>
  bestWindows(hits, weights, 10, most, minShare).map(
    ({ firstLine, lastLine, score }) => `${firstLine}-${lastLine} ${Number(score.toFixed(3))}`,
  );

describe('the best windows', () => {
  const three = [hit(1), hit(50), hit(51, 1), hit(52, 2), hit(100), hit(105, 1)];

  it('come with the best first, and share no line', () => {
    assert.deepEqual(windows(three), ['50-52 3', '100-105 2', '1-1 1']);
    const row = Array.from({ length: 12 }, (_, n) => hit(n + 1, n % 2));
    const found = windows(row);
    assert.equal(found.length, 2);
    assert.match(found[0] ?? '', /^1-10 /);
    assert.match(found[1] ?? '', /^11-12 2$/);
  });

  it('are no more than asked for', () => {
    assert.deepEqual(windows(three, 2), ['50-52 3', '100-105 2']);
    assert.deepEqual(windows(three, 0), []);
  });

  it('are none of those far behind the best', () => {
    assert.deepEqual(windows(three, 9, 0.5), ['50-52 3', '100-105 2']);
    assert.deepEqual(windows(three, 9, 1 / 3), ['50-52 3', '100-105 2', '1-1 1']);
    assert.deepEqual(windows(three, 9, 1), ['50-52 3']);
    assert.deepEqual(windows([], 9, 1), []);
  });
});
