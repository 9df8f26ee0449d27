import { endpoint } from '../service/baseUrl';
import { networkError } from '../service/networkError';
import type { Transport } from '../service/transport';

/** What comes back for a read without a key. */
export interface Reached {
  readonly status: number;
  readonly contentType: string | null;
  /** `Date` header. */
  readonly date: string | null;
}

/**
 * Asks whether something answers at the address. No key is sent.
 * @throws {ServiceError} when nothing does.
 */
export async function reach(
  transport: Pick<Transport, 'request'>,
  address: URL,
  signal: AbortSignal,
): Promise<Reached> {
  try {
    const response = await transport.request({
      method: 'GET',
      url: endpoint(address, '/api/v1/dedicated/endpoints'),
      headers: { accept: 'application/json' },
      signal,
    });
    response.cancel();
    const { status, headers } = response;
    return { status, contentType: headers.get('content-type'), date: headers.get('date') };
  } catch (error) {
    if (signal.aborted) throw error;
    throw networkError(error, address.host);
  }
}
