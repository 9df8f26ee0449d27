import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { minFoundChars, TextFinder } from '../../../../src/base/text/textFinder';

const piece = fc.constantFrom('a', 'b', 'aaaaaaaa', '2026-03-', ' ', '\u{1f600}', 'é');
const anyText = fc.array(piece, { maxLength: 30 }).map(all => all.join(''));
const anyLong = anyText.map(text => text.padEnd(minFoundChars, 'ab'));

describe('TextFinder', () => {
  it('finds what includes finds, in order', () =>
    fc.assert(
      fc.property(fc.array(anyLong, { maxLength: 8 }), fc.array(anyText), (texts, others) => {
        const finder = new TextFinder(texts);
        for (const text of [...others, ...texts, [...others, ...texts].join('')]) {
          const expected = [...texts.keys()].filter(at => text.includes(texts[at] ?? ''));
          assert.deepEqual(finder.foundIn(text), expected);
        }
      }),
    ));

  it('finds thousands of texts that begin alike in one pass', () => {
    const texts = Array.from({ length: 20_000 }, (_, at) => `2026-03-02 INFO took ${at} ms`);
    const started = performance.now();
    const finder = new TextFinder(texts);
    const others = Array.from({ length: 20_000 }, (_, at) => `2026-03-02 INFO took ${-at} m`);
    assert.deepEqual(finder.foundIn(others.join('\n')), []);
    assert.equal(finder.foundIn(texts.join('\n')).length, texts.length);
    // `includes` for each of them takes a minute.
    assert.ok(performance.now() - started < 10_000);
  });
});
