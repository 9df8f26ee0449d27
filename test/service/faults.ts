import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import * as zlib from 'node:zlib';
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
function events(parts: (string | Buffer)[], end: 'end' | 'cut' | 'hang' = 'end'): Fault {
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

/** A stream that begins, and then only shows that it is alive. */
function beating(beat: string): Fault {
  return async response => {
    response.writeHead(200, stream);
    response.write(sse(chunk('hel')) + sse(chunk('lo')));
    for (let n = 0; n < 500 && !response.destroyed; n++) {
      response.write(beat);
      await pause(15);
    }
    response.end();
  };
}

/** A whole body under any content type. */
function typed(type: string | undefined, body: string | Buffer): Fault {
  return response => {
    response.writeHead(200, type === undefined ? {} : { 'content-type': type });
    response.end(body);
  };
}

/** A whole answer in content codings, as a proxy may apply them unasked. */
function coded(codings: string, encode: (bytes: Buffer) => Buffer, isStream = false): Fault {
  return response => {
    response.writeHead(200, { ...(isStream ? stream : json), 'content-encoding': codings });
    response.end(encode(Buffer.from(isStream ? hello + stop + done : whole)));
  };
}

/** An event with its `\u00e4` in Latin-1. */
function notUtf8(event: object): Buffer {
  return Buffer.from(sse(event), 'latin1');
}

/** Writes to the connection by hand, for what an HTTP library refuses to send. */
function raw(write: (socket: Socket) => void | Promise<void>): Fault {
  return (_, request) => write(request.socket);
}

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const chunked = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const whole = JSON.stringify(completion('hello'));

async function flood(
  response: ServerResponse,
  first: string,
  megabyte = 'x'.repeat(1 << 20),
): Promise<void> {
  response.write(first);
  for (let mb = 0; mb < 64 && !response.destroyed; mb++) {
    if (response.write(megabyte)) continue;
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

/** Some kilobytes that become a gigabyte. */
function bomb(type: object, first: string, filler: string): Fault {
  return response => {
    response.writeHead(200, { ...type, 'content-encoding': 'gzip' });
    const gzip = zlib.createGzip();
    gzip.on('error', () => undefined).pipe(response);
    gzip.write(first);
    const megabyte = filler.repeat((1 << 20) / filler.length);
    let left = 1024;
    const go = (): void => {
      while (left-- > 0) if (!gzip.write(megabyte)) return void gzip.once('drain', go);
      gzip.end();
    };
    response.on('close', () => gzip.destroy());
    go();
  };
}

function ending(reason: string | null | undefined): Fault {
  const choice = { index: 0, message: { content: 'half' }, finish_reason: reason };
  return answer(200, completion('', { choices: [choice] }));
}

/** The key in the forms in which a careless service may quote it. */
export function echoesOf(key: string): string {
  const bytes = Buffer.from(key);
  return [
    key,
    key.toUpperCase(),
    bytes.toString('hex'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    Buffer.from(`{"k":"${key}"}`).toString('base64'),
    encodeURIComponent(key).replaceAll('-', '%2D'),
    Array.from(key, char => `\\u00${char.charCodeAt(0).toString(16)}`).join(''),
  ].join(' ');
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
  retryAfterDate: response => {
    // Of the same moment: the server's own date may be a second old.
    const now = Date.now();
    const date = (ms: number) => new Date(now + ms).toUTCString();
    return limited({ date: date(0), 'retry-after': date(3000) })(response, response.req);
  },
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
    response.writeHead(400, { ...json, 'content-encoding': 'gzip' }).end(zlib.gzipSync(text));
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
  reasonError: ending('error'),
  reasonAbort: ending('abort'),
  reasonNull: ending(null),
  reasonMissing: ending(undefined),
  reasonCalls: ending('tool_calls'),
  notUtf8: typed('application/json', Buffer.from(JSON.stringify(completion('\u00e4')), 'latin1')),
  replacement: answer(200, completion('\ufffd')),
  halfPair: answer(200, completion('a\ud83d')),
  partialContent: answer(206, completion('hello'), { 'content-range': 'bytes 0-9/99' }),
  noContent: answer(204, ''),
  gzip: coded('gzip', bytes => zlib.gzipSync(bytes)),
  brotli: coded('br', bytes => zlib.brotliCompressSync(bytes)),
  zstd: coded('zstd', bytes => zlib.zstdCompressSync(bytes)),
  deflate: coded('deflate', bytes => zlib.deflateSync(bytes)),
  rawDeflate: coded('deflate', bytes => zlib.deflateRawSync(bytes)),
  gzipThenBrotli: coded('gzip, br', bytes => zlib.brotliCompressSync(zlib.gzipSync(bytes))),
  upperCaseCoding: coded('GZIP', bytes => zlib.gzipSync(bytes)),
  unknownCoding: coded('rot13', bytes => bytes),
  manyCodings: coded('gzip, gzip, gzip, gzip', bytes =>
    zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(bytes)))),
  ),
  damagedCoding: coded('gzip', bytes => bytes),
  bomb: bomb(json, '{"a":"', 'a'),
  streamBomb: bomb(stream, hello, `: ${'x'.repeat(4093)}\n`),
  keyEchoed: (response, request) =>
    answer(400, envelope('odd', echoesOf(request.headers.authorization ?? '')))(response, request),
  unknownFields: answer(
    200,
    completion('', {
      brandNew: { ['__proto__']: 1 },
      usage: 'free',
      model: 7,
      choices: [{ message: { content: 'hello', mood: 'good' }, finish_reason: 'stop' }],
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
  streamNoFinalNewline: events([hello, stop.trimEnd()]),
  streamDoneWithBlank: events([hello, stop, 'data: [DONE] \n\n'], 'hang'),
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
  /** Events go on coming, and none of them brings anything. */
  streamEmptyEvents: beating('data: {}\n\n'),
  streamEmptyChoices: beating(sse({ ...chunk(''), choices: [] })),
  streamEmptyDeltas: beating(
    sse({
      choices: [
        {
          index: 0,
          delta: { role: 'assistant', content: '', tool_calls: [{ function: { arguments: '' } }] },
          finish_reason: '',
        },
      ],
    }),
  ),
  streamUsageOnly: beating(sse({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })),
  streamPings: beating('event: ping\ndata: {"type":"ping"}\n\n'),
  streamEmptyFlood: async response => {
    response.writeHead(200, stream);
    await flood(response, hello, `data: {}\n\n`.repeat(1 << 16));
  },
  streamReasonError: events([hello, sse(chunk(undefined, 'error')) + done]),
  streamReasonAbort: events([hello, sse(chunk(undefined, 'abort')) + done]),
  streamReasonNew: events([hello, sse(chunk(undefined, 'brand_new')) + done]),
  streamReasonCalls: events([hello, sse(chunk(undefined, 'tool_calls')) + done]),
  streamReasonFilter: events([hello, sse(chunk(undefined, 'content_filter')) + done]),
  streamNotUtf8: events([hello, notUtf8(chunk('\u00e4')), stop + done]),
  streamCutInCharacter: response => {
    response.writeHead(200, stream);
    response.end(
      Buffer.concat([Buffer.from(hello), Buffer.from(sse(chunk('\u00e4'))).subarray(0, -40)]),
    );
  },
  streamReplacement: events([sse(chunk('\ufffd')), stop + done]),
  streamHalfPair: events([hello, sse(chunk('\ud83d')), stop + done]),
  streamSplitPair: events([sse(chunk('\ud83d')), sse(chunk('\ude00')), stop + done]),
  streamAsText: typed('text/plain; charset=utf-8', hello + stop + done),
  streamWithoutType: typed(undefined, `\n: hi\n${hello}${stop}${done}`),
  streamAsJson: typed('application/json', hello + stop + done),
  jsonAsStream: typed('text/event-stream', ` \n${whole}`),
  jsonAsText: typed('text/plain', `\ufeff${whole}`),
  jsonInOneEvent: typed('text/event-stream', sse(completion('hello')) + done),
  pageAsStream: typed('text/event-stream', '<html>captive portal</html>'),
  streamZstd: coded('zstd', bytes => zlib.zstdCompressSync(bytes), true),
  streamGzip: coded('gzip', bytes => zlib.gzipSync(bytes), true),
  streamError: events([hello, sse(envelope('overloaded', 'Overloaded'))]),
  streamErrorFlat: events([hello, 'event: error\ndata: {"error":"Overloaded"}\n\n']),
  streamErrorFirst: events([sse(envelope('overloaded', 'Overloaded'))]),
  streamDamaged: events([hello, 'data: {"choices":[{"del\n\n', stop + done]),
  streamUnknown: events([
    'event: brand_new\nid: 4\nretry: 9\nodd: field\ndata: {"brand":"new"}\n\n',
    sse({ choices: [{ delta: { content: 'hello', audio: 1 }, odd: 1 }], usage: null }),
    'event: empty\n\n',
    sse({ choices: [{ delta: { tone: 'warm' }, finish_reason: 'stop', odd: 1 }] }) + done,
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
