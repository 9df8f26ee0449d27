import assert from 'node:assert/strict';
import {
  type Hunk,
  insertHunks,
  rebaseHunks,
  revertedHunks,
  undoneHunks,
} from '../../../../../src/apply/review/model/rebase';

const linesOf = (lines = '') => lines.split(',').filter(line => line !== '');

/** `at-removed+inserted`, for example `3-b,c+X`. */
function hunk(id: number, text: string): Hunk {
  const [, at, removed, inserted] = /^(\d+)-([^+]*)\+(.*)$/.exec(text) ?? [];
  return {
    id,
    at: Number(at),
    removed: linesOf(removed),
    inserted: linesOf(inserted),
    conflict: false,
  };
}
const hunks = (...texts: string[]) => texts.map((text, index) => hunk(index + 1, text));
const draw = (list: readonly Hunk[]) =>
  list.map(
    ({ id, at, removed, inserted, conflict }) =>
      `#${id} ${at}-${removed.join()}+${inserted.join()}${conflict ? ' conflict' : ''}`,
  );
const edit = (text: string) => {
  const { at, removed, inserted } = hunk(0, text);
  return { at, count: removed.length, lines: inserted };
};
const before = 'a b c d e f g h'.split(' ');

describe('insertHunks', () => {
  for (const { what, more, all } of [
    { what: 'adds a hunk between others', more: '3-d+D', all: ['2', 'new', '5'] },
    { what: 'leaves out one whose lines are taken', more: '1-b,c+B', all: ['2', '5'] },
    { what: 'leaves out one that inserts within taken lines', more: '6-+F', all: ['2', '5'] },
    { what: 'puts an insertion above the lines that follow', more: '2-+B', all: ['new', '2', '5'] },
    { what: 'puts an insertion below the lines before', more: '3-+C', all: ['2', 'new', '5'] },
  ])
    it(what, () => {
      const there = [hunk(2, '2-c+C'), hunk(5, '5-f,g+F')];
      const result = insertHunks(there, [hunk(9, more)]);
      const ids = result.all.map(({ id }) => (id === 9 ? 'new' : String(id)));
      assert.deepEqual(ids, all);
      assert.equal(result.added.length, all.length - 2);
    });

  it('leaves out one that is there already, and orders insertions at one place by age', () => {
    const result = insertHunks(
      [hunk(2, '2-+x')],
      [hunk(2, '5-+x'), hunk(3, '2-+z'), hunk(1, '2-+y')],
    );
    assert.deepEqual(draw(result.all), ['#1 2-+y', '#2 2-+x', '#3 2-+z']);
  });
});

describe('undoneHunks', () => {
  it('places each hunk in the lines after all of them were undone', () => {
    const inverses = hunks('1-X,Y+b', '4-+d', '6-Z+');
    assert.deepEqual(draw(undoneHunks(inverses)), ['#1 1-b+X,Y', '#2 3-d+', '#3 6-+Z']);
  });
});

describe('revertedHunks', () => {
  for (const { what, inverses, edits, after } of [
    {
      what: 'an inserted line went with its neighbours',
      inverses: ['3-X+'],
      edits: ['2-c,X,d+m,n,o'],
      after: ['#1 3-+X'],
    },
    {
      what: 'an inserted line went with all below it',
      inverses: ['5-X+'],
      edits: ['1-b,c,d,e,X,f+m'],
      after: ['#1 2-+X'],
    },
    {
      what: 'a replaced line is back among others',
      inverses: ['3-X+d'],
      edits: ['0-+new', '2-c,X+m,d,n'],
      after: ['#1 4-d+X'],
    },
    {
      what: 'two are back, and one between them is not',
      inverses: ['1-X+b', '3-Y+d', '5-Z+f'],
      edits: ['1-X+b', '2-c+1,2', '5-Z+f'],
      after: ['#1 1-b+X', '#3 6-f+Z'],
    },
    {
      what: 'one edit takes two back',
      inverses: ['1-X+b', '3-Y+d'],
      edits: ['1-X,c,Y+b,c,d'],
      after: ['#1 1-b+X', '#2 3-d+Y'],
    },
    {
      what: 'an insertion brings removed lines back where they were, not elsewhere',
      inverses: ['2-+b', '4-+d'],
      edits: ['2-+b', '5-+d'],
      after: ['#1 2-b+'],
    },
    {
      what: 'the accepted lines are still there, or replaced by others',
      inverses: ['1-X+b', '3-Y+d'],
      edits: ['1-X+X,b', '3-Y+mine'],
      after: [],
    },
  ])
    it(`finds what edits took back: ${what}`, () => {
      assert.deepEqual(draw(revertedHunks(hunks(...inverses), edits.map(edit))), after);
    });
});

describe('rebaseHunks', () => {
  for (const { what, pending, edits, after, lost = true, merged = [] } of [
    {
      what: 'moves hunks by the edits above them',
      pending: ['1-b+B', '5-f+F'],
      edits: ['0-+new', '2-c,d+C'],
      after: ['#1 2-b+B', '#2 5-f+F'],
      lost: false,
    },
    {
      what: 'leaves a hunk between edits that touch it',
      pending: ['2-c+C'],
      edits: ['1-b+1', '3-d+2'],
      after: ['#1 2-c+C'],
      lost: false,
    },
    {
      what: 'drops a hunk that the edit made itself',
      pending: ['1-b+B', '3-d+D'],
      edits: ['1-b+B'],
      after: ['#2 3-d+D'],
    },
    {
      what: 'drops an insertion that the edit made itself, and moves the rest',
      pending: ['1-+B', '3-d+D'],
      edits: ['1-+B'],
      after: ['#2 4-d+D'],
    },
    {
      what: 'keeps an insertion below other inserted lines',
      pending: ['1-+B'],
      edits: ['1-+mine'],
      after: ['#1 2-+B'],
      lost: false,
    },
    {
      what: 'makes a conflict of an edit of the same lines',
      pending: ['1-b+B', '3-d+D'],
      edits: ['1-b+mine,too'],
      after: ['#1 1-mine,too+B conflict', '#2 4-d+D'],
      merged: [[1, [1]]],
    },
    {
      what: 'makes one conflict of all hunks and edits that hang together',
      pending: ['1-b,c+B', '3-d,e+D', '6-g+G'],
      edits: ['2-c,d+x', '4-e+y'],
      after: ['#1 1-b,x,y+B,D conflict', '#3 5-g+G'],
      merged: [[1, [1, 2]]],
    },
    {
      what: 'makes a conflict of an edit around an insertion',
      pending: ['2-+C', '5-f+F'],
      edits: ['1-b,c+mine'],
      after: ['#1 1-mine+b,C,c conflict', '#2 4-f+F'],
      merged: [[1, [1]]],
    },
  ])
    it(what, () => {
      const result = rebaseHunks(hunks(...pending), edits.map(edit), before);
      assert.deepEqual(draw(result.hunks), after);
      assert.equal(result.lost, lost);
      assert.deepEqual([...result.merged], merged);
    });

  it('puts nothing into a file that was empty, and has another text now', () => {
    const proposed = { ...hunk(1, '0-+A,B'), removed: [''] };
    for (const ours of [proposed, hunk(1, '0-+A,B')]) {
      for (const theirs of [edit('0-+x,y'), { at: 0, count: 1, lines: ['x', 'y', ''] }]) {
        const [only, ...others] = rebaseHunks([ours], [theirs], ['']).hunks;
        assert.deepEqual(
          [only?.conflict, only?.removed.slice(0, 2), others],
          [true, ['x', 'y'], []],
        );
      }
    }
    const same = { at: 0, count: 1, lines: ['A', 'B'] };
    assert.deepEqual(rebaseHunks([proposed], [same], ['']).hunks, []);
  });

  it('loses nothing by another edit of a conflict', () => {
    const conflict = { ...hunk(1, '1-b+B'), conflict: true };
    const result = rebaseHunks([conflict], [edit('1-b+mine')], before);
    assert.equal(result.lost, false);
    assert.deepEqual(draw(result.hunks), ['#1 1-mine+B conflict']);
  });
});
