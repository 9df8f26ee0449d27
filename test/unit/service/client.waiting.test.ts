import assert from 'node:assert/strict';
import { type FaultServer, startFaultServer } from '../../service/faultServer';
import { answer, type FaultName } from '../../service/faults';
import { completion, envelope } from '../../service/wire';
import { eventually } from '../../support/unit/eventually';
import { VirtualTime } from '../../support/unit/virtualTime';
import { edit, failureOf, never, stoppedClient, testClient } from './helpers';

describe('waiting between attempts', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.close());

  /** With random 0.5: half of the jitter on top. */
  const waits: [FaultName, number, number][] = [
    ['retryAfterSeconds', 2000, 2250],
    ['retryAfterFraction', 1500, 1750],
    ['retryAfterDate', 3000, 3250],
    ['retryAfterMs', 300, 330],
    ['retryAfterZero', 50, 50],
    ['retryAfterPast', 50, 50],
    ['retryInMessage', 4000, 4250],
    ['retryAfterGarbage', 250, 250],
    ['retryAfterNegative', 250, 250],
    ['retryAfterOverflow', 250, 250],
    ['status500', 250, 250],
  ];
  for (const [fault, least, most] of waits) {
    it(`${fault} waits ${least} to ${most} ms`, async () => {
      server.script(fault, 'ok');
      const { client, clock } = stoppedClient(server.url);
      const shown: number[] = [];
      const result = await client.apply(edit, {
        signal: never(),
        onWait: ({ retryAt }) => shown.push(retryAt),
      });
      assert.equal(result.attempts, 2);
      const [waitMs = -1, ...more] = clock.sleeps;
      assert.ok(waitMs >= least && waitMs <= most, `waited ${waitMs}`);
      assert.deepEqual(more, []);
      assert.equal(shown.length, 1);
    });
  }

  it('fails at once when asked to wait longer than anyone would, and says until when', async () => {
    server.script('retryAfterLong');
    const { client, clock } = stoppedClient(server.url);
    const error = await failureOf(client.apply(edit, { signal: never() }));
    assert.deepEqual(clock.sleeps, []);
    assert.equal((error.retryAt ?? 0) - clock.now(), 90_000);
  });

  it("counts a date from the answer's own clock, however wrong this one is", async () => {
    const aheadMs = 5 * 3600_000;
    const { client, clock } = stoppedClient(server.url);
    const date = (ms: number) => new Date(clock.now() + aheadMs + ms).toUTCString();
    server.script(
      answer(429, envelope('rate_limited', 'slow down'), {
        date: date(0),
        'retry-after': date(3000),
      }),
      'ok',
    );
    await client.apply(edit, { signal: never() });
    assert.deepEqual(clock.sleeps, [3125]);
  });

  it('counts a date from this clock where the answer has none of its own', async () => {
    const { client, clock } = stoppedClient(server.url);
    server.script(response => {
      response.sendDate = false;
      const until = new Date(clock.now() + 3000).toUTCString();
      return answer(429, envelope('rate_limited', 'slow down'), { 'retry-after': until })(
        response,
        response.req,
      );
    }, 'ok');
    await client.apply(edit, { signal: never() });
    assert.deepEqual(clock.sleeps, [3125]);
  });

  it('holds back the calls of one model only', async () => {
    server.script(
      'retryAfterLong',
      answer(200, { endpoints: [] }),
      answer(200, completion('hello', { model: 'svc-v3-large' })),
    );
    const { client } = stoppedClient(server.url);
    await failureOf(client.apply(edit, { signal: never() }));
    assert.deepEqual((await client.listEndpoints({ signal: never() })).endpoints, []);
    const other = { ...edit, model: 'svc-v3-large' } as const;
    assert.equal((await client.apply(other, { signal: never() })).text, 'hello');
    assert.equal((await failureOf(client.apply(edit, { signal: never() }))).attempts, 0);
    assert.equal(server.requests.length, 3);
  });

  it('holds back a model in both formats', async () => {
    server.script('retryAfterLong', 'ok');
    const { client } = stoppedClient(server.url);
    const model = 'svc-glm52-744b';
    const messages = [{ role: 'user', content: 'hi' }] as const;
    await failureOf(client.chat({ model, messages }, { signal: never() }));
    const error = await failureOf(
      client.messages({ model, messages, maxTokens: 9 }, { signal: never() }),
    );
    assert.deepEqual([error.kind, error.attempts, server.requests.length], ['rateLimited', 0, 1]);
  });

  it('tells whoever shows the waits of all calls, with the operation', async () => {
    server.script('retryAfterSeconds', 'ok');
    const told: string[] = [];
    const { client, clock } = stoppedClient(server.url, {
      onWait: ({ retryAt, error }, operation) =>
        told.push(`${operation} ${error.kind} ${Math.round((retryAt - clock.now()) / 1000)}`),
    });
    await client.apply(edit, { signal: never() });
    assert.deepEqual(told, ['apply rateLimited 2']);
  });

  it('holds every other call of the model back after one 429', async () => {
    server.script('retryAfterLong', 'ok');
    const { client } = stoppedClient(server.url);
    await failureOf(client.apply(edit, { signal: never() }));
    const error = await failureOf(client.apply(edit, { signal: never() }));
    assert.equal(error.kind, 'rateLimited');
    assert.equal(error.attempts, 0);
    assert.equal(server.requests.length, 1);
  });

  it('stops repeating when the budget of the origin is spent', async () => {
    server.script('status500');
    const { client } = stoppedClient(server.url);
    for (let n = 0; n < 6; n++) await failureOf(client.apply(edit, { signal: never() }));
    // 6 first attempts and 10 repeats, not 18.
    assert.equal(server.requests.length, 16);
  });

  it('never waits beyond the deadline', async () => {
    server.script('retryAfterSeconds');
    const { client, clock } = stoppedClient(server.url, { timeouts: { deadlineMs: 1500 } });
    const error = await failureOf(client.apply(edit, { signal: never() }));
    assert.equal(error.kind, 'rateLimited');
    assert.deepEqual(clock.sleeps, []);
  });

  it('ends a stalled attempt at the deadline', async () => {
    server.script('stallHeaders');
    const clock = new VirtualTime();
    const { client } = testClient(server.url, {
      clock,
      timeouts: { deadlineMs: 60, headersMs: 5000 },
    });
    const failure = failureOf(client.apply(edit, { signal: never() }));
    await eventually(() => server.requests.length === 1);
    await clock.advance(60);
    assert.match((await failure).message, /deadline/);
    assert.equal(server.requests.length, 1);
  });

  it('writes one line per attempt: no header, no body', async () => {
    server.script('status500', 'ok');
    const { client, lines } = stoppedClient(server.url);
    await client.apply(edit, { signal: never() });
    assert.match(
      lines[0] ?? '',
      /^POST \/v1\/chat\/completions 500 server \d+ ms, attempt 1, request req-7$/,
    );
    assert.match(
      lines[1] ?? '',
      /^POST \/v1\/chat\/completions 200 ok \d+ ms, attempt 2, request req-7$/,
    );
  });
});
