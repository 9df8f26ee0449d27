import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { chunk, completion, done, sse } from '../wire';

export interface TlsOptions {
  key: string;
  cert: string;
  /** Offers only HTTP/1.1. */
  isOld?: boolean;
  /** The answer of the Apply model. */
  text: string;
}

export interface TlsServer {
  /** `https://service.test:port` */
  readonly url: string;
  /** `service.test:port` */
  readonly host: string;
  readonly requests: { readonly httpVersion: string; readonly key: string | undefined }[];
  /** What ALPN chose, per connection that got as far as that. */
  readonly protocols: string[];
  /** Awaited before the last words of every answer. */
  hold: Promise<void>;
  close(): Promise<void>;
}

/** Plays the service over TLS on loopback, under a name that only a proxy knows. */
export async function startTlsServer({ key, cert, isOld, text }: TlsOptions): Promise<TlsServer> {
  const sockets = new Set<TLSSocket>();
  const server = isOld
    ? createServer({ key, cert })
    : createSecureServer({ key, cert, allowHTTP1: true });
  server.on('secureConnection', (socket: TLSSocket) => {
    tls.protocols.push(String(socket.alpnProtocol));
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.on('request', (request: Http2ServerRequest, response: Http2ServerResponse) => {
    void handle(request, response);
  });

  async function handle(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const { httpVersion, headers } = request;
    tls.requests.push({ httpVersion, key: headers.authorization });
    let body = '';
    for await (const piece of request) body += String(piece);
    const isStream = /"stream":true/.test(body);
    response.writeHead(200, {
      'content-type': isStream ? 'text/event-stream' : 'application/json',
    });
    if (isStream) response.write(sse(chunk(text.slice(0, 5))));
    await tls.hold;
    if (isStream) response.end(sse(chunk(text.slice(5))) + sse(chunk(undefined, 'stop')) + done);
    else response.end(JSON.stringify(completion(text)));
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const host = `service.test:${address.port}`;
  const tls: TlsServer = {
    url: `https://${host}`,
    host,
    requests: [],
    protocols: [],
    hold: Promise.resolve(),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return tls;
}
