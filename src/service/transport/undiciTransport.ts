import { createSecureContext } from 'node:tls';
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import type Dispatcher from 'undici/types/dispatcher';
import { decodedBody } from './contentCoding';
import type { Transport } from './transport';

export interface DispatcherOptions {
  /** `http://host:port`; absent means a direct connection. */
  proxy?: string | undefined;
  /** Value of `Proxy-Authorization`. */
  proxyAuthorization?: string | undefined;
  /** PEM certificates; absent means those of Node. */
  ca?: string[] | undefined;
  rejectUnauthorized?: boolean;
  connectTimeoutMs?: number;
}

/** Concurrent requests to one origin, and connections where the service supports only HTTP/1.1. */
const concurrency = 128;

/**
 * HTTP/2 where the service supports it: the pool opens one connection, and the next when its 100 streams are
 * in use. 1,000 concurrent calls need 2 handshakes instead of 1,001. With HTTP/1.1 each call has its own
 * connection, so that none waits in the pool while its timeout runs.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const connectTimeout = options.connectTimeoutMs ?? 10_000;
  const tls = {
    timeout: connectTimeout,
    rejectUnauthorized: options.rejectUnauthorized ?? true,
    // Created once: parsing hundreds of certificates takes up to 150 ms, and tls.connect would do it each time.
    ...(options.ca ? { secureContext: createSecureContext({ ca: [...new Set(options.ca)] }) } : {}),
  };
  const pool = {
    allowH2: true,
    connections: concurrency,
    // Below the 5 s after which many servers close an idle connection.
    keepAliveTimeout: 4000,
    // The client has its own timeouts; those of undici would hide which phase stalled.
    bodyTimeout: 0,
    headersTimeout: 0,
  };
  if (!options.proxy) return new Agent({ ...pool, connect: tls });
  return new ProxyAgent({
    ...pool,
    uri: options.proxy,
    // Only the main module of undici, which is not bundled, adds this method to its clients.
    clientFactory: (_origin, client) => Object.assign(new Agent(client), { connect }),
    connectTimeout,
    requestTls: tls,
    proxyTls: tls,
    ...(options.proxyAuthorization ? { token: options.proxyAuthorization } : {}),
  });
}

/** @param dispatcherFor decides per address, as the user's proxy settings do; the caller owns the dispatchers. */
export function undiciTransport(dispatcherFor: (url: URL) => Promise<Dispatcher>): Transport {
  return {
    concurrency,
    async request({ method, url, headers, body, signal }) {
      const dispatcher = await dispatcherFor(url);
      const response = await request.call(dispatcher, {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers,
        signal,
        ...(body === undefined ? {} : { body }),
      });
      // Without a listener, a destroyed body would end the process.
      response.body.on('error', () => undefined);
      const get = (name: string): string | null => {
        const value = response.headers[name.toLowerCase()];
        return Array.isArray(value) ? value.join(', ') : (value ?? null);
      };
      return {
        status: response.statusCode,
        headers: { get },
        body: decodedBody(response.body, get('content-encoding')),
        cancel: () => void response.body.destroy(),
      };
    },
  };
}
