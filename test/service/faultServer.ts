import type { IncomingHttpHeaders } from 'node:http';
import { type Fault, type FaultName, faults } from './faults';
import { listen } from './listen';

export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** True once the client has closed the connection before the answer ended. */
  cut: boolean;
}

export interface FaultServer {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** The answers to come; the last one is repeated. Forgets the requests so far. */
  script(...answers: (FaultName | Fault)[]): void;
  close(): Promise<void>;
}

export async function startFaultServer(): Promise<FaultServer> {
  const requests: SeenRequest[] = [];
  let answers: (FaultName | Fault)[] = ['ok'];
  const server = await listen((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('end', () => {
      const seen: SeenRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(pieces).toString(),
        cut: false,
      };
      requests.push(seen);
      response.on('close', () => (seen.cut = !response.writableFinished));
      const next = answers.length > 1 ? answers.shift() : answers[0];
      const answer = typeof next === 'string' ? faults[next] : next;
      void answer?.(response, request);
    });
  });
  return {
    ...server,
    requests,
    script(...next) {
      answers = next;
      requests.length = 0;
    },
  };
}
