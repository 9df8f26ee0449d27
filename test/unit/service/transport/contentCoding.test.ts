import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { ServiceError } from '../../../../src/service/errors';
import { checkCodings, decodedBody } from '../../../../src/service/transport/contentCoding';
import { isProxyLogin, networkError } from '../../../../src/service/transport/networkError';

async function decoded(bytes: readonly Uint8Array[], header: string | null): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of decodedBody(Readable.from(bytes), header)) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('a compressed answer', () => {
  const text = 'an answer '.repeat(100);
  const plain = Buffer.from(text);
  const cases: [header: string | null, bytes: Buffer][] = [
    [null, plain],
    ['', plain],
    ['identity', plain],
    ['gzip', zlib.gzipSync(plain)],
    ['X-GZIP', zlib.gzipSync(plain)],
    ['deflate', zlib.deflateSync(plain)],
    ['deflate', zlib.deflateRawSync(plain)],
    ['br', zlib.brotliCompressSync(plain)],
    ['gzip, identity , br', zlib.brotliCompressSync(zlib.gzipSync(plain))],
  ];
  for (const [header, bytes] of cases)
    it(`is read where its coding is ${header}, ${bytes.length} bytes`, async () => {
      checkCodings(header);
      assert.equal(await decoded([bytes], header), text);
      const cut = Math.floor(bytes.length / 2);
      const pieces = [
        new Uint8Array(),
        bytes.subarray(0, 1),
        bytes.subarray(1, cut),
        bytes.subarray(cut),
      ];
      assert.equal(await decoded(pieces, header), text);
    });

  it('is read as far as it came where its end is missing', async () => {
    const bytes = zlib.gzipSync(plain);
    assert.equal(await decoded([bytes.subarray(0, -8)], 'gzip'), text);
    assert.equal(await decoded([], 'deflate'), '');
  });

  it('fails where its bytes are damaged', async () => {
    for (const coding of ['gzip', 'br', 'deflate'])
      await assert.rejects(
        decoded([Buffer.from('\xff no compression \xff', 'latin1')], coding),
        error => {
          const { kind, outcome } = networkError(error, 'h');
          assert.deepEqual([kind, outcome], ['protocol', 'final'], coding);
          return true;
        },
      );
  });

  it('is refused for a coding that nobody knows, and for more than three', () => {
    checkCodings('gzip, gzip, gzip, identity');
    for (const header of ['compress', 'gzip, x', 'gzip, gzip, gzip, gzip'])
      assert.throws(
        () => checkCodings(header),
        (error: unknown) => error instanceof ServiceError && error.kind === 'protocol',
      );
  });
});

describe('a failure of the network', () => {
  it('is known by its code', () => {
    for (const [codes, kind, outcome] of [
      [
        'ECONNREFUSED ENOTFOUND EAI_AGAIN EAI_FAIL ENETUNREACH EHOSTUNREACH EHOSTDOWN ENETDOWN EADDRNOTAVAIL UND_ERR_CONNECT_TIMEOUT UND_ERR_PRX_CONN UND_ERR_PRX_TLS ERR_TLS_HANDSHAKE_TIMEOUT NGHTTP2_REFUSED_STREAM',
        'offline',
        'notProcessed',
      ],
      [
        'ERR_CONNECTION_REFUSED ERR_CONNECTION_TIMED_OUT ERR_NAME_NOT_RESOLVED ERR_NAME_RESOLUTION_FAILED ERR_INTERNET_DISCONNECTED ERR_ADDRESS_UNREACHABLE ERR_PROXY_CONNECTION_FAILED ERR_TUNNEL_CONNECTION_FAILED ERR_HTTP2_SERVER_REFUSED_STREAM',
        'offline',
        'notProcessed',
      ],
      [
        'CERT_HAS_EXPIRED UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID SELF_SIGNED_CERT_IN_CHAIN',
        'certificate',
        'final',
      ],
      [
        'UND_ERR_HEADERS_OVERFLOW HPE_HEADER_OVERFLOW ERR_RESPONSE_HEADERS_TOO_BIG',
        'tooLarge',
        'final',
      ],
      ['HPE_INVALID_CONSTANT Z_DATA_ERROR ZSTD_error_x ERR__ERROR_FORMAT_X', 'protocol', 'final'],
      ['ERR_SSL_HANDSHAKE_FAILURE ERR_SSL_UNSUPPORTED_PROTOCOL', 'connection', 'notProcessed'],
      ['ECONNRESET EPIPE ERR_SSL_BAD_RECORD', 'connection', 'unknown'],
    ] as const)
      for (const code of codes.split(' ')) {
        const error = networkError({ message: 'fetch failed', cause: { code } }, 'api.test');
        assert.deepEqual([error.kind, error.outcome, error.code], [kind, outcome, code]);
        assert.equal(error.host, 'api.test');
        assert.match(error.message, /^request to api\.test failed \(/);
        const shown = networkError({ message: `net::${code}` }, 'api.test').kind;
        if (code.startsWith('ERR_')) assert.equal(shown, kind, code);
      }
    assert.match(networkError('x', 'h').message, /\(no code\)$/);
    const own = new ServiceError('limit', 'x');
    assert.equal(networkError(own, 'h'), own);
  });

  it('keeps of its causes names, codes and messages, and nothing that was sent', () => {
    const error = networkError(
      {
        name: 'TypeError',
        message: 'fetch failed',
        cause: { name: 'HTTPParserError', code: 'HPE_X', message: 'bad', data: 'canary' },
      },
      'h',
    );
    assert.ok(error.cause instanceof Error);
    assert.equal(error.cause.message, 'TypeError fetch failed < HTTPParserError HPE_X bad');
    assert.equal(networkError('canary', 'h').cause, undefined);
  });

  it('ends with a chain of causes that has no end', () => {
    const error: { message: string; cause?: unknown } = { message: 'round' };
    error.cause = error;
    assert.equal(networkError(error, 'h').kind, 'connection');
  });

  it('is a proxy that wants a login where it says 407, not where an address has it', () => {
    assert.deepEqual(
      ['status 407', 'Proxy response (407)', 'connect 10.0.0.1:407', '4070', 'port 8.407'].map(
        message => isProxyLogin({ cause: { message } }),
      ),
      [true, true, false, false, false],
    );
  });
});
