import assert from 'node:assert/strict';
import { english, sentence } from '../../../../src/base/sentence';
import { TransportChooser, UnusableClient } from '../../../../src/platform/client/transportChoice';
import { adviceFor } from '../../../../src/service/advice';
import { ServiceError } from '../../../../src/service/errors';
import type {
  Transport,
  TransportRequest,
  TransportResponse,
} from '../../../../src/service/transport/transport';
import { failureOf, never } from '../../service/helpers';

const request: TransportRequest = {
  method: 'GET',
  url: new URL('https://service.test/v1'),
  headers: {},
  signal: never(),
};

const works = async (): Promise<TransportResponse> => ({
  status: 200,
  headers: new Headers(),
  body: new Blob([]).stream(),
  cancel: () => undefined,
});
function setUp(own: () => Promise<TransportResponse>, open: () => void = () => undefined) {
  const seen: string[] = [];
  const told: string[] = [];
  const given = { wanted: 'auto' as 'auto' | 'undici' | 'host', knowsProxy: true };
  const transport = (name: string, respond: () => Promise<TransportResponse>): Transport => ({
    concurrency: 8,
    request: async () => {
      seen.push(name);
      return respond();
    },
  });
  const chooser = new TransportChooser({
    wanted: () => given.wanted,
    viaHost: transport('host', works),
    open: async () => {
      open();
      return transport('undici', own);
    },
    knowsProxy: () => given.knowsProxy,
    onFallback: reason => told.push(reason),
  });
  const send = async () => (await chooser.transport()).request(request);
  return { chooser, given, seen, told, send };
}

const brokenLoad = (): never => {
  throw Object.assign(new Error('Cannot find module /home/me/x'), { code: 'ERR_MODULE_NOT_FOUND' });
};

describe('the choice of the transport', () => {
  it('is our own client where it can be had', async () => {
    const { send, seen, told } = setUp(works);
    await send();
    assert.deepEqual([seen, told], [['undici'], []]);
  });

  it('is a named error, and never the other client, when the user insists', async () => {
    const { send, given, seen, told } = setUp(works, brokenLoad);
    given.wanted = 'undici';
    const error = await failureOf(send());
    assert.equal(error.kind, 'transport');
    assert.match(adviceFor(error, english).message, /cannot be loaded \(ERR_MODULE_NOT_FOUND\)/);
    assert.ok(!error.message.includes('/home/me'));
    assert.deepEqual([seen, told], [[], []]);
  });

  it('falls back with "auto", and tells so once', async () => {
    const { send, seen, told } = setUp(works, brokenLoad);
    await send();
    await send();
    assert.deepEqual(seen, ['host', 'host']);
    assert.deepEqual(told, ['it cannot be loaded (ERR_MODULE_NOT_FOUND)']);
  });

  it('tries a failed load again', async () => {
    let isBroken = true;
    const { send, given, seen } = setUp(works, () => {
      if (isBroken) brokenLoad();
    });
    given.wanted = 'undici';
    await assert.rejects(send(), ServiceError);
    isBroken = false;
    await send();
    assert.deepEqual(seen, ['undici']);
  });

  it('tells why VS Code itself sends, and again after a network setting changed', async () => {
    const { send, given, told, chooser } = setUp(works);
    given.knowsProxy = false;
    await send();
    await send();
    const reason = 'VS Code does not say which proxy it would use';
    assert.deepEqual(told, [reason]);
    chooser.reset();
    await send();
    assert.deepEqual(told, [reason, reason]);
  });

  it('follows the setting from call to call', async () => {
    const { send, given, seen } = setUp(works);
    given.knowsProxy = false;
    await send();
    given.wanted = 'undici';
    await send();
    given.wanted = 'host';
    await send();
    assert.deepEqual(seen, ['host', 'undici', 'host']);
  });

  for (const [name, fails] of Object.entries({
    'a client that cannot be made': async () => {
      throw new UnusableClient(sentence('it cannot be made (ERR_OSSL)'));
    },
    'a proxy that wants a login': async () => {
      throw new Error('Proxy response (407) !== 200 when HTTP Tunneling');
    },
  })) {
    it(`leaves the origin to the host after ${name}, until a network setting changes`, async () => {
      const { send, chooser, seen, told } = setUp(fails);
      await send();
      await send();
      assert.deepEqual(seen, ['undici', 'host', 'host']);
      assert.equal(told.length, 1);
      assert.equal((await chooser.transport()).used(request.url.origin), 'host');
      chooser.reset();
      assert.equal((await chooser.transport()).used(request.url.origin), 'undici');
      await send();
      assert.deepEqual(seen.slice(3), ['undici', 'host']);
    });

    it(`does not leave the origin to the host after ${name} when the user insists`, async () => {
      const { send, given, seen } = setUp(fails);
      given.wanted = 'undici';
      await assert.rejects(send());
      assert.deepEqual(seen, ['undici']);
    });
  }
});
