import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { english } from '../../../src/base/sentence';
import { adviceFor } from '../../../src/service/advice';
import type { ServiceClient } from '../../../src/service/client';
import type { ErrorKind } from '../../../src/service/errors';
import { fetchTransport, type Transport } from '../../../src/service/transport/transport';
import { createDispatcher, undiciTransport } from '../../../src/service/transport/undiciTransport';
import { type FaultServer, startFaultServer } from '../../service/faultServer';
import { echoesOf, type Fault, type FaultName, faults } from '../../service/faults';
import { asMessages } from '../../service/messagesFormat';
import { eventually } from '../../support/unit/eventually';
import { apiKey, edit, failureOf, hastyClient, never } from './helpers';

interface Failing {
  fault: FaultName;
  kind: ErrorKind;
  /** Requests that the server must have seen when every answer is the same. */
  requests: number;
  stream?: true;
  partial?: string;
  /** Words of the service that must come through. */
  says?: string;
  /** The reason that the service gave for the end. */
  code?: string;
}

/** A stream whose service ends it for a reason that makes no whole file. */
const ended = (fault: FaultName, code: string): Failing => ({
  fault,
  kind: 'truncated',
  requests: 1,
  stream: true,
  partial: 'hello',
  code,
});

const failing: Failing[] = [
  { fault: 'retryAfterLong', kind: 'rateLimited', requests: 1 },
  { fault: 'retryAfterGarbage', kind: 'rateLimited', requests: 3 },
  { fault: 'retryAfterNegative', kind: 'rateLimited', requests: 3 },
  { fault: 'retryAfterOverflow', kind: 'rateLimited', requests: 3 },
  { fault: 'retryAfterTwice', kind: 'rateLimited', requests: 3 },
  { fault: 'busy', kind: 'rateLimited', requests: 3 },
  { fault: 'status400', kind: 'badRequest', requests: 1 },
  { fault: 'flatError', kind: 'badRequest', requests: 1, says: 'flat message' },
  { fault: 'gzippedError', kind: 'badRequest', requests: 1, says: 'words in a gzip' },
  { fault: 'status401', kind: 'unauthorized', requests: 1 },
  { fault: 'status401Flat', kind: 'unauthorized', requests: 1 },
  { fault: 'status402', kind: 'payment', requests: 1 },
  { fault: 'status403', kind: 'forbidden', requests: 1 },
  { fault: 'status404', kind: 'notFound', requests: 1 },
  { fault: 'status408', kind: 'server', requests: 3 },
  { fault: 'status409', kind: 'server', requests: 3 },
  { fault: 'status425', kind: 'server', requests: 3 },
  { fault: 'status500', kind: 'server', requests: 3 },
  { fault: 'status502Html', kind: 'server', requests: 3 },
  { fault: 'status503', kind: 'server', requests: 3 },
  { fault: 'status503RetryAfter', kind: 'server', requests: 3 },
  { fault: 'status529', kind: 'server', requests: 3 },
  { fault: 'emptyError', kind: 'badRequest', requests: 1 },
  { fault: 'neverRetry', kind: 'server', requests: 1 },
  { fault: 'alwaysRetry', kind: 'badRequest', requests: 3 },
  { fault: 'hugeError', kind: 'badRequest', requests: 1 },
  { fault: 'hostileText', kind: 'badRequest', requests: 1 },
  { fault: 'redirect', kind: 'redirect', requests: 1 },
  { fault: 'redirectBack', kind: 'redirect', requests: 1 },
  { fault: 'redirectRelative', kind: 'redirect', requests: 1 },
  { fault: 'reset', kind: 'connection', requests: 2 },
  { fault: 'trickledHeaders', kind: 'timeout', requests: 2 },
  { fault: 'hugeHeader', kind: 'tooLarge', requests: 1 },
  { fault: 'notHttp', kind: 'protocol', requests: 1 },
  { fault: 'brokenChunks', kind: 'protocol', requests: 1 },
  { fault: 'chunksWithoutEnd', kind: 'timeout', requests: 2 },
  { fault: 'chunksCutAtEnd', kind: 'connection', requests: 2 },
  { fault: 'longBody', kind: 'connection', requests: 2 },
  { fault: 'stallHeaders', kind: 'timeout', requests: 2 },
  { fault: 'stallBody', kind: 'timeout', requests: 2 },
  { fault: 'cutBody', kind: 'connection', requests: 2 },
  { fault: 'hugeJson', kind: 'tooLarge', requests: 1 },
  { fault: 'notJson', kind: 'protocol', requests: 1 },
  { fault: 'notACompletion', kind: 'protocol', requests: 1 },
  { fault: 'errorWithStatus200', kind: 'server', requests: 1 },
  { fault: 'busyWithStatus200', kind: 'server', requests: 3 },
  { fault: 'lengthLimit', kind: 'truncated', requests: 1, partial: 'half' },
  { fault: 'emptyAnswer', kind: 'truncated', requests: 1 },
  { fault: 'reasonError', kind: 'truncated', requests: 1, partial: 'half', code: 'error' },
  { fault: 'reasonAbort', kind: 'truncated', requests: 1, partial: 'half', code: 'abort' },
  { fault: 'reasonNull', kind: 'truncated', requests: 1, partial: 'half' },
  { fault: 'reasonMissing', kind: 'truncated', requests: 1, partial: 'half' },
  { fault: 'reasonCalls', kind: 'truncated', requests: 1, partial: 'half', code: 'tool_calls' },
  { fault: 'notUtf8', kind: 'protocol', requests: 1 },
  { fault: 'halfPair', kind: 'protocol', requests: 1 },
  { fault: 'partialContent', kind: 'protocol', requests: 1 },
  { fault: 'noContent', kind: 'protocol', requests: 1 },
  { fault: 'unknownCoding', kind: 'protocol', requests: 1 },
  { fault: 'manyCodings', kind: 'protocol', requests: 1 },
  { fault: 'damagedCoding', kind: 'protocol', requests: 1 },
  { fault: 'bomb', kind: 'tooLarge', requests: 1 },
  { fault: 'keyEchoed', kind: 'badRequest', requests: 1 },
  { fault: 'streamCut', kind: 'truncated', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamCutAtOnce', kind: 'connection', requests: 2, stream: true },
  { fault: 'streamNoDone', kind: 'truncated', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamHalfEvent', kind: 'truncated', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamStall', kind: 'timeout', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamSilent', kind: 'timeout', requests: 2, stream: true },
  { fault: 'streamCommentsOnly', kind: 'timeout', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamEmptyEvents', kind: 'timeout', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamEmptyChoices', kind: 'timeout', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamEmptyDeltas', kind: 'timeout', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamUsageOnly', kind: 'timeout', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamPings', kind: 'timeout', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamEmptyFlood', kind: 'tooLarge', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamDoneOnly', kind: 'truncated', requests: 1, stream: true, partial: 'hello' },
  ended('streamReasonError', 'error'),
  ended('streamReasonAbort', 'abort'),
  ended('streamReasonNew', 'brand_new'),
  ended('streamReasonCalls', 'tool_calls'),
  ended('streamReasonFilter', 'content_filter'),
  { fault: 'streamNotUtf8', kind: 'protocol', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamHalfPair', kind: 'protocol', requests: 1, stream: true },
  { fault: 'streamCutInCharacter', kind: 'truncated', requests: 1, stream: true, partial: 'hello' },
  { fault: 'pageAsStream', kind: 'protocol', requests: 1, stream: true },
  { fault: 'streamBomb', kind: 'tooLarge', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamError', kind: 'server', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamErrorFlat', kind: 'server', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamErrorFirst', kind: 'server', requests: 3, stream: true },
  { fault: 'streamDamaged', kind: 'protocol', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamLength', kind: 'truncated', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamHugeEvent', kind: 'tooLarge', requests: 1, stream: true, partial: 'hello' },
  { fault: 'streamBigEvent', kind: 'tooLarge', requests: 1, stream: true, partial: 'hello' },
  { fault: 'notJson', kind: 'protocol', requests: 1, stream: true },
  { fault: 'status503RetryAfter', kind: 'server', requests: 3, stream: true },
  { fault: 'errorWithStatus200', kind: 'server', requests: 1, stream: true },
  { fault: 'status500', kind: 'server', requests: 3, stream: true },
];

const fine: { fault: FaultName; text: string; stream?: true }[] = [
  { fault: 'ok', text: 'hello' },
  { fault: 'unknownFields', text: 'hello' },
  { fault: 'earlyHints', text: 'hello' },
  { fault: 'staleConnection', text: 'hello' },
  { fault: 'streamBom', text: 'hello', stream: true },
  { fault: 'streamNul', text: 'hello', stream: true },
  { fault: 'okStream', text: 'hello', stream: true },
  { fault: 'okStreamBytewise', text: 'é漢😀', stream: true },
  { fault: 'streamFinishWithoutDone', text: 'hello', stream: true },
  { fault: 'streamFinishThenCut', text: 'hello', stream: true },
  { fault: 'streamFinishThenHang', text: 'hello', stream: true },
  { fault: 'streamDoneWithBlank', text: 'hello', stream: true },
  { fault: 'streamNoFinalNewline', text: 'hello', stream: true },
  { fault: 'streamUnknown', text: 'hello', stream: true },
  { fault: 'streamReplacement', text: '\ufffd', stream: true },
  { fault: 'streamSplitPair', text: '😀', stream: true },
  { fault: 'replacement', text: '\ufffd' },
  // The other form than was asked for, under any content type.
  { fault: 'ok', text: 'hello', stream: true },
  { fault: 'okStream', text: 'hello' },
  { fault: 'okStreamBytewise', text: 'é漢😀' },
  ...(
    [
      'streamAsText',
      'streamWithoutType',
      'streamAsJson',
      'jsonAsStream',
      'jsonAsText',
      'jsonInOneEvent',
    ] as const
  ).flatMap((fault): typeof fine => [
    { fault, text: 'hello' },
    { fault, text: 'hello', stream: true },
  ]),
  { fault: 'gzip', text: 'hello' },
  { fault: 'brotli', text: 'hello' },
  { fault: 'zstd', text: 'hello' },
  { fault: 'deflate', text: 'hello' },
  { fault: 'rawDeflate', text: 'hello' },
  { fault: 'gzipThenBrotli', text: 'hello' },
  { fault: 'upperCaseCoding', text: 'hello' },
  { fault: 'streamZstd', text: 'hello', stream: true },
  { fault: 'streamGzip', text: 'hello', stream: true },
];

/** Where the messages format has other rules than a whole file has, or the translation cannot follow. */
const notInMessages = new Set<FaultName>([
  'lengthLimit',
  'streamLength',
  'emptyAnswer',
  'reasonCalls',
  'streamReasonCalls',
  'streamReasonFilter',
  'halfPair',
  'streamHalfPair',
  'streamSplitPair',
  'notUtf8',
  'streamNotUtf8',
  'streamCutInCharacter',
  'streamBomb',
  'streamErrorFirst',
  'streamNoFinalNewline',
  'pageAsStream',
  'streamAsText',
  'streamWithoutType',
  'streamAsJson',
  'jsonAsStream',
  'jsonAsText',
  'jsonInOneEvent',
  'gzip',
  'brotli',
  'zstd',
  'deflate',
  'rawDeflate',
  'gzipThenBrotli',
  'upperCaseCoding',
  'streamZstd',
  'streamGzip',
]);

const patient = { headersMs: 5000, firstEventMs: 5000, streamIdleMs: 5000, bodyIdleMs: 5000 };
/** For a stream that stops after its first event. */
const patientAtFirst = { headersMs: 5000, firstEventMs: 5000 };

const dispatcher = createDispatcher({});
const ways: Record<string, Transport> = {
  "the host's fetch": fetchTransport((input, init) => globalThis.fetch(input, init)),
  undici: undiciTransport(async () => dispatcher),
};

type Ask = (
  client: ServiceClient,
  options: { readonly signal: AbortSignal; readonly stream: boolean },
) => Promise<{ readonly text: string; readonly attempts: number }>;

interface Format {
  readonly ask: Ask;
  readonly script: (fault: FaultName) => Fault;
  readonly has: (row: { readonly fault: FaultName }) => boolean;
}

const formats: Record<string, Format> = {
  'an apply': {
    ask: (client, options) => client.apply(edit, options),
    script: fault => faults[fault],
    has: () => true,
  },
  'the messages format': {
    ask: (client, options) =>
      client.messages(
        {
          model: 'svc-glm52-744b',
          maxTokens: 100,
          messages: [{ role: 'user', content: edit.original }],
        },
        options,
      ),
    script: fault => (response, request) => {
      const write: Fault = faults[fault];
      return write(asMessages(response), request);
    },
    has: ({ fault }) => !notInMessages.has(fault),
  },
};

for (const [way, transport] of Object.entries(ways))
  for (const [format, { ask, script, has }] of Object.entries(formats))
    describe(`a service that misbehaves, through ${way}, for ${format}`, () => {
      let server: FaultServer;
      before(async () => {
        server = await startFaultServer();
      });
      after(() => server.close());

      /** Only where a timeout is the point is it short: a busy computer must not add one. */
      const hastyClientHere = ({ kind, partial }: { kind?: ErrorKind; partial?: string } = {}) =>
        hastyClient(server.url, {
          transport: async () => transport,
          timeouts: kind !== 'timeout' ? patient : partial === undefined ? {} : patientAtFirst,
        });

      for (const row of failing.filter(has)) {
        const { fault, kind, requests, stream = false, partial, says, code } = row;
        it(`${fault}${stream ? ' (stream)' : ''} is ${kind} after ${requests} requests`, async () => {
          server.script(script(fault));
          const { client, lines } = hastyClientHere(row);
          const error = await failureOf(ask(client, { signal: never(), stream }));
          assert.equal(error.kind, kind);
          assert.equal(server.requests.length, requests);
          assert.equal(error.attempts, requests);
          if (partial !== undefined || format === 'an apply')
            assert.equal(error.partial || undefined, partial);
          if (says) assert.equal(error.serverText, says);
          if (code && format === 'an apply') assert.equal(error.code, code);
          assert.equal(
            new Set(server.requests.map(seen => seen.headers['idempotency-key'])).size,
            1,
          );
          assert.equal(new Set(server.requests.map(seen => seen.body)).size, 1);
          assert.equal(lines.filter(line => !line.startsWith('unexpected')).length, requests);
          const said =
            inspect(error, { depth: 9 }) + adviceFor(error, english).message + lines.join('\n');
          for (const secret of [...echoesOf(apiKey).split(' '), 'secret', partial ?? 'secret'])
            assert.ok(!said.includes(secret), `"${secret}" leaked: ${said}`);
        });
      }

      for (const row of fine.filter(has)) {
        const { fault, text, stream = false } = row;
        it(`${fault}${stream ? ' (stream)' : ''} is a success`, async () => {
          server.script(script(fault));
          const { client } = hastyClientHere();
          const result = await ask(client, { signal: never(), stream });
          assert.equal(result.text, text);
          assert.equal(result.attempts, 1);
        });
      }
    });

describe('a service that misbehaves', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(async () => {
    await dispatcher.destroy();
    await server.close();
  });

  it('has a test for every fault', () => {
    const others: FaultName[] = [
      'slowStream',
      'status407',
      'retryAfterSeconds',
      'retryAfterFraction',
      'retryAfterDate',
      'retryAfterMs',
      'retryAfterZero',
      'retryAfterPast',
      'retryInMessage',
    ];
    const tested = new Set([...failing, ...fine].map(({ fault }) => fault).concat(others));
    assert.deepEqual(
      Object.keys(faults).filter(name => ![...tested].some(known => known === name)),
      [],
    );
  });

  it('names the host of a redirect and sends nothing there', async () => {
    server.script('redirect');
    const { client } = hastyClient(server.url);
    const error = await failureOf(client.apply(edit, { signal: never() }));
    assert.match(adviceFor(error, english).message, /elsewhere\.example/);
  });

  it('shows hostile text of the service as one short plain line', async () => {
    server.script('hostileText');
    const { client } = hastyClient(server.url);
    const { serverText = '' } = await failureOf(client.apply(edit, { signal: never() }));
    assert.match(serverText, /^evil y+…$/);
    assert.ok(serverText.length <= 300);
  });

  it('closes the connection of an answer that it gives up', async () => {
    server.script('hugeJson');
    const { client } = hastyClient(server.url);
    await failureOf(client.apply(edit, { signal: never() }));
    await eventually(() => server.requests[0]?.cut === true);
  });

  it('takes 407 for a proxy that wants a login', async () => {
    server.script('status407');
    const { client } = hastyClient(server.url);
    const error = await failureOf(client.apply(edit, { signal: never() }));
    // Node's fetch turns a 407 into a network error.
    assert.ok(['proxyLogin', 'connection'].includes(error.kind), error.kind);
  });

  it('names a service that cannot be reached', async () => {
    const gone = await startFaultServer();
    await gone.close();
    const { client } = hastyClient(gone.url);
    const error = await failureOf(client.apply(edit, { signal: never() }));
    assert.equal(error.kind, 'offline');
    assert.equal(error.attempts, 3);
  });
});
