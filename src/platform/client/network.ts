import { createRequire } from 'node:module';
import path from 'node:path';
import { getCACertificates } from 'node:tls';
import type Dispatcher from 'undici/types/dispatcher';
import * as vscode from 'vscode';
import { sentence } from '../../base/sentence';
import { isRecord } from '../../base/typeGuards';
import { type DispatcherOptions, fetchTransport, isLoopback, loadUndici } from '../../service';
import type { SettingId } from '../commands/contribute';
import type { Log } from '../log';
import { settings } from '../settings';
import { detailOf, type HostTransport, TransportChooser, UnusableClient } from './transportChoice';

export type { HostTransport };

type ResolveProxy = (url: string) => Promise<string | undefined>;

/** The part of the host that the transport needs. */
export interface NetworkHost {
  readonly log: Pick<Log, 'info'>;
  /** Disposed with the extension. */
  readonly context: { readonly subscriptions: { dispose(): unknown }[] };
}

/** Why the fetch of VS Code is used instead of the HTTP/2 client; for the diagnosis. */
let fallback: string | undefined;

/** The transport setting, and the reason where another transport is used. */
export function transportFact(): string {
  const { transport } = settings;
  return transport === 'auto' && fallback !== undefined
    ? `auto (the fetch of VS Code, because of the HTTP/2 client: ${fallback})`
    : transport;
}

/**
 * Creates the transport: our own HTTP/2 client with the proxy and certificate settings of VS Code, or the
 * `fetch` of VS Code where that client cannot be used or the user prefers it.
 */
export function createTransport(host: NetworkHost): () => Promise<HostTransport> {
  const resolver = findResolver();
  let dispatchers: Dispatchers | undefined;
  const chooser = new TransportChooser({
    wanted: () => settings.transport,
    // The fetch of VS Code supports Kerberos and proxy logins; our client supports neither.
    viaHost: fetchTransport((input, init) => globalThis.fetch(input, init)),
    knowsProxy: () => resolver !== undefined,
    async open() {
      const { createDispatcher, undiciTransport } = await loadUndici();
      const made = new Dispatchers(createDispatcher);
      dispatchers = made;
      fallback = undefined;
      return undiciTransport(async url => made.get(await proxyFor(url, resolver)));
    },
    onFallback(reason) {
      fallback = reason;
      host.log.info(`transport: the fetch of VS Code is used, not the HTTP/2 client: ${reason}`);
    },
  });
  const listener = vscode.workspace.onDidChangeConfiguration(change => {
    if (
      !change.affectsConfiguration('http') &&
      !change.affectsConfiguration('splice.network.transport' satisfies SettingId)
    ) {
      return;
    }
    fallback = undefined;
    chooser.reset();
    if (change.affectsConfiguration('http')) dispatchers?.dropAll();
  });
  host.context.subscriptions.push(listener, { dispose: () => dispatchers?.dropAll() });
  return () => chooser.transport();
}

/** The proxy that VS Code chooses for an address; `undefined` for a direct connection. */
export async function proxyOf(url: URL): Promise<string | undefined> {
  return decideProxy(url, findResolver());
}

async function decideProxy(
  url: URL,
  resolve: ResolveProxy | undefined,
): Promise<string | undefined> {
  if (isLoopback(url.hostname) || read('http.proxySupport') === 'off') return undefined;
  return resolve ? resolve(url.href) : text(read('http.proxy'));
}

async function proxyFor(url: URL, resolve: ResolveProxy | undefined): Promise<string | undefined> {
  const proxy = await decideProxy(url, resolve);
  if (!proxy) return undefined;
  if (!/^https?:\/\//i.test(proxy)) {
    throw new UnusableClient(sentence('the proxy is neither an http nor an https one'));
  }
  return proxy;
}

/** One dispatcher per network decision; all are dropped when a setting under `http` changes. */
class Dispatchers {
  readonly #create: (options: DispatcherOptions) => Dispatcher;
  readonly #known = new Map<string, Dispatcher>();

  constructor(create: (options: DispatcherOptions) => Dispatcher) {
    this.#create = create;
  }

  get(proxy: string | undefined): Dispatcher {
    const { rejectUnauthorized, systemCertificates, proxyAuthorization } = networkSettings();
    const key = JSON.stringify([proxy, rejectUnauthorized, systemCertificates, proxyAuthorization]);
    const known = this.#known.get(key);
    if (known) return known;
    const made = this.#made({ proxy, proxyAuthorization, rejectUnauthorized }, systemCertificates);
    this.#known.set(key, made);
    return made;
  }

  /** @throws {UnusableClient} where a certificate of the system or the proxy's address is damaged. */
  #made(options: DispatcherOptions, systemCertificates: boolean): Dispatcher {
    try {
      const ca = systemCertificates ? certificates() : undefined;
      return this.#create({ ...options, ca });
    } catch (error) {
      throw new UnusableClient(sentence('it cannot be made{0}', detailOf(error)));
    }
  }

  /** Closes all dispatchers; running requests may finish. */
  dropAll(): void {
    for (const dispatcher of this.#known.values()) dispatcher.close().catch(() => undefined);
    this.#known.clear();
  }
}

/** The network settings of VS Code. */
export function networkSettings() {
  return {
    rejectUnauthorized: read('http.proxyStrictSSL') !== false,
    systemCertificates: read('http.systemCertificates') !== false,
    proxyAuthorization: text(read('http.proxyAuthorization')),
  };
}

/** Read when the first connection is made, because the system store of macOS is slow. */
export function certificates(): string[] {
  return [...getCACertificates('default'), ...getCACertificates('system')];
}

/** VS Code adds `resolveProxyURL` (settings, exceptions, environment, PAC) to its copy of this module. */
function findResolver(): ResolveProxy | undefined {
  const { appRoot } = vscode.env;
  const require = createRequire(path.join(appRoot, 'package.json'));
  const name = path.join('@vscode', 'proxy-agent');
  for (const id of [path.join(appRoot, 'node_modules.asar', name), '@vscode/proxy-agent']) {
    try {
      const module: unknown = require(id);
      const resolve = isRecord(module) ? module['resolveProxyURL'] : undefined;
      if (typeof resolve === 'function') {
        return async url => text(await Promise.resolve(resolve.call(module, url)));
      }
    } catch {
      // Not part of this build of VS Code.
    }
  }
  return undefined;
}

/** Reads like VS Code itself: the `http.*` settings have application scope. */
function read(id: string): unknown {
  return vscode.workspace.getConfiguration().get(id);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
