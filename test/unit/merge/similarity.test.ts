import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LinePattern, minSimilarity } from '../../../src/merge/similarity';

/** The length of the longest common subsequence, the plain way. */
function common(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const sign of a) {
    const next = [0];
    for (let at = 0; at < b.length; at++)
      next.push(b[at] === sign ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

const line = fc
  .array(fc.constantFrom('a', 'b', ' ', 'item', 'total(', ');', '0123456789'), { maxLength: 12 })
  .map(parts => parts.join(''));

describe('the likeness of two lines', () => {
  it('is the share of characters that they have in common, in order', () =>
    fc.assert(
      fc.property(line, line, (a, b) => {
        fc.pre(a !== '' || b !== '');
        const ratio = (2 * common(a, b)) / (a.length + b.length);
        assert.equal(new LinePattern(a).ratio(b), ratio >= minSimilarity ? ratio : 0);
      }),
      { numRuns: 300 },
    ));

  it('is the same for a pattern that is used again', () => {
    const pattern = new LinePattern('const total = items.length;');
    const first = pattern.ratio('const total = items.size;');
    pattern.ratio('x'.repeat(40));
    assert.equal(pattern.ratio('const total = items.size;'), first);
    assert.equal(pattern.ratio('const total = items.length;'), 1);
  });

  it('cannot be reached by lines that are much shorter or longer', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 150 }),
        (own, other) => {
          const pattern = new LinePattern('a'.repeat(own));
          const isNear = other >= pattern.minLength && other <= pattern.maxLength;
          assert.equal(pattern.ratio('a'.repeat(other)) > 0, isNear, `${own} ${other}`);
        },
      ),
      { numRuns: 300 },
    ));
});
