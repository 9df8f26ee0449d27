import assert from 'node:assert/strict';
import { redact } from '../../../src/base/redact';

describe('redact', () => {
  for (const [what, line] of [
    ['a bearer header', 'Authorization: Bearer canary-1234'],
    ['a key of the common form', 'the key sk-canary-1234567 was refused'],
    ['a header of its own', 'x-api-key: canary-1234'],
    ['JSON', '{"apiKey":"canary-1234"}'],
    ['an address with a login', 'proxy http://me:canary-1234@proxy.test:80'],
  ] as const)
    it(`takes the secret out of ${what}`, () => assert.doesNotMatch(redact(line), /canary/));

  it('keeps what stands around the secret', () => {
    for (const [line, redacted] of [
      ['x-api-key: canary-1234, next', 'x-api-key: [redacted] next'],
      ['{"apiKey": "canary 1234", "a": 1}', '{"apiKey": [redacted], "a": 1}'],
      ['token=canary', 'token=[redacted]'],
      ['the key sk-canary-1234567 was refused', 'the key [redacted] was refused'],
      ['got Bearer canary.1 twice', 'got [redacted] twice'],
      ['via http://me:canary@proxy.test:80', 'via http://[redacted]proxy.test:80'],
      ['Proxy-Authorization: Basic Y2FuYXJ5', 'Proxy-Authorization: [redacted]'],
    ] as const)
      assert.equal(redact(line), redacted);
  });

  it('leaves an ordinary line alone', () => {
    const line = 'POST /v1/chat/completions 200 81 ms, attempt 1, request req_7';
    assert.equal(redact(line), line);
  });
});
