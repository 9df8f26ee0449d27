// Every fault of test/service/faults.ts against our client and two widely used ones: faults.js
// Same time-outs, two retries each, real waits. Prints a table; fails when ours misses a target.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { ServiceClient } from '../../src/service/client';
import { ServiceError } from '../../src/service/errors';
import { fetchTransport, type Transport } from '../../src/service/transport/transport';
import { createDispatcher, undiciTransport } from '../../src/service/transport/undiciTransport';
import { type SeenRequest, startFaultServer } from '../service/faultServer';
import { echoesOf, type Fault, type FaultName, faults } from '../service/faults';
import { asMessages } from '../service/messagesFormat';
import { startTls } from '../service/tls';

interface Target {
  /** The answer; absent: the call must fail. */
  text?: string;
  /** Requests that the server may see, at most; 3 when absent. */
  requests?: number;
  /** Not sooner than this, ms. */
  after?: number;
  /** Not later than this, ms. */
  within?: number;
  /** Words of the service that the error must hold. */
  says?: string;
  /** The outcome of an attempt is unknown: a repeat must carry the same idempotency key. */
  sameKey?: true;
}

interface Situation extends Target {
  name: string;
  answers: (FaultName | Fault)[];
  stream?: true;
  /** ms after which the caller cancels; then it must be told within 100 ms and nothing more be sent. */
  cancelAfter?: number;
  /** Calls one after the other; the last one counts. */
  calls?: number;
  /** So much work, or so short a time, that it is measured with nothing beside it. */
  alone?: true;
  /** Instead of the fault server. */
  url?: string;
}

const timeoutMs = 700;
const longestMs = 6000;
const atOnce = 24;

const again = (fault: FaultName, after: number, within: number): Situation => ({
  name: fault,
  answers: [fault, 'ok'],
  text: 'hello',
  requests: 2,
  after,
  within,
});
const fine = (fault: FaultName, text = 'hello'): Situation => ({
  name: fault,
  answers: [fault],
  text,
  requests: 1,
  ...(/stream/i.test(fault) ? { stream: true } : {}),
});
const fails = (fault: FaultName, target: Omit<Target, 'text'> = {}): Situation => ({
  name: fault,
  answers: [fault],
  ...(/stream/i.test(fault) ? { stream: true } : {}),
  ...target,
});
const final = { requests: 1, within: 1000 } as const;

const untrusted = await startTls(server => server.on('request', (_, response) => response.end()));
const gone = await startFaultServer();
await gone.close();

const situations: Situation[] = [
  fine('ok'),
  again('retryAfterSeconds', 2000, 3500),
  again('retryAfterFraction', 1500, 3000),
  again('retryAfterDate', 1900, 4500),
  again('retryAfterMs', 300, 1300),
  again('retryAfterZero', 0, 1500),
  again('retryAfterPast', 0, 1500),
  again('retryAfterGarbage', 0, 1500),
  again('retryAfterNegative', 0, 1500),
  again('retryAfterTwice', 2000, 3500),
  again('retryInMessage', 4000, 5500),
  again('busy', 1000, 2500),
  fails('retryAfterLong', final),
  fails('retryAfterOverflow', { within: 4000 }),
  again('status408', 0, 1500),
  again('status409', 0, 1500),
  again('status425', 0, 1500),
  again('status503', 0, 1500),
  again('status503RetryAfter', 1000, 2500),
  again('status529', 0, 1500),
  again('alwaysRetry', 0, 1500),
  fails('status400', { ...final, says: 'missing model' }),
  fails('status401', { ...final, says: 'invalid API key' }),
  fails('status401Flat', final),
  fails('status402', { ...final, says: 'no credit' }),
  fails('status403', { ...final, says: 'not yours' }),
  fails('status404', { ...final, says: 'Endpoint not found' }),
  fails('status500', { requests: 3, within: 4000, says: 'server says no' }),
  fails('status502Html', { within: 4000 }),
  fails('neverRetry', { ...final, says: 'server says no' }),
  fails('flatError', { ...final, says: 'flat message' }),
  fails('gzippedError', { ...final, says: 'words in a gzip' }),
  fails('emptyError', final),
  { ...fails('hugeError', final), alone: true },
  fails('hostileText', final),
  fails('redirect', final),
  fails('redirectBack', final),
  fails('redirectRelative', final),
  { ...fails('reset', { within: 4000, sameKey: true }), name: 'reset for ever' },
  { ...again('reset', 0, 1500), name: 'reset once', sameKey: true },
  { ...fine('staleConnection'), requests: 3, calls: 2, sameKey: true },
  fails('stallHeaders', { within: 5000, sameKey: true }),
  fails('trickledHeaders', { within: 5000, sameKey: true }),
  fails('stallBody', { within: 5000, sameKey: true }),
  fails('cutBody', { within: 4000, sameKey: true }),
  fails('chunksWithoutEnd', { within: 5000, sameKey: true }),
  fails('chunksCutAtEnd', { within: 4000, sameKey: true }),
  fails('longBody', { within: 4000, sameKey: true }),
  fails('hugeHeader', final),
  fails('notHttp', final),
  fails('brokenChunks', final),
  fine('earlyHints'),
  { ...fails('hugeJson', { requests: 1, within: 3000 }), alone: true },
  fails('notJson', final),
  fails('notACompletion', final),
  fails('errorWithStatus200', { ...final, says: 'did not work' }),
  fails('busyWithStatus200', { within: 4000, says: 'oops' }),
  fine('unknownFields'),
  fails('reasonError', final),
  fails('reasonAbort', final),
  fails('reasonNull', final),
  fails('reasonMissing', final),
  fails('reasonCalls', final),
  fails('notUtf8', final),
  fails('halfPair', final),
  fine('replacement', '\ufffd'),
  fails('partialContent', final),
  fine('gzip'),
  fine('brotli'),
  fine('zstd'),
  fine('deflate'),
  fine('rawDeflate'),
  fine('gzipThenBrotli'),
  fails('unknownCoding', final),
  fails('damagedCoding', final),
  { ...fails('bomb', { requests: 1, within: 5000 }), alone: true },
  fails('keyEchoed', final),

  fine('okStream'),
  fine('okStreamBytewise', 'é漢😀'),
  fine('streamBom'),
  fine('streamNul'),
  fine('streamUnknown'),
  fine('streamFinishWithoutDone'),
  fine('streamFinishThenCut'),
  { ...fine('streamFinishThenHang'), within: 2000 },
  fine('streamNoFinalNewline'),
  { ...fine('streamDoneWithBlank'), within: 2000 },
  fine('streamReplacement', '\ufffd'),
  fine('streamAsText'),
  fine('streamWithoutType'),
  fine('streamAsJson'),
  fine('streamZstd'),
  { ...fine('jsonAsStream'), stream: true },
  { ...fine('ok'), name: 'JSON for a stream', stream: true },
  { name: 'a stream for JSON', answers: ['okStream'], text: 'hello', requests: 1 },
  fails('streamCut', final),
  fails('streamCutAtOnce', { within: 4000, sameKey: true }),
  fails('streamNoDone', final),
  fails('streamDoneOnly', final),
  fails('streamReasonError', final),
  fails('streamReasonAbort', final),
  fails('streamReasonNew', final),
  fails('streamNotUtf8', final),
  fails('streamHalfPair', final),
  fails('streamEmptyEvents', { requests: 1, within: 4000 }),
  fails('streamEmptyChoices', { requests: 1, within: 4000 }),
  fails('streamEmptyDeltas', { requests: 1, within: 4000 }),
  fails('streamPings', { requests: 1, within: 4000 }),
  { ...fails('streamBomb', { requests: 1, within: 5000 }), alone: true },
  fails('streamHalfEvent', final),
  fails('streamStall', { requests: 1, within: 3000 }),
  fails('streamSilent', { within: 5000, sameKey: true }),
  fails('streamCommentsOnly', { requests: 1, within: 4000 }),
  fails('streamError', { ...final, says: 'Overloaded' }),
  fails('streamErrorFlat', { ...final, says: 'Overloaded' }),
  fails('streamErrorFirst', { within: 4000, says: 'Overloaded' }),
  fails('streamDamaged', final),
  { ...fails('streamHugeEvent', { requests: 1, within: 3000 }), alone: true },
  { ...fails('streamBigEvent', { requests: 1, within: 3000 }), alone: true },
  { ...fails('notJson', final), name: 'captive portal for a stream', stream: true },
  {
    ...fails('errorWithStatus200', { ...final, says: 'did not work' }),
    name: 'JSON error for a stream',
    stream: true,
  },
  {
    ...again('status503RetryAfter', 1000, 2500),
    name: '503 before a stream',
    answers: ['status503RetryAfter', 'okStream'],
    stream: true,
  },
  {
    ...again('retryAfterSeconds', 2000, 3500),
    name: '429 before a stream',
    answers: ['retryAfterSeconds', 'okStream'],
    stream: true,
  },

  { ...fails('retryAfterSeconds', { requests: 1 }), name: 'cancel in a wait', cancelAfter: 300 },
  { ...fails('stallHeaders', { requests: 1 }), name: 'cancel in flight', cancelAfter: 300 },
  { ...fails('slowStream', { requests: 1 }), name: 'cancel in a stream', cancelAfter: 300 },

  { name: 'unknown host', answers: ['ok'], url: 'https://nowhere.invalid', within: 5000 },
  { name: 'refused port', answers: ['ok'], url: gone.url, within: 4000 },
  {
    name: 'wrong certificate',
    answers: ['ok'],
    url: `https://localhost:${untrusted.port}`,
    within: 400,
    alone: true,
  },
];

interface Client {
  name: string;
  create(url: string): Call;
}
type Call = (stream: boolean, signal: AbortSignal) => Promise<string>;

const key = 'sk-bench-4711';
const prompt = 'secret original\n';
const dispatcher = createDispatcher({});

function ours(name: string, transport: Transport): Client {
  return {
    name,
    create(url) {
      const ms = { headersMs: timeoutMs, firstEventMs: timeoutMs };
      const client = new ServiceClient({
        baseUrl: () => url,
        apiKey: async () => key,
        transport: async () => transport,
        timeouts: { ...ms, streamIdleMs: timeoutMs, bodyIdleMs: timeoutMs },
      });
      return async (stream, signal) =>
        (await client.apply({ original: prompt, update: 'x' }, { stream, signal })).text;
    },
  };
}

const openai: Client = {
  name: 'openai',
  create(url) {
    const baseURL = `${url}/v1`;
    const client = new OpenAI({
      apiKey: key,
      baseURL,
      maxRetries: 2,
      timeout: timeoutMs,
      logLevel: 'off',
    });
    const body = { model: 'auto', messages: [{ role: 'user' as const, content: prompt }] };
    return async (stream, signal) => {
      if (!stream) {
        const answer = await client.chat.completions.create(body, { signal });
        return answer.choices?.[0]?.message.content ?? '';
      }
      let text = '';
      for await (const event of await client.chat.completions.create(
        { ...body, stream },
        { signal },
      ))
        text += event.choices?.[0]?.delta.content ?? '';
      return text;
    };
  },
};

const anthropic: Client = {
  name: 'anthropic',
  create(url) {
    const options = { maxRetries: 2, timeout: timeoutMs, logLevel: 'off' } as const;
    const client = new Anthropic({ apiKey: key, baseURL: url, ...options });
    const messages = [{ role: 'user' as const, content: prompt }];
    const body = { model: 'auto', max_tokens: 100, messages };
    return async (stream, signal) => {
      if (!stream) {
        const answer = await client.messages.create(body, { signal });
        const [block] = answer.content ?? [];
        return block?.type === 'text' ? block.text : '';
      }
      let text = '';
      for await (const event of await client.messages.create({ ...body, stream }, { signal }))
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
          text += event.delta.text;
      return text;
    };
  },
};

interface Outcome {
  /** What missed the target. */
  wrong: string[];
  requests: number;
  ms: number;
}

type Ended = { text: string } | { error: unknown } | 'waiting';

async function run(client: Client, situation: Situation): Promise<Outcome> {
  const server = await startFaultServer();
  const { stream = false, calls = 1, cancelAfter, answers } = situation;
  const isMessages = client === anthropic;
  server.script(
    ...answers.map((answer): Fault => {
      const fault: Fault = typeof answer === 'string' ? faults[answer] : answer;
      return isMessages ? (response, request) => fault(asMessages(response), request) : fault;
    }),
  );
  const call = client.create(situation.url ?? server.url);
  const controller = new AbortController();
  for (let n = 1; n < calls; n++) await call(stream, controller.signal);
  const startedAt = performance.now();
  let canceledAt: number | undefined;
  if (cancelAfter !== undefined)
    setTimeout(() => {
      canceledAt = performance.now();
      controller.abort();
    }, cancelAfter);
  const ended = await Promise.race<Ended>([
    call(stream, controller.signal).then(
      text => ({ text }),
      (error: unknown) => ({ error }),
    ),
    new Promise(resolve => setTimeout(() => resolve('waiting'), longestMs)),
  ]);
  const endedAt = performance.now();
  const ms = Math.round(endedAt - startedAt);
  controller.abort();
  if (canceledAt !== undefined) await new Promise(resolve => setTimeout(resolve, 600));
  const { requests } = server;
  await server.close();
  const wrong = judge(situation, ended, requests, ms);
  if (canceledAt !== undefined && endedAt - canceledAt > 100)
    wrong.push(`told ${Math.round(endedAt - canceledAt)} ms after canceling`);
  return { wrong, requests: requests.length, ms };
}

function judge(target: Situation, ended: Ended, requests: SeenRequest[], ms: number): string[] {
  const { text, after = 0, within = longestMs, says, sameKey } = target;
  const most = target.requests ?? 3;
  if (ended === 'waiting') return ['still waiting'];
  const wrong: string[] = [];
  if ('text' in ended && ended.text !== text)
    wrong.push(`took "${ended.text.slice(0, 12)}" for the answer`);
  if ('error' in ended) {
    const said = told(ended.error);
    if (text !== undefined) wrong.push(`failed: ${said.slice(0, 50)}`);
    else if (says && !said.includes(says)) wrong.push(`the reason is lost: ${said.slice(0, 40)}`);
    if (
      echoesOf(key)
        .split(' ')
        .some(form => said.includes(form))
    )
      wrong.push('the key is in the error');
  }
  if (requests.length > most) wrong.push(`${requests.length} requests`);
  if (ms < after) wrong.push(`asked again too early`);
  if (ms > within) wrong.push('too late');
  const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
  if (sameKey && requests.length > (target.calls ?? 1) && keys.size !== (target.calls ?? 1))
    wrong.push('another idempotency key');
  if (sameKey && requests.length > 1 && keys.has(undefined)) wrong.push('no idempotency key');
  if (requests.some(({ path }) => path === '/elsewhere')) wrong.push('followed the redirect');
  return wrong;
}

function told(error: unknown): string {
  if (error instanceof ServiceError) return `${error.kind}: ${error.message}`;
  return error instanceof Error ? `${error.constructor.name}: ${error.message}` : String(error);
}

function describe({ text, requests = 3, after = 0, within, says, cancelAfter }: Situation): string {
  if (cancelAfter !== undefined) return 'canceled at once';
  const parts = [text === undefined ? 'fails' : `"${text}"`];
  if (says) parts.push(`says "${says}"`);
  parts.push(`≤ ${requests} requests`);
  if (after > 0) parts.push(`≥ ${after} ms`);
  if (within !== undefined) parts.push(`≤ ${within} ms`);
  return parts.join(', ');
}

const clients = [
  ours(
    'ours',
    undiciTransport(async () => dispatcher),
  ),
  ours(
    'ours, fetch',
    fetchTransport((input, init) => globalThis.fetch(input, init)),
  ),
  openai,
  anthropic,
];
const results = new Map<string, Outcome>();
const jobs = situations.flatMap(situation => clients.map(client => ({ situation, client })));
const place = ({ name }: Situation, client: Client): string => `${client.name} ${name}`;
async function work(queue: typeof jobs): Promise<void> {
  for (let job = queue.shift(); job; job = queue.shift())
    results.set(place(job.situation, job.client), await run(job.client, job.situation));
}
const together = jobs.filter(({ situation }) => !situation.alone);
await Promise.all(Array.from({ length: atOnce }, () => work(together)));
await work(jobs.filter(({ situation }) => situation.alone));

const cell = (outcome: Outcome | undefined): string =>
  outcome
    ? `${outcome.wrong.join('; ').replaceAll(/[|\n]/g, ' ') || 'ok'} (${outcome.requests}×, ${outcome.ms} ms)`
    : '-';
console.log(`| Situation | Target | ${clients.map(({ name }) => name).join(' | ')} |`);
console.log(`|---|---|${clients.map(() => '---|').join('')}`);
for (const situation of situations) {
  const cells = clients.map(client => cell(results.get(place(situation, client))));
  console.log(`| ${situation.name} | ${describe(situation)} | ${cells.join(' | ')} |`);
}
const met = (client: Client): number =>
  situations.filter(situation => results.get(place(situation, client))?.wrong.length === 0).length;
console.log(`| **targets met** | of ${situations.length} | ${clients.map(met).join(' | ')} |`);
await dispatcher.destroy();
await untrusted.close();
process.exit(clients.slice(0, 2).every(client => met(client) === situations.length) ? 0 : 1);
