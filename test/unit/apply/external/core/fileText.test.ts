import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  bytesOfLines,
  fileText,
  linesWithEnds,
  maxTextBytes,
  withoutEnd,
} from '../../../../../src/apply/external/core/fileText';
import { splitLines } from '../../../../../src/base/text/textLines';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('fileText', () => {
  for (const { text, lines } of [
    { text: '', lines: [] },
    { text: 'a', lines: ['a'] },
    { text: 'a\n', lines: ['a\n'] },
    { text: 'a\r\nb\rc\n\nd', lines: ['a\r\n', 'b\r', 'c\n', '\n', 'd'] },
    { text: '\uFEFFa\r\n', lines: ['\uFEFFa\r\n'] },
    { text: '\r', lines: ['\r'] },
    { text: '\n\r\n\r', lines: ['\n', '\r\n', '\r'] },
  ])
    it(`splits ${JSON.stringify(text)}`, () => assert.deepEqual(fileText(bytes(text)), { lines }));

  for (const { what, data, reason } of [
    { what: 'a NUL at the start', data: Uint8Array.of(97, 0, 98), reason: 'binary' },
    { what: 'a NUL far down', data: bytes(`${'a'.repeat(9000)}\0`), reason: 'binary' },
    { what: 'UTF-16', data: Uint8Array.of(0xff, 0xfe, 97, 0), reason: 'binary' },
    { what: 'Latin-1', data: Uint8Array.of(0xe9, 10), reason: 'encoding' },
    { what: 'a surrogate', data: Uint8Array.of(0xed, 0xa0, 0x80), reason: 'encoding' },
    { what: 'an overlong form', data: Uint8Array.of(0xc0, 0xaf), reason: 'encoding' },
    { what: 'too many bytes', data: bytes('a'.repeat(maxTextBytes + 1)), reason: 'large' },
    { what: 'too many lines', data: bytes('\n'.repeat(40_001)), reason: 'large' },
  ])
    it(`is ${reason} for ${what}`, () => assert.deepEqual(fileText(data), { reason }));

  it('takes as much as the limits', () => {
    assert.ok('lines' in fileText(bytes('a'.repeat(maxTextBytes))));
    assert.ok('lines' in fileText(bytes('\n'.repeat(40_000))));
  });

  it('gives the bytes back, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\r', '\n', 'é', '\uFEFF', '😀') }),
        text => {
          const read = fileText(bytes(text));
          assert.ok('lines' in read);
          assert.deepEqual(bytesOfLines(read.lines), bytes(text));
        },
      ),
    );
  });

  it('splits where an editor does', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\r', '\n') }), text => {
        const shown = splitLines(text);
        // An editor shows an empty line after the last line end.
        if (shown.at(-1) === '') shown.pop();
        assert.deepEqual(linesWithEnds(text).map(withoutEnd), shown);
      }),
    );
  });
});
