import { endpoint, networkError, type Transport } from '../../service';

/** The answer to a read without a key. */
export interface ProbeResponse {
  readonly status: number;
  readonly contentType: string | null;
  /** `Date` header. */
  readonly date: string | null;
}

/**
 * Checks whether a server answers at the address. No key is sent.
 * @throws {ServiceError} when there is no answer.
 */
export async function probeService(
  transport: Pick<Transport, 'request'>,
  address: URL,
  signal: AbortSignal,
): Promise<ProbeResponse> {
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
