import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applyChanges, diffLines } from '../../../../src/merge/diff/lineDiff';
import { cpuMs } from '../../../support/unit/cpuTime';

const fewLines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', '  a', '}'), { maxLength: 20 });

function patched(before: readonly string[], after: readonly string[]): string[] {
  const changes = diffLines(before, after).map(({ oldStart, oldCount, newStart, newCount }) => ({
    start: oldStart,
    count: oldCount,
    lines: after.slice(newStart, newStart + newCount),
  }));
  return applyChanges(before, changes);
}

function draw(before: string, after: string): string {
  const oldLines = before.split('\n');
  const newLines = after.split('\n');
  const rows: string[] = [];
  let position = 0;
  for (const change of diffLines(oldLines, newLines)) {
    rows.push(...oldLines.slice(position, change.oldStart).map(line => ` ${line}`));
    position = change.oldStart + change.oldCount;
    rows.push(...oldLines.slice(change.oldStart, position).map(line => `-${line}`));
    const newEnd = change.newStart + change.newCount;
    rows.push(...newLines.slice(change.newStart, newEnd).map(line => `+${line}`));
  }
  return [...rows, ...oldLines.slice(position).map(line => ` ${line}`)].join('\n');
}

const insert = (start: number, ...lines: string[]) => ({ start, count: 0, lines });

describe('diffLines', () => {
  it('gives changes that turn one text into the other', () => {
    fc.assert(
      fc.property(fewLines, fewLines, (before, after) => {
        assert.deepEqual(patched(before, after), after);
      }),
      { numRuns: 20_000 },
    );
  });

  it('leaves an equal line between two changes, and has no empty change', () => {
    fc.assert(
      fc.property(fewLines, fewLines, (before, after) => {
        const changes = diffLines(before, after);
        changes.forEach((change, index) => {
          assert(change.oldCount + change.newCount > 0);
          const next = changes[index + 1];
          if (!next) return;
          const gap = next.oldStart - change.oldStart - change.oldCount;
          assert(gap > 0);
          assert.equal(next.newStart - change.newStart - change.newCount, gap);
        });
      }),
      { numRuns: 20_000 },
    );
  });

  it('are applied in any order, and insertions at one place in theirs', () => {
    const changes = [insert(1, 'x'), { start: 2, count: 1, lines: ['C'] }, insert(1, 'y', 'z')];
    const wanted = ['a', 'x', 'y', 'z', 'b', 'C'];
    assert.deepEqual(applyChanges(['a', 'b', 'c'], changes), wanted);
    const [first, second, third] = changes;
    assert.ok(first && second && third);
    assert.deepEqual(applyChanges(['a', 'b', 'c'], [second, first, third]), wanted);
    // What is inserted at the start of a replaced line goes before it.
    const replaced = { start: 1, count: 1, lines: ['B'] };
    assert.deepEqual(applyChanges(['a', 'b'], [replaced, insert(1, 'x')]), ['a', 'x', 'B']);
  });

  it('finds nothing in equal texts', () => {
    assert.deepEqual(diffLines(['a', 'b'], ['a', 'b']), []);
    assert.deepEqual(diffLines([], []), []);
  });

  it('keeps a new function in one piece', () => {
    const before = 'function a() {\n  one();\n}\n\nfunction c() {\n  three();\n}\n';
    const after =
      'function a() {\n  one();\n}\n\nfunction b() {\n  two();\n}\n\nfunction c() {\n  three();\n}\n';
    assert.equal(
      draw(before, after),
      [
        ' function a() {',
        '   one();',
        ' }',
        ' ',
        '+function b() {',
        '+  two();',
        '+}',
        '+',
        ' function c() {',
        '   three();',
        ' }',
        ' ',
      ].join('\n'),
    );
  });

  it('keeps a removed method with its own brace', () => {
    const before = 'class A {\n  a() {\n    x();\n  }\n\n  b() {\n    x();\n  }\n}';
    const after = 'class A {\n  a() {\n    x();\n  }\n}';
    assert.equal(
      draw(before, after),
      [
        ' class A {',
        '   a() {',
        '     x();',
        '   }',
        '-',
        '-  b() {',
        '-    x();',
        '-  }',
        ' }',
      ].join('\n'),
    );
  });

  const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index}`);
  const hard: Record<string, [string[], string[]]> = {
    'every line differs': [lines, lines.map(line => `${line}!`)],
    'the order is reversed': [lines, lines.toReversed()],
    'all lines are equal': [Array<string>(10_000).fill('}'), Array<string>(9_000).fill('}')],
    'lines are of 20 kinds': [
      lines.map((_, index) => `k${index % 20}`),
      lines.map((_, index) => `k${(index * 7 + (index >> 3)) % 20}`),
    ],
  };
  for (const [name, [before, after]] of Object.entries(hard)) {
    it(`is fast and right for 10,000 lines when ${name}`, () => {
      const ms = cpuMs(() => diffLines(before, after), 3);
      assert(ms < 50, `${ms} ms`);
      assert.deepEqual(patched(before, after), after);
    });
  }
});
