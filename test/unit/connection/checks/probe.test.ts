import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { written } from '../../../../src/base/sentence';
import { connectionFinding, tlsFinding } from '../../../../src/connection/checks/findings';
import {
  certificateOf,
  connectionFailure,
  type ProbeOptions,
  resolveName,
} from '../../../../src/connection/checks/probe';
import { listen } from '../../../service/listen';
import { startProxy } from '../../../service/proxy';
import { startTlsServer } from '../../../service/tls/server';
import { eventually } from '../../../support/unit/eventually';
import { never } from '../../service/helpers';

const pem = (name: string) => readFileSync(path.resolve('test/fixtures/tls', name), 'utf8');
const direct: ProbeOptions = {
  proxy: undefined,
  ca: [pem('ca.pem')],
  rejectUnauthorized: true,
  proxyAuthorization: undefined,
  signal: never(),
};
const via = (proxy: string): ProbeOptions => ({ ...direct, proxy });

/** A server that gets raw connections; its address begins with https. */
async function rawServer(
  onConnection: (server: Server) => void,
): Promise<{ url: URL; close: () => void }> {
  const server = createServer();
  onConnection(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address !== 'string');
  return { url: new URL(`https://127.0.0.1:${address.port}`), close: () => server.close() };
}

/** A port of this computer that nothing listens on. */
async function closedPort(): Promise<URL> {
  const { url, close } = await rawServer(() => undefined);
  close();
  return url;
}

async function failedWith(url: URL, options = direct): Promise<string> {
  const failure = await connectionFailure(url, options);
  assert.ok(failure, 'a connection was made');
  return written(connectionFinding(failure).detail);
}

describe('looking at a connection, layer by layer', () => {
  it('finds a port that refuses', async () => {
    const url = await closedPort();
    assert.equal(
      await failedWith(url),
      `${url.host} refuses the connection: nothing listens on this port (ECONNREFUSED).`,
    );
  });

  it('finds a name that does not exist', async () => {
    assert.match((await resolveName('no-such-host.invalid')).code ?? '', /^(ENOTFOUND|EAI_AGAIN)$/);
    assert.match(
      await failedWith(new URL('https://no-such-host.invalid')),
      /has a name that is not/,
    );
    assert.ok((await resolveName('localhost')).addresses?.length);
  });

  it('finds a server that closes, one that is silent, and one without TLS', async () => {
    const closing = await rawServer(server => server.on('connection', socket => socket.destroy()));
    const cut = await certificateOf(closing.url, direct);
    assert.ok(!('subject' in cut));
    assert.match(written(connectionFinding(cut).detail), /closes the connection at once/);
    closing.close();

    const silent = await rawServer(server => server.on('connection', socket => socket.resume()));
    const mute = await certificateOf(silent.url, { ...direct, connectTimeoutMs: 50 });
    assert.ok(!('subject' in mute));
    assert.match(written(connectionFinding(mute).detail), /does not answer \(ETIMEDOUT\)/);
    silent.close();

    const plain = await listen((_, response) => response.end('hello'));
    const wrong = await certificateOf(new URL(plain.url.replace('http:', 'https:')), direct);
    assert.ok(!('subject' in wrong));
    assert.match(written(connectionFinding(wrong).detail), /does not speak TLS on this port/);
    await plain.close();
  });

  it('ends at once when it is canceled', async () => {
    const silent = await rawServer(server => server.on('connection', socket => socket.resume()));
    const controller = new AbortController();
    const looking = certificateOf(silent.url, { ...direct, signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(looking, { name: 'AbortError' });
    silent.close();
  });

  it('takes an answer of a proxy that is none for a refusal', async () => {
    const odd = await rawServer(server =>
      server.on('connection', socket => socket.end('SSH-2.0-x\r\n\r\n')),
    );
    const failure = await connectionFailure(
      new URL('https://service.test'),
      via(`http://${odd.url.host}`),
    );
    assert.deepEqual(failure, { host: odd.url.host, isProxy: true, status: 0 });
    odd.close();
  });

  it('leaves no connection open, and nothing at the signal', async () => {
    const { signal } = new AbortController();
    const closed: Promise<unknown>[] = [];
    const peer = await rawServer(server =>
      server.on('connection', socket => {
        socket.on('error', () => undefined).resume();
        closed.push(once(socket, 'close'));
      }),
    );
    assert.equal(await connectionFailure(peer.url, { ...direct, signal }), undefined);
    await certificateOf(peer.url, { ...direct, signal, connectTimeoutMs: 20 });
    await eventually(() => closed.length === 2);
    await Promise.all(closed);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    peer.close();
  });

  it('connects to nothing once it is canceled', async () => {
    const signal = AbortSignal.abort();
    const url = await closedPort();
    await assert.rejects(connectionFailure(url, { ...direct, signal }), { name: 'AbortError' });
    await assert.rejects(certificateOf(url, { ...direct, signal }), { name: 'AbortError' });
  });

  describe('with TLS', () => {
    let server: Awaited<ReturnType<typeof startTlsServer>>;
    let proxy: Awaited<ReturnType<typeof startProxy>>;
    beforeEach(async () => {
      server = await startTlsServer({
        key: pem('service.key'),
        cert: pem('service.pem'),
        text: '',
      });
      proxy = await startProxy();
    });
    afterEach(async () => {
      await server.close();
      await proxy.close();
    });

    it('shows a certificate that is trusted', async () => {
      const shown = await certificateOf(new URL(server.url), via(proxy.url));
      assert.ok('subject' in shown);
      const { subject, issuer, problem, application } = shown;
      assert.deepEqual(
        [subject, issuer, problem, application],
        ['service.test', 'Splice test CA, not trusted by anyone', undefined, 'h2'],
      );
    });

    it('shows one of an unknown authority, and why it is not trusted', async () => {
      const shown = await certificateOf(new URL(server.url), { ...via(proxy.url), ca: undefined });
      assert.ok('subject' in shown);
      assert.match(shown.problem ?? '', /CERT|SIGNATURE/);
      assert.match(
        written(tlsFinding(shown, Date.now(), true).next ?? assert.fail()),
        /certificate authority/,
      );
    });

    it('shows one for another name', async () => {
      const other = new URL(server.url.replace('service.test', '127.0.0.1'));
      const shown = await certificateOf(other, direct);
      assert.ok('subject' in shown);
      assert.equal(shown.problem, 'ERR_TLS_CERT_ALTNAME_INVALID');
      assert.match(
        written(tlsFinding(shown, Date.now(), true).next ?? assert.fail()),
        /check the service address/,
      );
    });

    it('names the service that it looks for, and no address, as TLS has it', async () => {
      const names: string[] = [];
      const peer = createTlsServer({
        key: pem('service.key'),
        cert: pem('service.pem'),
        SNICallback: (name, choose) => {
          names.push(name);
          choose(null);
        },
      });
      await new Promise<void>(resolve => peer.listen(0, '127.0.0.1', resolve));
      const address = peer.address();
      assert.ok(address !== null && typeof address !== 'string');
      await certificateOf(new URL(`https://service.test:${address.port}`), via(proxy.url));
      await certificateOf(new URL(`https://127.0.0.1:${address.port}`), direct);
      assert.deepEqual(names, ['service.test']);
      peer.close();
    });

    it('tells a proxy that is not there from a server that is not there', async () => {
      const gone = await closedPort();
      const detail = await failedWith(new URL(server.url), via(`http://${gone.host}`));
      assert.match(detail, new RegExp(`^The proxy ${gone.host} refuses the connection`));
    });

    it('tells a proxy that refuses the service, and one that wants a login', async () => {
      const other = new URL('https://other.test');
      assert.match(await failedWith(other, via(proxy.url)), /refuses to connect .*status 502/);
      proxy.login = 'user:word';
      const failure = await connectionFailure(new URL(server.url), via(proxy.url));
      assert.equal(failure?.status, 407);
      const withLogin = via(proxy.url.replace('//', '//user:word@'));
      assert.equal(await connectionFailure(new URL(server.url), withLogin), undefined);
    });
  });
});
