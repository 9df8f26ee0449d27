import assert from 'node:assert/strict';
import {
  addressRemark,
  addressText,
  keyIn,
  keyRemark,
  readAddress,
} from '../../../src/connection/pasted';
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

const addressIn = (text: string): string => {
  const read = readAddress(text);
  return read.kind === 'address' ? addressText(read.url) : read.kind;
};

describe('what is pasted for a service address', () => {
  for (const text of [
    'https://api.example.com',
    ' https://api.example.com ',
    'http://localhost:4010',
    'https://example.com/base',
  ])
    it(`is taken as it is: ${JSON.stringify(text)}`, () => {
      assert.equal(addressIn(text), text.trim());
      assert.equal(addressRemark(text, translate), undefined);
    });

  const corrected: [string, string][] = [
    ['"https://api.example.com"', 'https://api.example.com'],
    ['api.example.com', 'https://api.example.com'],
    ['api.example.com:8443/base', 'https://api.example.com:8443/base'],
    ['localhost:4010', 'http://localhost:4010'],
    ['127.0.0.1:4010/v1', 'http://127.0.0.1:4010'],
    ['htps://api.example.com', 'https://api.example.com'],
    ['https//api.example.com', 'https://api.example.com'],
    ['https:/api.example.com', 'https://api.example.com'],
    ['ttps://api.example.com', 'https://api.example.com'],
    ['http://api.example.com/base', 'https://api.example.com/base'],
    ['https://api.example.com/v1/chat/completions', 'https://api.example.com'],
    ['https://example.com/base/v1/models', 'https://example.com/base'],
  ];
  for (const [text, address] of corrected)
    it(`is corrected, and the input says so: ${text}`, () => {
      assert.equal(addressIn(text), address);
      const remark = addressRemark(text, translate);
      assert.deepEqual(remark, { isError: false, message: `The address ${address} is used.` });
    });

  it('may end in /v1, which every operation begins with', () => {
    assert.equal(addressIn('https://api.example.com/v1/'), 'https://api.example.com');
    assert.equal(addressRemark('https://api.example.com/v1/', translate), undefined);
  });

  for (const text of [key, `Bearer ${key}`, `"${key}"`, `Authorization: Bearer ${key}`])
    it(`is kept for the next input where it is a key: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(readAddress(text), { kind: 'key', key });
      const remark = addressRemark(text, translate);
      assert.equal(remark?.isError, false);
      assert.ok(!remark.message.includes('sk-'), 'the key is in the message');
    });

  const wrong: [string, RegExp][] = [
    ['https://me:word@api.example.com', /user name or password/],
    ['https://api.example.com?x=1', /must not contain \? or #/],
    ['ftp://api.example.com', /must begin with https/],
    ['hello world', /not a web address/],
    ['https://', /not a web address/],
  ];
  for (const [text, message] of wrong)
    it(`is refused: ${text}`, () => {
      const remark = addressRemark(text, translate);
      assert.equal(remark?.isError, true);
      assert.match(remark.message, message);
    });

  it('is nothing yet while it is empty', () =>
    assert.equal(addressRemark(' ', translate), undefined));
});
