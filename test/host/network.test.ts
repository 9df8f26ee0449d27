import assert from 'node:assert/strict';
import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import tls from 'node:tls';
import * as vscode from 'vscode';
import { english } from '../../src/base/sentence';
import { createTransport, transportFact } from '../../src/platform/client/network';
import { adviceFor } from '../../src/service/advice';
import { ServiceClient } from '../../src/service/client';
import { ServiceError } from '../../src/service/errors';
import { type Proxy, startProxy } from '../service/proxy';
import { startStandIn } from '../service/standIn';
import { startTlsServer, type TlsServer } from '../service/tls/server';
import {
  activePreview,
  closeAll,
  expectNoChange,
  forgetService,
  message,
  messages,
  openFile,
  readFile,
  run,
  setClipboard,
  setSetting,
  stub,
  useService,
  waitFor,
} from './support';

const apiKey = 'sk-network-test-0123456789';
const merged = 'const a = 2;\n';
const edit = { original: 'const a = 1;\n', update: 'const a = 2;\n' };
const http = ['proxy', 'noProxy', 'proxySupport', 'proxyStrictSSL', 'proxyAuthorization'];
const files = path.resolve(import.meta.dirname, '../../test/fixtures/tls');
const pem = (name: string) => readFileSync(path.join(files, name), 'utf8');
const slots = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map(Symbol.for);
const globals = () => slots.map(slot => Reflect.get(globalThis, slot));

const logged: string[] = [];
const networkHost = {
  log: { info: (line: string) => void logged.push(line) },
  context: { subscriptions: [] as { dispose(): unknown }[] },
};

let proxy: Proxy;
let server: TlsServer;
let globalsBefore: unknown[];
const certificates = tls.getCACertificates('default');

async function serve(options: { isOld?: boolean; text?: string } = {}): Promise<void> {
  await server?.close();
  const text = options.text ?? merged;
  server = await startTlsServer({
    key: pem('service.key'),
    cert: pem('service.pem'),
    ...options,
    text,
  });
}

/** As if a person had installed the test CA; for connections made from here on. */
function trustTestCa(): void {
  tls.setDefaultCACertificates([...certificates, pem('ca.pem')]);
}

/** Only the proxy knows the name; this computer learns it too. */
function nameService(): void {
  const { lookup } = dns;
  stub(dns, 'lookup', (name: string, ...rest: unknown[]) =>
    Reflect.apply(lookup, dns, [name === 'service.test' ? '127.0.0.1' : name, ...rest]),
  );
}

function clientOf(url = server.url): () => Promise<string> {
  const client = new ServiceClient({
    baseUrl: () => url,
    apiKey: async () => apiKey,
    transport: createTransport(networkHost),
  });
  return async () => (await client.apply(edit, { signal: AbortSignal.timeout(60_000) })).text;
}

async function failure(pending: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await pending.then(
    () => assert.fail('no failure'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ServiceError, String(error));
  return error;
}

const httpVersions = () => server.requests.map(({ httpVersion }) => httpVersion);
const targets = () => proxy.tunnels.map(({ target }) => target);

function spyOnHostFetch(): string[] {
  const { fetch } = globalThis;
  const calls: string[] = [];
  stub(globalThis, 'fetch', async (input: URL, init: RequestInit) => {
    calls.push(input.href);
    return fetch(input, init);
  });
  return calls;
}

describe('network', () => {
  beforeEach(async () => {
    globalsBefore = globals();
    logged.length = 0;
    proxy = await startProxy();
    await serve();
    await setSetting('http.proxy', proxy.url);
  });
  afterEach(async () => {
    for (const one of networkHost.context.subscriptions.splice(0)) one.dispose();
    for (const name of http) await setSetting(`http.${name}`, undefined);
    await setSetting('splice.network.transport', undefined);
    tls.setDefaultCACertificates(certificates);
    await server.close();
    await proxy.close();
    assert.deepEqual(globals(), globalsBefore, 'the process-wide dispatcher has changed');
  });

  it('reaches the service over HTTP/2 through http.proxy', async () => {
    trustTestCa();
    assert.equal(await clientOf()(), merged);
    assert.deepEqual(proxy.tunnels, [{ target: server.host, login: undefined, isRefused: false }]);
    assert.deepEqual(server.protocols, ['h2']);
    assert.deepEqual(server.requests, [{ httpVersion: '2.0', key: `Bearer ${apiKey}` }]);
    assert.deepEqual(proxy.plain, []);
  });

  it('speaks HTTP/1.1 to a service that knows no more', async () => {
    await serve({ isOld: true });
    trustTestCa();
    assert.equal(await clientOf()(), merged);
    assert.deepEqual([targets(), server.protocols], [[server.host], ['http/1.1']]);
    assert.deepEqual(httpVersions(), ['1.1']);
  });

  it('uses one tunnel for many calls', async () => {
    trustTestCa();
    const call = clientOf();
    await call();
    await Promise.all([call(), call(), call()]);
    assert.equal(server.requests.length, 4);
    assert.equal(proxy.tunnels.length, 1);
  });

  it('refuses a certificate that nobody trusts, and sends nothing', async () => {
    const error = await failure(clientOf()());
    assert.deepEqual([error.kind, error.attempts], ['certificate', 1]);
    assert.equal(
      adviceFor(error, english).message,
      `The certificate of ${server.host} is not trusted.`,
    );
    assert.deepEqual([targets(), server.requests], [[server.host], []]);
  });

  it('takes any certificate when http.proxyStrictSSL is off, and no longer when it is on', async () => {
    await setSetting('http.proxyStrictSSL', false);
    const call = clientOf();
    assert.equal(await call(), merged);
    assert.deepEqual([targets(), httpVersions()], [[server.host], ['2.0']]);
    await setSetting('http.proxyStrictSSL', true);
    assert.equal((await failure(call())).kind, 'certificate');
    assert.equal(server.requests.length, 1);
  });

  it('goes around the proxy for names in http.noProxy', async () => {
    trustTestCa();
    nameService();
    await setSetting('http.noProxy', ['service.test']);
    assert.equal(await clientOf()(), merged);
    assert.deepEqual([targets(), httpVersions()], [[], ['2.0']]);
  });

  it('goes around the proxy when http.proxySupport is off', async () => {
    trustTestCa();
    nameService();
    await setSetting('http.proxySupport', 'off');
    assert.equal(await clientOf()(), merged);
    assert.deepEqual([targets(), httpVersions()], [[], ['2.0']]);
  });

  it('never sends a call for this computer to the proxy', async () => {
    const standIn = await startStandIn({ apiKey, merge: () => merged });
    try {
      for (const transport of ['auto', 'undici', 'host']) {
        await setSetting('splice.network.transport', transport);
        assert.equal(await clientOf(standIn.url)(), merged);
        assert.equal(await clientOf(standIn.url.replace('127.0.0.1', 'localhost'))(), merged);
      }
      assert.equal(standIn.requests.length, 6);
      assert.deepEqual([targets(), proxy.plain], [[], []]);
    } finally {
      await standIn.close();
    }
  });

  it('follows a change of http.proxy between two calls', async () => {
    trustTestCa();
    const other = await startProxy();
    try {
      const call = clientOf();
      assert.equal(await call(), merged);
      await setSetting('http.proxy', other.url);
      assert.equal(await call(), merged);
      assert.deepEqual(
        [proxy.tunnels.length, other.tunnels.map(({ target }) => target)],
        [1, [server.host]],
      );
      assert.equal(server.requests.length, 2);
    } finally {
      await other.close();
    }
  });

  it('lets a running call end when http.proxy changes', async () => {
    trustTestCa();
    let go: (() => void) | undefined;
    server.hold = new Promise(resolve => (go = resolve));
    const call = clientOf();
    const pending = call();
    await waitFor(() => server.requests.length === 1, 'the request');
    await setSetting('http.proxy', 'http://127.0.0.1:9');
    go?.();
    assert.equal(await pending, merged);
    assert.equal(server.requests.length, 1, 'sent twice');
  });

  it('says that the service cannot be reached when the proxy is gone', async () => {
    await setSetting('http.proxy', 'http://127.0.0.1:9');
    const error = await failure(clientOf()());
    assert.equal(error.kind, 'offline');
    assert.deepEqual(server.protocols, []);
  });

  it('logs in with http.proxyAuthorization', async () => {
    trustTestCa();
    proxy.login = 'ann:secret';
    const login = `Basic ${Buffer.from('ann:secret').toString('base64')}`;
    await setSetting('http.proxyAuthorization', login);
    assert.equal(await clientOf()(), merged);
    assert.deepEqual(proxy.tunnels, [{ target: server.host, login, isRefused: false }]);
    assert.deepEqual(server.requests, [{ httpVersion: '2.0', key: `Bearer ${apiKey}` }]);
  });

  it('logs in with the name and password in http.proxy', async () => {
    trustTestCa();
    proxy.login = 'ann:s cret';
    await setSetting('http.proxy', proxy.url.replace('//', '//ann:s%20cret@'));
    assert.equal(await clientOf()(), merged);
    assert.deepEqual(httpVersions(), ['2.0']);
  });

  it('leaves a proxy that wants a login to VS Code, then says so', async () => {
    const calls = spyOnHostFetch();
    proxy.login = 'ann:secret';
    const call = clientOf();
    const error = await failure(call());
    assert.equal(error.kind, 'proxyLogin');
    assert.equal(adviceFor(error, english).message, 'The network proxy asks for a login.');
    assert.equal(calls.length, 1);
    assert.ok(proxy.tunnels.every(({ isRefused }) => isRefused));
    assert.ok(proxy.tunnels.length >= 2, 'the host did not try');
    assert.deepEqual(server.protocols, []);
  });

  it('uses a login that is set after the proxy asked for it', async () => {
    await setSetting('http.proxyStrictSSL', false);
    proxy.login = 'ann:secret';
    const call = clientOf();
    assert.equal((await failure(call())).kind, 'proxyLogin');
    const login = `Basic ${Buffer.from('ann:secret').toString('base64')}`;
    await setSetting('http.proxyAuthorization', login);
    // Only our own client takes any certificate.
    assert.equal(await call(), merged);
    assert.deepEqual(httpVersions(), ['2.0']);
  });

  it('says that it cannot use a proxy of another kind, and does not fall back, when told to be undici', async () => {
    await setSetting('http.proxy', 'socks5://127.0.0.1:9');
    await setSetting('splice.network.transport', 'undici');
    const calls = spyOnHostFetch();
    const error = await failure(clientOf()());
    assert.deepEqual([error.kind, error.attempts], ['transport', 1]);
    assert.match(
      adviceFor(error, english).message,
      /proxy is neither an http nor an https one.*"auto"/,
    );
    assert.deepEqual(calls, []);
  });

  it('names a client that cannot be made', async () => {
    const require = createRequire(path.join(vscode.env.appRoot, 'package.json'));
    const module: { resolveProxyURL: unknown } = require('@vscode/proxy-agent');
    stub(module, 'resolveProxyURL', async () => 'http://[');
    await setSetting('splice.network.transport', 'undici');
    const calls = spyOnHostFetch();
    const error = await failure(clientOf()());
    assert.deepEqual([error.kind, error.attempts], ['transport', 1]);
    assert.match(adviceFor(error, english).message, /it cannot be made \(ERR_INVALID_URL\)/);
    assert.deepEqual(calls, []);
  });

  it('leaves no listener behind when the extension ends', async () => {
    let listeners = 0;
    const { onDidChangeConfiguration } = vscode.workspace;
    stub(vscode.workspace, 'onDidChangeConfiguration', (listener: () => void) => {
      const listening = onDidChangeConfiguration(listener);
      listeners++;
      return { dispose: () => (listeners--, listening.dispose()) };
    });
    trustTestCa();
    const call = clientOf();
    await call();
    assert.ok(listeners > 0);
    for (const one of networkHost.context.subscriptions.splice(0)) one.dispose();
    assert.equal(listeners, 0);
  });

  // VS Code read its certificates before any test could add one, and its fetch has no way around
  // them: what can be seen of it is that it asked the proxy and refused the service.
  it("uses the host's fetch, proxy included, when the setting says so", async () => {
    trustTestCa();
    const calls = spyOnHostFetch();
    const call = clientOf();
    await call();
    await setSetting('splice.network.transport', 'host');
    assert.equal((await failure(call())).kind, 'certificate');
    assert.deepEqual(calls, [`${server.url}/v1/chat/completions`]);
    assert.deepEqual(targets(), [server.host, server.host]);
    await setSetting('splice.network.transport', 'undici');
    await call();
    assert.deepEqual([calls.length, httpVersions()], [1, ['2.0', '2.0']]);
  });

  describe('where VS Code does not give its proxy decision', () => {
    beforeEach(() => {
      const { appRoot } = vscode.env;
      const require = createRequire(path.join(appRoot, 'package.json'));
      const module: { resolveProxyURL: unknown } = require('@vscode/proxy-agent');
      assert.equal(typeof module.resolveProxyURL, 'function');
      stub(module, 'resolveProxyURL', undefined);
      trustTestCa();
    });

    it("uses the host's fetch, logs why once, and says so in the diagnosis", async () => {
      const calls = spyOnHostFetch();
      const call = clientOf();
      assert.equal((await failure(call())).kind, 'certificate');
      assert.deepEqual([calls.length, targets()], [1, [server.host]]);
      await failure(call());
      const reason = 'VS Code does not say which proxy it would use';
      assert.deepEqual(logged, [
        `transport: the fetch of VS Code is used, not the HTTP/2 client: ${reason}`,
      ]);
      assert.match(transportFact(), /^auto \(the fetch of VS Code, because .*which proxy/);
      await setSetting('splice.network.transport', 'host');
      assert.equal(transportFact(), 'host');
    });

    it('reads http.proxy itself when the user insists', async () => {
      await setSetting('splice.network.transport', 'undici');
      assert.equal(await clientOf()(), merged);
      assert.deepEqual([targets(), httpVersions()], [[server.host], ['2.0']]);
    });
  });

  describe('of the extension', () => {
    const snippet = `// src/cart.ts
// ... existing code ...
  remove(sku: string): boolean {
    this.#coupon = undefined;
    return this.#lines.delete(sku);
  }
// ... existing code ...
`;
    beforeEach(async () => {
      const before = '    return this.#lines.delete(sku);';
      const text = (await readFile('src/cart.ts')).replace(
        before,
        `    this.#coupon = undefined;\n${before}`,
      );
      await serve({ text });
      await useService(server.url, apiKey);
      await setSetting('splice.apply.engine', 'service');
      await openFile('src/cart.ts');
      await setClipboard(snippet);
    });
    afterEach(async () => {
      await closeAll();
      await forgetService();
    });

    it('merges through the proxy over HTTP/2', async () => {
      trustTestCa();
      await run('splice.apply.clipboard');
      await waitFor(activePreview, 'a review');
      assert.deepEqual([targets(), httpVersions()], [[server.host], ['2.0']]);
      assert.deepEqual(messages(), []);
    });

    it('says that the certificate is not trusted', async () => {
      await expectNoChange(async () => run('splice.apply.clipboard'));
      const { text } = await message(/certificate/);
      assert.equal(text, `The certificate of ${server.host} is not trusted. Nothing was changed.`);
      assert.deepEqual(server.requests, []);
    });

    it('says that the proxy wants a login', async () => {
      proxy.login = 'ann:secret';
      await expectNoChange(async () => run('splice.apply.clipboard'));
      await message(/^The network proxy asks for a login\. Nothing was changed\.$/);
      assert.deepEqual(server.protocols, []);
    });
  });
});
