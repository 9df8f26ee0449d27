import assert from 'node:assert/strict';
import { checkEndpointUrl, endpointTarget } from '../../../src/service/endpointPolicy';
import { ServiceError } from '../../../src/service/errors';
import type { EndpointStatus } from '../../../src/service/wire/dedicated';

const com = 'https://api.example.com';
const local = 'http://127.0.0.1:8080';

/** Address of the endpoint, of the service, and the address that gets the key or the reason why none does. */
const addresses: [string, string, string | RegExp][] = [
  ['https://api.example.com', com, 'https://api.example.com/'],
  ['https://gpu-7.api.example.com/x/v1/', com, 'https://gpu-7.api.example.com/x'],
  ['https://gpu-7.example.com', com, 'https://gpu-7.example.com/'],
  ['HTTPS://GPU.Example.COM:443/v1', com, 'https://gpu.example.com/'],
  ['https://gpu.example.com', 'https://example.com', 'https://gpu.example.com/'],
  ['https://gpu.example.com', 'https://api.example.com:8443', 'https://gpu.example.com/'],
  ['https://gpu.example.com:8443', 'https://api.example.com:8443', 'https://gpu.example.com:8443/'],
  ['https://gpu.bücher.de', 'https://api.xn--bcher-kva.de', 'https://gpu.xn--bcher-kva.de/'],
  ['https://me.github.io/gpu', 'https://me.github.io', 'https://me.github.io/gpu'],
  ['https://gpu.models.corp', 'https://api.models.corp', 'https://gpu.models.corp/'],
  ['https://10.0.0.7/gpu', 'https://10.0.0.7', 'https://10.0.0.7/gpu'],
  ['https://models/gpu', 'https://models', 'https://models/gpu'],
  ['http://127.0.0.1:8080/gpu', local, 'http://127.0.0.1:8080/gpu'],

  ['', com, /plain web address/],
  ['gpu.example.com', com, /plain web address/],
  ['javascript:alert(1)', com, /plain web address/],
  ['command:workbench.action.quit', com, /plain web address/],
  ['file:///etc/passwd', com, /plain web address/],
  ['https:api.example.com', com, /plain web address/],
  ['https:///api.example.com', com, /plain web address/],
  [' https://api.example.com', com, /plain web address/],
  ['https://api.exam\nple.com', com, /plain web address/],
  ['https://evil.test\\@api.example.com', com, /plain web address/],
  ['https://api.example.com?next=evil', com, /plain web address/],
  ['https://api.example.com/#x', com, /plain web address/],
  ['https://api.example.com:port', com, /plain web address/],
  ['https://api.example.com@evil.test', com, /user name/],
  ['https://evil.test@api.example.com', com, /user name/],
  ['https://@api.example.com', com, /user name/],
  ['http://api.example.com', com, /https/],
  ['http://localhost', com, /https/],
  ['http://gpu.example.com', local, /https/],
  ['https://api.example.com:8443', com, /port/],
  ['http://127.0.0.1:9090', local, /port/],
  ['https://api.example.com.evil.test', com, /domain/],
  ['https://evilexample.com', com, /domain/],
  ['https://api.example.org', com, /domain/],
  ['https://api.example.com.', com, /domain/],
  ['https://api.exаmple.com', com, /domain/],
  ['https://127.0.0.1', com, /domain/],
  ['https://2130706433', com, /domain/],
  ['https://[::1]', com, /domain/],
  ['https://10.0.0.8', 'https://10.0.0.7', /domain/],
  ['https://localhost', com, /domain/],
  ['https://other', 'https://models', /domain/],
  ['https://evil.co.uk', 'https://models.co.uk', /domain/],
  ['https://evil.github.io', 'https://me.github.io', /domain/],
  ['https://evil.github.io', 'https://github.io', /domain/],
  ['http://localhost:8080', local, /domain/],
];

describe('the key at the address of an endpoint', () => {
  for (const [text, service, expected] of addresses) {
    const title = `${JSON.stringify(text)} of ${service}`;
    if (typeof expected === 'string')
      it(`goes to ${title}`, () =>
        assert.equal(checkEndpointUrl(text, new URL(service)).href, expected));
    else
      it(`stays away from ${title}`, () =>
        assert.throws(
          () => checkEndpointUrl(text, new URL(service)),
          (error: unknown) =>
            error instanceof ServiceError &&
            error.kind === 'endpoint' &&
            expected.test(error.message) &&
            !error.message.includes('evil'),
        ));
  }
});

describe('a dedicated endpoint as the target of a conversation', () => {
  const status: EndpointStatus = {
    id: 'e-1',
    state: 'ready',
    events: [],
    unreadable: 0,
    connection: {
      endpointUrl: 'https://gpu.example.com/e-1/v1',
      servedModelName: 'served',
      maxConcurrency: 4,
      contextTokens: 131_072,
      pricePerM: { input: 1, output: 2 },
    },
  };

  it('takes what a request needs', () => {
    const { url, ...rest } = endpointTarget(status, new URL(com));
    assert.equal(url.href, 'https://gpu.example.com/e-1');
    assert.deepEqual(rest, {
      endpointId: 'e-1',
      servedModelName: 'served',
      maxConcurrency: 4,
      contextTokens: 131_072,
      pricePerM: { input: 1, output: 2 },
    });
  });

  const refusals: [string, Partial<EndpointStatus>, RegExp][] = [
    ['an ended endpoint', { state: 'canceled' }, /state is "canceled"/],
    ['a suspended endpoint', { state: 'suspended' }, /state is "suspended"/],
    ['a state that is new', { state: 'ready\u202e' }, /state is "ready"/],
    ['no connection', { connection: undefined }, /no address/],
    ['no address', { connection: { servedModelName: 'served' } }, /no address/],
    ['no served name', { connection: { endpointUrl: com } }, /names no model/],
    [
      'a foreign host',
      { connection: { endpointUrl: 'https://evil.test', servedModelName: 'served' } },
      /domain of the service/,
    ],
  ];
  for (const [name, change, expected] of refusals)
    it(`refuses ${name}`, () =>
      assert.throws(() => endpointTarget({ ...status, ...change }, new URL(com)), {
        name: 'ServiceError',
        kind: 'endpoint',
        message: expected,
      }));
});
