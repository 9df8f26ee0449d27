import assert from 'node:assert/strict';
import { readSnippet, type Section } from '../../../../src/merge/snippet/sections';

const unknown: ReadonlySet<string> = new Set();

function textOf({ lines }: Section): string[] {
  return lines.map(line => line.text);
}

describe('readSnippet', () => {
  it('cuts the snippet at its markers', () => {
    const { sections, markers } = readSnippet('a\n  // ...\n  b\n// ...\n', unknown);
    assert.deepEqual(sections.map(textOf), [['a'], ['  b']]);
    assert.equal(markers, 2);
    assert.deepEqual(
      sections.map(({ markerAbove, markerBelow }) => [markerAbove, markerBelow]),
      [
        [undefined, 2],
        [2, 0],
      ],
    );
  });

  it('takes dots for an argument in R, where they are one', () => {
    const call = ['# ... existing code ...', 'opts(', '  locale = locale,', '  ...', ')', ''].join(
      '\n',
    );
    assert.equal(readSnippet(call, unknown, 'R/unique.R').markers, 1);
    assert.equal(readSnippet(call, unknown, 'unique.py').markers, 2);
    assert.equal(readSnippet('x <- 1\n...\ny <- 2\n', unknown, 'R/unique.R').markers, 1);
  });

  it('trims and counts the blank lines at the edges of a section, not those within', () => {
    const { sections } = readSnippet('\n\na\n\nb\n\n// ...\n  \nc\n\n', unknown);
    assert.deepEqual(sections.map(textOf), [['a', '', 'b'], ['c']]);
    assert.deepEqual(
      sections.map(({ blanksAbove, blanksBelow }) => [blanksAbove, blanksBelow]),
      [
        [2, 1],
        [1, 2],
      ],
    );
  });

  it('makes no section of blank lines alone', () => {
    assert.deepEqual(readSnippet('// ...\n\n// ...\n', unknown).sections, []);
  });

  it('takes a line of the original for code though it looks like a marker', () => {
    const { sections, markers } = readSnippet('a\n// ...\nb', new Set(['// ...']));
    assert.deepEqual(sections.map(textOf), [['a', '// ...', 'b']]);
    assert.equal(markers, 0);
  });

  it('takes three dots for the body of a new function that only declares', () => {
    const stub = '@overload\ndef a(b: int) -> int:\n    ...\n';
    assert.equal(readSnippet(stub, unknown).markers, 0);
    assert.equal(readSnippet(stub, new Set(['def a(b: int) -> int:'])).markers, 1);
    assert.equal(readSnippet('def a():\n    ...\n', unknown).markers, 1);
  });

  it('reads what is left when the snippet is cleaned', () => {
    const { text, sections, markers } = readSnippet(
      'Here you are:\n```ts\n// ...\na\n```\nBye.',
      unknown,
    );
    assert.equal(text, '// ...\na');
    assert.deepEqual(sections.map(textOf), [['a']]);
    assert.equal(markers, 1);
  });
});
