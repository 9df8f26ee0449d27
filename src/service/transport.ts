export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the request and its answer in every phase; also the way in which all timeouts act. */
  readonly signal: AbortSignal;
}

export interface TransportResponse {
  /** 0 for a redirect that the platform hides. */
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array>;
  /** Drops what is left of the answer. Never throws. */
  cancel(): void;
}

/**
 * Sends one request, once: no retries, no redirects, no timeouts of its own.
 * Rejects with whatever the platform throws; `networkError` gives it a name.
 */
export interface Transport {
  /** Requests that it carries well at once; further ones wait before their timeouts begin. */
  readonly concurrency: number;
  request(request: TransportRequest): Promise<TransportResponse>;
}

/** In VS Code the global `fetch` follows the user's proxy and certificates. */
export function fetchTransport(fetch: typeof globalThis.fetch): Transport {
  return {
    // One connection each. With 24, 1,000 calls take half as long again; with 96, handshakes freeze the loop.
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
