import assert from 'node:assert/strict';
import { systemClock } from '../../../../src/base/async/clock';
import { sentence } from '../../../../src/base/sentence';
import { probeService } from '../../../../src/connection/checks/probeService';
import {
  type Trial,
  type TriedService,
  trialReport,
  tryService,
} from '../../../../src/connection/checks/trial';
import { ServiceError } from '../../../../src/service/errors';
import { fetchTransport, type Transport } from '../../../../src/service/transport/transport';
import { answer } from '../../../service/faults';
import { listen } from '../../../service/listen';
import { type StandIn, startStandIn } from '../../../service/standIn';
import { VirtualTime } from '../../../support/unit/virtualTime';
import { t as translate } from '../../endpoints/core/support';
import { apiKey, never, testClient } from '../../service/helpers';

const transport = fetchTransport((input, init) => globalThis.fetch(input, init));
const stateOf = (trial: Trial): string =>
  trial.state === 'failed' && trial.error instanceof ServiceError ? trial.error.kind : trial.state;

const address = async (url: string, signal = never()): Promise<Trial> =>
  tryService(
    { address: new URL(url), hasKey: false, client: testClient(url).client, transport },
    signal,
    systemClock,
  );
const tried = async (url: string): Promise<string> => stateOf(await address(url));

describe('trying a key or an address', () => {
  let standIn: StandIn;
  beforeEach(async () => {
    standIn = await startStandIn({ apiKey });
  });
  afterEach(async () => {
    await standIn.close();
  });

  const tryIt = async (url = standIn.url, key = apiKey, signal = never()) =>
    tryService(
      {
        address: new URL(url),
        hasKey: true,
        client: testClient(url, { apiKey: async () => key }).client,
        transport,
      },
      signal,
      systemClock,
    );

  it('finds a key that works, and how many models there are', async () => {
    const trial = await tryIt();
    assert.ok(trial.state === 'works' && (trial.models ?? 0) > 5, JSON.stringify(trial));
    // Nothing that costs money.
    assert.deepEqual([...new Set(standIn.requests.map(({ method }) => method))], ['GET']);
    // The address first, without the key.
    assert.deepEqual(
      standIn.requests.map(({ headers }) => headers.authorization !== undefined),
      [false, true, false],
    );
  });

  it('finds a key that the service refuses', async () => {
    assert.equal((await tryIt(standIn.url, 'sk-wrong')).state, 'refusedKey');
  });

  it('tells the other failures apart', async () => {
    const answers: [number, string][] = [
      [403, 'forbidden'],
      [402, 'payment'],
      [404, 'notFound'],
    ];
    for (const [status, kind] of answers) {
      standIn.inject('GET /api/v1/dedicated/endpoints', { fault: answer(401, {}), times: 1 });
      standIn.inject('GET /api/v1/dedicated/endpoints', { fault: answer(status, {}), times: 1 });
      assert.equal(stateOf(await tryIt()), kind);
    }
    const closed = await listen(() => undefined);
    await closed.close();
    assert.equal(stateOf(await tryIt(closed.url)), 'offline');
  });

  it('gives up on a service that does not answer, and ends at once when it is canceled', async () => {
    const silent = await listen(() => undefined);
    const time = new VirtualTime();
    const { client } = testClient(silent.url);
    const waiting = tryService(
      { address: new URL(silent.url), hasKey: true, client, transport },
      never(),
      time,
    );
    await time.advance(5000);
    assert.equal(stateOf(await waiting), 'timeout');
    const controller = new AbortController();
    const canceled = tryIt(silent.url, apiKey, controller.signal);
    controller.abort();
    assert.equal((await canceled).state, 'canceled');
    await silent.close();
  });

  it('sends nothing once it is canceled', async () => {
    const trial = await tryIt(standIn.url, apiKey, AbortSignal.abort());
    assert.equal(trial.state, 'canceled');
    assert.equal((await address(standIn.url, AbortSignal.abort())).state, 'canceled');
    assert.equal(standIn.requests.length, 0);
  });

  it('takes no more of an answer than its head, which may be endless', async () => {
    let isCanceled = false;
    const endless: Pick<Transport, 'request'> = {
      request: async () => ({
        status: 401,
        headers: new Headers({ 'content-type': 'application/json', date: 'today' }),
        body: (async function* () {})(),
        cancel: () => {
          isCanceled = true;
        },
      }),
    };
    const response = await probeService(endless, new URL('https://service.test/v1'), never());
    assert.deepEqual(response, { status: 401, contentType: 'application/json', date: 'today' });
    assert.equal(isCanceled, true);
  });

  it('sends no key to an address that has none, and knows a service from a web page', async () => {
    assert.equal(await tried(standIn.url), 'answers');
    assert.equal(standIn.requests[0]?.headers.authorization, undefined);
    assert.equal(await tried(`${standIn.url}/elsewhere`), 'otherSite');
    const portal = await listen((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
    );
    assert.equal(await tried(portal.url), 'otherSite');
    await portal.close();
    assert.equal(await tried(portal.url), 'offline');
  });
});

const failed = (kind: ServiceError['kind']): Exclude<Trial, { state: 'refusedKey' }> => ({
  state: 'failed',
  error: new ServiceError(kind, 'detail', { host: 'h' }),
});

describe('what is said of a trial', () => {
  it('names the proxy where one is in between, with its setting', () => {
    const error = new ServiceError('offline', 'detail', { host: 'h', code: 'ECONNREFUSED' });
    const { text, actions } = trialReport(
      { state: 'failed', error },
      { host: 'h', about: 'both', proxy: 'proxy.test:3128' },
      translate,
    );
    assert.match(text, /The proxy proxy\.test:3128 refuses the connection/);
    assert.deepEqual(actions, ['retry', 'proxySettings', 'setUrl', 'diagnose']);
  });

  const cases: [
    Exclude<Trial, { state: 'refusedKey' }>,
    TriedService['about'],
    RegExp,
    string[],
  ][] = [
    [
      { state: 'works', models: 12, ready: 2 },
      'key',
      /^The API key for h is stored and works: 12 models, 2 endpoints ready\.$/,
      ['useInChat'],
    ],
    [
      { state: 'works', models: 12, ready: 1 },
      'both',
      /^Connected to h\. The key is accepted: 12 models, 1 endpoint ready\.$/,
      ['useInChat'],
    ],
    [
      { state: 'works', models: undefined, ready: 0 },
      'key',
      /is stored and works: 0 endpoints ready\.$/,
      ['useInChat'],
    ],
    [
      { state: 'works', models: 3, ready: 0 },
      'address',
      /^Requests now go to h, which accepts the API key: 3/,
      ['useInChat'],
    ],
    [{ state: 'answers' }, 'address', /^Requests now go to h, which answers\.$/, ['setApiKey']],
    [{ state: 'canceled' }, 'key', /is stored\. It was not tried\.$/, ['retry']],
    [
      {
        state: 'otherSite',
        finding: {
          verdict: 'failed',
          detail: sentence('A web page answers.'),
          next: sentence('Sign in.'),
        },
      },
      'address',
      /something else answers there\. A web page answers\. Sign in\.$/,
      ['retry', 'setUrl', 'diagnose'],
    ],
    [
      failed('offline'),
      'key',
      /is stored, but it could not be tried\. h cannot be reached/,
      ['retry', 'setUrl', 'diagnose'],
    ],
    [failed('server'), 'key', /The service failed\./, ['retry', 'diagnose']],
    [failed('forbidden'), 'key', /may not do that/, ['changeApiKey', 'diagnose']],
  ];
  for (const [trial, about, text, actions] of cases)
    it(`${about}: ${stateOf(trial)}`, () => {
      const report = trialReport(trial, { host: 'h', about }, translate);
      assert.match(report.text, text);
      assert.deepEqual(report.actions, actions);
      assert.equal(report.isGood, ['works', 'answers', 'canceled'].includes(trial.state));
    });
});
