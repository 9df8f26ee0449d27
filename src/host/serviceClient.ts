import { ServiceClient } from '../service/client';
import type { OpenGate } from './egress';
import { type GatedClient, gateClient } from './egress/gatedClient';
import type { HostLedger, LedgerHost } from './ledger';
import type { HostTransport } from './network';
import type { ApiKeyStore } from './secrets';
import { settings } from './settings';

/** The ledger of this window; its code loads at the first call. */
export type OpenLedger = () => Promise<HostLedger>;

export function lazyLedger(host: LedgerHost): OpenLedger {
  let opened: Promise<HostLedger> | undefined;
  return async () => {
    opened ??= import('./ledger').then(({ openLedger }) => {
      const ledger = openLedger(host);
      host.context.subscriptions.push(ledger);
      return ledger;
    });
    return opened;
  };
}

/** The one way to the network; its code loads at the first call. */
export type OpenTransport = () => Promise<HostTransport>;

export function lazyTransport(): OpenTransport {
  let opened: Promise<OpenTransport> | undefined;
  return async () => {
    opened ??= import('./network').then(({ createTransport }) => createTransport());
    return (await opened)();
  };
}

/** The one client, with the one gate before it. Their code and zod load at the first call. */
export function createClient(
  host: { readonly apiKeys: Pick<ApiKeyStore, 'get'>; readonly log: LedgerHost['log'] },
  transport: OpenTransport,
  ledger: OpenLedger,
  openGate: OpenGate,
): GatedClient {
  const client = new ServiceClient({
    baseUrl: () => settings.baseUrl || undefined,
    siteUrl: () => settings.siteUrl || undefined,
    apiKey: origin => host.apiKeys.get(origin),
    transport,
    billing: {
      async admit(operation) {
        const { billing, prices } = await ledger();
        await billing.admit(operation);
        // Beside the call, which does not wait: its price is looked up when it has ended.
        if ((operation === 'chat' || operation === 'messages') && prices.isDue(Date.now()))
          client.catalogue({ signal: new AbortController().signal, background: true }).then(
            catalogue => prices.learn(catalogue),
            (error: unknown) => host.log.error('catalogue', error),
          );
      },
      record: async call => (await ledger()).billing.record(call),
    },
    log: line => host.log.info(line),
  });
  return gateClient(client, openGate);
}
