import { createRequire } from 'node:module';
import path from 'node:path';
import { getCACertificates } from 'node:tls';
import type Dispatcher from 'undici/types/dispatcher';
import * as vscode from 'vscode';
import { isLoopback } from '../service/baseUrl';
import { isRecord } from '../service/guards';
import { isProxyLogin } from '../service/networkError';
import { type Transport, fetchTransport } from '../service/transport';
import type { DispatcherOptions } from '../service/undiciTransport';
import { settings } from './settings';

export interface HostTransport extends Transport {
  /** Which client carries requests to this origin now. */
  used(origin: string): 'undici' | 'host';
}

type ResolveProxy = (url: string) => Promise<string | undefined>;

/**
 * The way to the service, made at the first call: our own HTTP/2 client with VS Code's proxy and
 * certificate settings, or the host's `fetch` where that cannot be had or the user wants it.
 */
export function createTransport(): () => Promise<HostTransport> {
  // VS Code's fetch knows Kerberos and asks for proxy logins; ours does neither.
  const host: HostTransport = {
    ...fetchTransport((input, init) => globalThis.fetch(input, init)),
    used: () => 'host',
  };
  let own: Promise<HostTransport | undefined> | undefined;
  return async () => {
    const wanted = settings.transport;
    if (wanted === 'host') return host;
    own ??= ownTransport(host, wanted === 'undici').catch(() => undefined);
    return (await own) ?? host;
  };
}

/** `undefined` where VS Code's proxy decision cannot be asked, unless the user insists. */
async function ownTransport(host: Transport, insist: boolean): Promise<HostTransport | undefined> {
  const resolve = findResolver();
  if (!resolve && !insist) return undefined;
  const { createDispatcher, undiciTransport } = await import('../service/undiciTransport');
  const dispatchers = new Dispatchers(createDispatcher);
  const undici = undiciTransport(async url => dispatchers.get(await proxyFor(url, resolve)));
  // Origins whose proxy wants a login: the host talks to them until a network setting changes.
  const needsHost = new Set<string>();
  vscode.workspace.onDidChangeConfiguration(change => {
    if (change.affectsConfiguration('http')) needsHost.clear();
  });
  return {
    concurrency: undici.concurrency,
    used: origin => (needsHost.has(origin) ? 'host' : 'undici'),
    async request(request) {
      const { origin } = request.url;
      if (needsHost.has(origin)) return host.request(request);
      try {
        const response = await undici.request(request);
        if (response.status !== 407) return response;
        response.cancel();
      } catch (error) {
        if (!isProxyLogin(error) && !(error instanceof UnsupportedProxy)) throw error;
      }
      needsHost.add(origin);
      return host.request(request);
    },
  };
}

/** A proxy address that undici cannot use; thrown before anything is sent. */
class UnsupportedProxy extends Error {
  override readonly name = 'UnsupportedProxy';
}

/** The proxy as VS Code decides about it, in whatever form it is set; `undefined` for a direct connection. */
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
  if (!/^https?:\/\//i.test(proxy)) throw new UnsupportedProxy('proxy is neither http nor https');
  return proxy;
}

/** One dispatcher per network decision; all are dropped when a setting under `http` changes. */
class Dispatchers {
  readonly #create: (options: DispatcherOptions) => Dispatcher;
  readonly #known = new Map<string, Dispatcher>();

  constructor(create: (options: DispatcherOptions) => Dispatcher) {
    this.#create = create;
    // Lives as long as the extension host, as the transport does.
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration('http')) this.#dropAll();
    });
  }

  get(proxy: string | undefined): Dispatcher {
    const { rejectUnauthorized, systemCertificates, proxyAuthorization } = networkSettings();
    const key = JSON.stringify([proxy, rejectUnauthorized, systemCertificates, proxyAuthorization]);
    const known = this.#known.get(key);
    if (known) return known;
    const ca = systemCertificates ? certificates() : undefined;
    const made = this.#create({ proxy, proxyAuthorization, ca, rejectUnauthorized });
    this.#known.set(key, made);
    return made;
  }

  #dropAll(): void {
    // `close` lets running requests end.
    for (const dispatcher of this.#known.values()) dispatcher.close().catch(() => undefined);
    this.#known.clear();
  }
}

/** What VS Code's settings say about connections. */
export function networkSettings() {
  return {
    rejectUnauthorized: read('http.proxyStrictSSL') !== false,
    systemCertificates: read('http.systemCertificates') !== false,
    proxyAuthorization: text(read('http.proxyAuthorization')),
  };
}

/** Read when the first connection is made: on macOS the system store takes a while. */
export function certificates(): string[] {
  return [...getCACertificates('default'), ...getCACertificates('system')];
}

/** VS Code puts `resolveProxyURL` (settings, exceptions, environment, PAC) on its own copy of this module. */
function findResolver(): ResolveProxy | undefined {
  const { appRoot } = vscode.env;
  const require = createRequire(path.join(appRoot, 'package.json'));
  const name = path.join('@vscode', 'proxy-agent');
  for (const id of [path.join(appRoot, 'node_modules.asar', name), '@vscode/proxy-agent']) {
    try {
      const module: unknown = require(id);
      const resolve = isRecord(module) ? module['resolveProxyURL'] : undefined;
      if (typeof resolve === 'function')
        return async url => text(await Promise.resolve(resolve.call(module, url)));
    } catch {
      // Not in this build of VS Code.
    }
  }
  return undefined;
}

/** As VS Code itself reads `http.*`: these settings have application scope. */
function read(id: string): unknown {
  return vscode.workspace.getConfiguration().get(id);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
