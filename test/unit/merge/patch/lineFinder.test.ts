import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LineFinder } from '../../../../src/merge/patch/lineFinder';

const lines = (maxLength: number) =>
  fc.array(fc.constantFrom('a', 'a', 'a', 'b'), { minLength: 1, maxLength });

describe('LineFinder', () => {
  it('finds the places of lines that repeat, however many there are', () =>
    fc.assert(
      fc.property(lines(400), lines(80), (text, wanted) => {
        const places = text.flatMap((_, at) =>
          wanted.every((line, offset) => text[at + offset] === line) ? [at] : [],
        );
        assert.deepEqual(new LineFinder(text).find(wanted).places, places);
      }),
      { numRuns: 500 },
    ));
});
