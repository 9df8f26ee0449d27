import assert from 'node:assert/strict';
import { fileChanges } from '../../../../../src/apply/external/core/fileChanges';
import {
  changePlaces,
  nextPlace,
  placeAt,
} from '../../../../../src/apply/external/view/changePlaces';

const withEnds = (text: string): string[] => text.split(/(?<=\n)/);
const baseline = withEnds('a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n');
const now = withEnds('a\nB\nc\nd\ne\ng\nh\ni\nnew\nj\n');
const changes = fileChanges('file.txt', baseline, now);
const lines = (text: string): string[] => text.split('\n');

const placesIn = (text: string) =>
  changePlaces(changes, now, lines(text)).map(({ line, count, isTouched }) => [
    line,
    count,
    isTouched,
  ]);

describe('changePlaces', () => {
  it('are those on disk while the document is the same', () => {
    assert.deepEqual(placesIn(now.join('')), [
      [1, 1, false],
      [5, 0, false],
      [8, 1, false],
    ]);
  });

  it('are the same for a file with CRLF and a byte order mark', () => {
    const marked = now.map(
      (line, index) => (index === 0 ? '\ufeff' : '') + line.replace('\n', '\r\n'),
    );
    assert.deepEqual(
      changePlaces(changes, marked, lines(now.join(''))).map(({ line }) => line),
      [1, 5, 8],
    );
  });

  it('move with lines that are typed above them', () => {
    assert.deepEqual(placesIn(`x\ny\n${now.join('')}`), [
      [3, 1, false],
      [7, 0, false],
      [10, 1, false],
    ]);
  });

  it('say which of them the user is typing in', () => {
    assert.deepEqual(placesIn(now.join('').replace('B', 'B2\nB3')), [
      [1, 2, true],
      [6, 0, false],
      [9, 1, false],
    ]);
  });

  it('are not touched by what is typed in the lines around them', () => {
    for (const [line, typed] of [
      ['a\n', 'a typed\n'],
      ['c\n', 'c typed\n'],
      ['e\n', 'e typed\n'],
      ['j\n', 'j typed\n'],
    ] as const) {
      const touched = placesIn(now.join('').replace(line, typed)).map(([, , is]) => is);
      assert.deepEqual(touched, [false, false, false], typed);
    }
  });

  it('stay within the document when everything below is gone', () => {
    for (const [line] of placesIn('a')) assert.equal(line, 0);
  });
});

describe('the place at a line', () => {
  const places = changePlaces(changes, now, lines(now.join('')));

  it('covers the lines of the change; a removal has the line below it', () => {
    assert.deepEqual(
      [0, 1, 2, 5, 6, 8].map(line => placeAt(places, line)?.line),
      [undefined, 1, undefined, 5, undefined, 8],
    );
  });

  it('is followed by the next and the previous one', () => {
    assert.equal(nextPlace(places, 0, 1)?.line, 1);
    assert.equal(nextPlace(places, 1, 1)?.line, 5);
    assert.equal(nextPlace(places, 9, 1), undefined);
    assert.equal(nextPlace(places, 8, -1)?.line, 5);
    assert.equal(nextPlace(places, 1, -1), undefined);
  });
});
