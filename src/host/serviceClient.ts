import { ServiceClient } from '../service/client';
import type { Transport } from '../service/transport';
import type { Host } from './host';
import { settings } from './settings';

/** The one client. It loads its code, zod and the transport at the first call. */
export function createClient(host: Host): ServiceClient {
  let transport: Promise<() => Promise<Transport>> | undefined;
  return new ServiceClient({
    baseUrl: () => settings.baseUrl || undefined,
    apiKey: origin => host.apiKeys.get(origin),
    transport: async () => {
      transport ??= import('./network').then(({ createTransport }) => createTransport());
      return (await transport)();
    },
    log: line => host.log.info(line),
  });
}
