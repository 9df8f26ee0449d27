import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type TextEdit, toTextEdits } from '../../../../../src/apply/review/model/lineEdit';
import { applyEdits } from '../../../../../src/apply/review/model/rebase';

/** As an editor does: all edits at once, in the coordinates of the text before them. */
function applyText(lines: readonly string[], eol: string, edits: readonly TextEdit[]): string {
  const starts: number[] = [];
  let length = 0;
  for (const line of lines) {
    starts.push(length);
    length += line.length + eol.length;
  }
  const text = lines.join(eol);
  let result = '';
  let position = 0;
  for (const edit of edits) {
    const start = (starts[edit.startLine] ?? 0) + edit.startCharacter;
    const end = (starts[edit.endLine] ?? 0) + edit.endCharacter;
    assert(start >= position && end >= start && end <= text.length, 'edits overlap');
    result += text.slice(position, start) + edit.text;
    position = end;
  }
  return result + text.slice(position);
}

const line = fc.constantFrom('', 'a', 'bb', '  ccc');
const file = fc.array(line, { minLength: 1, maxLength: 8 });
const pieces = fc.array(
  fc.record({ gap: fc.nat(3), count: fc.nat(3), lines: fc.array(line, { maxLength: 3 }) }),
  { maxLength: 4 },
);

describe('toTextEdits', () => {
  for (const [name, eol] of [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ] as const) {
    it(`edits the text as the lines are edited, with ${name}`, () => {
      fc.assert(
        fc.property(file, pieces, (lines, parts) => {
          let position = 0;
          const edits = parts.map(part => {
            const at = Math.min(position + part.gap, lines.length);
            const count = Math.min(part.count, lines.length - at);
            position = at + count;
            return { at, count, lines: part.lines };
          });
          const expected = applyEdits(lines, edits).join(eol);
          assert.equal(applyText(lines, eol, toTextEdits(edits, { lines, eol })), expected);
        }),
        { numRuns: 10_000 },
      );
    });
  }

  it('takes the line end before the last line', () => {
    const document = { lines: ['a', 'b'], eol: '\n' };
    assert.deepEqual(toTextEdits([{ at: 1, count: 1, lines: [] }], document), [
      { startLine: 0, startCharacter: 1, endLine: 1, endCharacter: 1, text: '' },
    ]);
  });
});
