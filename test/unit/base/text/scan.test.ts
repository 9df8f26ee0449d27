import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { append } from '../../../../src/base/arrays';
import { english, sentence, translated, verbatim, written } from '../../../../src/base/sentence';
import {
  runLength,
  taggedParts,
  trimEndOf,
  trimStartOf,
  whiteSpace,
} from '../../../../src/base/text/scan';

const anyText = fc
  .array(fc.constantFrom(' ', '\t', '\n', '\u00a0', '\ufeff', 'a', 'b', '='), { maxLength: 12 })
  .map(all => all.join(''));

describe('trimming', () => {
  it('is what trim does, for white space', () =>
    fc.assert(
      fc.property(anyText, text => {
        assert.equal(trimEndOf(text, whiteSpace), text.trimEnd());
        assert.equal(trimStartOf(text, whiteSpace), text.trimStart());
      }),
    ));

  it('takes the given characters only', () => {
    assert.equal(trimEndOf('==a=b==', '='), '==a=b');
    assert.equal(trimStartOf('==a=b==', '='), 'a=b==');
    assert.equal(trimEndOf('===', '='), '');
    assert.equal(trimStartOf('===', '='), '');
    assert.equal(trimEndOf('a;, )', ';,)'), 'a;, ');
    assert.equal(trimEndOf('', '='), '');
  });
});

describe('runLength', () => {
  it('counts a character from a place on', () => {
    assert.equal(runLength('a```b', 1), 3);
    assert.equal(runLength('a```b', 2), 2);
    assert.equal(runLength('a```', 1), 3);
    assert.equal(runLength('abc', 0), 1);
    assert.equal(runLength('abc', 3), 0);
  });
});

const parts = (text: string, options = {}): string[] =>
  taggedParts(text, /<(\w+)>/g, /<\/\w+>/g, options).map(
    ({ opening, body }) => `${opening[1]}: ${body}`,
  );

describe('taggedParts', () => {
  it('are what stands between tags, in their order', () => {
    assert.deepEqual(parts('x <a>one</a> y <b>two</b>'), ['a: one', 'b: two']);
    assert.deepEqual(parts('<a></a>'), ['a: ']);
    assert.deepEqual(parts('</a> none'), []);
  });

  it('take a tag within for text', () => {
    assert.deepEqual(parts('<a>one <b> two</a> <c>three</c>'), ['a: one <b> two', 'c: three']);
  });

  it('leave out what is not closed, or end it with the text', () => {
    assert.deepEqual(parts('<a>one</a> <b>two'), ['a: one']);
    assert.deepEqual(parts('<a>one</a> <b>two <c>', { endsAtEnd: true }), ['a: one', 'b: two <c>']);
  });

  it('go on to the next closing tag where a body may not end', () => {
    const text = '<a>one</x> two</a> <b>three</b>';
    const mayEnd = (_: number, end: number): boolean => text.startsWith('</a>', end) || end > 20;
    assert.deepEqual(parts(text, { mayEnd }), ['a: one</x> two', 'b: three']);
  });

  it('are the same the second time', () => {
    const [opening, closing] = [/<a>/g, /<\/a>/g];
    const text = '<a>one</a>';
    assert.deepEqual(
      taggedParts(text, opening, closing).map(({ body }) => body),
      taggedParts(text, opening, closing).map(({ body }) => body),
    );
    for (const open of ['x <a>open', '<a>open'])
      assert.equal(taggedParts(open, opening, closing, { endsAtEnd: true }).length, 1);
  });
});

const german = (text: string): string => (text === 'yes' ? 'ja' : text);

describe('sentences', () => {
  it('put what changes into its place, sentences too', () => {
    const words = sentence('{0} of {1}: {0}', 3, sentence('{0} files', 5));
    assert.equal(written(words), '3 of 5 files: 3');
    assert.equal(written(verbatim('a {1} b')), 'a {1} b');
    assert.equal(english('{0}{1}', 'x'), 'x');
    assert.equal(translated(sentence('yes'), german), 'ja');
  });
});

describe('append', () => {
  it('adds all items at the end, however many there are', () => {
    const list = [1];
    append(
      list,
      Array.from({ length: 300_000 }, (_, at) => at + 2),
    );
    assert.equal(list.length, 300_001);
    assert.deepEqual([list[0], list[1], list.at(-1)], [1, 2, 300_001]);
  });
});
