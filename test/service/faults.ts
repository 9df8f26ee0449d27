import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { chunk, completion, done, envelope, sse } from './wire';

/** One answer, good or bad. `cut` ends the connection without a word. */
export type Fault = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

const json = { 'content-type': 'application/json' };
const stream = { 'content-type': 'text/event-stream', 'x-request-id': 'req-7' };
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

export function answer(status: number, body: object | string, headers: object = {}): Fault {
  return response => {
    response.writeHead(status, { ...json, 'x-request-id': 'req-7', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

const limited = (headers: object, message = 'too many requests') =>
  answer(429, envelope('rate_limited', message), headers);
const failing = (status: number, headers: object = {}) =>
  answer(status, envelope('internal_error', 'server says no'), headers);

/** Writes `parts` as a stream, then ends it, cuts it or leaves it open. */
function events(parts: string[], end: 'end' | 'cut' | 'hang' = 'end'): Fault {
  return async (response, request) => {
    response.writeHead(200, stream);
    response.flushHeaders();
    for (const part of parts) response.write(part);
    if (end === 'hang') return;
    await pause(20);
    if (end === 'end') response.end();
    else request.socket.destroy();
  };
}

/** Writes to the connection by hand, for what an HTTP library refuses to send. */
function raw(write: (socket: Socket) => void | Promise<void>): Fault {
  return (_, request) => write(request.socket);
}

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const chunked = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const whole = JSON.stringify(completion('hello'));

async function flood(response: ServerResponse, first: string): Promise<void> {
  response.write(first);
  for (let mb = 0; mb < 64 && !response.destroyed; mb++) {
    if (response.write('x'.repeat(1 << 20))) continue;
    await new Promise<void>(resolve => {
      const go = (): void => {
        response.off('drain', go).off('close', go);
        resolve();
      };
      response.on('drain', go).on('close', go);
    });
  }
  response.end();
}

const hello = sse(chunk('hel')) + sse(chunk('lo'));
const stop = sse(chunk(undefined, 'stop'));

const ok = answer(200, completion('hello'));
const served = new WeakSet<Socket>();

/** Every situation by name; a test or a host test lines them up with `script`. */
export const faults = {
  ok,
  okStream: events([hello, stop + done]),
  okStreamBytewise: async response => {
    response.writeHead(200, stream);
    const text = `\ufeff: hi\r\n\r\n${(sse(chunk('é漢😀')) + stop + done).replaceAll('\n', '\r\n')}`;
    for (const byte of Buffer.from(text)) response.write(Buffer.of(byte));
    response.end();
  },
  slowStream: async response => {
    response.writeHead(200, stream);
    for (let n = 0; n < 500 && !response.destroyed; n++) {
      response.write(sse(chunk('word ')));
      await pause(10);
    }
    response.end();
  },

  retryAfterSeconds: limited({ 'retry-after': '2' }),
  retryAfterFraction: limited({ 'retry-after': '1.5' }),
  retryAfterDate: response =>
    limited({ 'retry-after': new Date(Date.now() + 3000).toUTCString() })(response, response.req),
  retryAfterMs: limited({ 'retry-after-ms': '300' }),
  retryAfterZero: limited({ 'retry-after': '0' }),
  retryAfterLong: limited({ 'retry-after': '90' }),
  retryAfterGarbage: limited({ 'retry-after': 'soon' }),
  retryAfterNegative: limited({ 'retry-after': '-5' }),
  retryAfterOverflow: limited({ 'retry-after': '9999999' }),
  retryAfterPast: limited({ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
  retryAfterTwice: limited({ 'retry-after': ['1', '2'] }),
  retryInMessage: limited({}, 'Rate limited, please retry after 4 seconds'),
  busy: answer(429, envelope('resource_unavailable', 'busy'), { 'retry-after': '1' }),

  status400: answer(400, envelope('invalid_request_error', 'missing model')),
  flatError: answer(400, { error: 'flat message' }),
  gzippedError: response => {
    const text = JSON.stringify(envelope('odd', 'words in a gzip'));
    response.writeHead(400, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(text));
  },
  status401: answer(401, envelope('unauthorized', 'invalid API key')),
  status401Flat: answer(401, { error: 'Unauthorized' }),
  status402: answer(402, { message: 'no credit' }),
  status403: answer(403, envelope('forbidden', 'not yours')),
  status404: answer(404, { error: 'Endpoint not found' }),
  status407: answer(407, ''),
  status408: failing(408),
  status409: failing(409),
  status425: failing(425),
  status500: failing(500),
  status502Html: answer(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' }),
  status503: failing(503),
  status503RetryAfter: failing(503, { 'retry-after': '1' }),
  status529: answer(529, {
    type: 'error',
    error: { type: 'overloaded_error', message: 'Overloaded' },
  }),
  emptyError: answer(400, ''),
  neverRetry: failing(500, { 'x-should-retry': 'false' }),
  alwaysRetry: answer(400, envelope('odd', 'odd'), { 'x-should-retry': 'true' }),
  hugeError: async response => {
    response.writeHead(400, { 'content-type': 'text/plain' });
    await flood(response, '');
  },
  hostileText: answer(
    400,
    envelope('x', `\u202eevil\u0007\n${'y'.repeat(5000)} sk-verysecretkey1`),
  ),
  redirect: answer(307, '', { location: 'https://elsewhere.example/v1/chat/completions' }),
  /** To this server under another name; whoever follows asks twice. */
  redirectBack: (response, request) =>
    answer(307, '', { location: `http://localhost:${request.socket.localPort}/elsewhere` })(
      response,
      request,
    ),
  redirectRelative: answer(302, '', { location: '/login' }),

  reset: (_, request) => void request.socket.destroy(),
  /** Serves the first request of a connection only, as one that was closed while it idled. */
  staleConnection: (response, request) => {
    if (served.has(request.socket)) return void request.socket.destroy();
    served.add(request.socket);
    return ok(response, request);
  },
  stallHeaders: () => undefined,
  trickledHeaders: raw(async socket => {
    socket.write(head);
    for (let n = 0; n < 500 && !socket.destroyed; n++) {
      socket.write(`X-Slow-${n}: 1\r\n`);
      await pause(15);
    }
  }),
  hugeHeader: raw(socket => void socket.write(`${head}X-Huge: ${'x'.repeat(1 << 20)}\r\n\r\n`)),
  earlyHints: (response, request) => {
    response.writeProcessing();
    response.writeEarlyHints({ link: '</a>; rel=preload' });
    return ok(response, request);
  },
  notHttp: raw(socket => void socket.write('220 mail.example ESMTP ready secret\r\n')),
  brokenChunks: raw(
    socket =>
      void socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunked('{')}secret\r\n`),
  ),
  chunksWithoutEnd: raw(
    socket => void socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunked(whole)}`),
  ),
  chunksCutAtEnd: raw(
    socket => void socket.end(`${head}Transfer-Encoding: chunked\r\n\r\n${chunked(whole)}`),
  ),
  longBody: raw(
    socket => void socket.end(`${head}Content-Length: ${whole.length + 9}\r\n\r\n${whole}`),
  ),
  stallBody: response => {
    response.writeHead(200, json);
    response.write('{"id":');
  },
  cutBody: async (response, request) => {
    response.writeHead(200, { ...json, 'content-length': '5000' });
    response.write('{"id":');
    await pause(20);
    request.socket.destroy();
  },
  hugeJson: async response => {
    response.writeHead(200, json);
    await flood(response, '{"a":"');
  },
  notJson: answer(200, '<html>captive portal</html>', { 'content-type': 'text/html' }),
  notACompletion: answer(200, { choices: [] }),
  errorWithStatus200: answer(200, envelope('odd_code', 'did not work')),
  busyWithStatus200: answer(200, envelope('internal_error', 'oops')),
  lengthLimit: answer(
    200,
    completion('', { choices: [{ message: { content: 'half' }, finish_reason: 'length' }] }),
  ),
  emptyAnswer: answer(200, completion('')),
  unknownFields: answer(
    200,
    completion('', {
      brandNew: { ['__proto__']: 1 },
      usage: 'free',
      model: 7,
      choices: [{ message: { content: 'hello', mood: 'good' }, finish_reason: 'brand_new' }],
    }),
  ),

  streamCut: events([hello], 'cut'),
  streamCutAtOnce: events([], 'cut'),
  streamNoDone: events([hello]),
  streamHalfEvent: events([hello, 'data: {"choices":[{"del']),
  streamFinishWithoutDone: events([hello, stop]),
  streamFinishThenCut: events([hello, stop], 'cut'),
  streamFinishThenHang: events([hello, stop], 'hang'),
  streamDoneOnly: events([hello, done]),
  streamNoFinalNewline: events([hello, 'data: [DONE]']),
  streamStall: events([hello], 'hang'),
  streamSilent: events([], 'hang'),
  streamCommentsOnly: async response => {
    response.writeHead(200, stream);
    response.write(hello);
    for (let n = 0; n < 500 && !response.destroyed; n++) {
      response.write(': ping\n\n');
      await pause(15);
    }
    response.end();
  },
  streamError: events([hello, sse(envelope('overloaded', 'Overloaded'))]),
  streamErrorFlat: events([hello, 'event: error\ndata: {"error":"Overloaded"}\n\n']),
  streamErrorFirst: events([sse(envelope('overloaded', 'Overloaded'))]),
  streamDamaged: events([hello, 'data: {"choices":[{"del\n\n', stop + done]),
  streamUnknown: events([
    'event: brand_new\nid: 4\nretry: 9\nodd: field\ndata: {"brand":"new"}\n\n',
    sse({ choices: [{ delta: { content: 'hello', audio: 1 }, odd: 1 }], usage: null }),
    'event: empty\n\n',
    sse(chunk(undefined, 'brand_new_reason')) + done,
  ]),
  streamBom: events([`\ufeff${hello}`, stop + done]),
  streamNul: events([': \0\0\n\0: odd\n\n', hello, 'event: a\0b\n\n', stop + done]),
  streamBigEvent: events([hello, sse(chunk('x'.repeat(10 << 20))), stop + done]),
  streamLength: events([hello, sse(chunk(undefined, 'length')) + done]),
  streamHugeEvent: async response => {
    response.writeHead(200, stream);
    await flood(response, `${hello}data: `);
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
