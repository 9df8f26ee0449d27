import assert from 'node:assert/strict';
import { pages } from '../../../../src/service/wire/pages';
import { type FaultServer, startFaultServer } from '../../../service/faultServer';
import { answer } from '../../../service/faults';
import { defined, failureOf, never, testClient } from '../helpers';

const batch = {
  id: 'batch_1',
  object: 'batch',
  endpoint: '/v1/chat/completions',
  input_file_id: 'file_1',
  completion_window: '24h',
  metadata: { team: 'search', odd: 7 },
  created_at: 1_760_000_000,
  status: 'completed',
  model: 'svc-glm53flash',
  output_file_id: 'file_2',
  error_file_id: 'file_3',
  in_progress_at: 1_760_000_001,
  finalizing_at: 1_760_000_002,
  completed_at: 1_760_000_003,
  failed_at: null,
  expired_at: null,
  expires_at: 1_760_086_400,
  cancelling_at: null,
  cancelled_at: null,
  request_counts: { total: 3, completed: 2, failed: 1 },
  errors: null,
  usage: {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 15,
  },
};

const job = {
  id: 'ftjob-1',
  object: 'fine_tuning.job',
  model: 'svc-reflex-v1',
  created_at: 1_760_000_000,
  finished_at: null,
  fine_tuned_model: 'tone',
  status: 'succeeded',
  labels: ['warm', 'cold'],
  trained_examples: 120,
  hyperparameters: { n_epochs: 3, batch_size: 'auto', learning_rate_multiplier: 'auto' },
  result: { accuracy: 0.94, f1_score: 0.93 },
  error: null,
  suffix: 'tone',
};

const list = (data: unknown[], has_more = false) => ({
  object: 'list',
  data,
  first_id: 'batch_1',
  last_id: null,
  has_more,
});

const batches = (...ids: string[]) => ids.map(id => ({ ...batch, id }));

describe('lists', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.close());

  it('reads a batch: dates in ms, usage as everywhere', async () => {
    server.script(answer(200, list([batch], true)));
    const { client, lines } = testClient(server.url);
    const page = await client.listBatches({ limit: 5, after: 10 }, { signal: never() });
    assert.equal(server.requests[0]?.path, '/v1/batches?limit=5&after=10');
    assert.deepEqual(defined(page.items[0] ?? {}), {
      id: 'batch_1',
      status: 'completed',
      model: 'svc-glm53flash',
      endpoint: '/v1/chat/completions',
      completionWindow: '24h',
      inputFileId: 'file_1',
      outputFileId: 'file_2',
      errorFileId: 'file_3',
      metadata: { team: 'search' },
      requestCounts: { total: 3, completed: 2, failed: 1 },
      usage: {
        promptTokens: 10,
        completionTokens: 5,
        totalTokens: 15,
        cachedTokens: 4,
        reasoningTokens: 2,
      },
      createdAt: 1_760_000_000_000,
      inProgressAt: 1_760_000_001_000,
      finalizingAt: 1_760_000_002_000,
      completedAt: 1_760_000_003_000,
      expiresAt: 1_760_086_400_000,
    });
    assert.deepEqual([page.hasMore, page.next, page.unreadable], [true, 15, 0]);
    assert.deepEqual(
      lines.filter(line => line.startsWith('unexpected')),
      [],
    );
  });

  it('reads a fine-tuning job, and asks for those before it', async () => {
    server.script(answer(200, list([job], true)));
    const { client, lines } = testClient(server.url);
    const page = await client.listFineTuningJobs({ before: 'ftjob-9' }, { signal: never() });
    assert.equal(server.requests[0]?.path, '/v1/fine_tuning/jobs?limit=20&after=ftjob-9');
    assert.deepEqual(defined(page.items[0] ?? {}), {
      id: 'ftjob-1',
      status: 'succeeded',
      model: 'svc-reflex-v1',
      fineTunedModel: 'tone',
      suffix: 'tone',
      labels: ['warm', 'cold'],
      trainedExamples: 120,
      hyperparameters: { epochs: 3, batchSize: 'auto', learningRateMultiplier: 'auto' },
      result: { accuracy: 0.94, f1Score: 0.93 },
      createdAt: 1_760_000_000_000,
    });
    assert.equal(page.next, 'ftjob-1');
    assert.deepEqual(
      lines.filter(line => line.startsWith('unexpected')),
      [],
    );
  });

  it('keeps what it cannot type, and reads the rest of an odd item', async () => {
    const odd = {
      id: 'ftjob-2',
      status: 7,
      labels: null,
      error: { message: 'x' },
      result: null,
    };
    server.script(
      answer(
        200,
        list([odd, { ...batch, errors: ['y'], usage: 'free' }, { ...odd, labels: ['warm', 7] }]),
      ),
    );
    const { client } = testClient(server.url);
    const jobs = await client.listFineTuningJobs({}, { signal: never() });
    assert.deepEqual(defined(jobs.items[0] ?? {}), {
      id: 'ftjob-2',
      labels: [],
      error: { message: 'x' },
    });
    assert.deepEqual(jobs.items[2]?.labels, ['warm']);
    const { items } = await client.listBatches({}, { signal: never() });
    assert.deepEqual(items[1]?.errors, ['y']);
    assert.equal(items[1]?.usage, undefined);
  });

  it('leaves an unreadable item out and counts it; its id still leads to the next page', async () => {
    server.script(
      answer(200, list([job, 'odd', { id: 7 }, { id: 'ftjob-0', mood: 'x' }, null], true)),
    );
    const { client } = testClient(server.url);
    const { items, unreadable, next } = await client.listFineTuningJobs({}, { signal: never() });
    assert.deepEqual(
      items.map(({ id }) => id),
      ['ftjob-1', 'ftjob-0'],
    );
    assert.deepEqual([unreadable, next], [3, 'ftjob-0']);
  });

  it('has no next page after the last one and after an empty one', async () => {
    server.script(answer(200, list([batch])), answer(200, list([], true)));
    const { client } = testClient(server.url);
    for (const hasMore of [false, true]) {
      const page = await client.listBatches({}, { signal: never() });
      assert.deepEqual([page.hasMore, page.next], [hasMore, undefined]);
    }
  });

  it('refuses an answer that is no list', async () => {
    server.script(answer(200, { batches: [batch] }));
    const { client } = testClient(server.url);
    assert.equal((await failureOf(client.listBatches({}, { signal: never() }))).kind, 'protocol');
  });

  for (const [name, ask] of Object.entries({
    'no items': client => client.listBatches({ limit: 0 }, { signal: never() }),
    '101 batches': client => client.listBatches({ limit: 101 }, { signal: never() }),
    '101 jobs': client => client.listFineTuningJobs({ limit: 101 }, { signal: never() }),
    'half a batch': client => client.listBatches({ limit: 1.5 }, { signal: never() }),
    'a negative offset': client => client.listBatches({ after: -1 }, { signal: never() }),
    'the jobs before none': client =>
      client.listFineTuningJobs({ before: '' }, { signal: never() }),
  } satisfies Record<
    string,
    (client: ReturnType<typeof testClient>['client']) => Promise<unknown>
  >))
    it(`does not ask for ${name}`, async () => {
      server.script('ok');
      assert.equal((await failureOf(ask(testClient(server.url).client))).kind, 'limit');
      assert.equal(server.requests.length, 0);
    });

  it('says how many items a page can have', async () => {
    const error = await failureOf(
      testClient(server.url).client.listBatches({ limit: 101 }, { signal: never() }),
    );
    assert.equal(
      error.message,
      'The number of items on a page must be a whole number from 1 to 100, not 101.',
    );
  });

  it('follows the pages of the service and gives each item once', async () => {
    server.script(
      answer(200, list(batches('c', 'b'), true)),
      // A new batch pushed "b" onto this page.
      answer(200, list(batches('b', 'a'), false)),
    );
    const { client } = testClient(server.url);
    const seen: string[] = [];
    for await (const page of pages((after: number | undefined) =>
      client.listBatches({ limit: 2, after }, { signal: never() }),
    ))
      seen.push(...page.items.map(({ id }) => id));
    assert.deepEqual(seen, ['c', 'b', 'a']);
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ['/v1/batches?limit=2&after=0', '/v1/batches?limit=2&after=2'],
    );
  });
});

const page = (ids: string[], next: number | undefined, unreadable = 0) => ({
  items: ids.map(id => ({ id })),
  unreadable,
  hasMore: true,
  next,
});

describe('following pages', () => {
  const endings: [string, (at: number) => ReturnType<typeof page>, number][] = [
    ['a service that repeats its page', at => page(['a'], at + 1), 2],
    ['a page without items', at => page(at === 0 ? ['a'] : [], at + 1), 2],
    ['a place that stays the same', at => page([`${at}`], 1), 2],
    ['a repeated page with an unreadable item', at => page(['a'], at + 1, 1), 2],
    ['a list without an end', at => page([`${at}`], at + 1), 7],
    ['pages of unreadable items', at => page([], at + 1, 1), 7],
  ];
  for (const [name, read, reads] of endings)
    it(`ends at ${name}`, async () => {
      let count = 0;
      const ids: string[] = [];
      for await (const { items, hasMore } of pages(async (at: number | undefined) => {
        count++;
        return read(at ?? 0);
      }, 7)) {
        ids.push(...items.map(({ id }) => id));
        assert.ok(hasMore);
      }
      assert.equal(count, reads);
      assert.equal(new Set(ids).size, ids.length);
    });
});
