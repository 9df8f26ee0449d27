import { createServer, type RequestListener } from 'node:http';

export interface Listening {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  close(): Promise<void>;
}

/** What a client knows about an origin (its failures, its connections) must not meet another server there. */
const usedPorts = new Set<number>();

/**
 * A server on a loopback port, by default one that no server of this process has had; `close` also
 * cuts what is still open.
 */
export async function listen(handle: RequestListener, port = 0): Promise<Listening> {
  const server = createServer(handle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  if (port === 0 && usedPorts.has(address.port)) {
    server.close();
    return listen(handle);
  }
  usedPorts.add(address.port);
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
