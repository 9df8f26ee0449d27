import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { isAbortError, systemClock } from '../../../src/base/async/clock';
import { fetchTransport } from '../../../src/service/transport/transport';
import { type FaultServer, startFaultServer } from '../../service/faultServer';
import type { FaultName } from '../../service/faults';
import { eventually } from '../../support/unit/eventually';
import { atOnce, edit, never, testClient } from './helpers';

const long = 60_000; // ms; no test waits for it
const patient = { headersMs: long, firstEventMs: long, streamIdleMs: long, bodyIdleMs: long };

/** How far a call has come. */
type Seen = 'hasRequest' | 'hasAnswer' | 'hasText' | 'isWaiting';

describe('canceling', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
    // The first stack of a process reads the source map, some 100 ms that belong to no test.
    assert.ok(new Error('first').stack);
  });
  after(() => server.close());

  const phases: [string, FaultName, boolean, Seen][] = [
    ['before the status line', 'stallHeaders', false, 'hasRequest'],
    ['in a body', 'stallBody', false, 'hasAnswer'],
    ['before the first event', 'streamSilent', true, 'hasAnswer'],
    ['between two events', 'streamStall', true, 'hasText'],
    ['in a running stream', 'slowStream', true, 'hasText'],
    ['in the wait before a retry', 'retryAfterSeconds', false, 'isWaiting'],
  ];
  for (const [phase, fault, stream, reached] of phases) {
    it(`rejects at once ${phase}`, async () => {
      server.script(fault);
      let hasAnswer = false;
      let hasText = false;
      let isWaiting = false;
      const transport = fetchTransport(async (input, init) => {
        const response = await globalThis.fetch(input, init);
        hasAnswer = true;
        return response;
      });
      const { client } = testClient(server.url, {
        clock: systemClock,
        timeouts: patient,
        transport: async () => transport,
      });
      const controller = new AbortController();
      const pending = client
        .apply(edit, {
          signal: controller.signal,
          stream,
          onText: () => (hasText = true),
          onWait: () => (isWaiting = true),
        })
        .then(
          () => assert.fail('must not succeed'),
          (error: unknown) => error,
        );
      const holds: Record<Seen, () => boolean> = {
        hasRequest: () => server.requests.length > 0,
        hasAnswer: () => hasAnswer,
        hasText: () => hasText,
        isWaiting: () => isWaiting,
      };
      await eventually(holds[reached]);
      // What was handed over reaches the client within some turns of the event loop.
      for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve));
      controller.abort();
      assert.ok(isAbortError(await atOnce(pending)));
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
      const isCut = fault !== 'retryAfterSeconds';
      if (isCut) await eventually(() => server.requests[0]?.cut === true);
      assert.equal(server.requests.length, 1);
      assert.equal(server.requests[0]?.cut, isCut);
    });
  }

  it('sends nothing when it came first', async () => {
    server.script('ok');
    const { client } = testClient(server.url);
    await assert.rejects(client.apply(edit, { signal: AbortSignal.abort() }), isAbortError);
    assert.equal(server.requests.length, 0);
  });

  it('rejects while the key is being read', async () => {
    const { client } = testClient(server.url, { apiKey: () => new Promise(() => undefined) });
    const controller = new AbortController();
    const pending = client.apply(edit, { signal: controller.signal });
    setTimeout(() => controller.abort(), 10);
    await assert.rejects(pending, isAbortError);
  });

  it('drops an answer that a deaf transport brings too late', async () => {
    let canceled = false;
    let isAsked = false;
    let answer: (() => void) | undefined;
    const told = new Promise<void>(resolve => (answer = resolve));
    const { client } = testClient(server.url, {
      timeouts: patient,
      transport: async () => ({
        concurrency: 8,
        request: async () => {
          isAsked = true;
          await told;
          return {
            status: 200,
            headers: new Headers(),
            body: new ReadableStream(),
            cancel: () => void (canceled = true),
          };
        },
      }),
    });
    const controller = new AbortController();
    const pending = client.apply(edit, { signal: controller.signal });
    await eventually(() => isAsked);
    controller.abort();
    await assert.rejects(pending, isAbortError);
    answer?.();
    await eventually(() => canceled);
  });

  it('leaves no listener behind after a success', async () => {
    server.script('okStream');
    const { client } = testClient(server.url);
    const signal = never();
    await client.apply(edit, { signal, stream: true });
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});
