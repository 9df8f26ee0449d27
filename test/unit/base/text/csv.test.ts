import assert from 'node:assert/strict';
import { csvCell, inertText } from '../../../../src/base/text/csv';

describe('a cell of a CSV file', () => {
  for (const [what, text, cell] of [
    ['a plain text', 'plain text', 'plain text'],
    ['nothing', '', ''],
    ['a comma', 'a,b', '"a,b"'],
    ['quotes', 'say "yes"', '"say ""yes"""'],
    ['a line break', 'a\nb', '"a\nb"'],
    ['a carriage return', 'a\rb', '"a\rb"'],
  ] as const)
    it(`holds ${what}`, () => assert.equal(csvCell(text), cell));

  it('is no formula, whatever the service sent', () => {
    for (const text of ['=1+1', '+1', '-1', '@sum', ' =1', '\t=1', '\rx', '\n=1'])
      assert.equal(inertText(text), `'${text}`);
    for (const text of ['1+1', 'a=b', '', 'a\n=1']) assert.equal(inertText(text), text);
  });
});
