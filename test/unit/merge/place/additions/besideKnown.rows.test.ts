import assert from 'node:assert/strict';
import { besideKnown } from '../../../../../src/merge/place/additions/besideKnown';
import type { BlockPlace } from '../../../../../src/merge/place/aligner';
import { indexOf, sectionOf } from '../places';

const original = `class Cart {
  // Opens it.
  open(first) {
    check(first);
    start();
  }

  close(last) {
    check(last);
    stop();
  }
}
`;
const file = indexOf(original);
const place = (start: number, end: number): BlockPlace => ({
  start,
  end,
  score: 1,
  head: 'exact',
  tail: 'exact',
});
const add = '  add(item) {\n    check(item);\n    push();\n  }\n';
const open = '  open(first) {\n    check(first);\n    start();\n  }\n';
const close = '  close(last) {\n    check(last);\n    stop();\n  }\n';

const beside = (
  section: string,
  [start, end]: readonly [number, number],
  markers: Parameters<typeof sectionOf>[2] = { above: 2, below: 2 },
) => {
  const found = besideKnown(sectionOf(section, file, markers), place(start, end), file);
  return found && `${found.start}-${found.end} ${found.head} ${found.tail}`;
};

/** Where the new entry starts if other classes have the known one, too. */
const startWith = (others: number): number | undefined => {
  const many = indexOf(original + `class Other {\n${close}}\n`.repeat(others));
  const block = sectionOf(`${add}${close}`, many, { above: 2, below: 2 });
  return besideKnown(block, place(2, 10), many)?.start;
};

describe('a new entry beside one that is known', () => {
  it('takes nothing away above it', () => {
    assert.equal(beside(`${add}${close}`, [2, 10]), '6-10 new exact');
    assert.equal(beside(`${add}${close}`, [2, 10], { below: 2 }), undefined, 'at the top');
    assert.equal(beside(`${add}${close}`, [6, 10]), undefined, 'nothing to take');
  });

  it('takes nothing away below it', () => {
    assert.equal(beside(`${open}${add}`, [2, 10]), '2-6 exact new');
    assert.equal(beside(`${open}${add}`, [2, 10], { above: 2 }), undefined, 'at the end');
    assert.equal(beside(`${open}${add}`, [2, 6]), undefined, 'nothing to take');
    assert.equal(beside('  open(first) {\n    other();\n  }\n' + add, [2, 10]), '2-6 exact new');
  });

  it('may be beside one that another class has, too', () => {
    assert.deepEqual([startWith(1), startWith(19)], [6, 6]);
    assert.equal(startWith(20), undefined, 'a line of all classes');
  });

  it('may have a single line', () => {
    assert.equal(beside(`  fn add() {}\n${close}`, [2, 10]), '6-10 new exact');
    assert.equal(beside(`${open}  fn add() {}\n`, [2, 10]), '2-6 exact new');
  });

  it('is not told apart where the known one is shown without its end', () => {
    assert.equal(beside(`  open(first) {\n}\n${add}`, [2, 10]), undefined);
    assert.equal(beside('  open(first) {\n    check(first);\n', [2, 10]), undefined);
  });

  it('is right below the header of its class', () => {
    assert.equal(beside(`class Cart {\n${add}`, [0, 6], { above: 0, below: 2 }), '0-1 exact new');
    assert.equal(beside(`class Shop {\n${add}`, [0, 6], { above: 0, below: 2 }), undefined);
  });

  it('is none that the file has, or that is no declaration', () => {
    assert.equal(beside(`${open}${close}`, [2, 10]), undefined);
    assert.equal(beside(`${open}  run();\n`, [2, 10]), undefined);
  });
});
