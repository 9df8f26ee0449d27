import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { decodeText, readRecords } from '../../../../src/base/table/readRecords';
import { formatOf, type TableFormat, tableColumns } from '../../../../src/base/table/tableFormat';
import { csvCell } from '../../../../src/base/text/csv';
import { RowReader } from '../../../../src/reflex/batch/rowReader';
import { type RowOutcome, RowWriter } from '../../../../src/reflex/batch/rowWriter';
import { assertApproved } from '../../../support/unit/approved';

const csv: TableFormat = { kind: 'csv', delimiter: ',', hasHeader: true };
const jsonl: TableFormat = { kind: 'jsonl', delimiter: ',', hasHeader: false };
const lines: TableFormat = { kind: 'lines', delimiter: ',', hasHeader: false };

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function recordsOf(text: string | Uint8Array, format = csv, size = 1 << 16) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const records: string[][] = [];
  for await (const some of readRecords(decodeText(pieces(bytes, size)), format))
    records.push(...some);
  return records;
}

const odd = 'a,"b ""c""\r\nd",é\r\n\r\n"x","",\n5" pipe,"y"z,w\rlast,"open';
const oddRecords = [
  ['a', 'b "c"\r\nd', 'é'],
  ['x', '', ''],
  ['5" pipe', 'yz', 'w'],
  ['last', 'open'],
];

describe('records of a table', () => {
  it('have the delimiter that the first line has most, a comma where two are as many', () => {
    for (const [head, delimiter] of [
      ['a,b;c', ','],
      ['a;b,c', ','],
      ['a;b;c,d', ';'],
      ['a\tb\tc;d', '\t'],
      ['"a;b;c",d', ','],
      ['a', ','],
    ] as const)
      assert.equal(formatOf('x.csv', `${head}\n1;2;3;4;5\n`)?.delimiter, delimiter, head);
  });

  it('are the same however the file is cut up', async () => {
    for (let size = 1; size < Buffer.byteLength(odd) + 2; size++)
      assert.deepEqual(await recordsOf(odd, csv, size), oddRecords, `${size} bytes`);
  });

  it('are those that were written, whatever is in the cells', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', ';') });
    const row = fc.array(cell, { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1 }),
        fc.integer({ min: 1, max: 9 }),
        async (rows, size) => {
          const text = rows.map(cells => cells.map(csvCell).join(',')).join('\n');
          assert.deepEqual(await recordsOf(text, csv, size), rows);
        },
      ),
    );
  });

  it('may be UTF-16, or begin with a byte order mark', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('é,b\n', 'utf16le')]);
    assert.deepEqual(await recordsOf(utf16), [['é', 'b']]);
    assert.deepEqual(await recordsOf('\ufeffa,b'), [['a', 'b']]);
  });

  it('of lines keep the empty ones between others', async () => {
    assert.deepEqual(await recordsOf('a\r\n\nb\n', lines, 2), [['a'], [''], ['b']]);
    assert.deepEqual(await recordsOf('{"a":1}\n\n{"a":2}', jsonl, 3), [['{"a":1}'], ['{"a":2}']]);
  });

  it('are not read into the memory for ever when a quote is missing', async () => {
    const long = `a,"${'x'.repeat(5 << 20)}`;
    await assert.rejects(recordsOf(long), /Record 1 is longer than 4,194,304 characters/);
  });

  it('have no more cells than a spreadsheet, and say which one has', async () => {
    const most = `${','.repeat(16_383)}\n`;
    assert.equal((await recordsOf(`a\n${most}`))[1]?.length, 16_384);
    for (const text of [`a\n,${most}`, `a\n${','.repeat(200_000)}`])
      for (const size of [1 << 10, 1 << 20])
        await assert.rejects(recordsOf(text, csv, size), /Record 2 has more than 16,384 cells/);
  });

  for (const [name, head, wanted] of [
    ['a.csv', 'a,b', { kind: 'csv', delimiter: ',' }],
    ['a.CSV', 'a;"b,c,d";c', { kind: 'csv', delimiter: ';' }],
    ['a.tsv', '', { kind: 'csv', delimiter: '\t' }],
    ['a.ndjson', '', { kind: 'jsonl' }],
    ['a.txt', '', { kind: 'lines' }],
    ['a.xlsx', '', undefined],
  ] as const)
    it(`${name} is ${wanted?.kind ?? 'asked about'}`, () => {
      const format = formatOf(name, head);
      if (!wanted) return assert.equal(format, undefined);
      assert.equal(format?.kind, wanted.kind);
      if ('delimiter' in wanted) assert.equal(format?.delimiter, wanted.delimiter);
    });

  it('have columns with a name and a sample', () => {
    assert.deepEqual(
      tableColumns(
        [
          ['id', 'text', 'text', ''],
          ['1', 'hi', 'ho', 'x'],
        ],
        csv,
      ),
      [
        { name: 'id', sample: '1' },
        { name: 'text', sample: 'hi' },
        { name: 'text 2', sample: 'ho' },
        { name: 'Column 4', sample: 'x' },
      ],
    );
    assert.deepEqual(tableColumns([['1', 'hi']], { ...csv, hasHeader: false })[1], {
      name: 'Column 2',
      sample: 'hi',
    });
    assert.deepEqual(tableColumns([['{"n":1,"text":"hi"}'], ['{"more":"x"}'], ['no']], jsonl), [
      { name: 'text', sample: 'hi' },
      { name: 'more', sample: 'x' },
    ]);
  });

  it('have columns with different names, whatever they are called', () => {
    const namesOf = (...cells: string[]) => tableColumns([cells], csv).map(({ name }) => name);
    assert.deepEqual(namesOf('a', 'a', 'a', 'a 2', ' a '), ['a', 'a 2', 'a 3', 'a 2 2', 'a 4']);
    assert.deepEqual(namesOf('', 'Column 1', ' '), ['Column 1', 'Column 1 2', 'Column 3']);
    assert.deepEqual(tableColumns([['a']], lines), []);
    assert.deepEqual(tableColumns([], csv), []);
    assert.deepEqual(tableColumns([['a']], csv), [{ name: 'a', sample: '' }]);
  });

  it('of lines end without an empty one, but may have one before', async () => {
    assert.deepEqual(await recordsOf('\na\r\n \n  ', lines), [[''], ['a'], [' ']]);
    assert.deepEqual(await recordsOf('  \n{}\n \n', jsonl), [['{}']]);
    assert.deepEqual(await recordsOf('', lines), []);
    const big = Buffer.from([0xfe, 0xff, 0x00, 0x61, 0x00, 0x0a]);
    assert.deepEqual(await recordsOf(big, lines), [['a']]);
    assert.deepEqual(await recordsOf(Buffer.from([0xff, 0x0a]), lines), [['\ufffd']]);
    assert.deepEqual(await recordsOf(Buffer.from([0x61, 0xc3]), lines), [['a\ufffd']]);
  });

  for (const [format, column, record, text, problem] of [
    [jsonl, 'text', '{"text":"hi"}', 'hi', undefined],
    [jsonl, '', '"hi"', 'hi', undefined],
    [jsonl, 'text', '{"text":5}', undefined, 'The row has no text.'],
    [jsonl, 'text', '{"text":', undefined, 'The line is not valid JSON.'],
    [jsonl, 'toString', '{}', undefined, 'The row has no text.'],
    [lines, '', 'hi', 'hi', undefined],
    [lines, '', '  ', undefined, 'The text is empty.'],
  ] as const)
    it(`${record}: ${problem ?? 'a text'}`, () => {
      const [row] = new RowReader(format, column).rows([[record]]);
      assert.deepEqual([row?.text, row?.problem], [text, problem]);
    });
});

describe('rows of results', () => {
  const outcome: RowOutcome = {
    labels: [
      {
        reflex: 'domain',
        selected: ['coding', 'data'],
        score: 0.9,
        scores: [
          ['coding', 0.9],
          ['data', 0.7],
        ],
      },
      { reflex: 'jailbreak', selected: [], score: undefined, scores: [['benign', 0.5]] },
    ],
    error: '',
  };
  const failed: RowOutcome = { labels: [], error: '=cmd() "no", sorry' };
  const models = ['domain', 'jailbreak'];

  it('stand behind the cells of the input, in line with the header', () => {
    const writer = new RowWriter('csv', csv, models);
    const names = ['id', 'error'];
    assert.equal(
      writer.header(names) +
        writer.row(['1', 'a "b"'], names, outcome) +
        writer.row(['2'], names, failed) +
        writer.row(['3', 'x', 'y'], names, failed),
      [
        'id,error,domain,domain score,jailbreak,jailbreak score,error 2',
        '1,"a ""b""",coding; data,0.9,,,',
        `2,,,,,,"'=cmd() ""no"", sorry"`,
        `3,"x,y",,,,,"'=cmd() ""no"", sorry"`,
        '',
      ].join('\n'),
    );
  });

  it('keep a JSON line as it was written, with two fields more', () => {
    const writer = new RowWriter('jsonl', jsonl, models);
    const row = (line: string) => writer.row([line], [], outcome);
    assert.equal(
      row('{"n": 12345678901234567890, "text":"hi" } '),
      '{"n": 12345678901234567890, "text":"hi","reflex":{"domain":{"selected":["coding","data"],"scores":{"coding":0.9,"data":0.7}},"jailbreak":{"selected":[],"scores":{"benign":0.5}}},"error":null}\n',
    );
    assert.deepEqual(Object.keys(JSON.parse(row('{}'))), ['reflex', 'error']);
    assert.deepEqual(Object.keys(JSON.parse(row('{"reflex":1,"error":2}'))), [
      'reflex',
      'error',
      'reflex 2',
      'error 2',
    ]);
    assert.equal(JSON.parse(writer.row(['not JSON'], [], failed)).text, 'not JSON');
    assert.equal(JSON.parse(writer.row(['not JSON'], [], failed)).error, failed.error);
  });
});

const record = (length: number): string => `"${'x'.repeat(length - 1)}`;

const cells = (count: number): string => `${','.repeat(count - 1)}\n`;

const outcome = (text: string | undefined): RowOutcome => ({
  labels: [
    {
      reflex: 'jailbreak',
      selected: text?.startsWith('h') ? ['benign'] : ['jailbreak', '=odd'],
      score: 0.123456789,
      scores: [
        ['benign', 0.123456789],
        ['jailbreak', 0.5],
      ],
    },
  ],
  error: text === undefined ? 'No text.' : '',
});

describe('a table, from the file to the result', () => {
  const files: [name: string, text: string, column: string][] = [
    ['plain.csv', 'id,text\n1,hello\n2,\n3\n4,a,b,c\n', 'text'],
    ['semicolons.csv', '"a;b";text\n1,5;hello\n', 'text'],
    ['tabs.csv', 'a\ttext\n1\thello, you\n', 'text'],
    ['names.csv', 'text,text,,text,reflex,error,jailbreak\nx,y,z,w,v,u,t\n', 'text 2'],
    ['t.tsv', 'text\tb\nhello\t=1+1\n', 'text'],
    ['t.tab', 'text\nhello\n', 'none'],
    [
      'a.jsonl',
      '{"text":"hello","error":1}\n"alone"\n{"n":12345678901234567890}\n{}\nnone\n',
      'text',
    ],
    ['b.ndjson', '"hello"\n{"text":"x"}\n', ''],
    ['lines.txt', 'hello\n\n  \nworld', ''],
    ['lines.MD', '# a\r\nb\r\n', ''],
  ];

  it('is written as it was', async () => {
    const shown: string[] = [];
    for (const [name, text, column] of files) {
      const format = formatOf(name, text);
      assert.ok(format);
      const records = await recordsOf(text, format);
      shown.push(
        `== ${name} ${JSON.stringify(format)}`,
        JSON.stringify(tableColumns(records, format)),
      );
      for (const output of ['csv', 'jsonl'] as const) {
        const reader = new RowReader(format, column);
        const writer = new RowWriter(output, format, ['jailbreak', '+own']);
        const rows = [...reader.rows(records)];
        shown.push(writer.header(reader.names).trimEnd());
        for (const row of rows) {
          shown.push(row.problem ?? `text: ${row.text}`);
          shown.push(writer.row(row.cells, reader.names, outcome(row.text)).trimEnd());
        }
      }
    }
    assertApproved('tables', [...shown, ''].join('\n'));
  });

  it('is of no kind that is not known', () => {
    for (const name of ['a.xlsx', 'a', 'csv', 'a.csv.zip'])
      assert.equal(formatOf(name, ''), undefined);
  });

  it('takes the limits of cells and of characters exactly', async () => {
    assert.equal((await recordsOf(cells(16_384)))[0]?.length, 16_384);
    await assert.rejects(recordsOf(`a,b\n${cells(16_385)}`), {
      message: 'Record 2 has more than 16,384 cells, which no spreadsheet can hold.',
    });
    assert.equal((await recordsOf(record(4 << 20)))[0]?.[0]?.length, (4 << 20) - 1);
    await assert.rejects(recordsOf(`a\n${record((4 << 20) + 1)}`), {
      message: 'Record 2 is longer than 4,194,304 characters. A quote may be missing.',
    });
  });
});
