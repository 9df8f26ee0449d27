import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface Tunnel {
  /** `host:port` as the client asked for it. */
  readonly target: string;
  /** `Proxy-Authorization`. */
  readonly login: string | undefined;
  readonly isRefused: boolean;
}

export interface Proxy {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly tunnels: Tunnel[];
  /** Methods and addresses that came without CONNECT. */
  readonly plain: string[];
  /** `user:password` that is asked for with 407 when it is missing. */
  login: string | undefined;
  close(): Promise<void>;
}

/** A CONNECT proxy on loopback that alone knows where `service.test` is. */
export async function startProxy(): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    proxy.plain.push(`${request.method} ${request.url}`);
    response.writeHead(501).end();
  });
  server.on('connection', (socket: Socket) => keep(socket));
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => undefined);
    const { url: target = '', headers } = request;
    const login = headers['proxy-authorization'];
    const isRefused =
      proxy.login !== undefined && login !== `Basic ${Buffer.from(proxy.login).toString('base64')}`;
    proxy.tunnels.push({ target, login, isRefused });
    if (isRefused) {
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\n' +
          'Proxy-Authenticate: Basic realm="test"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
      );
      return;
    }
    const { hostname, port } = new URL(`tunnel://${target}`);
    if (hostname !== 'service.test') {
      client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const upstream = connect(Number(port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    keep(upstream);
    upstream.on('error', () => client.destroy());
  });

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const proxy: Proxy = {
    url: `http://127.0.0.1:${address.port}`,
    tunnels: [],
    plain: [],
    login: undefined,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return proxy;
}
