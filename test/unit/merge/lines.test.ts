import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isFiller, isFillerByCodes } from '../../../src/merge/lines';

describe('a line that is in many places of a file', () => {
  for (const line of ['', '}', '});', '{', '</>', '---', '} else {', 'end', 'return;', 'else:'])
    it(`is ${JSON.stringify(line)}`, () => assert.equal(isFiller(line), true));
  for (const line of ['a', 'z;', 'A', 'Z', '0', '9', '_', '$', 'é', '漢', '0,', 'x = 1', 'returns'])
    it(`is not ${line}`, () => assert.equal(isFiller(line), false));
});

describe('a return of what many functions return', () => {
  it('is a filler, and that of anything else is not', () => {
    assert.deepEqual(['return null;', 'return true', 'return self', 'return this;'].map(isFiller), [
      true,
      true,
      true,
      true,
    ]);
    assert.deepEqual(['return a;', 'return nulls', 'return trueValue'].map(isFiller), [
      false,
      false,
      false,
    ]);
  });
});

describe('the fast look at the codes of a line', () => {
  const words = 'else end return break pass nil this x 0 _ $ } { ; : @ ( ) ,'.split(' ');
  const lines = fc
    .array(fc.constantFrom(...words, ' ', 'é', 'override'), { maxLength: 5 })
    .map(parts => parts.join('').trim());

  it('says the same, or leaves it to the text', () => {
    let answers = 0;
    fc.assert(
      fc.property(lines, line => {
        const codes = Uint8Array.from(line, sign => Math.min(255, sign.charCodeAt(0)));
        const found = isFillerByCodes(codes, 0, codes.length);
        if (found === undefined) return;
        answers++;
        assert.equal(found, isFiller(line), line);
      }),
      { numRuns: 2000 },
    );
    assert.ok(answers > 1000, `${answers}`);
  });

  it('looks at its part of the text only', () => {
    const codes = Uint8Array.from('a = 1;});b = 2;', sign => sign.charCodeAt(0));
    assert.deepEqual([isFillerByCodes(codes, 6, 9), isFillerByCodes(codes, 0, 9)], [true, false]);
  });
});
