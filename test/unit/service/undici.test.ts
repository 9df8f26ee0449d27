import assert from 'node:assert/strict';
import type Dispatcher from 'undici/types/dispatcher';
import type { Transport } from '../../../src/service/transport';
import { isAbortError } from '../../../src/service/time';
import { type FaultServer, startFaultServer } from '../../service/faultServer';
import { edit, failureOf, never, testClient } from './helpers';

const slots = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map(Symbol.for);
const globals = () => slots.map(slot => Reflect.get(globalThis, slot));

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isOldNode = major < 22 || (major === 22 && minor < 19);

describe('the undici transport', () => {
  let server: FaultServer;
  let dispatcher: Dispatcher | undefined;
  let transport: Transport;
  let globalsBefore: unknown[];

  before(async function () {
    // undici 8 needs Node 22.19; VS Code has 24.
    if (isOldNode) this.skip();
    globalsBefore = globals();
    const { createDispatcher, undiciTransport } = await import(
      '../../../src/service/undiciTransport'
    );
    const made = createDispatcher({});
    dispatcher = made;
    transport = undiciTransport(async () => made);
    server = await startFaultServer();
  });
  after(async () => {
    await dispatcher?.destroy();
    await server?.close();
  });

  const client = () => testClient(server.url, { transport: async () => transport }).client;

  it('leaves the process-wide dispatcher alone', async () => {
    server.script('ok');
    await client().apply(edit, { signal: never() });
    assert.deepEqual(globals(), globalsBefore);
  });

  it('takes 407 for a proxy that wants a login', async () => {
    server.script('status407');
    const error = await failureOf(client().apply(edit, { signal: never() }));
    assert.equal(error.kind, 'proxyLogin');
  });

  for (const fault of ['stallHeaders', 'stallBody'] as const) {
    it(`cuts the connection on cancel (${fault})`, async () => {
      server.script(fault);
      const controller = new AbortController();
      const pending = client().apply(edit, { signal: controller.signal });
      setTimeout(() => controller.abort(), 50);
      await assert.rejects(pending, isAbortError);
      await new Promise(resolve => setTimeout(resolve, 30));
      assert.equal(server.requests[0]?.cut, true);
    });
  }
});
