import { lazy } from '../base/async';
import { ServiceClient } from '../service/client';
import type { ServiceError } from '../service/errors';
import type { OpenGate } from './egress';
import { type GatedClient, gateClient } from './egress/gatedClient';
import type { HostLedger, LedgerHost } from './ledger';
import type { HostTransport, NetworkHost } from './network';
import type { ApiKeyStore } from './secrets';
import { settings } from './settings';
import { onCallWait } from './waits';

/** The ledger of this window; its code loads at the first call. */
export type OpenLedger = () => Promise<HostLedger>;

export function lazyLedger(host: LedgerHost): OpenLedger {
  return lazy(async () => {
    const { openLedger } = await import('./ledger');
    const ledger = openLedger(host);
    host.context.subscriptions.push(ledger);
    return ledger;
  });
}

/** The one way to the network; its code loads at the first call. */
export type OpenTransport = () => Promise<HostTransport>;

export function lazyTransport(host: NetworkHost): OpenTransport {
  const open = lazy(async () => (await import('./network')).createTransport(host));
  return async () => (await open())();
}

/** The one client, with the one gate before it. Their code and zod load at the first call. */
export function createClient(
  host: { readonly apiKeys: Pick<ApiKeyStore, 'get'>; readonly log: LedgerHost['log'] },
  transport: OpenTransport,
  ledger: OpenLedger,
  openGate: OpenGate,
): GatedClient {
  let isToldLocked = false;
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
    onWait: onCallWait,
    log: line => host.log.info(line),
    onKeyring: error => {
      const isNew = error !== undefined && !isToldLocked;
      isToldLocked = error !== undefined;
      if (!isNew) return;
      host.log.error('keyring', error.cause);
      void tellLocked(error, host.log);
    },
  });
  return gateClient(client, openGate);
}

async function tellLocked(error: ServiceError, log: LedgerHost['log']): Promise<void> {
  try {
    const { tellLocalOnly } = await import('./keyring');
    await tellLocalOnly(error);
  } catch (reason) {
    log.error('keyring', reason);
  }
}
