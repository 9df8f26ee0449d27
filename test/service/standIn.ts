import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { listen } from './listen';
import { chunk, completion, done, envelope, sse } from './wire';

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface StandInOptions {
  /** The only key that is accepted. */
  apiKey: string;
  /** Plays the Apply model. */
  merge: (code: string, update: string, instruction: string | undefined) => string;
  /** Between two events of a stream, ms. */
  pauseMs?: number;
}

export interface StandIn {
  readonly url: string;
  readonly requests: RecordedRequest[];
  /** Exchange the model between two tests. */
  merge: StandInOptions['merge'];
  close(): Promise<void>;
}

type Handler = (body: unknown, response: ServerResponse, standIn: StandIn) => Promise<void> | void;

/** Plays the service of the service document on loopback. No test framework in here. */
export async function startStandIn(options: StandInOptions): Promise<StandIn> {
  const routes: Record<string, Handler> = {
    'POST /v1/chat/completions': chatCompletions(options.pauseMs ?? 0),
  };
  const requests: RecordedRequest[] = [];
  const server = await listen((request, response) => {
    void handle(request, response);
  });
  const standIn: StandIn = { ...server, requests, merge: options.merge };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const body = await readBody(request);
    requests.push({ method, path, headers, body });
    if (headers.authorization !== `Bearer ${options.apiKey}`)
      return json(response, 401, envelope('unauthorized', 'invalid API key'));
    const route = routes[`${method} ${path}`];
    if (!route) return json(response, 404, envelope('not_found', 'no such route'));
    await route(body, response, standIn);
  }

  return standIn;
}

/** Service document, Endpoints, "POST /v1/chat/completions", the Apply models only. */
function chatCompletions(pauseMs: number): Handler {
  return async (body, response, standIn) => {
    const request = applyRequest(body);
    if (typeof request === 'string')
      return json(response, 400, envelope('invalid_request_error', request));
    const merged = standIn.merge(request.code, request.update, request.instruction);
    if (!request.stream) return json(response, 200, completion(merged, { model: request.model }));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req-1' });
    for (const piece of merged.match(/[^]{1,40}/g) ?? []) {
      if (response.destroyed) return;
      response.write(sse(chunk(piece)));
      if (pauseMs > 0) await new Promise(resolve => setTimeout(resolve, pauseMs));
    }
    response.end(sse(chunk(undefined, 'stop')) + done);
  };
}

interface ApplyRequest {
  model: string;
  stream: boolean;
  instruction: string | undefined;
  code: string;
  update: string;
}

/** The request, or what is wrong with it. Cuts the parts at the bare tag names, as a service would. */
function applyRequest(body: unknown): ApplyRequest | string {
  if (!isObject(body) || typeof body['model'] !== 'string') return 'missing model';
  const { messages, stream } = body;
  const model = body['model'];
  if (!['auto', 'svc-v3-fast', 'svc-v3-large'].includes(model)) return 'unknown model';
  if (!Array.isArray(messages) || messages.length !== 1) return 'exactly one message';
  const message: unknown = messages[0];
  if (!isObject(message) || message['role'] !== 'user') return 'exactly one user message';
  const match =
    /^(?:<instruction>([^]*?)<\/instruction>\s*)?<code>([^]*?)<\/code>\s*<update>([^]*?)<\/update>\s*$/.exec(
      String(message['content']),
    );
  if (!match) return 'expected <instruction>, <code> and <update>';
  const [, instruction, code = '', update = ''] = match;
  return { model, stream: stream === true, instruction, code, update };
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1' });
  response.end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  request.setEncoding('utf8');
  for await (const piece of request) text += String(piece);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
