import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { isAbortError, systemClock } from '../../../src/service/time';
import type { FaultName } from '../../service/faults';
import { type FaultServer, startFaultServer } from '../../service/faultServer';
import { atOnce, edit, hastyClient, never } from './helpers';
import { eventually } from '../../support/eventually';

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
const patient = { headersMs: 5000, firstEventMs: 5000, streamIdleMs: 5000, bodyIdleMs: 5000 };

describe('canceling', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
    // The first stack of a process reads the source map, some 100 ms that belong to no test.
    assert.ok(new Error('first').stack);
  });
  after(() => server.close());

  const phases: [string, FaultName, boolean][] = [
    ['before the status line', 'stallHeaders', false],
    ['in a body', 'stallBody', false],
    ['before the first event', 'streamSilent', true],
    ['between two events', 'streamStall', true],
    ['in a running stream', 'slowStream', true],
    ['in the wait before a retry', 'retryAfterSeconds', false],
  ];
  for (const [phase, fault, stream] of phases) {
    it(`rejects at once ${phase}`, async () => {
      server.script(fault);
      const { client } = hastyClient(server.url, { clock: systemClock, timeouts: patient });
      const controller = new AbortController();
      const pending = client.apply(edit, { signal: controller.signal, stream }).then(
        () => assert.fail('must not succeed'),
        (error: unknown) => error,
      );
      await pause(80);
      controller.abort();
      assert.ok(isAbortError(await atOnce(pending)));
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
      await pause(30);
      assert.equal(server.requests.length, 1);
      assert.equal(server.requests[0]?.cut, fault !== 'retryAfterSeconds');
    });
  }

  it('sends nothing when it came first', async () => {
    server.script('ok');
    const { client } = hastyClient(server.url);
    await assert.rejects(client.apply(edit, { signal: AbortSignal.abort() }), isAbortError);
    assert.equal(server.requests.length, 0);
  });

  it('rejects while the key is being read', async () => {
    const { client } = hastyClient(server.url, { apiKey: () => new Promise(() => undefined) });
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
    const { client } = hastyClient(server.url, {
      timeouts: { headersMs: 60_000 },
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
    const { client } = hastyClient(server.url);
    const signal = never();
    await client.apply(edit, { signal, stream: true });
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});
