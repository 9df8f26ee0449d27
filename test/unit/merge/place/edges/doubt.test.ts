import assert from 'node:assert/strict';
import type { BlockPlace } from '../../../../../src/merge/place/aligner';
import { doubtOf, looseEdges } from '../../../../../src/merge/place/edges/doubt';
import type { EdgeFit } from '../../../../../src/merge/place/edges/edges';
import { indexOf, sectionOf } from '../places';

const place = (
  start: number,
  end: number,
  head: EdgeFit = 'exact',
  tail: EdgeFit = 'exact',
): BlockPlace => ({
  start,
  end,
  score: 0,
  head,
  tail,
});

describe('how far the edges of a place tie it', () => {
  const file = indexOf('a\n}\n');
  const [one, two] = [sectionOf('}', file), sectionOf('}\n}', file)];

  it('is less with each edge that is no line of the file', () => {
    assert.deepEqual(
      (['exact', 'common', 'similar', 'new'] as const).map(fit => looseEdges(place(0, 1, fit))),
      [0, 0, 1, 1],
    );
    assert.equal(looseEdges(place(0, 1, 'new', 'similar')), 2);
    assert.equal(doubtOf(place(0, 1), two), 0);
    assert.equal(doubtOf(place(0, 1, 'new'), two), 0.8);
    assert.equal(doubtOf(place(0, 1, 'new', 'similar'), two), 1.6);
  });

  it('is less for two lines that are everywhere', () => {
    assert.equal(doubtOf(place(0, 1, 'common', 'common'), two), 0.6);
    assert.equal(doubtOf(place(0, 1, 'common', 'common'), one), 0);
    assert.equal(doubtOf(place(0, 1, 'common', 'common'), undefined), 0);
    assert.equal(doubtOf(place(0, 1, 'common'), two), 0);
  });
});
