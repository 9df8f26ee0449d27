import { AbortError } from '../../base/async/clock';
import { idempotencyHeader } from '../assumptions';
import { endpoint, parseBaseUrl } from '../baseUrl';
import { ServiceError } from '../errors';
import { acceptEncoding } from '../transport/contentCoding';
import type { Transport, TransportRequest } from '../transport/transport';
import { createKeyRedactor } from './keyRedaction';
import type { Operation } from './operation';

/** Where requests go and what they carry, asked anew for each call. */
export interface RequestSources {
  readonly baseUrl: () => string | undefined;
  /** The site address, where the public catalogue is; absent means that of the service. */
  readonly siteUrl?: (() => string | undefined) | undefined;
  readonly apiKey: (origin: string) => Promise<string | undefined>;
  readonly transport: () => Promise<Transport>;
}

/** Everything that stays the same over all attempts; the body and the idempotency key above all. */
export interface PreparedRequest {
  /** Takes the key out of a text. */
  readonly redact: (text: string) => string;
  readonly transport: Transport;
  readonly request: Omit<TransportRequest, 'signal'>;
}

/** @throws {ServiceError} `noUrl`, `badUrl`, `noKey`, `keyring`, `endpoint` or `transport`. */
export async function prepareRequest(
  operation: Operation<unknown>,
  signal: AbortSignal,
  sources: RequestSources,
): Promise<PreparedRequest> {
  const { method, path, accept, body, target = 'service', query } = operation;
  // Nothing is read from the key store for a call that is canceled already.
  if (signal.aborted) throw new AbortError();
  const base = baseOf(target, sources);
  // The service address may have changed since the endpoint was checked.
  if (target instanceof URL) {
    (await import('../endpointPolicy')).checkEndpointUrl(target.href, base);
  }
  const url = endpoint(target instanceof URL ? target : base, path, query);
  const headers: Record<string, string> = {
    ...operation.headers,
    accept,
    'accept-encoding': acceptEncoding,
  };
  let redact = unchanged;
  if (target !== 'site') {
    const key = sendableKey(await sources.apiKey(base.origin));
    headers['authorization'] = `Bearer ${key}`;
    redact = createKeyRedactor(key);
  }
  const transport = await sources.transport();
  if (method === 'POST') {
    headers['content-type'] = 'application/json';
    headers[idempotencyHeader] = operation.idempotencyKey ?? crypto.randomUUID();
  }
  const text = body === undefined ? undefined : JSON.stringify(body);
  return {
    transport,
    redact,
    request: { method, url, headers, ...(text === undefined ? {} : { body: text }) },
  };
}

const unchanged = (text: string): string => text;

/** The address whose origin decides which key is sent. */
function baseOf(target: 'service' | 'site' | URL, { baseUrl, siteUrl }: RequestSources): URL {
  const base = baseUrl()?.trim();
  const site = target === 'site' ? siteUrl?.()?.trim() : undefined;
  if (site) return parseBaseUrl(site);
  if (!base) throw new ServiceError('noUrl', 'no service address is set');
  const url = parseBaseUrl(base);
  if (target === 'site') url.pathname = '/';
  return url;
}

function sendableKey(text: string | undefined): string {
  const key = text?.trim();
  if (!key) throw new ServiceError('noKey', 'no API key for this service');
  // Other characters are not allowed in a header, and the platform's error would quote the key.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ServiceError('noKey', 'the API key holds characters that cannot be sent');
}
