import assert from 'node:assert/strict';
import { AbortError } from '../../../src/base/async/clock';
import { cleanServerText } from '../../../src/base/format/serverText';
import { english, sentence, written } from '../../../src/base/sentence';
import { adviceFor, briefMessage } from '../../../src/service/advice';
import { endpoint, parseBaseUrl, pathId } from '../../../src/service/baseUrl';
import { ServiceError } from '../../../src/service/errors';
import { keyringError } from '../../../src/service/keyring';
import { networkError } from '../../../src/service/transport/networkError';

describe('parseBaseUrl', () => {
  const good: [string, string][] = [
    ['https://api.example.com', 'https://api.example.com/'],
    [' https://api.example.com/ ', 'https://api.example.com/'],
    ['https://api.example.com/v1/', 'https://api.example.com/'],
    ['https://gate.example.com/team/v1', 'https://gate.example.com/team'],
    ['http://localhost:8080', 'http://localhost:8080/'],
    ['http://127.0.0.1:1', 'http://127.0.0.1:1/'],
    ['http://[::1]:1', 'http://[::1]:1/'],
  ];
  for (const [text, expected] of good)
    it(`takes "${text}"`, () => assert.equal(parseBaseUrl(text).href, expected));

  const bad = [
    '',
    'api.example.com',
    'ftp://example.com',
    'http://example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'https://user@example.com',
    'https://user:pw@example.com',
    'https://example.com?x=1',
    'https://example.com/?',
    'https://example.com/#top',
    'javascript:alert(1)',
  ];
  for (const text of bad)
    it(`refuses "${text}"`, () =>
      assert.throws(
        () => parseBaseUrl(text),
        (error: unknown) =>
          adviceFor(error, english).actions[0] === 'setUrl' &&
          adviceFor(error, english).message.endsWith('.'),
      ));
});

describe('pathId', () => {
  const base = new URL('https://api.example.com/team');
  for (const id of ['rbatch-1', 'a b', 'x?y=1#z', '%2e%2e', '%2f', 'a:b;c', 'é漢', '@host'])
    it(`keeps "${id}" in its segment`, () => {
      const url = endpoint(base, `/v1/things/${pathId(id, sentence('id'))}/results`);
      assert.equal(decodeURIComponent(url.pathname.split('/')[4] ?? ''), id);
      assert.match(url.href, /^https:\/\/api\.example\.com\/team\/v1\/things\/[^/]+\/results$/);
    });
  for (const id of ['', ' ', '.', '..', 'a/b', 'a\\b', '../x', 'a..b', '\ud800'])
    it(`refuses ${JSON.stringify(id)}`, () =>
      assert.throws(() => pathId(id, sentence('batch id')), { kind: 'limit' }));
});

describe('explain', () => {
  it('says something about anything that can be thrown', () => {
    assert.deepEqual(adviceFor(new AbortError(), english), { message: 'Canceled.', actions: [] });
    assert.equal(adviceFor('odd', english).actions[0], 'showLog');
    assert.equal(
      adviceFor(new ServiceError('unauthorized', 'HTTP 401'), english).actions[0],
      'changeApiKey',
    );
    const retryAt = new Date(2026, 0, 1, 14, 3, 20).getTime();
    assert.match(
      adviceFor(new ServiceError('rateLimited', '', { retryAt }), english).message,
      /14:03:20/,
    );
  });
});

describe('what a view says above the steps that help', () => {
  const cases: [ServiceError, string][] = [
    [
      new ServiceError('offline', '', { host: 'h:1', code: 'ECONNREFUSED' }),
      'h:1 cannot be reached: nothing accepts connections there.',
    ],
    [
      new ServiceError('server', '', { status: 503, serverText: 'Back soon' }),
      'The service failed (503). It said: Back soon.',
    ],
    [
      keyringError('read', 'linux', undefined),
      'The keyring with the API key is locked or does not answer.',
    ],
    [new ServiceError('unauthorized', ''), 'The service refused the API key.'],
    [
      new ServiceError('paused', '', {
        consecutiveFailures: 6,
        cause: new ServiceError('timeout', ''),
      }),
      'The service took too long to answer, 6 failures in a row.',
    ],
  ];
  for (const [error, text] of cases)
    it(`is short: ${text}`, () => assert.equal(written(briefMessage(error)), text));
});

describe('cleanServerText', () => {
  it('leaves no invisible character, no key and no half of a pair', () => {
    assert.equal(cleanServerText('a\u202eb\u0000c\u200bd'), 'a b c d');
    assert.equal(cleanServerText('Incorrect API key: sk-abcdefgh1234'), 'Incorrect API key: …');
    assert.equal(cleanServerText('😀'.repeat(5), 4), '😀…');
  });
});

describe('networkError', () => {
  const rows: [string, unknown, string, string][] = [
    ['refused behind fetch', { cause: { code: 'ECONNREFUSED' } }, 'offline', 'notProcessed'],
    ['all addresses refused', { errors: [{ code: 'ECONNREFUSED' }] }, 'offline', 'notProcessed'],
    ['DNS', { code: 'ENOTFOUND' }, 'offline', 'notProcessed'],
    [
      'refused HTTP/2 stream',
      { code: 'ERR_HTTP2_STREAM_ERROR', message: 'NGHTTP2_REFUSED_STREAM' },
      'offline',
      'notProcessed',
    ],
    [
      'a GOAWAY',
      { message: 'HTTP/2: "GOAWAY" frame received with code 0' },
      'offline',
      'notProcessed',
    ],
    ['DNS in Chromium', { message: 'net::ERR_NAME_NOT_RESOLVED' }, 'offline', 'notProcessed'],
    [
      'a certificate in Chromium',
      { message: 'net::ERR_CERT_DATE_INVALID' },
      'certificate',
      'final',
    ],
    ['a reset in Chromium', { message: 'net::ERR_CONNECTION_RESET' }, 'connection', 'unknown'],
    [
      'TLS with a plain port',
      { code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
      'connection',
      'notProcessed',
    ],
    [
      'a reset while connecting',
      { code: 'ECONNRESET', syscall: 'connect' },
      'connection',
      'notProcessed',
    ],
    [
      'a reset before TLS',
      { code: 'ECONNRESET', message: 'disconnected before secure TLS connection was established' },
      'connection',
      'notProcessed',
    ],
    ['a damaged answer', { name: 'HTTPParserError', data: 'x' }, 'protocol', 'final'],
    ['headers too large', { code: 'UND_ERR_HEADERS_OVERFLOW' }, 'tooLarge', 'final'],
    [
      'a refused port 407',
      { code: 'ECONNREFUSED', message: 'connect 10.0.0.1:407' },
      'offline',
      'notProcessed',
    ],
    ['reset', { code: 'ECONNRESET' }, 'connection', 'unknown'],
    ['self-signed', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'certificate', 'final'],
    [
      'proxy login',
      { message: 'Proxy response (407) !== 200 when HTTP Tunneling' },
      'proxyLogin',
      'final',
    ],
    ['anything', 'odd', 'connection', 'unknown'],
  ];
  for (const [name, thrown, kind, outcome] of rows)
    it(`${name} is ${kind}`, () => {
      const error = networkError(thrown, 'api.example.com');
      assert.deepEqual([error.kind, error.outcome], [kind, outcome]);
    });
});

describe('the wording of an answer that is not complete', () => {
  const reasons: [string | undefined, RegExp][] = [
    [undefined, /^The answer ended before it was complete\.$/],
    ['length', /maximum length/],
    ['max_tokens', /maximum length/],
    ['model_context_window_exceeded', /context window/],
    ['content_filter', /filter of the service/],
    ['refusal', /filter of the service/],
    ['abort', /stopped the answer before it was complete, with the reason "abort"\.$/],
  ];
  for (const [code, wording] of reasons)
    it(`names the reason: ${code}`, () => {
      const { message } = adviceFor(
        new ServiceError('truncated', 'x', { code, partial: 'secret' }),
        english,
      );
      assert.match(message, wording);
      assert.ok(!message.includes('secret'));
    });
});
