import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { splitLines } from '../../../../src/base/text/textLines';
import { toLine } from '../../../../src/merge/lines';
import { FileIndex } from '../../../../src/merge/place/fileIndex';
import { cleanLines } from '../../../../src/merge/snippet/cleanSnippet';
import { firstLook } from '../../../../src/merge/snippet/firstLook';
import { isMarkerLine } from '../../../../src/merge/snippet/markers';
import { readSnippet } from '../../../../src/merge/snippet/sections';
import { Source } from '../../../../src/merge/source';

/** Lines of code, and all that a copy of code can have beside them. */
const lines = fc.array(
  fc.constantFrom(
    '',
    '   ',
    'function a() {',
    '  one();',
    '  two(); // ... rest unchanged',
    '  list = [1, …, 9];',
    'function b() { ... }',
    '}',
    '} // end',
    '// ... existing code ...',
    '  // ...',
    '...',
    '# TODO: keep the rest',
    '+ added();',
    '- gone();',
    '> quoted',
    '12 | numbered();',
    'L3: numbered',
    '  3',
    '```ts',
    '~~~',
    '    ```',
    'Copy code',
    'python',
    'src/a.ts',
    '// src/a.ts',
    'Here is the updated code:',
    'Let me know if it helps.',
    'A sentence of the file, as it is.',
    '\u00a0 odd',
    'é = “x”',
  ),
  { maxLength: 8 },
);

describe('a first look at a snippet', () => {
  it('finds all that would be cleaned', () => {
    let clean = 0;
    fc.assert(
      fc.property(lines, lines, (original, shown) => {
        const file = new FileIndex(new Source(original.join('\n')));
        const given = file.known.readLines?.(shown.join('\n')) ?? [];
        const look = firstLook(given, file.known);
        if (look.mayNeedCleaning) return;
        clean++;
        const texts = given.map(({ text }) => text);
        assert.equal(cleanLines(texts, file.known, 'a.ts'), texts);
        const markers = given.filter(
          ({ text, trimmed }) => trimmed !== '' && !file.known.has(trimmed) && isMarkerLine(text),
        );
        assert.deepEqual([...look.markers], markers);
      }),
      { numRuns: 3000 },
    );
    assert.ok(clean > 100, `${clean}`);
  });

  it('says the same of lines that an index has read and of lines that a set knows', () =>
    fc.assert(
      fc.property(lines, lines, fc.constantFrom('\n', '\r\n'), (original, shown, end) => {
        const file = new FileIndex(new Source(original.join('\n')));
        const known = new Set(original.map(line => line.trim()).filter(line => line !== ''));
        const update = shown.join(end);
        const look = firstLook(splitLines(update).map(toLine), known);
        const read = firstLook(file.known.readLines?.(update) ?? [], file.known);
        assert.equal(look.mayNeedCleaning, read.mayNeedCleaning);
        const textsOf = (lookup: typeof known | FileIndex['known']): unknown => {
          const { text, sections, markers } = readSnippet(update, lookup, 'a.ts');
          return { text, markers, parts: sections.map(part => part.lines.map(line => line.text)) };
        };
        assert.deepEqual(textsOf(file.known), textsOf(known));
      }),
      { numRuns: 2000 },
    ));
});
