import type { ExtensionContext } from 'vscode';
import * as apply from './apply';
import * as compact from './compact';
import * as connection from './connection';
import * as costs from './costs';
import * as endpoints from './endpoints';
import { ChosenReflexes } from './host/chosenReflexes';
import { createHost } from './host/host';
import { createJsonDocuments } from './host/jsonDocuments';
import { Runs } from './host/runs';
import { createClient, lazyLedger, lazyTransport } from './host/serviceClient';
import * as account from './host/account';
import * as jobs from './jobs';
import * as reflex from './reflex';
import * as search from './search';

/** Registers and nothing else: no I/O, no feature code; both load at the first use. */
export function activate(context: ExtensionContext): void {
  const host = createHost(context);
  const transport = lazyTransport();
  const ledger = lazyLedger(host);
  const client = createClient(host, transport, ledger);
  const documents = createJsonDocuments();
  const chosen = new ChosenReflexes();
  const runs = new Runs();
  context.subscriptions.push(
    account.register(host),
    apply.register(host, client, { guard: reflex.lazyGuard(client) }),
    search.register(host, client),
    compact.register(host, client),
    endpoints.register(host, client, documents),
    jobs.register(host, client, { documents, chosen, runs }),
    documents,
    reflex.register(host, client, { ledger, runs }),
    costs.register(host, ledger),
    connection.register(host, client, transport),
  );
}
