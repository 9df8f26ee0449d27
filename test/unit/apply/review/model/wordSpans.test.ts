import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type WordSpan, wordSpans } from '../../../../../src/apply/review/model/wordSpans';

/** Puts the spans of one side in brackets. */
function mark(lines: readonly string[], spans: readonly WordSpan[]): string[] {
  return lines.map((line, row) =>
    spans
      .filter(span => span.row === row)
      .toReversed()
      .reduce(
        (text, { start, end }) =>
          `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`,
        line,
      ),
  );
}

/** Without white space: a shifted indentation is never marked. */
const visible = (text: string) => text.replaceAll(/\s/g, '');

function unmarked(lines: readonly string[], spans: readonly WordSpan[]): string {
  return mark(lines, spans)
    .join('\n')
    .replaceAll(/\[.*?\]/g, '');
}

describe('wordSpans', () => {
  it('marks the words that differ on each side', () => {
    const before = ['const wait = 100;', 'return run(wait);'];
    const after = ['const wait = 250;', 'return await run(wait);'];
    const spans = wordSpans(before, after);
    assert.deepEqual(mark(before, spans.removed), ['const wait = [100];', 'return run(wait);']);
    assert.deepEqual(mark(after, spans.inserted), [
      'const wait = [250];',
      'return [await ]run(wait);',
    ]);
  });

  it('marks nothing when too little is common', () => {
    assert.deepEqual(wordSpans(['alpha beta gamma'], ['one two three']), {
      removed: [],
      inserted: [],
    });
  });

  it('marks nothing when a side is empty or the hunk is long', () => {
    const none = { removed: [], inserted: [] };
    const long = Array.from({ length: 900 }, (_, index) => `word ${index}`);
    assert.deepEqual(wordSpans([], ['a']), none);
    assert.deepEqual(wordSpans(['a'], []), none);
    assert.deepEqual(wordSpans(long, long.with(3, 'other')), none);
  });

  it('leaves the same text unmarked on both sides', () => {
    const lines = fc.array(fc.stringMatching(/^[ab ;(]{0,8}$/), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const { removed, inserted } = wordSpans(before, after);
        if (removed.length + inserted.length === 0) return;
        assert.equal(visible(unmarked(before, removed)), visible(unmarked(after, inserted)));
      }),
      { numRuns: 2_000 },
    );
  });
});
