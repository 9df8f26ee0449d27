import { lazy } from '../../base/async/lazy';
import { ServiceClient, type ServiceError } from '../../service';
import type { OpenGate } from '../egress';
import { type GatedClient, gateClient } from '../egress/gatedClient';
import { settings } from '../settings';
import type { ApiKeyStore } from './apiKeys';
import type { HostLedger, LedgerHost } from './ledger';
import type { HostTransport, NetworkHost } from './network';
import { notifyWait } from './waitListener';

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

/** The transport; its code loads at the first call. */
export type OpenTransport = () => Promise<HostTransport>;

export function lazyTransport(host: NetworkHost): OpenTransport {
  const open = lazy(async () => (await import('./network')).createTransport(host));
  return async () => (await open())();
}

/** The service client behind the egress gate. Their code and zod load at the first call. */
export function createClient(
  host: { readonly apiKeys: Pick<ApiKeyStore, 'get'>; readonly log: LedgerHost['log'] },
  transport: OpenTransport,
  ledger: OpenLedger,
  openGate: OpenGate,
): GatedClient {
  let isLockedNotified = false;
  const client = new ServiceClient({
    baseUrl: () => settings.baseUrl || undefined,
    siteUrl: () => settings.siteUrl || undefined,
    apiKey: origin => host.apiKeys.get(origin),
    transport,
    billing: {
      async admit(operation, source) {
        const { billing, prices } = await ledger();
        await billing.admit(operation, source);
        // In parallel to the call, whose price is looked up when it has ended.
        if ((operation === 'chat' || operation === 'messages') && prices.isDue(Date.now())) {
          client.catalogue({ signal: new AbortController().signal, background: true }).then(
            catalogue => prices.learn(catalogue),
            (error: unknown) => host.log.error('catalogue', error),
          );
        }
      },
      record: async call => (await ledger()).billing.record(call),
      count: async (...change) => (await ledger()).traffic.count(...change),
    },
    onWait: notifyWait,
    log: line => host.log.info(line),
    onKeyring: error => {
      const isNew = error !== undefined && !isLockedNotified;
      isLockedNotified = error !== undefined;
      if (!isNew) return;
      host.log.error('keyring', error.cause);
      void notifyLocked(error, host.log);
    },
  });
  return gateClient(client, openGate);
}

async function notifyLocked(error: ServiceError, log: LedgerHost['log']): Promise<void> {
  try {
    const { notifyLocalOnly } = await import('./keyring');
    await notifyLocalOnly(error);
  } catch (reason) {
    log.error('keyring', reason);
  }
}
