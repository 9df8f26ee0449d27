export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborts the request and its answer in every phase; timeouts use it too. */
  readonly signal: AbortSignal;
}

export interface TransportResponse {
  /** 0 for a redirect that the platform hides. */
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array>;
  /** Discards the rest of the answer. Never throws. */
  cancel(): void;
}

/**
 * Sends one request, once: no retries, no redirects, no timeouts of its own.
 * Rejects with whatever the platform throws; see `networkError`.
 */
export interface Transport {
  /** Maximum of concurrent requests; further ones wait before their timeouts begin. */
  readonly concurrency: number;
  request(request: TransportRequest): Promise<TransportResponse>;
}

/** In VS Code the global `fetch` follows the user's proxy and certificates. */
export function fetchTransport(fetch: typeof globalThis.fetch): Transport {
  return {
    // One connection per request. Measured: with 24, 1,000 calls take 1.5 times as long; with 96, handshakes block the event loop.
    concurrency: 64,
    async request({ method, url, headers, body, signal }) {
      const response = await fetch(url, {
        method,
        headers,
        signal,
        redirect: 'manual',
        ...(body === undefined ? {} : { body }),
      });
      return {
        status: response.status,
        headers: response.headers,
        body: response.body ?? noBody(),
        cancel: () => void response.body?.cancel().catch(() => undefined),
      };
    },
  };
}

async function* noBody(): AsyncGenerator<Uint8Array> {
  // A response without a body reads as an empty one.
}
