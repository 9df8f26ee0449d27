import type { ExtensionContext } from 'vscode';
import * as apply from './apply';
import * as chat from './chat';
import * as compact from './compact';
import * as connection from './connection';
import * as costs from './costs';
import * as endpoints from './endpoints';
import { ChosenReflexes } from './host/chosenReflexes';
import * as egress from './host/egress';
import { createHost } from './host/host';
import { createJsonDocuments } from './host/jsonDocuments';
import { ReadyEndpoints } from './host/readyEndpoints';
import { Runs } from './host/runs';
import { createClient, lazyLedger, lazyTransport } from './host/serviceClient';
import * as jobs from './jobs';
import * as models from './models';
import * as reflex from './reflex';
import * as search from './search';

/** Registers and nothing else: no I/O, no feature code; both load at the first use. */
export function activate(context: ExtensionContext): void {
  const host = createHost(context);
  const transport = lazyTransport(host);
  const ledger = lazyLedger(host);
  const gate = egress.register(host);
  const client = createClient(host, transport, ledger, gate.open);
  const documents = createJsonDocuments();
  const chosen = new ChosenReflexes();
  const runs = new Runs();
  const ready = new ReadyEndpoints();
  const rooms = {
    apply: apply.register(host, client, { guard: reflex.lazyGuard(client) }),
    search: search.register(host, client),
    compact: compact.register(host, client),
    reflex: reflex.register(host, client, { ledger, runs, gate: gate.open }),
  };
  context.subscriptions.push(
    gate,
    ...Object.values(rooms),
    chat.register(host, rooms),
    endpoints.register(host, client, { documents, ready }),
    jobs.register(host, client, { documents, chosen, runs }),
    documents,
    models.register(host, client, ready),
    costs.register(host, ledger),
    connection.register(host, client, transport),
  );
}
