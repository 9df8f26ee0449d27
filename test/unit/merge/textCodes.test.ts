import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  areEqualCodes,
  codesOf,
  codesOfLine,
  hashOf,
  isAscii,
  lineEnd,
} from '../../../src/merge/textCodes';

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

  it('tell whether all characters are ASCII, also for a long text', () =>
    fc.assert(
      fc.property(text, fc.constantFrom(1, 5000), (part, times) => {
        const given = part.repeat(times);
        assert.equal(isAscii(given), /^[\0-\x7f]*$/.test(given));
      }),
    ));

  it('tell where a line ends, whatever is around it', () =>
    fc.assert(
      fc.property(fc.array(text), fc.nat(40), (lines, from) => {
        // As a newline, also the characters next to it.
        const given = lines
          .map(line => line.replaceAll('a', '\v').replaceAll('Z', '\t'))
          .join('\n');
        const { view } = codesOf(given);
        const start = Math.min(from, given.length);
        const end = given.indexOf('\n', start);
        assert.equal(lineEnd(view, start, given.length), end < 0 ? given.length : end);
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
        const alone = codesOf(given).view;
        const { view } = codesOf(above + given + below);
        const { length } = given;
        assert.equal(hashOf(view, above.length, above.length + length), hashOf(alone, 0, length));
        assert.ok(areEqualCodes(view, above.length, alone, 0, length));
      }),
    ));

  it('are equal if and only if all of them are', () =>
    fc.assert(
      fc.property(text, text, (one, two) => {
        const length = Math.min(one.length, two.length);
        const [a, b] = [codesOf(one), codesOf(two)];
        const isSame = a.codes.slice(0, length).join() === b.codes.slice(0, length).join();
        assert.equal(areEqualCodes(a.view, 0, b.view, 0, length), isSame);
      }),
    ));

  it('have different hashes for lines that differ in one character', () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `const value = items[${at}];`);
    const hashes = new Set(lines.map(line => hashOf(codesOf(line).view, 0, line.length)));
    assert.ok(hashes.size > lines.length - 5, `${hashes.size}`);
  });
});
