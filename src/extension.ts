import type { ExtensionContext } from 'vscode';
import * as apply from './apply';
import * as chat from './chat';
import * as compact from './compact';
import * as connection from './connection';
import { BatchRuns } from './contracts/batchRuns';
import { ChosenReflexes } from './contracts/chosenReflexes';
import { LastAnswer } from './contracts/lastAnswer';
import { ReadyEndpoints } from './contracts/readyEndpoints';
import * as costs from './costs';
import * as endpoints from './endpoints';
import * as jobs from './jobs';
import * as models from './models';
import { createClient, lazyLedger, lazyTransport } from './platform/client/client';
import { createJsonDocuments } from './platform/documents/textDocuments';
import * as egress from './platform/egress';
import { createHost } from './platform/host';
import * as playground from './playground';
import * as reflex from './reflex';
import * as search from './search';
import * as welcome from './welcome';

/** Registers the features. Does no I/O and loads no feature code: both happen on first use. */
export function activate(context: ExtensionContext): void {
  const host = createHost(context);
  const transport = lazyTransport(host);
  const ledger = lazyLedger(host);
  const gate = egress.registerEgress(host);
  const client = createClient(host, transport, ledger, gate.open);
  const documents = createJsonDocuments();
  const chosen = new ChosenReflexes();
  const runs = new BatchRuns();
  const ready = new ReadyEndpoints();
  const last = new LastAnswer();
  const features = {
    apply: apply.registerApply(host, client, { guard: reflex.lazyPromptGuard(client) }),
    search: search.registerSearch(host, client, ledger),
    compact: compact.registerCompact(host, client),
    reflex: reflex.registerReflex(host, client, { ledger, runs, gate: gate.open }),
  };
  context.subscriptions.push(
    gate,
    ...Object.values(features),
    chat.registerChat(host, features),
    endpoints.registerEndpoints(host, client, { documents, ready, ledger }),
    jobs.registerJobs(host, client, { documents, chosen, runs }),
    documents,
    models.registerModels(host, client, { ready, last, ledger }),
    costs.registerCosts(host, ledger, last),
    playground.registerPlayground(host, client),
    connection.registerConnection(host, client, transport),
    welcome.registerWelcome(host, features.apply),
  );
}
