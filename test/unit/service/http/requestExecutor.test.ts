import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { isAbortError } from '../../../../src/base/async/clock';
import { english } from '../../../../src/base/sentence';
import { adviceFor } from '../../../../src/service/advice';
import { ServiceError } from '../../../../src/service/errors';
import type { FinishedCall, Operation } from '../../../../src/service/http/operation';
import {
  type ExecutedCall,
  RequestExecutor,
  type RequestExecutorOptions,
} from '../../../../src/service/http/requestExecutor';
import { readJsonObject } from '../../../../src/service/http/responseContext';
import type { CallClass } from '../../../../src/service/http/retry';
import {
  backgroundTimeouts,
  headersMs,
  interactiveTimeouts,
} from '../../../../src/service/http/timeouts';
import type {
  Transport,
  TransportRequest,
  TransportResponse,
} from '../../../../src/service/transport/transport';
import { eventually } from '../../../support/unit/eventually';
import { VirtualTime } from '../../../support/unit/virtualTime';
import { apiKey, atOnce, failureOf, never, TestClock } from '../helpers';

type Answer = (request: TransportRequest) => TransportResponse | Promise<TransportResponse>;

function answer(status: number, body: object | string = {}, headers = {}): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return () => ({
    status,
    headers: new Headers(headers),
    body: new Blob([text]).stream(),
    cancel: () => undefined,
  });
}

const ok = answer(200);
const breaks = (code: string): Answer => {
  return () => Promise.reject(Object.assign(new Error('broken'), { code }));
};
const hangs: Answer = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))));
const after = async (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** Answers in memory, in the order of the script; the last one is repeated. */
class Wire implements Transport {
  concurrency = 8;
  readonly requests: TransportRequest[] = [];
  running = 0;
  mostRunning = 0;
  #answers: Answer[];

  constructor(...answers: Answer[]) {
    this.#answers = answers;
  }

  script(...answers: Answer[]): void {
    this.#answers = answers;
    this.requests.length = 0;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    this.requests.push(request);
    const next = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    this.mostRunning = Math.max(this.mostRunning, ++this.running);
    try {
      return await (next ?? ok)(request);
    } finally {
      this.running--;
    }
  }
}

interface Bench {
  caller: RequestExecutor;
  wire: Wire;
  clock: TestClock;
  lines: string[];
}

function setUp(wire: Wire, options: Partial<RequestExecutorOptions> = {}): Bench {
  const clock = new TestClock();
  const lines: string[] = [];
  const caller = new RequestExecutor({
    baseUrl: () => 'https://api.example.com/team',
    apiKey: async () => apiKey,
    transport: async () => wire,
    clock,
    random: () => 0.5,
    log: line => lines.push(line),
    timeouts: {},
    ...options,
  });
  return { caller, wire, clock, lines };
}

function operation(more: Partial<Operation<unknown>> = {}): Operation<unknown> {
  return {
    name: 'listEndpoints',
    callClass: 'read',
    method: 'GET',
    path: '/v1/things',
    accept: 'application/json',
    read: readJsonObject,
    ...more,
  };
}

const post = { method: 'POST', body: { a: 1 } } as const;
const signalled = (): { signal: AbortSignal } => ({ signal: never() });
const background = (): { signal: AbortSignal; background: true } => ({
  signal: never(),
  background: true,
});

describe('what may be repeated', () => {
  const classes: CallClass[] = ['read', 'compute', 'money'];
  const rows: [string, Answer, [read: number, compute: number, money: number]][] = [
    ['a 500', answer(500), [4, 3, 1]],
    ['a 503 with Retry-After', answer(503, {}, { 'retry-after': '1' }), [4, 3, 3]],
    ['a 429', answer(429), [4, 3, 3]],
    ['a 425', answer(425), [4, 3, 3]],
    ['a 400', answer(400), [1, 1, 1]],
    ['a 400 that asks for a repeat', answer(400, {}, { 'x-should-retry': 'true' }), [4, 3, 1]],
    ['a 429 that asks for none', answer(429, {}, { 'x-should-retry': 'false' }), [1, 1, 1]],
    ['a refused connection', breaks('ECONNREFUSED'), [4, 3, 3]],
    ['no such host', breaks('ENOTFOUND'), [4, 3, 3]],
    ['a connection that takes too long to make', breaks('UND_ERR_CONNECT_TIMEOUT'), [4, 3, 3]],
    ['a refused HTTP/2 stream', breaks('NGHTTP2_REFUSED_STREAM'), [4, 3, 3]],
    ['a reset after sending', breaks('ECONNRESET'), [4, 2, 1]],
    ['a closed socket', breaks('UND_ERR_SOCKET'), [4, 2, 1]],
    ['no answer in time', hangs, [4, 2, 1]],
    ['a bad certificate', breaks('CERT_HAS_EXPIRED'), [1, 1, 1]],
  ];
  for (const [what, cause, counts] of rows)
    it(`${what}: ${counts.join(', ')} requests of read, compute and money`, async () => {
      const seen: number[] = [];
      for (const callClass of classes) {
        const { caller, wire } = setUp(new Wire(cause), { timeouts: { headersMs: 20 } });
        const error = await failureOf(caller.execute(operation({ callClass }), signalled()));
        assert.equal(error.attempts, wire.requests.length);
        seen.push(wire.requests.length);
      }
      assert.deepEqual(seen, counts);
    });

  it('spends nothing twice: a purchase that was cut is not sent again after a 429 before it', async () => {
    const { caller, wire } = setUp(new Wire(answer(429), breaks('ECONNRESET'), ok));
    const error = await failureOf(
      caller.execute(operation({ ...post, callClass: 'money' }), signalled()),
    );
    assert.deepEqual(
      [error.kind, error.outcome, wire.requests.length],
      ['connection', 'unknown', 2],
    );
  });
});

describe('the request', () => {
  it('has one idempotency key and one body over all attempts of a POST', async () => {
    const { caller, wire } = setUp(new Wire(answer(500), ok));
    const body = { list: [1] };
    const call = operation({ ...post, body, callClass: 'compute' });
    await caller.execute(call, { signal: never(), onWait: () => void body.list.push(2) });
    const [first, second] = wire.requests;
    assert.match(first?.headers['idempotency-key'] ?? '', /^[\da-f]{8}-[\da-f-]{27}$/);
    assert.deepEqual(second?.headers, first?.headers);
    assert.deepEqual([first?.body, second?.body], ['{"list":[1]}', '{"list":[1]}']);
    await caller.execute(call, signalled());
    assert.notEqual(
      wire.requests[2]?.headers['idempotency-key'],
      first?.headers['idempotency-key'],
    );
  });

  it('says that its body is JSON, where it has one', async () => {
    const { caller, wire } = setUp(new Wire(ok));
    await caller.execute(operation(post), signalled());
    await caller.execute(operation(), signalled());
    assert.deepEqual(
      wire.requests.map(({ body, headers }) => [body, headers['content-type'], headers['accept']]),
      [
        ['{"a":1}', 'application/json', 'application/json'],
        [undefined, undefined, 'application/json'],
      ],
    );
  });

  it('takes the idempotency key of a caller that must survive a reload; a GET has none', async () => {
    const { caller, wire } = setUp(new Wire(ok));
    await caller.execute(operation({ ...post, idempotencyKey: 'kept-1' }), signalled());
    await caller.execute(operation(), signalled());
    const keys = wire.requests.map(({ headers }) => headers['idempotency-key']);
    assert.deepEqual(keys, ['kept-1', undefined]);
  });

  const site = { siteUrl: () => 'https://site.example.com/' };
  const targets: [
    string,
    Partial<RequestExecutorOptions>,
    Operation<unknown>['target'],
    string,
    boolean,
  ][] = [
    ['the service', {}, undefined, 'https://api.example.com/team/v1/things?n=2', true],
    ['the site', site, 'site', 'https://site.example.com/v1/things?n=2', false],
    ['no site: the origin', {}, 'site', 'https://api.example.com/v1/things?n=2', false],
    [
      'an endpoint',
      {},
      new URL('https://e1.example.com/x'),
      'https://e1.example.com/x/v1/things?n=2',
      true,
    ],
  ];
  for (const [name, options, target, url, hasKey] of targets)
    it(`goes to ${name} ${hasKey ? 'with' : 'without'} the key`, async () => {
      const asked: string[] = [];
      const { caller, wire, lines } = setUp(new Wire(ok), {
        ...options,
        apiKey: async origin => {
          asked.push(origin);
          return apiKey;
        },
      });
      const query = { n: 2, absent: undefined };
      await caller.execute(
        operation({ query, ...(target === undefined ? {} : { target }) }),
        signalled(),
      );
      const [request] = wire.requests;
      assert.equal(request?.url.href, url);
      assert.equal(request?.headers['authorization'], hasKey ? `Bearer ${apiKey}` : undefined);
      assert.deepEqual(asked, hasKey ? ['https://api.example.com'] : []);
      assert.match(lines.join('\n'), /^GET \/v1\/things 200 ok \d+ ms, attempt 1$/);
    });

  it('is logged by its template, one line per attempt, and by nothing else', async () => {
    const { caller, lines } = setUp(new Wire(answer(500, '', { 'request-id': 'r\u001b[1m1' }), ok));
    await caller.execute(
      operation({ path: '/v1/things/secret-id', template: '/v1/things/{id}' }),
      signalled(),
    );
    assert.deepEqual(
      lines.map(line => line.replace(/\d+ ms/, 'n ms')),
      [
        'GET /v1/things/{id} 500 server n ms, attempt 1, request r [1m1',
        'GET /v1/things/{id} 200 ok n ms, attempt 2',
      ],
    );
  });
});

describe('an error', () => {
  const shapes: [string, object | string, string | undefined, string | undefined][] = [
    ['an envelope', { error: { code: 'odd', message: 'words' } }, 'odd', 'words'],
    ['a flat error', { error: 'words' }, undefined, 'words'],
    ['a type', { type: 'error', error: { type: 'odd', message: 'words' } }, 'odd', 'words'],
    ['a message', { message: 'words' }, undefined, 'words'],
    ['HTML', '<html>words</html>', undefined, undefined],
    ['nothing', '', undefined, undefined],
  ];
  for (const [name, body, code, serverText] of shapes)
    it(`is read from ${name}`, async () => {
      const { caller } = setUp(new Wire(answer(403, body, { 'x-request-id': 'r-1' })));
      const { kind, status, requestId, attempts, ...error } = await failureOf(
        caller.execute(operation(), signalled()),
      );
      assert.deepEqual([kind, status, requestId, attempts], ['forbidden', 403, 'r-1', 1]);
      assert.deepEqual([error.code, error.serverText], [code, serverText]);
    });
});

const callAll = (caller: RequestExecutor, count: number): Promise<ExecutedCall<unknown>[]> =>
  Promise.all(Array.from({ length: count }, () => caller.execute(operation(), signalled())));

describe('1,000 calls at once', () => {
  it('never have more under way than the transport carries', async () => {
    const wire = new Wire(async request => {
      await after(1);
      return ok(request);
    });
    const { caller } = setUp(wire);
    await callAll(caller, 200);
    assert.equal(wire.mostRunning, 8);
    assert.equal(wire.requests.length, 200);
  });

  it('meet a 429 only as often as they were under way, and all succeed', async () => {
    let isOver = true;
    let limited = 0;
    const wire = new Wire(async request => {
      await after(2);
      // The first moments are over the limit, until somebody has waited as long as was told.
      if (!isOver) return ok(request);
      limited++;
      return answer(429, {}, { 'retry-after': '0.3' })(request);
    });
    const { caller, clock } = setUp(wire);
    clock.sleep = async ms => {
      await after(ms);
      isOver = false;
    };
    await callAll(caller, 1000);
    assert.ok(limited > 0 && limited <= wire.concurrency, `${limited} times`);
    assert.equal(wire.requests.length, 1000 + limited);
  });

  it('leave the slots and the repeats of other calls alone when one limit is met', async () => {
    const running = { free: 0, most: 0 };
    const wire = new Wire(async request => {
      if (request.method === 'POST') return answer(429, {}, { 'retry-after': '1' })(request);
      running.most = Math.max(running.most, ++running.free);
      await after(2);
      running.free--;
      return ok(request);
    });
    wire.concurrency = 64;
    const { caller } = setUp(wire);
    const limited = operation({ ...post, callClass: 'compute', name: 'chat', model: 'm' });
    const paid = Array.from({ length: 40 }, () => failureOf(caller.execute(limited, signalled())));
    await Promise.all(paid);
    await callAll(caller, 200);
    assert.equal(running.most, 64);
    wire.script(answer(500), ok);
    assert.equal((await caller.execute(operation(), signalled())).attempts, 2);
  });

  it('find the rate that the service allows', async () => {
    // 20 requests in each 50 ms; whoever comes later is told to wait for the next.
    const time = new VirtualTime();
    let windowAt = 0;
    let used = 0;
    const wire = new Wire(async request => {
      await time.sleep(5, never());
      const now = time.monotonic();
      if (now - windowAt > 50) [windowAt, used] = [now, 0];
      return used++ < 20 ? ok(request) : answer(429, {}, { 'retry-after': '0.06' })(request);
    });
    wire.concurrency = 64;
    const { caller } = setUp(wire, { clock: time });
    const calls = Promise.allSettled(
      Array.from({ length: 300 }, () =>
        caller.execute(operation({ callClass: 'read' }), signalled()),
      ),
    );
    const results = await time.until(calls);
    const failed = results.filter(({ status }) => status === 'rejected').length;
    // With all slots kept it would be twice as many.
    assert.ok(failed <= 40, `${failed} of 300 failed`);
  });

  it('start over several turns of the event loop', async () => {
    const { caller, wire } = setUp(new Wire(hangs));
    wire.concurrency = 1000;
    const controller = new AbortController();
    const calls = Array.from({ length: 1000 }, () =>
      caller.execute(operation(), { signal: controller.signal }).catch(() => undefined),
    );
    await new Promise(resolve => setImmediate(resolve));
    assert.ok(wire.requests.length <= 100, `${wire.requests.length} in the first turn`);
    await eventually(() => wire.requests.length === 1000);
    controller.abort();
    await Promise.all(calls);
  });
});

const oneSlot = (answers: Answer[], options: Partial<RequestExecutorOptions> = {}): Bench => {
  const bench = setUp(new Wire(...answers), options);
  bench.wire.concurrency = 1;
  return bench;
};

describe('waiting for room', () => {
  it('ends at the deadline with nothing sent', async () => {
    const { caller, wire } = oneSlot([hangs]);
    const controller = new AbortController();
    const first = caller.execute(operation(), { signal: controller.signal }).catch(() => undefined);
    const error = await failureOf(
      caller.execute(operation({ callClass: 'money', timeouts: { deadlineMs: 30 } }), signalled()),
    );
    assert.deepEqual([error.kind, error.outcome, error.attempts], ['timeout', 'notProcessed', 0]);
    controller.abort();
    await first;
    assert.equal(wire.requests.length, 1);
  });

  it('ends at once when canceled, and loses no slot', async () => {
    const { caller, wire } = oneSlot([hangs, ok]);
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = caller.execute(operation(), { signal: running.signal }).catch(() => undefined);
    const second = caller.execute(operation(), { signal: waiting.signal });
    await after(10);
    waiting.abort();
    await assert.rejects(atOnce(second), isAbortError);
    assert.equal(getEventListeners(waiting.signal, 'abort').length, 0);
    running.abort();
    await first;
    await caller.execute(operation(), signalled());
    assert.equal(wire.requests.length, 2);
  });

  it('leaves no listener on the signal, however a call ends', async () => {
    const { caller } = oneSlot([ok, answer(400), breaks('ECONNRESET'), answer(500), ok]);
    const signal = never();
    for (let n = 0; n < 4; n++)
      await caller.execute(operation(), { signal }).catch(() => undefined);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('lets at most as many calls through as an endpoint carries', async () => {
    const wire = new Wire(async request => {
      await after(2);
      return ok(request);
    });
    const { caller } = setUp(wire);
    const gated = (max: number): Promise<unknown>[] =>
      Array.from({ length: 12 }, () =>
        caller.execute(operation({ concurrencyLimit: { key: 'e1', max } }), signalled()),
      );
    await Promise.all(gated(2));
    assert.equal(wire.mostRunning, 2);
    await Promise.all([...gated(2), ...gated(3)]);
    assert.equal(wire.mostRunning, 3);
  });
});

describe('background calls', () => {
  it('wait up to ten minutes when asked to, and no longer', async () => {
    for (const [seconds, requests] of [
      [90, 2],
      [700, 1],
    ]) {
      const wire = new Wire(answer(503, {}, { 'retry-after': String(seconds) }), ok);
      const { caller } = setUp(wire);
      await caller.execute(operation(), background()).catch(() => undefined);
      assert.equal(wire.requests.length, requests);
    }
  });

  it('rest after five failures in a row, try once after 30 s, then rest twice as long', async () => {
    const { caller, wire, clock } = setUp(new Wire(answer(500)));
    const call = (options: Parameters<RequestExecutor['execute']>[1]): Promise<ServiceError> =>
      failureOf(caller.execute(operation({ callClass: 'money' }), options));
    for (let n = 0; n < 5; n++) assert.equal((await call(background())).kind, 'server');
    const paused = await call(background());
    assert.deepEqual([paused.kind, paused.attempts], ['paused', 0]);
    assert.deepEqual(adviceFor(paused, english), {
      message: 'The service failed (500), 5 failures in a row.',
      actions: ['retry', 'diagnose'],
    });
    assert.ok(Math.abs((paused.retryAt ?? 0) - clock.now() - 30_000) < 500);
    assert.equal((await call(signalled())).kind, 'server', 'people are always heard');
    assert.equal(wire.requests.length, 6);

    await clock.sleep(30_000, never());
    const two = await Promise.all([call(background()), call(background())]);
    assert.deepEqual(two.map(({ kind }) => kind).sort(), ['paused', 'server']);
    const again = await call(background());
    assert.ok(Math.abs((again.retryAt ?? 0) - clock.now() - 60_000) < 500);
  });

  it('say what the last of the failures was, whatever the first was, and what helps against it', async () => {
    const { caller, wire } = setUp(new Wire(answer(500)));
    const money = operation({ callClass: 'money' });
    for (let n = 0; n < 4; n++) await failureOf(caller.execute(money, background()));
    wire.script(breaks('ECONNREFUSED'));
    await failureOf(caller.execute(money, background()));
    const { message, actions } = adviceFor(
      await failureOf(caller.execute(money, background())),
      english,
    );
    assert.match(message, /: nothing accepts connections there, \d+ failures in a row\.$/);
    assert.deepEqual(actions, ['retry', 'diagnose', 'setUrl']);
  });

  it('go on after a probe that works, and after one that was canceled', async () => {
    const { caller, wire, clock } = setUp(new Wire(answer(500)));
    const money = operation({ callClass: 'money' });
    for (let n = 0; n < 5; n++) await failureOf(caller.execute(money, background()));
    await clock.sleep(30_000, never());

    wire.script(hangs);
    const controller = new AbortController();
    const probe = caller.execute(money, { signal: controller.signal, background: true });
    await after(10);
    controller.abort();
    await assert.rejects(probe, isAbortError);

    wire.script(ok);
    await caller.execute(money, background());
    await caller.execute(money, background());
    assert.equal(wire.requests.length, 2);
  });

  it('take a plain refusal for a service that works', async () => {
    const { caller, wire } = setUp(
      new Wire(answer(500), answer(500), answer(500), answer(500), answer(404), answer(500), ok),
    );
    const money = operation({ callClass: 'money' });
    for (let n = 0; n < 6; n++) await failureOf(caller.execute(money, background()));
    await caller.execute(money, background());
    assert.equal(wire.requests.length, 7);
  });
});

describe('time', () => {
  it('has the limits of the design', () => {
    const { deadlineMs, ...interactive } = interactiveTimeouts;
    assert.deepEqual(interactive, {
      headersMs: 60_000,
      firstEventMs: 120_000,
      streamIdleMs: 60_000,
      bodyIdleMs: 30_000,
      patienceMs: 30_000,
      backoffCapMs: 8000,
    });
    const { patienceMs, backoffCapMs } = backgroundTimeouts;
    assert.deepEqual([patienceMs, backoffCapMs], [600_000, 60_000]);
    assert.deepEqual(
      [headersMs.read, headersMs.predict, headersMs.stream],
      [15_000, 10_000, 60_000],
    );
    assert.ok(backgroundTimeouts.deadlineMs > deadlineMs);
  });

  it('is limited by the operation, and by the owner of the client before it', async () => {
    for (const [ofClient, expected] of [
      [{}, 15_000],
      [{ headersMs: 7000 }, 7000],
    ] as const) {
      const { caller, clock } = setUp(new Wire(ok), { timeouts: ofClient });
      const armed: number[] = [];
      clock.after = ms => {
        armed.push(Math.round(ms));
        return () => undefined;
      };
      await caller.execute(operation({ timeouts: { headersMs: 15_000 } }), signalled());
      assert.ok(armed.includes(expected), String(armed));
    }
  });

  it('in which the computer slept is not held against a call that waits', async () => {
    const { caller, clock, wire } = setUp(new Wire(answer(500), ok));
    const sleep = clock.sleep.bind(clock);
    // The lid closes during the wait, and the steady clock runs on.
    clock.sleep = (ms, signal) => sleep(ms + 3600_000, signal);
    await caller.execute(operation(), signalled());
    assert.equal(wire.requests.length, 2);
  });

  it('behind a closed gate counts as well', async () => {
    const { caller, clock } = setUp(new Wire(answer(429, {}, { 'retry-after': '20' })));
    await failureOf(caller.execute(operation({ timeouts: { patienceMs: 1 } }), signalled()));
    const error = await failureOf(
      caller.execute(operation({ timeouts: { deadlineMs: 10_000 } }), signalled()),
    );
    assert.deepEqual([error.kind, error.attempts, clock.sleeps], ['rateLimited', 0, []]);
    assert.ok((error.retryAt ?? 0) > clock.now() + 15_000);
  });
});

const charge = () => ({ kind: 'router', requests: 1 }) as const;

const refuse = async (): Promise<void> => {
  throw new ServiceError('budget', 'spent');
};

const full = () => Promise.reject(new Error('disk full'));

describe('the ledger', () => {
  it('hears of every call that was sent, and of no other', async () => {
    const written: FinishedCall[] = [];
    const billing = {
      admit: async () => undefined,
      record: async (call: FinishedCall) => {
        written.push(call);
        return { usd: 1, isExact: true };
      },
    };
    const { caller } = setUp(new Wire(answer(500), ok, answer(400)), { billing });
    const paid = operation({ ...post, charge });
    assert.deepEqual((await caller.execute(paid, signalled())).cost, { usd: 1, isExact: true });
    await failureOf(caller.execute(paid, signalled()));
    await assert.rejects(caller.execute(paid, { signal: AbortSignal.abort() }), isAbortError);
    assert.deepEqual(
      written.map(call => [call.result, call.attempts, call.charge?.kind, call.sentChars]),
      [
        ['ok', 2, 'router', 7],
        ['badRequest', 1, undefined, 7],
      ],
    );
  });

  it('stops a call before anything is sent', async () => {
    const { caller, wire } = setUp(new Wire(ok), {
      billing: { admit: refuse, record: () => assert.fail('nothing was sent') },
    });
    assert.equal((await failureOf(caller.execute(operation(), signalled()))).kind, 'budget');
    assert.equal(wire.requests.length, 0);
  });

  it('costs neither an answer nor the reason of a failure when it cannot be written', async () => {
    const { caller, lines } = setUp(new Wire(ok, answer(400)), {
      billing: { admit: async () => undefined, record: full },
    });
    assert.equal((await caller.execute(operation({ charge }), signalled())).attempts, 1);
    assert.equal((await failureOf(caller.execute(operation(), signalled()))).kind, 'badRequest');
    const unexpected = lines.filter(line => line.startsWith('unexpected'));
    assert.deepEqual(unexpected, [
      'unexpected: the cost of listEndpoints could not be written down',
    ]);
  });
});

describe('unexpected', () => {
  it('are noted once, cleaned, and at most 200 times', async () => {
    const { caller, lines } = setUp(new Wire(ok));
    let n = 0;
    const read: Operation<unknown>['read'] = async reply => {
      reply.warn('new\u001bfield');
      for (let k = 0; k < 50; k++) reply.warn(`field ${n++}`);
    };
    for (let k = 0; k < 6; k++) await caller.execute(operation({ read }), signalled());
    const unexpected = lines.filter(line => line.startsWith('unexpected'));
    assert.equal(unexpected.length, 200);
    assert.equal(unexpected.filter(line => line === 'unexpected: new field').length, 1);
  });
});

/** Bytes, garbage included; the resident size would depend on the tests before. */
function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** 64 KB at a time, as a socket brings them; `peak` is the most that the process held meanwhile. */
function flood(status: number, megabytes: number): { send: Answer; peak: () => number } {
  let most = 0;
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"a":"');
    for (let n = 0; n < megabytes * 16; n++) {
      yield Buffer.alloc(1 << 16, 'x');
      most = Math.max(most, held());
    }
    yield Buffer.from('"}');
  }
  const send: Answer = () => ({
    status,
    headers: new Headers({ 'content-type': 'application/json' }),
    body: body(),
    cancel: () => undefined,
  });
  return { send, peak: () => Math.max(most, held()) };
}

describe('memory', () => {
  const rows: [string, number, number, string][] = [
    ['an error body of 16 MB', 400, 16, 'badRequest'],
    ['an answer of 200 MB', 200, 200, 'tooLarge'],
  ];
  for (const [what, status, megabytes, expected] of rows)
    it(`stays within 64 MB for ${what}`, async () => {
      const { send, peak } = flood(status, megabytes);
      const { caller } = setUp(new Wire(send));
      const before = held();
      const ended = await caller.execute(operation(), signalled()).then(
        () => 'ok',
        (error: unknown) => (error instanceof ServiceError ? error.kind : 'other'),
      );
      assert.equal(ended, expected);
      const grownMb = (peak() - before) / (1 << 20);
      assert.ok(grownMb < 64, `${grownMb.toFixed(0)} MB`);
    });
});
