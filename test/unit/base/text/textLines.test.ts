import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { endsLine, readText, splitLines, writeText } from '../../../../src/base/text/textLines';
import { LinePattern } from '../../../../src/merge/similarity';

describe('the lines of a text', () => {
  it('end as an editor has it', () => {
    assert.deepEqual(splitLines('a\r\nb\nc\rd'), ['a', 'b', 'c', 'd']);
    assert.deepEqual(splitLines('a\n'), ['a', '']);
    assert.deepEqual(splitLines(''), ['']);
    assert.deepEqual(['a\n', 'a\r', 'a', ''].map(endsLine), [true, true, false, false]);
  });

  it('have the line end that most of them have', () => {
    for (const [text, eol] of [
      ['a', '\n'],
      ['a\nb', '\n'],
      ['a\r\nb', '\r\n'],
      ['a\rb', '\r'],
      ['a\r\nb\r\nc\n', '\r\n'],
      ['a\r\nb\nc\n', '\n'],
      ['a\r\nb\n', '\n'],
      ['a\r\nb\r', '\r\n'],
      ['a\rb\n', '\n'],
      ['a\rb\rc\n', '\r'],
      ['a\rb\rc\r\n', '\r'],
    ] as const)
      assert.equal(readText(text).eol, eol, JSON.stringify(text));
  });

  it('give the text back, with its byte order mark', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '', ' b', '\t')),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        (lines, eol, bom) => {
          const text = (bom ? '\ufeff' : '') + lines.join(eol);
          const read = readText(text);
          assert.equal(read.bom, bom);
          assert.equal(writeText(read), text);
        },
      ),
    ));
});

/** The longest common subsequence, as a table. */
function common(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, () =>
    Array.from({ length: b.length + 1 }, () => 0),
  );
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      rows[i]![j] =
        a[i - 1] === b[j - 1]
          ? rows[i - 1]![j - 1]! + 1
          : Math.max(rows[i - 1]![j]!, rows[i]![j - 1]!);
  return rows[a.length]![b.length]!;
}

describe('the likeness of two lines', () => {
  it('is the share of what they have in common, or nothing', () => {
    const line = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', ' ', '(', ')', 'x'),
      minLength: 1,
      maxLength: 75,
    });
    fc.assert(
      fc.property(line, line, (a, b) => {
        const ratio = (2 * common(a, b)) / (a.length + b.length);
        const told = new LinePattern(a).ratio(b);
        assert.ok(Math.abs(told - (ratio >= 0.6 ? ratio : 0)) < 1e-9, `${told} ${ratio}`);
      }),
      { numRuns: 200 },
    );
  });

  it('is 1 for the same line, and needs lengths that allow it', () => {
    const pattern = new LinePattern('return items.length;');
    assert.equal(pattern.ratio('return items.length;'), 1);
    assert.ok(pattern.ratio('return item.length;') > 0.9);
    assert.equal(pattern.ratio('xyz'), 0);
    assert.deepEqual([pattern.minLength, pattern.maxLength], [9, 46]);
    assert.equal(new LinePattern('x'.repeat(1000)).maxLength, 600);
  });
});
