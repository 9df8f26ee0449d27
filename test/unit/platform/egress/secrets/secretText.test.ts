import assert from 'node:assert/strict';
import { hasSecret } from '../../../../../src/platform/egress/secrets/secretText';
import { cpuMs } from '../../../../support/unit/cpuTime';

describe('a secret in a text', () => {
  for (const text of [
    'my key is sk-proj-abcdefghij0123456789',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIE',
    '-----BEGIN PGP PRIVATE KEY BLOCK-----',
    `use ghp_${'a1'.repeat(18)} for it`,
    'AKIAIOSFODNN7EXAMPLE',
    `xoxb-${'1'.repeat(12)}-abc`,
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N',
    'Authorization: Bearer abcdef0123456789abcdef',
    'postgres://admin:s3cret@db.internal/app',
    'DB_PASSWORD=hunter2hunter2',
    '"api_key": "0123456789abcdef"',
    "aws_secret_access_key = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'",
  ])
    it(`is found: ${text.slice(0, 40)}`, () => assert.equal(hasSecret(text), true));

  for (const text of [
    'Please fix the null check in cart.ts and add a test.',
    'The secret: patience, and the password is asked for twice.',
    'Rename `token` to `accessToken` in parseRequest().',
    'See https://example.com/docs?page=2 for the API key settings.',
    'apiKey = process.env.API_KEY1',
    'sk-short',
    'max_tokens: 4096',
  ])
    it(`is not seen in: ${text.slice(0, 40)}`, () => assert.equal(hasSecret(text), false));

  it('is looked for in linear time', () => {
    const parts = ['a', 'token', 'token =', '://a:', 'eyJ', '-----BEGIN ', 'sk-', '"secret":"'];
    const ms = cpuMs(() => {
      for (const part of parts) hasSecret(part.repeat(Math.ceil(1_000_000 / part.length)));
    });
    assert.ok(ms < 5000, `${ms} ms`);
  });
});
