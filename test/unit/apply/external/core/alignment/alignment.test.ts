import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  type AlignedPart,
  alignLines,
  joinAdjacent,
  partsAfterUndo,
  readAlignment,
  toStoredAlignment,
} from '../../../../../../src/apply/external/core/alignment/alignment';
import { changesOfParts, undoChanges } from '../../../../../../src/apply/external/core/fileChanges';
import { anyLines } from '../randomTexts';

const list = (letters: string) => Array.from(letters, letter => `${letter}\n`);
const part = (
  baseStart: number,
  baseCount: number,
  start: number,
  count: number,
  isEdited = false,
): AlignedPart => ({ baseStart, baseCount, start, count, isEdited });

describe('the stored alignment', () => {
  it('gives the parts back for the same texts', () => {
    fc.assert(
      fc.property(anyLines, anyLines, fc.nat(), (before, now, edits) => {
        const parts = alignLines(before, now).map((one, at) => ({
          ...one,
          isEdited: ((edits >> (at % 20)) & 1) === 1,
        }));
        assert.deepEqual(readAlignment(toStoredAlignment(parts), before, now), parts);
      }),
    );
  });

  it('keeps borders that a diff would not choose', () => {
    const parts = [part(0, 2, 0, 2)];
    assert.deepEqual(readAlignment(toStoredAlignment(parts), list('abc'), list('xbc')), parts);
  });

  for (const { what, parts } of [
    { what: 'too few numbers', parts: [1, 1] },
    { what: 'a negative number', parts: [-1, 2, 1] },
    { what: 'an empty part', parts: [1, 0, 0] },
    { what: 'equal lines that differ', parts: [2, 1, 1] },
    { what: 'a part beyond the end', parts: [1, 7, 1] },
    { what: 'another number of lines', parts: [1, 1, 2] },
    { what: 'no part', parts: [] },
  ])
    it(`is not used with ${what}`, () =>
      assert.equal(readAlignment({ parts, edited: [] }, list('abc'), list('aXc')), undefined));
});

describe('partsAfterUndo', () => {
  it('has the rest in the file that was undone', () => {
    fc.assert(
      fc.property(anyLines, anyLines, fc.nat(), (before, now, chosen) => {
        const parts = alignLines(before, now);
        const undone = new Set(parts.filter((_, at) => (chosen >> (at % 20)) & 1));
        const after = undoChanges(now, changesOfParts('p', before, now, [...undone]));
        const rest = partsAfterUndo(parts, one => undone.has(one));
        assert.equal(rest.length, parts.length - undone.size);
        assert.deepEqual(undoChanges(after, changesOfParts('p', before, after, rest)), before);
      }),
    );
  });
});

describe('joinAdjacent', () => {
  it('joins parts without a line between them', () => {
    assert.deepEqual(joinAdjacent([part(0, 1, 0, 0), part(1, 1, 0, 2, true), part(3, 0, 3, 1)]), [
      part(0, 2, 0, 2, true),
      part(3, 0, 3, 1),
    ]);
    assert.deepEqual(joinAdjacent([part(0, 1, 0, 1), part(2, 1, 2, 1)]).length, 2);
  });
});
