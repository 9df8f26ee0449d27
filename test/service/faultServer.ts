import type { IncomingHttpHeaders } from 'node:http';
import { type FaultName, faults } from './faults';
import { listen } from './listen';

export interface SeenRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** True once the client has closed the connection before the answer ended. */
  cut: boolean;
}

export interface FaultServer {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** The answers to come; the last one is repeated. Forgets the requests so far. */
  script(...names: FaultName[]): void;
  close(): Promise<void>;
}

export async function startFaultServer(): Promise<FaultServer> {
  const requests: SeenRequest[] = [];
  let names: FaultName[] = ['ok'];
  const server = await listen((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('end', () => {
      const seen: SeenRequest = {
        headers: request.headers,
        body: Buffer.concat(pieces).toString(),
        cut: false,
      };
      requests.push(seen);
      response.on('close', () => (seen.cut = !response.writableFinished));
      const name = names.length > 1 ? names.shift() : names[0];
      if (name) void faults[name](response, request);
    });
  });
  return {
    ...server,
    requests,
    script(...next) {
      names = next;
      requests.length = 0;
    },
  };
}
