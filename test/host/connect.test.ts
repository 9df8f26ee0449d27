// Connecting to a service: the flow, several services, and what a person may get wrong, each against a real server.
import assert from 'node:assert/strict';
import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import tls from 'node:tls';
import * as vscode from 'vscode';
import { settings } from '../../src/platform/settings';
import { answer as reply } from '../service/faults';
import { listen } from '../service/listen';
import { startProxy } from '../service/proxy';
import { type StandIn, startStandIn } from '../service/standIn';
import { startTlsServer, type TlsServer } from '../service/tls/server';
import {
  answer,
  closeAll,
  expectNoChange,
  forgetMessages,
  forgetService,
  type Message,
  message,
  messages,
  openedQuickPicks,
  run,
  setSetting,
  stub,
  waitFor,
} from './support';

const apiKey = 'sk-canary-connect-7d20';
const connectCommand = 'splice.service.connect';
const files = path.resolve(import.meta.dirname, '../../test/fixtures/tls');
const pem = (name: string) => readFileSync(path.join(files, name), 'utf8');
const certificates = tls.getCACertificates('default');
const httpSettings = ['proxy', 'proxySupport'];

interface Asked {
  readonly title: string;
  /** What the input says of the text, where it takes it. */
  readonly remark: string;
}

/** Types these texts into the inputs that come, one after another; an input that refuses one is left by Escape. */
function typeInto(...texts: string[]): Asked[] {
  const asked: Asked[] = [];
  stub(vscode.window, 'showInputBox', async (options: vscode.InputBoxOptions) => {
    const text = texts[asked.length];
    const remark = text === undefined ? undefined : await options.validateInput?.(text);
    const isRefused = typeof remark === 'string';
    asked.push({
      title: options.title ?? '',
      remark: isRefused ? remark : (remark?.message ?? ''),
    });
    return isRefused ? undefined : text;
  });
  return asked;
}

/** Runs the command with these texts; the message that it ends with. */
async function connecting(address: string, key = apiKey): Promise<Message> {
  typeInto(address, key);
  forgetMessages();
  await run(connectCommand);
  return message(/^Connected|^Not connected|refuses the API key/);
}

/** This computer knows the name for itself. */
function nameHere(wanted: string): void {
  const { lookup } = dns;
  stub(dns, 'lookup', (name: string, ...rest: unknown[]) =>
    Reflect.apply(lookup, dns, [name === wanted ? '127.0.0.1' : name, ...rest]),
  );
}

function failLookups(code: string): void {
  stub(dns, 'lookup', (name: string, ...rest: unknown[]) => {
    const done = rest.at(-1);
    assert.ok(typeof done === 'function');
    queueMicrotask(() => done(Object.assign(new Error(`${code} ${name}`), { code })));
  });
}

/** Closed after each test. */
const servers: { close(): Promise<void> }[] = [];

async function serve(handle: RequestListener): Promise<string> {
  const server = await listen(handle);
  servers.push(server);
  return server.url;
}

/** Says 401 to a request without the key, as the service does, and this to one with it. */
async function serveKeyed(status: number, body: object | string = {}): Promise<string> {
  return serve((request, response) => {
    const isKeyed = request.headers.authorization !== undefined;
    void reply(isKeyed ? status : 401, isKeyed ? body : {})(response, request);
  });
}

function expectProblem(
  { text, buttons, level }: Message,
  wording: RegExp,
  ...wanted: string[]
): void {
  assert.match(text, wording);
  assert.equal(level, 'warning');
  for (const button of wanted) assert.ok(buttons.includes(button), buttons.join());
}

async function startTls(name = 'service'): Promise<TlsServer> {
  const server = await startTlsServer({
    key: pem('service.key'),
    cert: pem(`${name}.pem`),
    text: '',
  });
  servers.push(server);
  nameHere('service.test');
  await setSetting('http.proxySupport', 'off');
  return server;
}

describe('connecting to a service', () => {
  let standIn: StandIn;
  beforeEach(async () => {
    standIn = await startStandIn({ apiKey, seed: false });
    servers.push(standIn);
  });
  afterEach(async () => {
    tls.setDefaultCACertificates(certificates);
    for (const name of httpSettings) await setSetting(`http.${name}`, undefined);
    await closeAll();
    await forgetService();
    for (const server of servers.splice(0)) await server.close();
  });

  it('asks for address and key, tries them at once, and counts models and endpoints', async () => {
    standIn.endpoints.create({ state: 'ready', modelId: 'svc-kimik3' });
    const asked = typeInto(`${standIn.url}/v1`, apiKey);
    await run(connectCommand);
    const { level, buttons } = await message(
      /^Connected to 127\.0\.0\.1:\d+\. The key is accepted: \d+ models, 1 endpoint ready\./,
    );
    assert.deepEqual([level, buttons], ['information', ['Use in Chat']]);
    assert.deepEqual(
      asked.map(({ title }) => title),
      [
        'Connect to Service (1 of 2): Address',
        `Connect to Service (2 of 2): API Key for ${new URL(standIn.url).host}`,
      ],
    );
    assert.equal(settings.baseUrl, standIn.url);
    // The address is tried before anything gets the key.
    assert.equal(standIn.requests[0]?.headers.authorization, undefined);
  });

  it('stores nothing before both are there', async () => {
    typeInto(standIn.url);
    await expectNoChange(async () => run(connectCommand));
    assert.equal(settings.baseUrl, '');
    assert.deepEqual([messages(), standIn.requests], [[], []]);
  });

  it('takes a key that is pasted in the place of the address, and asks for the address then', async () => {
    const asked = typeInto(`"Bearer ${apiKey}"`, standIn.url);
    await run(connectCommand);
    await message(/^Connected to /);
    assert.match(asked[0]?.remark ?? '', /Enter keeps it/);
    assert.equal(asked.length, 2);
  });

  it('keeps a key for each of several services, switches between them, and deletes one with its key', async () => {
    const other = await startStandIn({ apiKey: 'sk-canary-other', seed: false });
    servers.push(other);
    await connecting(standIn.url);
    await connecting(other.url, 'sk-canary-other');
    standIn.requests.length = 0;

    const lists = openedQuickPicks();
    forgetMessages();
    const done = run('splice.service.switch');
    const list = await waitFor(() => lists[0], 'the list of services');
    const here = new URL(standIn.url).host;
    await waitFor(() => list.items.length === 3, 'both services');
    assert.deepEqual(
      list.items.map(({ label, description = '' }) => [label, description]),
      [
        [new URL(other.url).host, 'in use'],
        [here, ''],
        ['Connect to Another Service…', ''],
      ],
    );
    await run('workbench.action.quickOpenSelectNext');
    await waitFor(() => list.activeItems[0]?.label === here, 'the other service');
    await run('workbench.action.acceptSelectedQuickOpenItem');
    await done;
    await message(/^Requests now go to .*, which accepts the API key/);
    assert.equal(settings.baseUrl, standIn.url);
    assert.ok(standIn.requests.some(({ headers }) => headers.authorization === `Bearer ${apiKey}`));

    forgetMessages();
    stub(vscode.window, 'showQuickPick', async (items: readonly { label: string }[]) =>
      items.find(({ label }) => label === new URL(other.url).host),
    );
    await run('splice.service.removeApiKey');
    await message(new RegExp(`^The API key for ${other.url} was removed\\.$`));
    forgetMessages();
    await run('splice.service.removeApiKey');
    await message(new RegExp(`^The API key for ${standIn.url} was removed\\.$`));
  });

  describe('ends in a sentence with a step that helps', () => {
    it('for a port where nothing listens, and asks for another address on demand', async () => {
      const closed = await listen(() => undefined);
      await closed.close();
      answer(/^Not connected/, 'Set Service URL…');
      const asked = typeInto(closed.url, apiKey, standIn.url);
      await run(connectCommand);
      expectProblem(
        await message(/^Not connected/),
        /refuses the connection: nothing listens on this port/,
        'Try Again',
        'Diagnose Connection',
      );
      await message(new RegExp(`^Requests now go to ${standIn.url}, which answers\\.`));
      assert.equal(asked[2]?.title, 'Service URL');
    });

    it('for a service that starts, and tries again on demand', async () => {
      let isUp = false;
      const url = await serve((request, response) => {
        const status = isUp ? 401 : 503;
        isUp = true;
        const isKeyed = request.headers.authorization !== undefined;
        void reply(isKeyed ? 200 : status, isKeyed ? { items: [] } : {})(response, request);
      });
      answer(/The service answered 503/, 'Try Again');
      await connecting(url);
      await waitFor(() => messages().length === 2, 'a second try');
      assert.doesNotMatch(messages()[1] ?? '', /503/);
    });

    it('for a name that nobody knows', async () => {
      failLookups('ENOTFOUND');
      expectProblem(
        await connecting('https://api.servcie.test'),
        /has a name that is not known \(ENOTFOUND\)\. Check the address for a typing error/,
        'Set Service URL…',
      );
    });

    it('for a computer without a network', async () => {
      failLookups('EAI_AGAIN');
      expectProblem(
        await connecting('https://api.example.test'),
        /name that is not known \(EAI_AGAIN\)\. .* the network or VPN/,
        'Try Again',
      );
    });

    it('for a service that does not answer within 5 s', async () => {
      const { setTimeout: after } = globalThis;
      // The limit of the trial, at once.
      stub(globalThis, 'setTimeout', (fire: () => void, ms: number, ...rest: unknown[]) =>
        Reflect.apply(after, globalThis, [fire, ms === 5000 ? 0 : ms, ...rest]),
      );
      expectProblem(
        await connecting(await serve(() => undefined)),
        /took too long to answer/,
        'Try Again',
        'Diagnose Connection',
      );
    });

    const pages: [kind: string, status: number, body: string, type: string, RegExp, string][] = [
      [
        'a proxy that shows its sign-in page',
        200,
        '<h1>Sign in</h1>',
        'text/html',
        /A web page answers .*sign in to the network/,
        'Set Service URL…',
      ],
      [
        'a path that the service does not have',
        404,
        '{}',
        'application/json',
        /does not know the path \(404\)/,
        'Set Service URL…',
      ],
      [
        'a service that is down',
        503,
        '{}',
        'application/json',
        /The service answered 503/,
        'Try Again',
      ],
    ];
    for (const [kind, status, body, type, wording, button] of pages)
      it(`for ${kind}`, async () => {
        let keys = 0;
        const url = await serve((request, response) => {
          if (request.headers.authorization) keys++;
          response.writeHead(status, { 'content-type': type }).end(body);
        });
        expectProblem(await connecting(url), wording, button, 'Diagnose Connection');
        assert.equal(keys, 0, 'the key was sent');
      });

    const answers: [kind: string, status: number, body: object | string, RegExp, string][] = [
      ['an account without credit', 402, {}, /no credit left/, 'Try Again'],
      ['a key that may not do this', 403, {}, /may not do that/, 'Change API Key…'],
      ['too many requests', 429, {}, /too many requests/, 'Try Again'],
      ['a service that fails', 500, {}, /The service failed \(500\)/, 'Diagnose Connection'],
      [
        'an answer that is no JSON',
        200,
        '{"items": [',
        /in a form that this version does not understand/,
        'Diagnose Connection',
      ],
    ];
    for (const [kind, status, body, wording, button] of answers)
      it(`for ${kind}`, async () => {
        expectProblem(await connecting(await serveKeyed(status, body)), wording, button);
      });

    it('for a key that the service refuses', async () => {
      const { buttons } = await connecting(standIn.url, 'sk-canary-wrong');
      assert.deepEqual(buttons, ['Change API Key…', 'Remove It', 'Keep It']);
    });

    it('for a proxy that does not run', async () => {
      const closed = await listen(() => undefined);
      await closed.close();
      await setSetting('http.proxy', closed.url);
      expectProblem(
        await connecting('https://service.test'),
        new RegExp(`The proxy ${new URL(closed.url).host} refuses the connection`),
        'Open Proxy Settings',
      );
    });

    it('for a proxy that does not know the service', async () => {
      const proxy = await startProxy();
      servers.push(proxy);
      await setSetting('http.proxy', proxy.url);
      expectProblem(
        await connecting('https://elsewhere.test'),
        /^Not connected to elsewhere\.test\./,
        'Open Proxy Settings',
      );
    });

    describe('over TLS', () => {
      it('for a certificate that nobody signed', async () => {
        const { url } = await startTls();
        expectProblem(
          await connecting(url),
          /The certificate of service\.test:\d+ is not trusted/,
          'Diagnose Connection',
        );
      });

      it('for a certificate that has expired', async () => {
        tls.setDefaultCACertificates([...certificates, pem('expired.pem')]);
        const { url } = await startTls('expired');
        expectProblem(
          await connecting(url),
          /The certificate of service\.test:\d+ has expired/,
          'Diagnose Connection',
        );
      });

      it('for a certificate of another name', async () => {
        tls.setDefaultCACertificates([...certificates, pem('ca.pem')]);
        const { url } = await startTls();
        nameHere('wrong.test');
        expectProblem(
          await connecting(url.replace('service.test', 'wrong.test')),
          /The certificate that wrong\.test:\d+ shows is for another name/,
          'Set Service URL…',
        );
      });

      it('for a port that speaks no TLS', async () => {
        expectProblem(
          await connecting(standIn.url.replace('http://127.0.0.1', 'https://127.0.0.1')),
          /does not speak TLS on this port/,
          'Set Service URL…',
        );
      });
    });

    const corrected: [kind: string, (url: string) => string][] = [
      ['a missing scheme', url => url.replace('http://', '')],
      ['a misspelt scheme', url => url.replace('http://', 'http//')],
      ['/v1 at the end', url => `${url}/v1/`],
      ['the address of one operation', url => `${url}/v1/chat/completions`],
      ['quotes around it', url => `"${url}"`],
    ];
    for (const [kind, mistyped] of corrected)
      it(`or is put right in the input: ${kind}`, async () => {
        const { text } = await connecting(mistyped(standIn.url));
        assert.match(text, /^Connected to /);
        assert.equal(settings.baseUrl, standIn.url);
      });

    it('or is put right in the input: http to another computer', async () => {
      failLookups('ENOTFOUND');
      await connecting('http://api.example.test');
      assert.equal(settings.baseUrl, 'https://api.example.test');
    });

    for (const [kind, key] of [
      ['quotes and "Bearer"', `"Bearer ${apiKey}"`],
      ['a line break', ` ${apiKey}\n`],
    ] as const)
      it(`or is put right in the input: a key with ${kind}`, async () => {
        assert.match((await connecting(standIn.url, key)).text, /^Connected to /);
      });

    it('or is refused in the input: an address, or two keys, in the place of the key', async () => {
      for (const [text, wording] of [
        [standIn.url, /This is an address, not an API key\. Press Escape/],
        [`${apiKey} ${apiKey}`, /An API key has no spaces or line breaks/],
      ] as const) {
        const asked = typeInto(standIn.url, text);
        await expectNoChange(async () => run(connectCommand));
        assert.match(asked[1]?.remark ?? '', wording);
      }
      assert.deepEqual([settings.baseUrl, standIn.requests.length], ['', 0]);
    });
  });
});
