import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { english } from '../../../../src/base/sentence';
import { csvCell } from '../../../../src/base/text/csv';
import { UserError } from '../../../../src/base/userError';
import {
  labelColumn,
  labelledRows,
  likelyColumn,
  readTable,
  textColumn,
} from '../../../../src/playground/core/labelledFile';

const table = async (text: string, name = 'a.csv') => readTable(name, text, english);
const refuses = async (run: () => Promise<unknown>, message: RegExp) =>
  assert.rejects(run, error => error instanceof UserError && message.test(error.message));
const chosen = { text: 'text', label: 'label', reflex: 'jailbreak' };
const classes = ['benign', 'jailbreak'];

describe('a labelled file', () => {
  it('is read with the line of each row, also of those that span several', async () => {
    const { columns, rows } = await table(
      '\n"text";label\r\n"two\nlines";a\r\n\r\nplain;b\n"end";c',
    );
    assert.deepEqual(columns, ['text', 'label']);
    assert.deepEqual(
      rows.map(({ cells, line }) => [...cells, line]),
      [
        ['two\nlines', 'a', 3],
        ['plain', 'b', 6],
        ['end', 'c', 7],
      ],
    );
    assert.deepEqual((await table('text\tlabel\nx\ty\n', 'a.tsv')).rows[0]?.cells, ['x', 'y']);
  });

  it('gives the line of each row for any texts', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', ' '),
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 12 }), async texts => {
        let line = 2;
        const lines: number[] = [];
        let file = 'text,label\n';
        for (const text of texts) {
          lines.push(line);
          const record = `${csvCell(`x${text}`)},l\n`;
          file += record;
          line += record.split('\n').length - 1;
        }
        const { rows } = await table(file);
        assert.deepEqual(
          rows.map(row => row.line),
          lines,
        );
        assert.deepEqual(
          rows.map(({ cells }) => cells[0]),
          texts.map(text => `x${text}`),
        );
      }),
    );
  });

  it('finds the usual columns', () => {
    assert.equal(likelyColumn(['id', 'Prompt', 'class'], textColumn), 'Prompt');
    assert.equal(likelyColumn(['id', 'Prompt', 'class'], labelColumn), 'class');
    assert.equal(likelyColumn(['a', 'b'], labelColumn), undefined);
  });

  it('gives the rows to classify', async () => {
    const rows = labelledRows(
      await table('text,label\nhello, benign \n'),
      chosen,
      classes,
      english,
    );
    assert.deepEqual(rows, [{ text: 'hello', expected: 'benign', line: 2 }]);
    const unknown = labelledRows(await table('text,label\nhello,new\n'), chosen, [], english);
    assert.equal(unknown[0]?.expected, 'new');
  });

  it('says which line is wrong, and what to do', async () => {
    for (const text of ['', ' \n', 'text,label\n', 'a\0b'])
      await refuses(() => table(text), /^a\.csv has no rows\. It needs a header line/);
    await refuses(() => table('\ntext\nhello\n'), /^Line 2 names one column only/);
    await refuses(
      () => table(`text,label\n${'a,b\n'.repeat(10_001)}`),
      /^a\.csv has more than 10000 rows\. Split the file before line 10002\.$/,
    );
    for (const [text, message] of [
      ['text,label\na,benign\n"",benign\n', /^Line 3 has nothing in the column "text"/],
      ['text,label\na\n', /^Line 2 has nothing in the column "label"\. Fill it in, or delete/],
      [
        'text,label\n"a\nb",benign\nc,Benign\n',
        /^Line 4: "Benign" is not a label of jailbreak, which has benign, jailbreak\. Correct it/,
      ],
    ] as const)
      await refuses(async () => labelledRows(await table(text), chosen, classes, english), message);
  });
});
