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

  it('leaves an ordinary line alone', () => {
    const line = 'POST /v1/chat/completions 200 81 ms, attempt 1, request req_7';
    assert.equal(redact(line), line);
  });
});
