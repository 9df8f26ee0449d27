import assert from 'node:assert/strict';
import { written } from '../../../../src/base/sentence';
import { AnchorFinder } from '../../../../src/merge/patch/anchors';
import { applyUnifiedDiff } from '../../../../src/merge/patch/mergePatch';

const file = `class First(Base):
    def run(self):
        start()
        stop()

    def end(self, code=0):
        stop()


class Second(Base):
    def run(self):
        start()
        stop()
`;
const rows = (...anchors: string[]): number[] | undefined =>
  new AnchorFinder(file.split('\n')).find(anchors)?.spans.map(({ row }) => row);
const isSure = (...anchors: string[]): boolean | undefined =>
  new AnchorFinder(file.split('\n')).find(anchors)?.isSure;

describe('the anchors of a hunk', () => {
  it('are lines, one in the block of the other', () => {
    assert.deepEqual(rows('class Second(Base):', 'def run(self):'), [10]);
    assert.deepEqual(rows('def run(self):'), [1, 10]);
    assert.equal(isSure('class Second(Base):', 'def run(self):'), true);
    // Not in its block, but behind it.
    assert.deepEqual(rows('class First(Base):', 'class Second(Base):'), [9]);
    assert.equal(isSure('class First(Base):', 'class Second(Base):'), false);
  });

  it('may differ from their lines at the end', () => {
    for (const anchor of [
      'class Second',
      'class Second(Base)',
      'class  Second(Base) {',
      'class Second:',
      // Cut off within a word.
      'class Second(Ba',
    ]) {
      assert.deepEqual(rows(anchor), [9], anchor);
      assert.equal(isSure(anchor), true, anchor);
    }
    for (const anchor of ['class Second(Other):', 'Second']) {
      assert.deepEqual(rows(anchor), [9], anchor);
      assert.equal(isSure(anchor), false, anchor);
    }
    assert.deepEqual(rows('def end(self, other)'), [5]);
  });

  it('are not met by other lines', () => {
    for (const anchor of ['class Sec(Base):', 'class Third', 'Base', 'self']) {
      assert.equal(rows(anchor), undefined, anchor);
    }
    assert.equal(rows('class Second(Base):', 'class First(Base):'), undefined);
    assert.equal(new AnchorFinder(['sum = compute(total)']).find(['compute']), undefined);
    assert.equal(rows('class Second(Base):', 'class Second(Base):'), undefined);
  });

  it('cost no more than their number when none is met', () => {
    const finder = new AnchorFinder(Array.from({ length: 20_000 }, (_, at) => `line(${at})`));
    for (let at = 0; at < 20_000; at++) assert.equal(finder.find([`other ${at}`]), undefined);
  });
});

const applied = (diff: string): string => {
  const result = applyUnifiedDiff(file, diff);
  if (result.kind === 'refused') return `refused: ${written(result.reason)}`;
  return `${result.certain ? '' : 'perhaps: '}${result.text}`;
};
const second = file.replace(/start\(\)(?![^]*start)/, 'go()');
const change = '-        start()\n+        go()';

describe('a hunk under anchors', () => {
  for (const [name, header] of [
    ['on lines of their own', '@@ class Second(Base):\n@@ def run(self):'],
    ['with closing signs', '@@ class Second(Base): @@\n@@ def run(self): @@'],
    ['on one line', '@@ class Second @@ def run'],
    ['as unchanged lines', '@@\n class Second(Base):\n@@'],
    ['above numbers that a model made up', '@@ class Second(Base):\n@@ lines 3-4 @@'],
  ] as const)
    it(`goes where these are ${name}`, () => assert.equal(applied(`${header}\n${change}`), second));

  it('is never certain where one is not met', () => {
    const stop = '-    def end(self, code=0):\n+    def end(self):';
    const wanted = file.replace(', code=0', '');
    assert.equal(applied(`@@ class First(Base):\n${stop}`), wanted);
    assert.equal(applied(`@@ class Third:\n${stop}`), `perhaps: ${wanted}`);
    assert.equal(applied(`@@ class Second(Base):\n${stop}`), `perhaps: ${wanted}`);
    assert.match(applied(`@@ class Third:\n${change}`), /^refused: The change fits at 2 places/);
  });
});
