import assert from 'node:assert/strict';
import { type FaultName } from '../../service/faults';
import { type FaultServer, startFaultServer } from '../../service/faultServer';
import { edit, failureOf, never, hastyClient } from './helpers';

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
    ['retryAfterDate', 1900, 3300],
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
      const { client, clock } = hastyClient(server.url);
      const shown: number[] = [];
      const result = await client.apply(edit, {
        signal: never(),
        onWait: ({ retryAt }) => shown.push(retryAt),
      });
      assert.equal(result.attempts, 2);
      const [waitMs = -1, ...more] = clock.sleeps;
      assert.ok(waitMs >= least - 5 && waitMs <= most + 5, `waited ${waitMs}`);
      assert.deepEqual(more, []);
      assert.equal(shown.length, 1);
    });
  }

  it('fails at once when asked to wait longer than anyone would, and says until when', async () => {
    server.script('retryAfterLong');
    const { client, clock } = hastyClient(server.url);
    const error = await failureOf(client.apply(edit, { signal: never() }));
    assert.deepEqual(clock.sleeps, []);
    assert.ok(Math.abs((error.retryAt ?? 0) - clock.now() - 90_000) < 2000);
  });

  it('holds every other call of the origin back after one 429', async () => {
    server.script('retryAfterLong', 'ok');
    const { client } = hastyClient(server.url);
    await failureOf(client.apply(edit, { signal: never() }));
    const error = await failureOf(client.apply(edit, { signal: never() }));
    assert.equal(error.kind, 'rateLimited');
    assert.equal(error.attempts, 0);
    assert.equal(server.requests.length, 1);
  });

  it('stops repeating when the budget of the origin is spent', async () => {
    server.script('status500');
    const { client } = hastyClient(server.url);
    for (let n = 0; n < 6; n++) await failureOf(client.apply(edit, { signal: never() }));
    // 6 first attempts and 10 repeats, not 18.
    assert.equal(server.requests.length, 16);
  });

  it('never waits beyond the deadline', async () => {
    server.script('retryAfterSeconds');
    const { client, clock } = hastyClient(server.url, { timeouts: { deadlineMs: 1500 } });
    const error = await failureOf(client.apply(edit, { signal: never() }));
    assert.equal(error.kind, 'rateLimited');
    assert.deepEqual(clock.sleeps, []);
  });

  it('ends a stalled attempt at the deadline', async () => {
    server.script('stallHeaders');
    const { client } = hastyClient(server.url, { timeouts: { deadlineMs: 60, headersMs: 5000 } });
    const error = await failureOf(client.apply(edit, { signal: never() }));
    assert.match(error.message, /deadline/);
    assert.equal(server.requests.length, 1);
  });

  it('writes one line per attempt: no header, no body', async () => {
    server.script('status500', 'ok');
    const { client, lines } = hastyClient(server.url);
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
