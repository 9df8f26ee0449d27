import type { ServiceClient } from '../service/client';
import type { Host } from './host';
import { settings } from './settings';

/** The one client, and whether a call can be made at all. */
export interface LazyClient extends Pick<ServiceClient, 'apply'> {
  /** True when a service address is set and a key is stored for its origin. Sends nothing. */
  isReady(): Promise<boolean>;
}

/** The client loads (with zod and the transport) at the first call. */
export function createClient(host: Host): LazyClient {
  let loading: Promise<ServiceClient> | undefined;
  const load = async () => {
    const [{ ServiceClient: Client }, { createTransport }] = await Promise.all([
      import('../service/client'),
      import('./network'),
    ]);
    return new Client({
      baseUrl: () => settings.baseUrl || undefined,
      apiKey: origin => host.apiKeys.get(origin),
      transport: createTransport(),
      log: line => host.log.info(line),
    });
  };
  const client = () => (loading ??= load());

  return {
    apply: async (request, options) => (await client()).apply(request, options),
    async isReady() {
      if (!URL.canParse(settings.baseUrl)) return false;
      return (await host.apiKeys.get(new URL(settings.baseUrl).origin)) !== undefined;
    },
  };
}
