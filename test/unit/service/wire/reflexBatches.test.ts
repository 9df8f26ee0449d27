import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { FinishedCall } from '../../../../src/service/http/operation';
import { JsonItems } from '../../../../src/service/stream/jsonItems';
import {
  chunksOfRows,
  type ReflexRow,
  type ReflexRowResult,
} from '../../../../src/service/wire/reflexBatches';
import { type FaultServer, startFaultServer } from '../../../service/faultServer';
import { answer, type Fault } from '../../../service/faults';
import { failureOf, never, testClient } from '../helpers';

const batch = {
  id: 'rbatch-1',
  object: 'reflex.batch',
  status: 'queued',
  request_counts: { total: 2, completed: 0, failed: 0 },
  created_at: 1_700_000_000,
};
const rows: ReflexRow[] = [
  { id: 'a', models: ['jailbreak'], text: 'hi' },
  { id: 'b', models: ['jailbreak', 'domain'], text: 'ho' },
];
const uploadPath = '/v1/reflex/asynchronous_batches/upload';

describe('reflex batches', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.close());

  const upload = (some: readonly ReflexRow[], idempotencyKey = 'key-1') =>
    testClient(server.url).client.uploadReflexBatch(
      { rows: some, idempotencyKey },
      { signal: never() },
    );

  it('uploads rows with the key of the caller', async () => {
    server.script(answer(202, batch));
    const result = await upload(rows);
    const [seen] = server.requests;
    assert.equal(`${seen?.method} ${seen?.path}`, `POST ${uploadPath}`);
    assert.equal(seen?.headers['idempotency-key'], 'key-1');
    assert.deepEqual(JSON.parse(seen?.body ?? ''), {
      requests: [
        { id: 'a', model: ['jailbreak'], text: 'hi' },
        { id: 'b', model: ['jailbreak', 'domain'], text: 'ho' },
      ],
    });
    const { id, status, requestCounts, createdAt } = result;
    assert.deepEqual(
      { id, status, requestCounts, createdAt },
      {
        id: 'rbatch-1',
        status: 'queued',
        requestCounts: { total: 2, completed: 0, failed: 0 },
        createdAt: 1_700_000_000_000,
      },
    );
  });

  it('charges an event for every reflex of every row, at the batch rate', async () => {
    server.script(answer(200, batch));
    const calls: FinishedCall[] = [];
    const billing = {
      admit: async () => undefined,
      record: async (call: FinishedCall) => void calls.push(call),
    };
    const { client } = testClient(server.url, { billing });
    await client.uploadReflexBatch({ rows, idempotencyKey: 'k' }, { signal: never() });
    assert.deepEqual(calls[0]?.charge, { kind: 'reflex', events: 3, isBatch: true });
  });

  it('leaves it to the caller to repeat an upload of unknown outcome', async () => {
    server.script('reset', answer(200, batch));
    assert.equal((await failureOf(upload(rows))).outcome, 'unknown');
    assert.equal(server.requests.length, 1);
    assert.equal((await upload(rows)).id, 'rbatch-1');
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['idempotency-key']),
      ['key-1', 'key-1'],
    );
  });

  const row = { id: 'a', models: ['m'], text: '' };
  const many = (length: number, text = '') =>
    Array.from({ length }, (_, n) => ({ ...row, id: `${n}`, text }));
  const refused: [string, ReflexRow[], RegExp, string?][] = [
    ['no rows', [], /1 to 10,000/],
    ['10,001 rows', many(10_001), /1 to 10,000/],
    ['a row without an id', [row, { ...row, id: ' ' }], /Row 2 has no id/],
    ['two rows with one id', [row, row], /Row 2 has the id of a row before it/],
    ['a row without a reflex', [{ ...row, models: [] }], /Row 1 names no reflex/],
    [
      'a text that is too long',
      [{ ...row, text: 'a b '.repeat(50_000) }],
      /row 1 .* 65,536 tokens/,
    ],
    ['texts that are too long together', many(1100, 'x'.repeat(65_536)), /too long for one upload/],
    ['an empty key', rows, /idempotency key/, ''],
    ['a key that is no header', rows, /idempotency key/, 'two\nlines'],
  ];
  for (const [name, some, message, key] of refused)
    it(`uploads nothing with ${name}`, async () => {
      server.script('ok');
      const error = await failureOf(upload(some, key));
      assert.equal(error.kind, 'limit');
      assert.match(error.message, message);
      assert.equal(server.requests.length, 0);
    });

  it('uploads 10,000 rows', async () => {
    server.script(answer(200, batch));
    const { client } = testClient(server.url, { timeouts: { headersMs: 5000 } });
    const request = { rows: many(10_000), idempotencyKey: 'k' };
    assert.equal((await client.uploadReflexBatch(request, { signal: never() })).id, 'rbatch-1');
  });

  const polled: [string, object, object][] = [
    ['a batch', { ...batch, status: 'completed' }, { id: 'rbatch-1', status: 'completed' }],
    ['a new status and no id', { status: 'paused' }, { id: 'x y', status: 'paused' }],
    [
      'counts that are odd',
      { ...batch, request_counts: { total: 'many', completed: 1 } },
      { requestCounts: { total: undefined, completed: 1 } },
    ],
  ];
  for (const [name, body, expected] of polled)
    it(`polls ${name}`, async () => {
      server.script(answer(200, body));
      const { client, lines } = testClient(server.url);
      const result = await client.reflexBatch('x y', { signal: never() });
      assert.equal(server.requests[0]?.path, '/v1/reflex/asynchronous_batches/x%20y');
      assert.partialDeepStrictEqual(result, expected);
      assert.ok(
        lines.some(line => line.startsWith('GET /v1/reflex/asynchronous_batches/{id} 200')),
      );
    });

  it('takes an upload without an id, and a poll without a status, for no batch', async () => {
    server.script(answer(200, { status: 'queued' }), answer(200, { id: 'rbatch-1' }));
    const { client } = testClient(server.url);
    for (const error of [
      await failureOf(upload(rows)),
      await failureOf(client.reflexBatch('rbatch-1', { signal: never() })),
    ]) {
      assert.equal(error.kind, 'protocol');
      assert.equal(error.message, 'not a reflex batch');
    }
    assert.equal((await failureOf(client.reflexBatch('../1', { signal: never() }))).kind, 'limit');
  });
});

const shownRow = ({ id, predictions, failures, error }: ReflexRowResult) =>
  `${id} ${error ?? [...predictions, ...failures].map(({ model }) => model).join()}`;

describe('reflex batch results', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.close());

  const prediction = {
    model: 'jailbreak',
    mode: 'single_label',
    classes: [{ class_id: 0, label: 'benign', score: 0.9, selected: true }],
  };

  async function results(...script: Fault[]) {
    server.script(...script);
    const { client, lines } = testClient(server.url, { timeouts: { headersMs: 5000 } });
    const given: ReflexRowResult[] = [];
    const onRows = async (some: readonly ReflexRowResult[]) => void given.push(...some);
    const counts = await client.reflexBatchResults({ id: 'rbatch-1', onRows }, { signal: never() });
    const { rows: total, failed, unreadable } = counts;
    return { given, counts: [total, failed, unreadable], lines };
  }

  const a = { id: 'a', predictions: [prediction] };
  const b = { id: 'b', error: { type: 'invalid', message: 'too long' } };
  const [lineA, lineB] = [JSON.stringify(a), JSON.stringify(b)];
  const both = ['a jailbreak', 'b too long'];
  const shapes: [string, string, string[]][] = [
    ['results', JSON.stringify({ object: 'list', results: [a, b], has_more: false }), both],
    [
      'data with an id and lists before',
      JSON.stringify({ id: 'x', errors: [b], data: [a, b] }),
      both,
    ],
    ['rows, over many lines', JSON.stringify({ rows: [a, b] }, null, 2), both],
    ['a list', JSON.stringify([a, b]), both],
    ['JSON lines', `${lineA}\r\n${lineB}\n`, both],
    ['JSON lines without a last line end', `${lineA}\n${lineB}`, both],
    [
      'one line with a list in it',
      JSON.stringify({ id: 'a', results: [prediction] }),
      ['a jailbreak'],
    ],
    [
      'lines with lists in them',
      `{"id":"a","results":[${JSON.stringify(prediction)}]}\n{"id":"c","data":[${JSON.stringify(prediction)}]}`,
      ['a jailbreak', 'c jailbreak'],
    ],
    ['lines with empty lists in them', `{"id":"a","results":[]}\n${lineB}`, ['a ', 'b too long']],
    ['a prediction that is the row', JSON.stringify([{ id: 'a', ...prediction }]), ['a jailbreak']],
    ['a nested prediction', JSON.stringify([{ id: 'a', result: prediction }]), ['a jailbreak']],
    [
      'predictions by name',
      JSON.stringify([{ id: 'a', response: { predictions: { x: prediction } } }]),
      ['a jailbreak'],
    ],
    [
      'one reflex in each row',
      JSON.stringify([
        { id: 'a', result: prediction },
        { id: 'a', result: { ...prediction, model: 'x' } },
      ]),
      ['a jailbreak', 'a x'],
    ],
    [
      'brackets and quotes in texts',
      JSON.stringify({ data: [{ id: '}]"\\', error: '[{' }] }),
      ['}]"\\ [{'],
    ],
    ['no rows', JSON.stringify({ id: 'rbatch-1', results: [] }), []],
    ['an empty list', '[]', []],
  ];
  for (const [name, body, expected] of shapes)
    it(`reads ${name}`, async () => {
      const { given, counts } = await results(answer(200, body));
      assert.deepEqual(given.map(shownRow), expected);
      assert.deepEqual(counts, [given.length, given.filter(({ error }) => error).length, 0]);
      assert.equal(server.requests[0]?.path, '/v1/reflex/asynchronous_batches/rbatch-1/results');
    });

  it('counts rows that cannot be read and hands out the others', async () => {
    const { counts, lines } = await results(
      answer(200, `${lineA}\n{"id":7}\n{damaged}\n{"error":"no"}`),
    );
    assert.deepEqual(counts, [1, 0, 3]);
    assert.ok(lines.includes('unexpected: a row of batch results could not be read'));
  });

  const failed: [string, Fault, string][] = [
    ['404', answer(404, { error: { code: 'not_found', message: 'no' } }), 'notFound'],
    ['an error', answer(200, { error: { code: 'unauthorized', message: 'no' } }), 'unauthorized'],
    ['a page', answer(200, '<html>no</html>'), 'protocol'],
    ['nothing', answer(200, ''), 'protocol'],
    ['another object', answer(200, { object: 'list' }), 'protocol'],
    ['an answer that ends early', answer(200, `{"results":[${lineA},`), 'truncated'],
    ['a row without an end', answer(200, `[{"id":"${'x'.repeat(5 << 20)}`), 'tooLarge'],
  ];
  for (const [name, fault, kind] of failed)
    it(`${name} is ${kind}`, async () =>
      assert.equal((await failureOf(results(fault))).kind, kind));

  it('hands out only new rows when an answer broke off', async () => {
    const { given, counts } = await results(
      answer(200, `${lineA}\n${lineB}\n{"id":`),
      answer(200, `${lineA}\n${lineB}\n${lineA}\n{"id":"c","predictions":[]}`),
    );
    assert.equal(server.requests.length, 2);
    assert.deepEqual(
      given.map(({ id }) => id),
      ['a', 'b', 'a', 'c'],
    );
    assert.deepEqual(counts, [4, 1, 0]);
  });

  it('throws what the taker of the rows throws, and asks only once', async () => {
    server.script(answer(200, lineA));
    const { client } = testClient(server.url);
    const full = new Error('disk full');
    const onRows = () => {
      throw full;
    };
    await assert.rejects(
      client.reflexBatchResults({ id: 'x', onRows }, { signal: never() }),
      (error: unknown) => error === full,
    );
    assert.equal(server.requests.length, 1);
  });

  it('ends at once when it is aborted while rows are taken', async () => {
    server.script(answer(200, lineA));
    const { client } = testClient(server.url);
    const controller = new AbortController();
    const onRows = () => {
      controller.abort();
      return new Promise<void>(() => undefined);
    };
    await assert.rejects(
      client.reflexBatchResults({ id: 'x', onRows }, { signal: controller.signal }),
      { name: 'AbortError' },
    );
  });

  it('reads 10,000 rows that together are above the limit of other answers', async () => {
    const text = 'x'.repeat(2000);
    const body = JSON.stringify({
      results: Array.from({ length: 10_000 }, (_, n) => ({
        id: `${n}`,
        text,
        predictions: [prediction],
      })),
    });
    assert.ok(body.length > 16 << 20);
    const { counts, given } = await results(answer(200, body));
    assert.deepEqual(counts, [10_000, 0, 0]);
    assert.equal(given.at(-1)?.id, '9999');
  });
});

const isItem = (value: unknown) => typeof value === 'object' && value !== null && 'id' in value;

describe('JsonItems', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const item = fc.record({
    id: fc.string({ unit: 'binary' }),
    note: json,
    results: fc.array(fc.record({ classes: json }), { minLength: 1, maxLength: 2 }),
  });
  const space = fc.constantFrom(undefined, 1, '\t');

  it('finds the same items however the text is cut', () => {
    const forms: ((items: object[], indent: string | number | undefined) => string)[] = [
      (items, indent) => JSON.stringify(items, null, indent),
      (items, indent) =>
        JSON.stringify({ more: [{ id: 1 }], data: items, next: null }, null, indent),
      items => items.map(one => JSON.stringify(one)).join('\n'),
    ];
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...forms),
        space,
        fc.integer({ min: 1, max: 7 }),
        (items, form, indent, step) => {
          const text = form(items, indent);
          const reader = new JsonItems({ listNames: ['data', 'results'], isItem, maxChars: 1e6 });
          const found: unknown[] = [];
          for (let at = 0; at < text.length; at += step)
            found.push(...reader.feed(text.slice(at, at + step)));
          assert.deepEqual(found, JSON.parse(JSON.stringify(items)));
          assert.ok(reader.isWhole && reader.isFound);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('throws at nothing that comes', () => {
    const junk = fc.array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', '"data":', 'x'));
    fc.assert(
      fc.property(junk, parts => {
        const reader = new JsonItems({ listNames: ['data'], isItem, maxChars: 1e6 });
        for (const part of parts) reader.feed(part);
      }),
      { numRuns: 2000 },
    );
  });
});

const rowsOf = (...lengths: number[]) =>
  lengths.map((length, n) => ({ id: `${n}`, models: ['m'], text: 'x'.repeat(length) }));
const sizes = (some: ReflexRow[], max?: number) =>
  [...chunksOfRows(some, max)].map(({ length }) => length);

describe('chunksOfRows', () => {
  it('cuts at the number of rows, and where the texts together are too long', () => {
    assert.deepEqual(sizes([]), []);
    assert.deepEqual(sizes(rowsOf(1, 1, 1, 1, 1), 2), [2, 2, 1]);
    assert.deepEqual(sizes(rowsOf(40 << 20, 40 << 20, 1)), [1, 2]);
  });
});
