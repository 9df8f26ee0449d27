import assert from 'node:assert/strict';
import { createPatch } from 'diff';
import * as fc from 'fast-check';
import { applySearchReplace, applyUnifiedDiff, type Patched } from '../../../src/apply/patch';

function draw(patched: Patched): string {
  if (patched.kind === 'refused') return `refused: ${patched.reason}`;
  const text = patched.text.replaceAll('\r', '^').replaceAll('\n', '|');
  return patched.certain ? text : `perhaps: ${text}`;
}

const text = (letters: string) => letters.split(' ').join('\n');
const join = (lines: string[], end: string) => lines.map(line => line + end).join('');
const replace = (source: string, search: string, by: string) =>
  draw(applySearchReplace(source, [{ search, replace: by }]));
const file = text('a b c d e f g h ');

describe('applyUnifiedDiff', () => {
  it('applies a diff', () => {
    assert.equal(
      draw(applyUnifiedDiff(file, '@@ -1,3 +1,3 @@\n a\n-b\n+X\n c')),
      'a|X|c|d|e|f|g|h|',
    );
  });

  it('mends wrong counts and finds hunks at other lines', () => {
    const diff = '--- a/f\n+++ b/f\n@@ -40,9 +41,7 @@ fn\n c\n-d\n+X\n+Y\n e';
    assert.equal(draw(applyUnifiedDiff(file, diff)), 'a|b|c|X|Y|e|f|g|h|');
  });

  it('searches for hunks without line numbers', () => {
    assert.equal(draw(applyUnifiedDiff(file, '@@\n c\n-d\n+X')), 'a|b|c|X|e|f|g|h|');
    assert.equal(
      draw(applyUnifiedDiff(file, '@@ ... @@\n-b\n@@ ... @@\n-g\n+G')),
      'a|c|d|e|f|G|h|',
    );
  });

  it('is not certain when the context differs', () => {
    const diff = '@@ -1,5 +1,5 @@\n a\n other\n c\n-d\n+X\n e';
    assert.equal(draw(applyUnifiedDiff(file, diff)), 'perhaps: a|b|c|X|e|f|g|h|');
  });

  it('refuses what does not fit', () => {
    assert.equal(
      draw(applyUnifiedDiff(file, '@@ -1,1 +1,1 @@\n-zzz\n+X')),
      'refused: The diff does not fit the file: the lines that it changes are not there.',
    );
    assert.equal(
      draw(applyUnifiedDiff(file, '@@ -1,1 +1,1 @@\n a')),
      'refused: The diff holds no changes.',
    );
  });

  it('keeps CRLF and creates files', () => {
    const diff = '@@ -1,2 +1,2 @@\n a\n-b\n+X';
    assert.equal(draw(applyUnifiedDiff('a\r\nb\r\nc\r\n', diff)), 'a^|X^|c^|');
    assert.equal(draw(applyUnifiedDiff('', '@@ -0,0 +1,2 @@\n+a\n+b')), 'a|b|');
  });

  it('applies every diff between two texts', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', ' e'), { maxLength: 12 });
    fc.assert(
      fc.property(letters, letters, fc.constantFrom('\n', '\r\n'), (before, after, eol) => {
        fc.pre(before.join() !== after.join());
        const diff = createPatch('f', join(before, '\n'), join(after, '\n'));
        const source = join(before, eol);
        // Nothing tells the line end of an empty file.
        const expected = join(after, before.length === 0 ? '\n' : eol);
        const patched = applyUnifiedDiff(source, diff);
        assert(patched.kind === 'merged');
        assert.equal(patched.text, expected);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('applySearchReplace', () => {
  it('replaces what stands in exactly one place', () => {
    assert.equal(replace(file, 'b\nc', 'X'), 'a|X|d|e|f|g|h|');
    assert.equal(replace(file, 'b\nc', ''), 'a|d|e|f|g|h|');
    assert.equal(replace('a\r\nb\r\n', 'b', 'X\nY'), 'a^|X^|Y^|');
  });

  it('says in how many places it stands otherwise', () => {
    assert.equal(
      replace('a\nb\na\n', 'a', 'X'),
      'refused: The search text stands in 2 places of the file.',
    );
    assert.equal(replace(file, 'z', 'X'), 'refused: The search text is not in the file.');
    assert.equal(replace(file, '', 'X'), 'refused: The search text is empty, but the file is not.');
  });

  it('fits other trailing blanks and indentation, and is not certain then', () => {
    assert.equal(replace('a \nb\n', 'a\nb', 'X'), 'perhaps: X|');
    assert.equal(
      replace('{\n    if a\n        b\n}\n', 'if a\n    b', 'if c\n    d\n\n    e'),
      'perhaps: {|    if c|        d||        e|}|',
    );
  });

  it('applies one block after the other, or none', () => {
    const blocks = [
      { search: 'a', replace: 'X' },
      { search: 'X\nb', replace: 'Y' },
    ];
    assert.equal(draw(applySearchReplace(file, blocks)), 'Y|c|d|e|f|g|h|');
    assert.equal(
      draw(applySearchReplace(file, [...blocks, { search: 'a', replace: 'Z' }])),
      'refused: Search text 3 is not in the file.',
    );
  });

  it('fills an empty file', () => {
    assert.equal(replace('', '', 'a\nb'), 'a|b|');
  });
});
