import assert from 'node:assert/strict';
import {
  badgeOf,
  filesWithOtherCount,
  pendingFiles,
} from '../../../../src/apply/review/pendingFiles';

describe('the badge of a file', () => {
  it('counts all changes that wait in it, in at most two characters', () => {
    assert.deepEqual(
      [
        ...pendingFiles([
          { file: 'a', changes: 2 },
          { file: 'b', changes: 0 },
          { file: 'c', changes: 12 },
          { file: 'a', changes: 1 },
        ]),
      ],
      [
        ['a', 3],
        ['c', 12],
      ],
    );
    assert.deepEqual([1, 9, 10, 400].map(badgeOf), ['1', '9', '9+', '9+']);
  });

  it('is drawn again only where the count is another one', () => {
    const before = new Map([
      ['same', 1],
      ['more', 1],
      ['gone', 2],
    ]);
    const after = new Map([
      ['same', 1],
      ['more', 2],
      ['new', 1],
    ]);
    assert.deepEqual(filesWithOtherCount(before, after), ['more', 'gone', 'new']);
    assert.deepEqual(filesWithOtherCount(after, after), []);
  });
});
