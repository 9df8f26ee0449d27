import assert from 'node:assert/strict';
import type { GapValue } from '../../../../../src/merge/place/chainPlaces';
import { isRepeatedLine, placeOfLine } from '../../../../../src/merge/place/edges/lineAlone';
import { indexOf, sectionOf } from '../places';

const nothing: GapValue = () => 0;

/** The line at which `  }` is placed between two positions, and whether nothing else comes near. */
function placed(
  text: string,
  { from = 0, to = 99, above = nothing, below = nothing } = {},
): unknown {
  const file = indexOf(text);
  const found = placeOfLine(sectionOf('  }', file), file, { from, to, above, below });
  return found && [found.place.start, found.place.end, found.lead > 0.88];
}

describe('a line alone that is in the file several times', () => {
  it('is none that is in the file once, or more than a line', () => {
    const file = indexOf('a\n}\nb\n}\n');
    assert.equal(isRepeatedLine(sectionOf('}', file), file), true);
    assert.equal(isRepeatedLine(sectionOf('a', file), file), false);
    assert.equal(isRepeatedLine(sectionOf('a\n}', file), file), false);
    assert.equal(isRepeatedLine(sectionOf('new', file), file), false);
  });

  it('is the first one between its neighbors that is indented like it', () => {
    const text = 'a\n  }\nb\n}\n  }\n  }\n';
    assert.deepEqual(placed(text), [1, 2, true]);
    assert.deepEqual(placed(text, { from: 2 }), [4, 5, true]);
    assert.deepEqual(placed(text, { from: 2, to: 4 }), undefined);
    assert.deepEqual(placed(text, { from: 2, to: 5 }), [4, 5, true]);
  });

  it('is where the gaps on both sides are worth most', () => {
    const text = 'a\n  }\nb\n  }\n';
    assert.deepEqual(
      placed(text, { above: start => (start === 0 ? 0 : 9), below: start => start }),
      [3, 4, true],
    );
    assert.deepEqual(placed(text, { above: (_, end) => -end }), [1, 2, true]);
  });

  it('is unsure where one that is indented otherwise is worth nearly as much', () => {
    const text = 'a\n}\nb\n  }\n';
    assert.deepEqual(placed(text), [3, 4, true]);
    assert.deepEqual(placed(text, { above: (_, end) => (end === 1 ? 2 : 0) }), [3, 4, false]);
  });
});
