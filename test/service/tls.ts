import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import path from 'node:path';

// Tests and benchmarks are bundled to several depths of out/, but all run in the project's folder.
const file = (name: string): string =>
  readFileSync(path.resolve('test/fixtures/tls', name), 'utf8');

/** Signed the certificate of {@link startTls}; nobody trusts it by themselves. */
export const ca = (): string => file('ca.pem');

export const certificate = (): { key: string; cert: string } => ({
  key: file('service.key'),
  cert: file('service.pem'),
});

export interface Tls {
  /** `https://service.test:port`, at 127.0.0.1. */
  readonly url: string;
  readonly port: number;
  /** Connections so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** TLS 1.3 with HTTP/2, and HTTP/1.1 for who knows no other; `prepare` adds the listeners. */
export async function startTls(prepare: (server: Http2SecureServer) => void): Promise<Tls> {
  const server = createSecureServer({
    ...certificate(),
    minVersion: 'TLSv1.3',
    allowHTTP1: true,
    settings: { maxConcurrentStreams: 128 },
  });
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('secureConnection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  server.on('sessionError', () => undefined);
  server.on('tlsClientError', () => undefined);
  prepare(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', 4096, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `https://service.test:${address.port}`,
    port: address.port,
    connections: () => connections,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
