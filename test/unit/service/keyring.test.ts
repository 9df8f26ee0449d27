import assert from 'node:assert/strict';
import { english } from '../../../src/base/sentence';
import { actionsAfter, adviceFor } from '../../../src/service/advice';
import type { ServiceClient } from '../../../src/service/client';
import type { ServiceError } from '../../../src/service/errors';
import { keyringError } from '../../../src/service/keyring';
import { apiKey, failureOf, never, testClient } from './helpers';

const raw = new Error('Cannot autolaunch D-Bus without X11 $DISPLAY at /home/me');

describe('a keyring that is locked', () => {
  for (const [platform, next] of [
    ['linux', /Unlock the login keyring \(GNOME Keyring, KWallet\), then try again\.$/],
    ['darwin', /Keychain Access, then try again\.$/],
    ['win32', /Sign out of Windows/],
    [undefined, /keyring of the computer that shows this window/],
  ] as const)
    it(`has a name, and advice for ${platform ?? 'another computer'}`, () => {
      const error = keyringError('read', platform, raw);
      assert.equal(error.kind, 'keyring');
      const { message, actions } = adviceFor(error, english);
      assert.match(message, /^The stored API key cannot be read: the keyring/);
      assert.match(message, next);
      assert.doesNotMatch(message, /D-Bus/);
      assert.deepEqual(actions, ['retry', 'unlockKeyring']);
      assert.deepEqual(actions, actionsAfter('keyring'));
    });

  describe('for a client', () => {
    let isLocked = true;
    let told: (ServiceError | undefined)[] = [];
    const client = (): ServiceClient =>
      testClient('http://127.0.0.1:9', {
        apiKey: async () => {
          if (isLocked) throw keyringError('read', 'linux', raw);
          return apiKey;
        },
        onKeyring: error => told.push(error),
        transport: () => assert.fail('nothing is sent'),
      }).client;
    beforeEach(() => {
      isLocked = true;
      told = [];
    });

    it('counts as no key where local engines take over, and is told', async () => {
      const one = client();
      assert.equal(await one.isReady(), false);
      assert.equal(told[0]?.kind, 'keyring');
      isLocked = false;
      assert.equal(await one.isReady(), true);
      assert.equal(told[1], undefined);
    });

    it('is the reason that a command gets which needs the key', async () => {
      const one = client();
      assert.equal((await one.obstacle())?.kind, 'keyring');
      assert.equal((await failureOf(one.listEndpoints({ signal: never() }))).kind, 'keyring');
      assert.deepEqual(told, []);
    });
  });

  it('is not taken for a missing key or address', async () => {
    const { client } = testClient('', { apiKey: async () => undefined });
    assert.equal((await client.obstacle())?.kind, 'noUrl');
    const keyless = testClient('https://a.example', { apiKey: async () => undefined });
    assert.equal((await keyless.client.obstacle())?.kind, 'noKey');
    const ready = testClient('https://a.example').client;
    assert.equal(await ready.obstacle(), undefined);
  });
});
