import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readRecords } from '../../../../src/base/table/readRecords';
import type { OutputKind, TableFormat } from '../../../../src/base/table/tableFormat';
import { RowReader } from '../../../../src/reflex/batch/rowReader';
import { type RowOutcome, RowWriter } from '../../../../src/reflex/batch/rowWriter';
import { readResultTable } from '../../../../src/reflex/results/resultTable';
import { summaryOf } from '../../../../src/reflex/results/summary';

const never = new AbortController().signal;
const models = ['jailbreak', 'domain'];
const csv: TableFormat = { kind: 'csv', delimiter: ',', hasHeader: true };
const jsonl: TableFormat = { kind: 'jsonl', delimiter: ',', hasHeader: false };

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

const read = async (text: string, output: OutputKind, maxRows?: number) =>
  readResultTable(bytesOf(text), { output, models }, never, maxRows);

/** The file of results of an input, as a run writes it. */
async function written(
  input: string,
  format: TableFormat,
  output: OutputKind,
  outcomes: readonly RowOutcome[],
): Promise<string> {
  const reader = new RowReader(format, 'text');
  const writer = new RowWriter(output, format, models);
  let body = '';
  let at = 0;
  async function* chunks() {
    yield input;
  }
  for await (const records of readRecords(chunks(), format)) {
    for (const { cells } of reader.rows(records)) {
      body += writer.row(cells, reader.names, outcomes[at++] ?? { labels: [], error: '' });
    }
  }
  return writer.header(reader.names) + body;
}

const label = fc.constantFrom('benign', 'coding', 'data', 'general');
const outcome = fc.record(
  {
    labels: fc
      .uniqueArray(
        fc.record({
          reflex: fc.constantFrom(...models),
          selected: fc.uniqueArray(label, { maxLength: 2 }),
          score: fc.integer({ min: 0, max: 1000 }).map(n => n / 1000),
        }),
        { selector: ({ reflex }) => reflex },
      )
      .map(all =>
        all.map(({ reflex, selected, score }) => ({
          reflex,
          selected,
          score: selected.length === 0 ? undefined : score,
          scores: selected.map(name => [name, score] as const),
        })),
      ),
    error: fc.constantFrom('', '', 'The row has no text.'),
  },
  { noNullPrototype: true },
);

describe('the table of results', () => {
  for (const [output, format] of [
    ['csv', csv],
    ['jsonl', csv],
    ['jsonl', jsonl],
    ['csv', jsonl],
  ] as const) {
    it(`has what a run has written as ${output} from ${format.kind}, and counts it`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.string({ maxLength: 20 }), outcome), { minLength: 1 }),
          async rows => {
            const texts = rows.map(([text], at) => `${at}, "${text.replaceAll(/\s/g, ' ')}"`);
            const input =
              format.kind === 'csv'
                ? `id,text\n${texts.map((text, at) => `${at},"${text.replaceAll('"', '""')}"`).join('\n')}\n`
                : texts.map((text, id) => `${JSON.stringify({ id, text })}\n`).join('');
            const outcomes = rows.map(([, each]) => each);
            const table = await read(await written(input, format, output, outcomes), output);
            assert.equal(table.rows.length, rows.length);
            assert.ok(table.rows.every(row => row.length === table.columns.length));
            assert.deepEqual(
              table.labelColumns.map(at => table.columns[at]),
              models,
            );
            for (const [at, { labels, error }] of outcomes.entries()) {
              const row = table.rows[at] ?? [];
              assert.equal(row[table.errorColumn], error);
              for (const [n, model] of models.entries()) {
                const found = labels.find(({ reflex }) => reflex === model);
                const column = table.labelColumns[n] ?? -1;
                assert.equal(row[column], found?.selected.join('; ') ?? '');
                assert.equal(row[column + 1], found?.score === undefined ? '' : `${found.score}`);
              }
            }
            const summary = summaryOf(table);
            assert.equal(summary.errors, outcomes.filter(({ error }) => error !== '').length);
            for (const { reflex, labels, unlabeled } of summary.reflexes) {
              const mine = outcomes.map(each => ({
                error: each.error,
                selected: each.labels.find(one => one.reflex === reflex)?.selected ?? [],
              }));
              for (const { label: name, count } of labels) {
                assert.equal(
                  count,
                  mine.filter(({ selected }) => selected.some(each => each === name)).length,
                );
              }
              const sum = labels.reduce((total, { count }) => total + count, 0);
              assert.equal(sum, mine.flatMap(({ selected }) => selected).length);
              const none = mine.filter(
                ({ selected, error }) => selected.length === 0 && error === '',
              );
              assert.equal(unlabeled, none.length);
            }
            const scores = summary.uncertain.map(({ score }) => score);
            assert.deepEqual(
              scores,
              scores.toSorted((a, b) => a - b),
            );
          },
        ),
        { numRuns: 60 },
      );
    });
  }

  it('shows names that the input had taken, and lines that are no JSON', async () => {
    const input = '{"reflex":"mine","error":"own","text":"a"}\nno json\n';
    const found = {
      labels: [
        {
          reflex: 'jailbreak',
          selected: ['benign'],
          score: 0.5,
          scores: [['benign', 0.5] as const],
        },
      ],
      error: '',
    };
    const text = await written(input, jsonl, 'jsonl', [found, { labels: [], error: 'bad' }]);
    const table = await read(text, 'jsonl');
    assert.deepEqual(table.columns, [
      'reflex',
      'error',
      'text',
      'jailbreak',
      'jailbreak score',
      'domain',
      'domain score',
      'error',
    ]);
    assert.deepEqual(table.rows, [
      ['mine', 'own', 'a', 'benign', '0.5', '', '', ''],
      ['', '', 'no json', '', '', '', '', 'bad'],
    ]);
  });

  it('is cut at its limit, and says so; long cells are shortened', async () => {
    const header = 'text,jailbreak,jailbreak score,domain,domain score,error\n';
    const rows = Array.from({ length: 30 }, (_, n) => `${n}${'x'.repeat(3000)},,,,,\n`).join('');
    const table = await read(header + rows, 'csv', 20);
    assert.deepEqual([table.rows.length, table.isCut], [20, true]);
    assert.equal(table.rows[0]?.[0]?.length, 1000);
    assert.equal((await read(header + rows, 'csv', 30)).isCut, false);
    const empty = summaryOf(await read(header, 'csv'));
    assert.deepEqual([empty.rows, empty.uncertain], [0, []]);
  });

  it('stops when it is canceled', async () => {
    const signal = AbortSignal.abort();
    await assert.rejects(readResultTable(bytesOf('a\nb\n'), { output: 'csv', models }, signal), {
      name: 'AbortError',
    });
  });
});
