import assert from 'node:assert/strict';
import { withoutPasteLabels, withoutQuoteMarks } from '../../../../src/merge/snippet/pasteLabels';

const known = new Set(['const a = 1;', 'python', 'run(a);']);

describe('the labels above code from a web chat', () => {
  it('are dropped', () => {
    for (const labels of [
      ['ts', 'Copy code'],
      ['TypeScript', 'Copy', 'Edit'],
      ['a.ts', '', 'Copy'],
      ['Copy'],
    ]) {
      assert.deepEqual(withoutPasteLabels([...labels, 'const a = 2;'], known), ['const a = 2;']);
    }
  });

  it('stay where they are code', () => {
    for (const lines of [
      ['python', 'const a = 2;'],
      ['copyCode();', 'const a = 2;'],
      ['a.ts', 'const a = 2;'],
      ['go', ''],
    ]) {
      assert.equal(withoutPasteLabels(lines, known), lines);
    }
  });
});

describe('the marks of a quotation', () => {
  it('are dropped', () => {
    assert.deepEqual(withoutQuoteMarks(['> const a = 1;', '>', '>   b();'], known), [
      'const a = 1;',
      '',
      '  b();',
    ]);
  });

  it('stay where a line has none, or no line is of the file', () => {
    for (const lines of [
      ['> const a = 1;', 'run(a);'],
      ['> one', '> two'],
    ]) {
      assert.equal(withoutQuoteMarks(lines, known), lines);
    }
  });
});
