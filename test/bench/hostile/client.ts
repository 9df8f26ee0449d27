import { ServiceClient } from '../../../src/service/client';

/** A client whose service answers every request with one body. */
export function clientOf(type: string, body: string): ServiceClient {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const all = Buffer.from(body);
    for (let at = 0; at < all.length; at += 1 << 16) yield all.subarray(at, at + (1 << 16));
  }
  return new ServiceClient({
    baseUrl: () => 'https://service.test',
    apiKey: async () => 'sk-hostile',
    transport: async () => ({
      concurrency: 1,
      request: async () => ({
        status: 200,
        headers: new Headers({ 'content-type': type }),
        body: bytes(),
        cancel: () => undefined,
      }),
    }),
  });
}
