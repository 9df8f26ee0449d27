import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { codesOf, codesOfLine, hashOf } from '../../../src/merge/textCodes';

const text = fc
  .array(fc.constantFrom('a', 'Z', ' ', '\t', '{', '\u00a0', 'é', '漢', '😀', '\ud800'), {
    maxLength: 30,
  })
  .map(parts => parts.join(''));

describe('the codes of a text', () => {
  it('are its characters, as far as these are ASCII', () =>
    fc.assert(
      fc.property(text, given => {
        const { codes, isExact } = codesOf(given);
        assert.equal(codes.length, given.length);
        for (let at = 0; at < given.length; at++) {
          const unit = given.charCodeAt(at);
          const code = codes[at] ?? -1;
          if (unit < 128) assert.equal(code, unit);
          else assert.ok(code > 127 && (code & 127) === (unit & 127));
        }
        assert.equal(isExact, /^[\0-\x7f]*$/.test(given));
      }),
    ));

  it('are the same for a line, also for a long one', () =>
    fc.assert(
      fc.property(text, fc.constantFrom(1, 500), (part, times) => {
        const given = part.repeat(times);
        const codes = codesOfLine(given).slice(0, given.length);
        assert.deepEqual(codes, codesOf(given).codes);
      }),
    ));

  it('have a hash that depends on nothing around them', () =>
    fc.assert(
      fc.property(text, text, text, (above, given, below) => {
        const own = hashOf(codesOf(given).codes, 0, given.length);
        const { codes } = codesOf(above + given + below);
        assert.equal(hashOf(codes, above.length, above.length + given.length), own);
      }),
    ));

  it('have different hashes for lines that differ in one character', () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `const value = items[${at}];`);
    const hashes = new Set(lines.map(line => hashOf(codesOfLine(line), 0, line.length)));
    assert.ok(hashes.size > lines.length - 5, `${hashes.size}`);
  });
});
