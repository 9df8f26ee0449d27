import { type ErrorKind, type Outcome, ServiceError } from './errors';
import { isRecord, textOf } from './guards';

/** Codes after which the request certainly never left, or was refused before any work. */
const notProcessed = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_CONN',
  'UND_ERR_PRX_TLS',
  'NGHTTP2_REFUSED_STREAM',
]);
const certificate = /CERT|UNABLE_TO_|ERR_TLS_|SELF_SIGNED/;
const tooLarge = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW']);

/** Gives a name to what a transport threw; an error of ours stays as it is. */
export function networkError(error: unknown, host: string): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  const [kind, outcome] = classify(error, code);
  return new ServiceError(kind, `request to ${host} failed (${code ?? 'no code'})`, {
    code,
    outcome,
    host,
    cause: error,
  });
}

/** A proxy wants a login that only the host's own network code can give. */
export function isProxyLogin(error: unknown): boolean {
  return chain(error).some(link => /\b407\b/.test(textOf(link['message']) ?? ''));
}

function classify(error: unknown, code: string | undefined): [ErrorKind, Outcome] {
  if (isProxyLogin(error)) return ['proxyLogin', 'final'];
  if (code === undefined) return ['connection', 'unknown'];
  if (notProcessed.has(code)) return ['offline', 'notProcessed'];
  if (certificate.test(code)) return ['certificate', 'final'];
  if (tooLarge.has(code)) return ['tooLarge', 'final'];
  if (code.startsWith('HPE_')) return ['protocol', 'final'];
  return ['connection', 'unknown'];
}

function codeOf(error: unknown): string | undefined {
  for (const link of chain(error)) {
    const refused = /REFUSED_STREAM/.test(textOf(link['message']) ?? '');
    if (refused) return 'NGHTTP2_REFUSED_STREAM';
    if (typeof link['code'] === 'string') return link['code'];
  }
  return undefined;
}

/** `fetch failed` hides the reason in `cause`, and "all addresses failed" in `errors`. */
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
