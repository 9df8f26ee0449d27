import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { changedLines, type TextChange } from '../../../../../src/apply/review/model/lineSnapshot';
import { applyEdits } from '../../../../../src/apply/review/model/rebase';
import { splitLines } from '../../../../../src/base/text/textLines';

const change = (
  startLine: number,
  startCharacter: number,
  endLine: number,
  endCharacter: number,
  text: string,
): TextChange => ({
  range: {
    start: { line: startLine, character: startCharacter },
    end: { line: endLine, character: endCharacter },
  },
  text,
});

/** Ranges that do not overlap, from the last to the first, as VS Code reports them. */
const changesOf = (text: string): fc.Arbitrary<{ changes: TextChange[]; after: string }> =>
  fc
    .tuple(
      fc.uniqueArray(fc.nat(text.length), { maxLength: 8 }),
      fc.array(fc.constantFrom('', 'x', '\n', 'a\nb', '\r\n', 'new line\n'), {
        minLength: 4,
        maxLength: 4,
      }),
    )
    .map(([offsets, texts]) => {
      const sorted = offsets.toSorted((a, b) => a - b);
      const place = (offset: number) => {
        const before = text.slice(0, offset).split('\n');
        return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
      };
      const changes: TextChange[] = [];
      let after = text;
      for (let index = sorted.length - 2; index >= 0; index -= 2) {
        const [start = 0, end = 0] = [sorted[index], sorted[index + 1]];
        const inserted = texts[changes.length] ?? '';
        changes.push({ range: { start: place(start), end: place(end) }, text: inserted });
        after = after.slice(0, start) + inserted + after.slice(end);
      }
      return { changes, after };
    });

describe('changedLines', () => {
  it('takes a typed character as a change of one line', () => {
    const result = changedLines(['a', 'b', 'c'], [change(1, 1, 1, 1, 'x')]);
    assert.deepEqual(result, {
      edits: [{ at: 1, count: 1, lines: ['bx'] }],
      lines: ['a', 'bx', 'c'],
    });
  });

  it('takes Enter at the end of a line as an inserted line', () => {
    assert.deepEqual(changedLines(['a', 'b'], [change(0, 1, 0, 1, '\r\n')])?.edits, [
      { at: 1, count: 0, lines: [''] },
    ]);
  });

  it('puts two changes of one line together', () => {
    const result = changedLines(['a b'], [change(0, 2, 0, 3, 'y'), change(0, 0, 0, 1, 'x')]);
    assert.deepEqual(result?.edits, [{ at: 0, count: 1, lines: ['x y'] }]);
  });

  it('takes changes in any order', () => {
    const before = ['a', 'b', 'c', 'd'];
    const changes = [change(3, 0, 3, 1, 'D'), change(1, 0, 1, 1, 'B'), change(0, 0, 0, 1, 'A')];
    for (const order of [changes, changes.toReversed(), [1, 2, 0].flatMap(at => changes[at] ?? [])])
      assert.deepEqual(changedLines(before, order)?.lines, ['A', 'B', 'c', 'D']);
  });

  it('keeps the array when nothing is other than before', () => {
    const before = ['a', 'b'];
    assert.equal(changedLines(before, [change(0, 0, 0, 1, 'a')])?.lines, before);
  });

  it('refuses what does not fit the lines', () => {
    assert.equal(changedLines(['a'], [change(0, 0, 3, 0, '')]), undefined);
    assert.equal(
      changedLines(['abc'], [change(0, 1, 0, 3, ''), change(0, 0, 0, 2, '')]),
      undefined,
    );
  });

  it('gives the lines of the new text for any changes', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'b', 'long line', ''), { minLength: 1, maxLength: 8 })
      .map(lines => lines.join('\n'));
    fc.assert(
      fc.property(
        text.chain(before => changesOf(before).map(rest => ({ before, ...rest }))),
        ({ before, changes, after }) => {
          const lines = before.split('\n');
          const result = changedLines(lines, changes);
          // A lone \r before a kept \n cannot come from VS Code.
          if (/\r(?!\n)/.test(after)) return;
          assert.ok(result);
          assert.deepEqual(result.lines, splitLines(after));
          assert.deepEqual(applyEdits(lines, result.edits), splitLines(after));
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
