import dns from 'node:dns';
import net from 'node:net';
import tls from 'node:tls';
import { networkError } from '../../service';
import type { NameResult, ProbeFailure, TlsResult } from './findings';

/** Options of the connections of a diagnosis, on which nothing but a CONNECT is sent. */
export interface ProbeOptions {
  /** `http://host:port` or `https://…`; absent for a direct connection. */
  readonly proxy: string | undefined;
  readonly ca: string[] | undefined;
  readonly rejectUnauthorized: boolean;
  readonly proxyAuthorization: string | undefined;
  readonly signal: AbortSignal;
  readonly connectTimeoutMs?: number;
}

export async function resolveName(name: string): Promise<NameResult> {
  return new Promise(resolve => {
    dns.lookup(name, { all: true }, (error, addresses) => {
      if (error) resolve({ code: error.code ?? error.name });
      else resolve({ addresses: addresses.map(({ address }) => address) });
    });
  });
}

/** Opens the connection and closes it. @returns the failure, or undefined. */
export async function connectionFailure(
  url: URL,
  options: ProbeOptions,
): Promise<ProbeFailure | undefined> {
  const opened = await open(url, options);
  if (!(opened instanceof net.Socket)) return opened;
  opened.destroy();
  return undefined;
}

/** The certificate that the server presents, trusted or not. */
export async function certificateOf(
  url: URL,
  options: ProbeOptions,
): Promise<TlsResult | ProbeFailure> {
  const opened = await open(url, options);
  if (!(opened instanceof net.Socket)) return opened;
  const hostname = nameOf(url);
  const socket = tls.connect({
    socket: opened,
    ...(options.ca ? { ca: options.ca } : {}),
    ...(net.isIP(hostname) ? { host: hostname } : { servername: hostname }),
    ALPNProtocols: ['h2', 'http/1.1'],
    // To inspect an untrusted certificate. Nothing is sent on this connection.
    rejectUnauthorized: false,
  });
  try {
    await once(socket, 'secureConnect', options);
    const { subject, issuer, valid_to: validTo } = socket.getPeerCertificate();
    return {
      subject: named(subject?.CN) ?? hostname,
      issuer: named(issuer?.O) ?? named(issuer?.CN) ?? 'an unnamed issuer',
      validTo: Date.parse(validTo),
      protocol: socket.getProtocol() ?? 'TLS',
      application: socket.alpnProtocol || undefined,
      problem: socket.authorized ? undefined : codeOf(socket.authorizationError),
    };
  } catch (error) {
    return failureOf(error, url.host, options);
  } finally {
    socket.destroy();
    opened.destroy();
  }
}

/** A connection to the server of `url`, through the proxy where there is one. */
async function open(url: URL, options: ProbeOptions): Promise<net.Socket | ProbeFailure> {
  if (options.proxy !== undefined) return openTunnel(url, new URL(options.proxy), options);
  const socket = net.connect({ host: nameOf(url), port: portOf(url) });
  try {
    await once(socket, 'connect', options);
    return socket;
  } catch (error) {
    socket.destroy();
    return failureOf(error, url.host, options);
  }
}

async function openTunnel(
  url: URL,
  proxy: URL,
  options: ProbeOptions,
): Promise<net.Socket | ProbeFailure> {
  const { ca, rejectUnauthorized, proxyAuthorization } = options;
  const isSecure = proxy.protocol === 'https:';
  const host = nameOf(proxy);
  const port = portOf(proxy);
  const socket = isSecure
    ? tls.connect({ host, port, ...(ca ? { ca } : {}), rejectUnauthorized })
    : net.connect({ host, port });
  try {
    await once(socket, isSecure ? 'secureConnect' : 'connect', options);
    const target = `${url.hostname}:${portOf(url)}`;
    const login = proxy.username
      ? `Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString('base64')}`
      : proxyAuthorization;
    socket.write(
      `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n` +
        `${login === undefined ? '' : `Proxy-Authorization: ${login}\r\n`}\r\n`,
    );
    const status = await connectStatus(socket, options);
    if (status === 200) return socket;
    socket.destroy();
    return { host: proxy.host, isProxy: true, status };
  } catch (error) {
    socket.destroy();
    return failureOf(error, proxy.host, options);
  }
}

/** The status of the answer to CONNECT, after which the server sends nothing by itself. */
async function connectStatus(socket: net.Socket, options: ProbeOptions): Promise<number> {
  let head = '';
  while (!head.includes('\r\n\r\n')) {
    await once(socket, 'readable', options);
    const piece: unknown = socket.read();
    if (piece === null && socket.readableEnded) break;
    if (Buffer.isBuffer(piece)) head += piece.toString('latin1');
    if (head.length > 16_384) break;
  }
  return Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? 0);
}

/** @throws what the socket failed with; `ETIMEDOUT` when nothing happens for too long. */
async function once(
  socket: net.Socket,
  event: string,
  { signal, connectTimeoutMs = 10_000 }: ProbeOptions,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abort = (): void => void socket.destroy();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (code: string): void => reject(Object.assign(new Error(code), { code }));
      timer = setTimeout(() => fail('ETIMEDOUT'), connectTimeoutMs);
      socket.once(event, () => resolve());
      socket.once('error', reject);
      socket.once('close', () => fail('ECONNRESET'));
      if (signal.aborted) abort();
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
  signal.throwIfAborted();
}

function failureOf(error: unknown, host: string, { proxy, signal }: ProbeOptions): ProbeFailure {
  signal.throwIfAborted();
  const isProxy = proxy !== undefined && new URL(proxy).host === host;
  return { host, isProxy, code: networkError(error, host).code ?? 'no code' };
}

const nameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
const portOf = ({ port, protocol }: URL): number =>
  Number(port || (protocol === 'https:' ? 443 : 80));

function codeOf(problem: unknown): string {
  if (problem instanceof Error) return 'code' in problem ? String(problem.code) : problem.name;
  return String(problem);
}

/** A certificate without subject or issuer has no such field; one with several has a list. */
function named(value: string | string[] | undefined): string | undefined {
  return [value].flat().filter(Boolean).join(', ') || undefined;
}
