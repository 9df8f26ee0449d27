import type { ExtensionContext } from 'vscode';
import * as apply from './apply';
import { createHost } from './host/host';
import { createClient } from './host/serviceClient';
import * as account from './host/account';

/** Registers and nothing else: no I/O, no feature code; both load at the first use. */
export function activate(context: ExtensionContext): void {
  const host = createHost(context);
  const client = createClient(host);
  context.subscriptions.push(account.register(host), apply.register(host, client));
}
