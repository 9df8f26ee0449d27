// What a person may enter for address and key: each kind ends in a sentence with a step that works, within 5 s.
import assert from 'node:assert/strict';
import { type Trial, trialReport, tryService } from '../../../src/connection/checks/trial';
import { addressRemark, addressText, keyRemark, readAddress } from '../../../src/connection/pasted';
import { adviceSteps } from '../../../src/platform/steps';
import type { Transport } from '../../../src/service/transport/transport';
import { fetchTransport } from '../../../src/service/transport/transport';
import { answer, type Fault } from '../../service/faults';
import { listen } from '../../service/listen';
import { VirtualTime } from '../../support/unit/virtualTime';
import { t } from '../endpoints/core/support';
import { apiKey, never, testClient } from '../service/helpers';

const transport = fetchTransport((input, init) => globalThis.fetch(input, init));
const coded = (code: string): Pick<Transport, 'request'> => ({
  request: async () => {
    throw Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error(code), { code }),
    });
  },
});

interface Ending {
  readonly text: string;
  readonly buttons: readonly string[];
}

/** How the trial of an address ends; `proxy` is the one that VS Code uses. */
async function ending(
  url: string,
  via: Pick<Transport, 'request'>,
  { proxy, time }: { readonly proxy?: string; readonly time?: VirtualTime } = {},
): Promise<Ending> {
  const { client } = testClient(url, { transport: async () => ({ concurrency: 8, ...via }) });
  const tried = { address: new URL(url), hasKey: true, client, transport: via };
  const pending: Promise<Trial> = tryService(tried, never(), time ?? new VirtualTime());
  await time?.advance(5000);
  const trial = await pending;
  // The account dialogs ask what to do with a refused key.
  if (trial.state === 'refusedKey') return { text: 'refused', buttons: ['Change API Key…'] };
  const { text, actions } = trialReport(
    trial,
    { host: new URL(url).host, about: 'both', proxy },
    t,
  );
  return {
    text,
    buttons: [
      ...(actions.includes('retry') ? ['Try Again'] : []),
      ...adviceSteps(actions, t).map(({ title }) => title),
    ],
  };
}

/** An answer to the request with the key; without it, the service says 401. */
const toKey =
  (fault: Fault): Fault =>
  (response, request) =>
    request.headers.authorization === undefined
      ? answer(401, {})(response, request)
      : fault(response, request);

async function endingAt(fault: Fault): Promise<Ending> {
  const server = await listen((request, response) => void fault(response, request));
  try {
    return await ending(server.url, transport);
  } finally {
    await server.close();
  }
}

describe('what is wrong with an address or a key', () => {
  const page = answer(200, '<h1>Sign in</h1>', { 'content-type': 'text/html' });

  const answers: [kind: string, Fault, RegExp, button: string][] = [
    [
      'a page that asks for a login',
      page,
      /A web page answers .* sign in to the network/,
      'Set Service URL…',
    ],
    ['a wrong path', answer(404, {}), /does not know the path \(404\)/, 'Set Service URL…'],
    ['a service that fails', answer(503, {}), /The service answered 503/, 'Try Again'],
    ['a key that is refused', toKey(answer(401, {})), /refused/, 'Change API Key…'],
    ['an account without credit', toKey(answer(402, {})), /no credit left/, 'Try Again'],
    ['a key that may not', toKey(answer(403, {})), /may not do that/, 'Change API Key…'],
    [
      'too many requests',
      toKey(answer(429, {}, { 'retry-after': '600' })),
      /too many requests/,
      'Try Again',
    ],
    [
      'a service that fails with the key',
      toKey(answer(500, {})),
      /The service failed \(500\)/,
      'Try Again',
    ],
    [
      'an answer that is no JSON',
      toKey(answer(200, '{"items": [')),
      /in a form that this version/,
      'Diagnose Connection',
    ],
    [
      'a redirect',
      answer(302, {}, { location: 'https://other.test/' }),
      /The address redirects/,
      'Set Service URL…',
    ],
  ];
  for (const [kind, fault, text, button] of answers)
    it(`is told of ${kind}`, async () => {
      const told = await endingAt(fault);
      assert.match(told.text, text);
      assert.ok(told.buttons.includes(button), told.buttons.join());
    });

  const failures: [kind: string, code: string, text: RegExp][] = [
    [
      'a name that nobody knows',
      'ENOTFOUND',
      /has a name that is not known \(ENOTFOUND\)\. Check the address for a typing error/,
    ],
    ['a computer without a network', 'ENETUNREACH', /cannot be reached over this network/],
    [
      'a port where nothing listens',
      'ECONNREFUSED',
      /refuses the connection: nothing listens on this port/,
    ],
    [
      'a port of another protocol',
      'ERR_SSL_WRONG_VERSION_NUMBER',
      /does not speak TLS on this port/,
    ],
    ['a connection that is cut', 'ECONNRESET', /closes the connection at once/],
    ['a connection that is never made', 'UND_ERR_CONNECT_TIMEOUT', /does not answer/],
    [
      'a certificate that nobody signed',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      /certificate of service\.test is not trusted/,
    ],
    [
      'a certificate that has expired',
      'CERT_HAS_EXPIRED',
      /certificate of service\.test has expired/,
    ],
    [
      'a certificate for another name',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      /certificate that service\.test shows is for another name/,
    ],
  ];
  for (const [kind, code, text] of failures)
    it(`is told of ${kind}`, async () => {
      const told = await ending('https://service.test', coded(code));
      assert.match(told.text, text);
      assert.deepEqual(told.buttons, ['Try Again', 'Set Service URL…', 'Diagnose Connection']);
    });

  it('is told of a proxy that does not run', async () => {
    const told = await ending('https://service.test', coded('ECONNREFUSED'), {
      proxy: 'proxy.test:3128',
    });
    assert.match(told.text, /The proxy proxy\.test:3128 refuses the connection/);
    assert.ok(told.buttons.includes('Open Proxy Settings'), told.buttons.join());
  });

  it('is told of a proxy that asks for a login', async () => {
    const refused = {
      request: async () => Promise.reject(new Error('Proxy response (407) !== 200')),
    };
    const told = await ending('https://service.test', refused, { proxy: 'proxy.test:3128' });
    assert.match(told.text, /proxy asks for a login/);
    assert.ok(told.buttons.includes('Open Proxy Settings'), told.buttons.join());
  });

  it('is told of a service that never answers, after 5 s', async () => {
    const silent: Pick<Transport, 'request'> = {
      request: async ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    };
    const told = await ending('https://service.test', silent, { time: new VirtualTime() });
    assert.match(told.text, /took too long to answer/);
    assert.deepEqual(told.buttons, ['Try Again', 'Set Service URL…', 'Diagnose Connection']);
  });

  const typed: [kind: string, text: string, used: string][] = [
    ['a missing scheme', 'api.example.com', 'https://api.example.com'],
    ['a misspelt scheme', 'htps://api.example.com', 'https://api.example.com'],
    ['http to another computer', 'http://api.example.com', 'https://api.example.com'],
    ['/v1 at the end', 'https://api.example.com/v1', 'https://api.example.com'],
    [
      'the address of one operation',
      'https://api.example.com/v1/chat/completions',
      'https://api.example.com',
    ],
  ];
  for (const [kind, text, used] of typed)
    it(`is corrected in the input: ${kind}`, () => {
      const read = readAddress(text);
      assert.ok(read.kind === 'address' && addressText(read.url) === used);
      assert.notEqual(addressRemark(text, t)?.isError, true);
    });

  it('is taken to the right input: a key in that of the address', () => {
    assert.deepEqual(readAddress(apiKey), { kind: 'key', key: apiKey });
    assert.match(addressRemark(apiKey, t)?.message ?? '', /Enter keeps it/);
  });

  it('is refused in the input of the key: an address, or more than a key', () => {
    assert.match(
      keyRemark('https://api.example.com', t)?.message ?? '',
      /an address, not an API key/,
    );
    assert.match(keyRemark(`${apiKey}\n${apiKey}`, t)?.message ?? '', /no spaces or line breaks/);
  });
});
