import assert from 'node:assert/strict';
import { addressRemark, keyIn, keyRemark } from '../../../src/connection/pasted';
import { t as translate } from '../endpoints/core/support';

const key = 'sk-0123456789abcdef';

describe('what is pasted for an API key', () => {
  for (const text of [
    key,
    ` ${key}\n`,
    `"${key}"`,
    `'${key}',`,
    `\`${key}\``,
    `“${key}”`,
    `Bearer ${key}`,
    `bearer "${key}"`,
    `Authorization: Bearer ${key}`,
    `"Bearer ${key}"`,
  ])
    it(`is the key alone in ${JSON.stringify(text)}`, () => {
      assert.equal(keyIn(text), key);
      assert.notEqual(keyRemark(text, translate)?.isError, true);
    });

  it('is told of what is left out, and of nothing else', () => {
    assert.match(keyRemark(`Bearer ${key}`, translate)?.message ?? '', /are left out/);
    assert.equal(keyRemark(key, translate), undefined);
    assert.equal(keyRemark('', translate), undefined);
  });

  const wrong: [string, RegExp][] = [
    ['https://api.example.com/v1', /address, not an API key/],
    [`SPLICE_API_KEY=${key}`, /follows the equals sign/],
    [`export KEY="${key}"`, /follows the equals sign/],
    [`${key} ${key}`, /spaces or line breaks/],
    [`${key}\nsk-2`, /spaces or line breaks/],
    ['sk-…cdef', /shortened or hidden/],
    ['sk-***cdef', /shortened or hidden/],
    ['••••••••', /shortened or hidden/],
    ['sk-ключ', /other characters/],
    ['""', /no API key in this/],
    ['sk-\u200b0123', /other characters/],
  ];
  for (const [text, message] of wrong)
    it(`is refused: ${JSON.stringify(text)}`, () => {
      const remark = keyRemark(text, translate);
      assert.equal(remark?.isError, true);
      assert.match(remark.message, message);
      assert.ok(!remark.message.includes('sk-'), 'the key is in the message');
    });
});

describe('what is pasted for a service address', () => {
  const wrong: [string, RegExp][] = [
    ['"https://api.example.com"', /quotes/],
    [key, /looks like an API key/],
    [`Bearer ${key}`, /looks like an API key/],
    ['api.example.com', /like https:\/\/api\.example\.com\.$/],
    ['api.example.com:8443/base', /like https:\/\/api\.example\.com:8443\/base\.$/],
    ['http://api.example.com', /http:\/\/ works only for this computer/],
    ['https://api.example.com/v1/chat/completions', /address of one operation/],
    ['https://me:word@api.example.com', /user name or password/],
    ['https://api.example.com?x=1', /must not contain \? or #/],
    ['ftp://api.example.com', /must begin with https/],
    ['hello world', /not a web address/],
  ];
  for (const [text, message] of wrong)
    it(`is refused: ${text}`, () =>
      assert.match(addressRemark(text, translate)?.message ?? '', message));

  for (const text of [
    '',
    'https://api.example.com',
    ' https://api.example.com/v1/ ',
    'http://localhost:4010',
    'https://example.com/base',
  ])
    it(`is taken: ${JSON.stringify(text)}`, () =>
      assert.equal(addressRemark(text, translate), undefined));
});
