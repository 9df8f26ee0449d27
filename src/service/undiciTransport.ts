import Agent from 'undici/lib/dispatcher/agent.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import type Dispatcher from 'undici/types/dispatcher';
import { createSecureContext } from 'node:tls';
import { decoded } from './contentCoding';
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

/** Calls under way to one origin, and connections where the service has only HTTP/1.1. */
const concurrency = 128;

/**
 * HTTP/2 where the service has it: the pool opens one connection, and the next when its 100 streams are
 * taken. 1,000 calls at once need 2 handshakes instead of 1,001. With HTTP/1.1 each call has a connection
 * of its own, so that none waits in the pool while its timeout runs.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const connectTimeout = options.connectTimeoutMs ?? 10_000;
  const tls = {
    timeout: connectTimeout,
    rejectUnauthorized: options.rejectUnauthorized ?? true,
    // Made once: reading hundreds of certificates takes up to 150 ms, and tls.connect does it each time.
    ...(options.ca ? { secureContext: createSecureContext({ ca: [...new Set(options.ca)] }) } : {}),
  };
  const pool = {
    allowH2: true,
    connections: concurrency,
    // Below the 5 s after which many servers close an idle connection.
    keepAliveTimeout: 4000,
    // The client has its own timeouts, and undici's would hide which phase stalled.
    bodyTimeout: 0,
    headersTimeout: 0,
  };
  if (!options.proxy) return new Agent({ ...pool, connect: tls });
  return new ProxyAgent({
    ...pool,
    uri: options.proxy,
    // Only undici's front door, which is not bundled, gives its clients this method.
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
      // Without a listener a destroyed body ends the whole process.
      response.body.on('error', () => undefined);
      const get = (name: string): string | null => {
        const value = response.headers[name.toLowerCase()];
        return Array.isArray(value) ? value.join(', ') : (value ?? null);
      };
      return {
        status: response.statusCode,
        headers: { get },
        body: decoded(response.body, get('content-encoding')),
        cancel: () => void response.body.destroy(),
      };
    },
  };
}
