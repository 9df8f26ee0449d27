import type { ExtensionContext } from 'vscode';
import * as apply from './apply';
import * as connection from './connection';
import * as costs from './costs';
import { createHost } from './host/host';
import { createClient, lazyLedger, lazyTransport } from './host/serviceClient';
import * as account from './host/account';
import * as reflex from './reflex';
import * as search from './search';

/** Registers and nothing else: no I/O, no feature code; both load at the first use. */
export function activate(context: ExtensionContext): void {
  const host = createHost(context);
  const transport = lazyTransport();
  const ledger = lazyLedger(host);
  const client = createClient(host, transport, ledger);
  context.subscriptions.push(
    account.register(host),
    apply.register(host, client),
    search.register(host, client),
    reflex.register(host, client, ledger),
    costs.register(host, ledger),
    connection.register(host, client, transport),
  );
}
