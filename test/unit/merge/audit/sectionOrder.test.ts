import assert from 'node:assert/strict';
import { LineCodes, Postings } from '../../../../src/merge/audit/auditText';
import { inOrderOfResult, placeOf } from '../../../../src/merge/audit/sectionOrder';
import type { Section } from '../../../../src/merge/snippet/sections';

/** The sections, as words of letters, in the order of the merged text. */
function ordered(merged: string, ...shown: string[]): string | undefined {
  const codes = new LineCodes();
  const after = codes.ofLines(merged.split(''));
  const texts = shown.map(section => codes.ofLines(section.split('')));
  const sections = texts.map((): Section => ({ lines: [], markerAbove: 0, markerBelow: 0 }));
  const found = inOrderOfResult({ texts, sections }, after, new Postings(after.codes, codes.count));
  if (!found) return undefined;
  assert.deepEqual(
    found.sections.map(section => sections.indexOf(section)),
    found.texts.map(text => texts.indexOf(text)),
  );
  return found.texts.map(({ trimmed }) => trimmed.join('')).join(' ');
}

function place(merged: string, section: string, from = 0): number | undefined {
  const codes = new LineCodes();
  const [after, shown] = [codes.ofLines(merged.split('')), codes.ofLines(section.split(''))];
  return placeOf(shown.codes, after.codes, new Postings(after.codes, codes.count), from);
}

describe('the order of sections', () => {
  it('is that of the result if it is another one', () => {
    assert.equal(ordered('abcdef', 'ef', 'bc'), 'bc ef');
    assert.equal(ordered('abcdef', 'cd', 'ef', 'ab'), 'ab cd ef');
    assert.equal(ordered('abcdef', 'bc', 'ef'), undefined, 'the same');
    assert.equal(ordered('abcdef', 'ef', 'xy'), undefined, 'one is missing');
  });
});

describe('the place of a section', () => {
  it('is the first one with all of its lines', () => {
    assert.equal(place('aabab', 'ab'), 1);
    assert.equal(place('aabab', 'ab', 2), 3);
    assert.equal(place('aabab', 'ab', 4), undefined);
    assert.equal(place('abcabd', 'abd'), 3);
    assert.equal(place('abc', 'cd'), undefined);
  });
});
