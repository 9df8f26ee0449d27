import assert from 'node:assert/strict';
import { assert as check, property, uint8Array } from 'fast-check';
import { createKeyRedactor } from '../../../../src/service/http/keyRedaction';

const key = 'sk-Canary/47+11_xY';

describe('the redaction of a key', () => {
  const escaped = (escape: (code: string) => string) =>
    Array.from(key, char => escape(char.charCodeAt(0).toString(16))).join('');
  const forms: [string, string][] = [
    ['as it is', key],
    ['in upper case', key.toUpperCase()],
    ['in lower case', key.toLowerCase()],
    ['in an address', encodeURIComponent(key)],
    ['in an address, every character', escaped(hex => `%${hex}`)],
    ['in an address twice', escaped(hex => `%25${hex}`)],
    ['in JSON', escaped(hex => `\\u00${hex}`)],
    ['in JSON with an escaped slash', key.replace('/', '\\/')],
    ['in JSON within JSON', escaped(hex => `\\\\u00${hex.toUpperCase()}`)],
    ['in a string of another language', escaped(hex => `\\x${hex}`)],
    ['in HTML', escaped(hex => `&#x${hex};`)],
    ['as hexadecimal', Buffer.from(key).toString('hex')],
    ['as hexadecimal in upper case', Buffer.from(key).toString('hex').toUpperCase()],
    ['as hexadecimal with colons', escaped(hex => `${hex}:`)],
    ['in base64', Buffer.from(key).toString('base64')],
    ['in base64 for addresses', Buffer.from(key).toString('base64url')],
    ['in base64 in an address', encodeURIComponent(Buffer.from(key).toString('base64'))],
    ['raised and in base64', Buffer.from(key.toUpperCase()).toString('base64')],
  ];
  for (const [name, form] of forms)
    it(`finds it ${name}`, () => {
      const shown = createKeyRedactor(key)(`the key <${form}> is wrong`);
      assert.match(shown, /^the key <…[:=]{0,2}(?:%3D)*> is wrong$/);
    });

  it('finds it anywhere within a text in base64', () => {
    check(
      property(uint8Array({ maxLength: 9 }), uint8Array({ maxLength: 9 }), (before, after) => {
        const text = Buffer.concat([before, Buffer.from(key), after]).toString('base64');
        const shown = createKeyRedactor(key)(text);
        assert.ok(shown.includes('…'), text);
        const left = Buffer.from(shown.split('…')[0] ?? '', 'base64').toString('latin1');
        assert.ok(!left.includes(key.slice(0, 2)), left);
      }),
    );
  });

  it('leaves other texts as they are', () => {
    const text = 'sk-other key, 73 6b 2d, c2stT3RoZXI=, https://a.example/?q=%73%6b';
    assert.equal(createKeyRedactor(key)(text), text);
  });

  it('takes no longer for a hostile text than its length explains', () => {
    const repetitive = `a${'a'.repeat(40)}b`;
    const seconds = (text: string): number => {
      const at = process.cpuUsage();
      createKeyRedactor(repetitive)(text);
      const { user, system } = process.cpuUsage(at);
      return (user + system) / 1e6;
    };
    seconds('a'.repeat(1 << 16));
    const small = seconds('a'.repeat(1 << 16));
    const large = seconds('a'.repeat(1 << 19));
    assert.ok(large < 0.05 + 24 * small, `${small} s and ${large} s`);
  });
});
