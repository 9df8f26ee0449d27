import { readRecords } from '../../../src/base/table/readRecords';
import { formatOf, tableColumns } from '../../../src/base/table/tableFormat';
import { RowReader } from '../../../src/reflex/batch/rowReader';
import type { Parser } from './parser';
import { filled } from './texts';
import { jsonTokens } from './tokens';

const csvTokens = ['"', '""', ',', ';', 'a,b\n', '"a', '"\n', 'a"b', ',,', '\\"', "'"];

async function* chunksOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 1 << 16) yield text.slice(at, at + (1 << 16));
}

async function readTable(name: string, text: string): Promise<void> {
  const format = formatOf(name, text.slice(0, 1000));
  if (!format) return;
  try {
    let reader: RowReader | undefined;
    for await (const records of readRecords(chunksOf(text), format)) {
      reader ??= new RowReader(format, tableColumns(records, format)[1]?.name ?? '');
      for (const row of reader.rows(records)) if (row.problem === 'unknown') return;
    }
  } catch (error) {
    if (!(error instanceof Error && error.name === 'UserError')) throw error;
  }
}

export const reflexParsers: readonly Parser[] = [
  {
    name: 'CSV',
    tokens: csvTokens,
    run: text => readTable('a.csv', text),
    ordinary: 'id,text,note\n1,"some, text",a note\n',
    byHand: {
      'as many columns as fit': length => `${'a,'.repeat(length / 2)}a\n1,2\n`,
      'many columns, then short rows': length =>
        `${'a,'.repeat(16_000)}a\n${'b\n'.repeat(Math.max(1, length / 2 - 16_000))}`,
      'columns of one name': length => `${'a b,'.repeat(length / 4)}\n`,
    },
  },
  {
    name: 'JSON lines',
    tokens: jsonTokens,
    run: text => readTable('a.jsonl', text),
    ordinary: '{"text":"some text","id":1}\n',
    byHand: { 'nested lists': filled('[') },
  },
];
