import { cleanServerText } from '../../base/format/serverText';
import { isRecord, textOf } from '../../base/typeGuards';
import { type ErrorKind, type RequestOutcome, ServiceError } from '../errors';

/** Codes that mean that the request was never sent, or was refused before processing. */
const notProcessed = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_CONN',
  'UND_ERR_PRX_TLS',
  'ERR_TLS_HANDSHAKE_TIMEOUT',
  'NGHTTP2_REFUSED_STREAM',
  // Codes of Chromium without "net::": the fetch of VS Code may use its network stack.
  'ERR_CONNECTION_REFUSED',
  'ERR_CONNECTION_TIMED_OUT',
  'ERR_NAME_NOT_RESOLVED',
  'ERR_NAME_RESOLUTION_FAILED',
  'ERR_INTERNET_DISCONNECTED',
  'ERR_ADDRESS_UNREACHABLE',
  'ERR_PROXY_CONNECTION_FAILED',
  'ERR_TUNNEL_CONNECTION_FAILED',
  'ERR_HTTP2_SERVER_REFUSED_STREAM',
]);
const certificate = /CERT|UNABLE_TO_|ERR_TLS_|SELF_SIGNED/;
const tooLarge = new Set([
  'UND_ERR_HEADERS_OVERFLOW',
  'HPE_HEADER_OVERFLOW',
  'ERR_RESPONSE_HEADERS_TOO_BIG',
]);
/** The TLS handshake failed, so that no request can have been sent. */
const handshake =
  /WRONG_VERSION_NUMBER|HANDSHAKE_FAILURE|UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION|PROTOCOL_ERROR$/;

/** Codes of a compressed body that cannot be decoded. */
const damagedCoding = /^(?:Z_(?:DATA_ERROR|NEED_DICT)|ERR_+(?:BROTLI|ERROR_FORMAT)|ZSTD_error)/;

/** Converts what a transport threw into a {@link ServiceError}; one of ours is returned unchanged. */
export function networkError(error: unknown, host: string): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  const [kind, outcome] = classify(error, code);
  return new ServiceError(kind, `request to ${host} failed (${code ?? 'no code'})`, {
    code,
    outcome,
    host,
    cause: bareCause(error),
  });
}

/** Names, codes and messages of the error chain only: the error of a parser also holds the bytes that it could not read. */
function bareCause(error: unknown): Error | undefined {
  const parts = chain(error).map(link =>
    [link['name'], link['code'], link['message']].filter(part => textOf(part)).join(' '),
  );
  return parts.length > 0 ? new Error(cleanServerText(parts.join(' < '))) : undefined;
}

/** True when a proxy requires a login that only the network stack of VS Code can provide. */
export function isProxyLogin(error: unknown): boolean {
  return chain(error).some(link => /(?<![:.\d])407\b/.test(textOf(link['message']) ?? ''));
}

function classify(error: unknown, code: string | undefined): [ErrorKind, RequestOutcome] {
  if (isProxyLogin(error)) return ['proxyLogin', 'final'];
  if (code === undefined) return ['connection', 'unknown'];
  if (notProcessed.has(code)) return ['offline', 'notProcessed'];
  if (certificate.test(code)) return ['certificate', 'final'];
  if (tooLarge.has(code)) return ['tooLarge', 'final'];
  if (code.startsWith('HPE_') || damagedCoding.test(code)) return ['protocol', 'final'];
  return ['connection', neverSent(error, code) ? 'notProcessed' : 'unknown'];
}

/** True when the connection was never established. */
function neverSent(error: unknown, code: string): boolean {
  if (code.startsWith('ERR_SSL_') && handshake.test(code)) return true;
  return chain(error).some(
    link =>
      link['syscall'] === 'connect' ||
      /before secure TLS connection/.test(textOf(link['message']) ?? ''),
  );
}

function codeOf(error: unknown): string | undefined {
  for (const link of chain(error)) {
    const message = textOf(link['message']) ?? '';
    // A GOAWAY fails only requests that the service has not accepted.
    if (/REFUSED_STREAM|"GOAWAY" frame received/.test(message)) return 'NGHTTP2_REFUSED_STREAM';
    if (typeof link['code'] === 'string') return link['code'];
    // undici sets no code for most of these.
    if (link['name'] === 'HTTPParserError') return 'HPE_INVALID';
    const chromium = /\bnet::(ERR_\w+)/.exec(message)?.[1];
    if (chromium) return chromium;
  }
  return undefined;
}

/** The error and its causes: `fetch failed` has the reason in `cause`, an AggregateError in `errors`. */
function chain(error: unknown): Record<string, unknown>[] {
  const links: Record<string, unknown>[] = [];
  const queue = [error];
  while (queue.length > 0 && links.length < 10) {
    const link = queue.shift();
    if (!isRecord(link)) continue;
    links.push(link);
    queue.push(link['cause']);
    if (Array.isArray(link['errors'])) queue.push(...link['errors']);
  }
  return links;
}
