import { lookup } from 'node:dns';
import net from 'node:net';
import os from 'node:os';
import tls from 'node:tls';
import * as vscode from 'vscode';
import { endpoint, parseBaseUrl } from '../service/baseUrl';
import { eventPrices, formatUsd } from '../service/billing/pricing';
import type { GatedClient } from './egress/gatedClient';
import {
  type Check,
  type NameResult,
  type TlsResult,
  answerFinding,
  catalogueFinding,
  clockFinding,
  keyFinding,
  nameFinding,
  ok,
  proxyFinding,
  reflexFinding,
  reportText,
  runChecks,
  skipped,
  tlsFinding,
  verdictOf,
} from '../service/diagnosis';
import { isRecord, textOf } from '../service/guards';
import { networkError } from '../service/networkError';
import { systemClock } from '../service/time';
import type { Host } from './host';
import { certificates, networkSettings, proxyOf } from './network';
import { redact } from './redact';
import type { OpenTransport } from './serviceClient';
import { settings } from './settings';

export interface Diagnosis {
  readonly text: string;
  /** One sentence. */
  readonly verdict: string;
  readonly isWell: boolean;
}

/** Runs all checks, one after the other. Only the last one costs money, and asks first. */
export async function diagnoseConnection(
  host: Host,
  client: Pick<GatedClient, 'listEndpoints' | 'catalogue' | 'predict'>,
  transport: OpenTransport,
  options: { readonly signal: AbortSignal; readonly onCheck: (title: string) => void },
): Promise<Diagnosis> {
  const steps = await runChecks(checksOf(host, client, transport), {
    ...options,
    clock: systemClock,
  });
  const report = reportText({ at: systemClock.now(), facts: facts(host), steps });
  const home = os.homedir();
  // Every text in it was made without secrets; what a service or a system says is not ours.
  const clean = redact(home.length > 1 ? report.replaceAll(home, '~') : report);
  return {
    text: clean,
    verdict: verdictOf(steps),
    isWell: steps.every(({ verdict }) => verdict === 'ok' || verdict === 'skipped'),
  };
}

function facts({ context }: Host): [string, string][] {
  const manifest: unknown = context.extension.packageJSON;
  const version = isRecord(manifest) ? textOf(manifest['version']) : undefined;
  const { rejectUnauthorized, systemCertificates } = networkSettings();
  // What follows the + names a machine.
  const remote = vscode.env.remoteName?.split('+')[0] ?? 'none';
  return [
    ['Splice', version ?? 'unknown'],
    ['VS Code', `${vscode.version}, ${vscode.env.appName}`],
    ['Platform', `${os.platform()} ${os.release()}, ${os.arch()}, Node ${process.versions.node}`],
    ['Remote', /^[a-z-]+$/.test(remote) ? remote : 'yes'],
    ['splice.network.transport', settings.transport],
    ['splice.apply.engine', settings.engine],
    ['http.proxyStrictSSL', String(rejectUnauthorized)],
    ['http.systemCertificates', String(systemCertificates)],
  ];
}

function checksOf(
  host: Host,
  client: Pick<GatedClient, 'listEndpoints' | 'catalogue' | 'predict'>,
  transport: OpenTransport,
): Check[] {
  let url: URL | undefined;
  let proxy: string | undefined;
  let answer: { date: string | null; at: number } | undefined;
  let hasKey = false;
  let isAccepted = false;
  /** A check that makes sense only with an address. */
  const at = (run: (url: URL, signal: AbortSignal) => Promise<ReturnType<typeof ok>>) => {
    return async (signal: AbortSignal) =>
      url ? run(url, signal) : skipped('There is no service address.');
  };

  return [
    {
      title: 'Service address',
      run: async () => {
        if (!settings.baseUrl)
          return {
            verdict: 'failed',
            detail: 'None is set. Splice merges with the local engine only.',
            next: 'Run "Splice: Set Service URL…" to use a service.',
          };
        url = parseBaseUrl(settings.baseUrl);
        return ok(url.origin);
      },
    },
    {
      title: 'API key',
      run: at(async ({ origin }) => {
        const finding = keyFinding(origin, await host.apiKeys.origin());
        hasKey = finding.verdict === 'ok';
        return finding;
      }),
    },
    {
      title: 'Proxy',
      run: at(async address => {
        proxy = await proxyOf(address);
        return proxyFinding(proxy);
      }),
    },
    {
      title: 'Name resolution',
      run: at(async ({ hostname }) => {
        const name = hostname.replace(/^\[|\]$/g, '');
        if (net.isIP(name)) return skipped('The address is a number, not a name.');
        return nameFinding(name, await resolveName(name), proxy !== undefined);
      }),
    },
    {
      title: 'Certificate',
      run: at(async (address, signal) => {
        if (address.protocol === 'http:')
          return skipped('http to this computer has no certificate.');
        if (proxy !== undefined && !/^https?:/i.test(proxy))
          return skipped('Only VS Code can use this kind of proxy.');
        const result = await certificateOf(address, proxy, signal);
        const { rejectUnauthorized } = networkSettings();
        if (typeof result === 'string') return skipped(result);
        return tlsFinding(result, systemClock.now(), rejectUnauthorized);
      }),
    },
    {
      title: 'Answer',
      run: at(async (address, signal) => {
        const way = await transport();
        const target = endpoint(address, '/api/v1/dedicated/endpoints');
        try {
          const response = await way.request({
            method: 'GET',
            url: target,
            headers: { accept: 'application/json' },
            signal,
          });
          response.cancel();
          answer = { date: response.headers.get('date'), at: systemClock.now() };
          return answerFinding(response.status, way.used(address.origin));
        } catch (error) {
          if (signal.aborted) throw error;
          throw networkError(error, address.host);
        }
      }),
    },
    {
      title: 'Clock',
      run: async () =>
        answer ? clockFinding(answer.date, answer.at) : skipped('There was no answer to compare.'),
    },
    {
      title: 'Key accepted',
      run: at(async (_address, signal) => {
        if (!hasKey) return skipped('There is no key for this address.');
        if (!answer) return skipped('The service does not answer.');
        const { endpoints } = await client.listEndpoints({ signal });
        isAccepted = true;
        return ok(`The service accepts the key. Dedicated endpoints: ${endpoints.length}.`);
      }),
    },
    {
      title: 'Model catalogue',
      run: at(async (_address, signal) =>
        answer
          ? catalogueFinding(await client.catalogue({ signal }))
          : skipped('The service does not answer.'),
      ),
    },
    {
      title: 'One classification',
      run: at(async (_address, signal) => {
        if (!isAccepted) return skipped('The key was not accepted.');
        if (!(await agreesToPay())) return skipped('Not wanted, because it costs money.');
        const { selected, cost } = await client.predict(
          { model: 'jailbreak', text: 'Hello' },
          { signal, sending: { purpose: 'test' } },
        );
        return reflexFinding(selected[0]?.label, cost);
      }),
    },
  ];
}

async function agreesToPay(): Promise<boolean> {
  const price = formatUsd(eventPrices.reflex.first);
  const send = vscode.l10n.t('Send for {0}', price);
  const picked = await vscode.window.showInformationMessage(
    vscode.l10n.t('Send one paid classification, to test the whole way?'),
    {
      modal: true,
      detail: vscode.l10n.t(
        'The word "Hello" is classified by the reflex "jailbreak". The price is {0}. Nothing else is sent.',
        price,
      ),
    },
    send,
  );
  return picked === send;
}

async function resolveName(name: string): Promise<NameResult> {
  return new Promise(resolve => {
    lookup(name, { all: true }, (error, addresses) => {
      if (error) resolve({ code: error.code ?? error.name });
      else resolve({ addresses: addresses.map(({ address }) => address) });
    });
  });
}

/** What the server shows, trusted or not; a text when the proxy does not let the check through. */
async function certificateOf(
  url: URL,
  proxy: string | undefined,
  signal: AbortSignal,
): Promise<TlsResult | string> {
  const { systemCertificates } = networkSettings();
  const ca = systemCertificates ? certificates() : undefined;
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || 443);
  const tunnel = proxy === undefined ? undefined : await tunnelTo(url, proxy, ca, signal);
  if (typeof tunnel === 'string') return tunnel;
  const socket = tls.connect({
    ...(tunnel ? { socket: tunnel } : { host: hostname, port }),
    ...(ca ? { ca } : {}),
    ...(net.isIP(hostname) ? {} : { servername: hostname }),
    ALPNProtocols: ['h2', 'http/1.1'],
    // To look at a certificate that is not trusted. Nothing is sent on this connection.
    rejectUnauthorized: false,
  });
  try {
    await once(socket, 'secureConnect', signal, url.host);
    const { subject, issuer, valid_to: validTo } = socket.getPeerCertificate();
    const problem = socket.authorized ? undefined : codeOf(socket.authorizationError);
    return {
      subject: named(subject?.CN) ?? hostname,
      issuer: named(issuer?.O) ?? named(issuer?.CN) ?? 'an unnamed issuer',
      validTo: Date.parse(validTo),
      protocol: socket.getProtocol() ?? 'TLS',
      application: socket.alpnProtocol || undefined,
      problem,
    };
  } finally {
    socket.destroy();
    tunnel?.destroy();
  }
}

/** A CONNECT tunnel; a text when the proxy refuses it. */
async function tunnelTo(
  url: URL,
  proxy: string,
  ca: string[] | undefined,
  signal: AbortSignal,
): Promise<net.Socket | string> {
  const at = new URL(proxy);
  const isSecure = at.protocol === 'https:';
  const host = at.hostname.replace(/^\[|\]$/g, '');
  const port = Number(at.port || (isSecure ? 443 : 80));
  const { rejectUnauthorized, proxyAuthorization } = networkSettings();
  const socket = isSecure
    ? tls.connect({ host, port, ...(ca ? { ca } : {}), rejectUnauthorized })
    : net.connect({ host, port });
  try {
    await once(socket, isSecure ? 'secureConnect' : 'connect', signal, at.host);
    const target = `${url.hostname}:${url.port || 443}`;
    const inAddress = at.username
      ? `Basic ${Buffer.from(`${decodeURIComponent(at.username)}:${decodeURIComponent(at.password)}`).toString('base64')}`
      : undefined;
    const login = inAddress ?? proxyAuthorization;
    socket.write(
      `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n` +
        `${login === undefined ? '' : `Proxy-Authorization: ${login}\r\n`}\r\n`,
    );
    const status = await connectStatus(socket, signal, at.host);
    if (status === 200) return socket;
    socket.destroy();
    return `The proxy lets no connection of this check through (status ${status}).`;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** The status of the answer to CONNECT; the server is silent after it until we speak. */
async function connectStatus(
  socket: net.Socket,
  signal: AbortSignal,
  host: string,
): Promise<number> {
  let head = '';
  while (!head.includes('\r\n\r\n')) {
    await once(socket, 'readable', signal, host);
    const piece: unknown = socket.read();
    if (piece === null && socket.readableEnded) break;
    if (Buffer.isBuffer(piece)) head += piece.toString('latin1');
    if (head.length > 16_384) break;
  }
  return Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? 0);
}

async function once(
  socket: net.Socket,
  event: string,
  signal: AbortSignal,
  host: string,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error?: Error): void =>
      reject(networkError(error ?? Object.assign(new Error(), { code: 'ECONNRESET' }), host));
    socket.once(event, () => resolve());
    socket.once('error', fail);
    socket.once('close', () => fail());
    signal.addEventListener('abort', () => socket.destroy(signal.reason), { once: true });
  });
}

function codeOf(problem: unknown): string {
  if (problem instanceof Error) return 'code' in problem ? String(problem.code) : problem.name;
  return String(problem);
}

/** A certificate without subject or issuer has no such field; one with several has a list. */
function named(value: string | string[] | undefined): string | undefined {
  return [value].flat().filter(Boolean).join(', ') || undefined;
}
