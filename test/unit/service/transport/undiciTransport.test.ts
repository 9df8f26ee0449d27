import assert from 'node:assert/strict';
import { constants, type ServerHttp2Stream } from 'node:http2';
import { createServer } from 'node:tls';
import type Dispatcher from 'undici/types/dispatcher';
import { isAbortError } from '../../../../src/base/async/clock';
import type { ServiceError } from '../../../../src/service/errors';
import type { Operation } from '../../../../src/service/http/operation';
import { RequestExecutor } from '../../../../src/service/http/requestExecutor';
import { readJsonObject } from '../../../../src/service/http/responseContext';
import { fetchTransport, type Transport } from '../../../../src/service/transport/transport';
import { type FaultServer, startFaultServer } from '../../../service/faultServer';
import { certificate, startTls } from '../../../service/tls';
import { eventually } from '../../../support/unit/eventually';
import { apiKey, edit, failureOf, hastyClient, never, TestClock } from '../helpers';

const slots = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map(Symbol.for);
const globals = () => slots.map(slot => Reflect.get(globalThis, slot));

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isOldNode = major < 22 || (major === 22 && minor < 19);

/** A purchase over a connection of its own; the certificate is for a name that exists nowhere. */
async function buyAt(url: string): Promise<ServiceError> {
  const { createDispatcher, undiciTransport } = await import(
    '../../../../src/service/transport/undiciTransport'
  );
  const own = createDispatcher({ rejectUnauthorized: false });
  const caller = new RequestExecutor({
    baseUrl: () => url,
    apiKey: async () => apiKey,
    transport: async () => undiciTransport(async () => own),
    clock: new TestClock(),
    random: () => 0,
    log: () => undefined,
    timeouts: { headersMs: 3000 },
  });
  const buy: Operation<unknown> = {
    name: 'uploadBatch',
    callClass: 'money',
    method: 'POST',
    path: '/v1/batches',
    accept: 'application/json',
    body: {},
    read: readJsonObject,
  };
  try {
    return await failureOf(caller.execute(buy, { signal: never() }));
  } finally {
    await own.destroy();
  }
}

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
      '../../../../src/service/transport/undiciTransport'
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

  const client = () => hastyClient(server.url, { transport: async () => transport }).client;

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
      await eventually(() => server.requests.length === 1);
      controller.abort();
      await assert.rejects(pending, isAbortError);
      await eventually(() => server.requests[0]?.cut === true);
    });
  }

  describe('over HTTP/2', () => {
    const streams: [string, (stream: ServerHttp2Stream) => void, string, number][] = [
      [
        'a refused stream',
        stream => stream.close(constants.NGHTTP2_REFUSED_STREAM),
        'offline notProcessed',
        3,
      ],
      [
        'a broken stream',
        stream => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
        'connection unknown',
        1,
      ],
      ['a cut connection', stream => stream.session?.destroy(), 'connection unknown', 1],
    ];
    for (const [what, answer, expected, attempts] of streams)
      it(`${what} is ${expected}; a purchase takes ${attempts} attempts`, async () => {
        const tls = await startTls(h2 =>
          h2.on('stream', stream => {
            stream.on('error', () => undefined);
            answer(stream);
          }),
        );
        const error = await buyAt(`https://localhost:${tls.port}`);
        assert.equal(`${error.kind} ${error.outcome}`, expected, error.message);
        assert.equal(error.attempts, attempts);
        await tls.close();
      });

    it('a GOAWAY before any work is offline notProcessed; a purchase takes 3 attempts', async () => {
      // Says so by hand: Node's own server counts the stream that it refuses as taken on.
      const settings = Buffer.from('000000040000000000', 'hex');
      const goaway = Buffer.from('0000080700000000000000000000000000', 'hex');
      const bare = createServer({ ...certificate(), ALPNProtocols: ['h2'] }, socket => {
        socket.on('error', () => undefined).write(settings);
        setTimeout(() => socket.end(goaway), 30);
      });
      await new Promise<void>(resolve => bare.listen(0, '127.0.0.1', resolve));
      const address = bare.address();
      assert.ok(address !== null && typeof address !== 'string');
      const error = await buyAt(`https://localhost:${address.port}`);
      assert.equal(`${error.kind} ${error.outcome}`, 'offline notProcessed', error.message);
      assert.equal(error.attempts, 3);
      bare.close();
    });
  });

  for (const [name, transportFor] of Object.entries({
    undici: () => transport,
    fetch: () => fetchTransport((input, init) => globalThis.fetch(input, init)),
  }))
    it(`trusts no certificate that nobody signed (${name})`, async () => {
      const tls = await startTls(h2 =>
        h2.on('stream', stream => stream.respond({}, { endStream: true })),
      );
      const { client: untrusting } = hastyClient(`https://localhost:${tls.port}`, {
        transport: async () => transportFor(),
      });
      const error = await failureOf(untrusting.apply(edit, { signal: never() }));
      assert.deepEqual([error.kind, error.attempts], ['certificate', 1]);
      await tls.close();
    });
});
