import assert from 'node:assert/strict';
import { isRecord } from '../../../src/base/typeGuards';
import type { ServiceClient } from '../../../src/service/client';
import { ServiceError } from '../../../src/service/errors';
import { fetchTransport, type Transport } from '../../../src/service/transport/transport';
import { type StandIn, startStandIn } from '../../service/standIn';
import { apiKey, never, testClient } from './helpers';

const options = { signal: never() };
const user = (content: string) => ({ role: 'user' as const, content });
const tool = { name: 'lookup', description: 'Looks up.', parameters: { type: 'object' } };

/**
 * Every method that reads an answer, and the fields without which there is none: only for these is
 * `protocol` the right end, in every place of the answer that the path names (`*` is any index).
 */
interface Contract {
  readonly call: (client: ServiceClient, standIn: StandIn) => Promise<unknown>;
  readonly essential: readonly string[];
}

const completion = ['choices', 'choices.*', 'choices.*.message'];
const contracts: Record<string, Contract> = {
  apply: {
    call: client => client.apply({ original: 'a\n', update: 'b\n' }, options),
    // Without its text there is no merged file.
    essential: [...completion, 'choices.*.message.content', 'choices.*.finish_reason'],
  },
  chat: {
    call: client =>
      client.chat(
        { model: 'svc-glm53flash', messages: [user('hi')], reasoning: { effort: 'low' } },
        options,
      ),
    essential: [...completion, 'choices.*.finish_reason'],
  },
  'chat with tools': {
    call: client =>
      client.chat(
        {
          model: 'svc-glm53flash',
          tools: [tool],
          messages: [user('use tool lookup with {"q": 1}')],
        },
        options,
      ),
    essential: [...completion, 'choices.*.finish_reason'],
  },
  messages: {
    call: client =>
      client.messages({ model: 'svc-glm53flash', maxTokens: 100, messages: [user('hi')] }, options),
    essential: ['content', 'stop_reason'],
  },
  countTokens: {
    call: client =>
      client.countTokens({ model: 'svc-glm53flash', messages: [user('hi')] }, options),
    essential: ['input_tokens'],
  },
  predict: {
    call: client => client.predict({ model: 'jailbreak', text: 'hi' }, options),
    essential: ['classes', 'classes.*', 'classes.*.label', 'classes.*.score'],
  },
  predictMany: {
    call: client => client.predictMany({ models: ['jailbreak', 'domain'], text: 'hi' }, options),
    essential: ['predictions'],
  },
  reflexTraces: { call: client => client.reflexTraces(options), essential: [] },
  uploadReflexBatch: { call: client => upload(client), essential: ['id', 'status'] },
  reflexBatch: {
    call: async client => client.reflexBatch(batchId, options),
    essential: ['id', 'status'],
  },
  reflexBatchResults: {
    call: client => client.reflexBatchResults({ id: batchId, onRows: () => undefined }, options),
    // The first row's id tells a list of rows from a row that holds a list.
    essential: ['results', 'results.*', 'results.*.id'],
  },
  compact: {
    call: client => client.compact({ input: 'a\nb\nc\n', ratio: 0.5 }, options),
    essential: ['output'],
  },
  'compact by chat': {
    call: client => client.compact({ input: 'a\nb\nc\n', route: 'chat' }, options),
    essential: [...completion, 'choices.*.message.content', 'choices.*.finish_reason'],
  },
  'compact by responses': {
    call: client => client.compact({ input: 'a\nb\nc\n', route: 'responses' }, options),
    essential: [
      'output',
      'output.*',
      'output.*.content',
      'output.*.content.*',
      'output.*.content.*.text',
      'output.*.type',
      'output.*.content.*.type',
      'output_text',
      'status',
    ],
  },
  classifyPrompt: {
    call: client => client.classifyPrompt({ input: 'hi' }, options),
    essential: ['classifications'],
  },
  pickModel: { call: client => client.pickModel({ input: 'hi' }, options), essential: [] },
  routeRaw: {
    call: client => client.routeRaw({ input: 'hi' }, options),
    essential: ['difficulty'],
  },
  rerank: {
    call: client => client.rerank({ query: 'a', documents: ['a b', 'c'] }, options),
    essential: ['results'],
  },
  embed: {
    call: client => client.embed({ input: ['a', 'b'] }, options),
    essential: ['data', 'data.*', 'data.*.embedding', 'data.*.embedding.*', 'data.*.index'],
  },
  listBatches: { call: client => client.listBatches({ limit: 2 }, options), essential: ['data'] },
  listFineTuningJobs: {
    call: client => client.listFineTuningJobs({ limit: 2 }, options),
    essential: ['data'],
  },
  listEndpoints: { call: client => client.listEndpoints(options), essential: ['endpoints'] },
  endpointStatus: {
    call: async (client, { endpoints }) => client.endpointStatus(endpoints.create({}), options),
    essential: ['id', 'state'],
  },
  catalogue: { call: client => client.catalogue(options), essential: [] },
};

let batchId = '';
let uploads = 0;

async function upload(client: ServiceClient) {
  const rows = ['r1', 'r2'].map(id => ({ id, models: ['jailbreak'], text: 'hi' }));
  return client.uploadReflexBatch({ rows, idempotencyKey: `contract-${++uploads}` }, options);
}

/** One change to a JSON value, with the path of what it changes. */
interface Mutation {
  readonly what: string;
  readonly path: string;
  readonly apply: (root: unknown) => unknown;
}

function* mutations(root: unknown): Generator<Mutation> {
  for (const { at, path, value } of places(root, [])) {
    const change = (what: string, next: unknown): Mutation => ({
      what,
      path,
      apply: top => replaced(top, at, next),
    });
    if (isRecord(value)) yield change('a new field', { ...value, brand_new: { deep: [1] } });
    if (at.length === 0) continue;
    yield change('null', null);
    yield change('missing', undefined);
    yield change('another type', typeof value === 'number' ? 'text' : 7);
    if (typeof value === 'string') yield change('a new value', 'brand_new');
    if (Array.isArray(value)) yield change('empty', []);
  }
}

type Key = string | number;

/** Every value of a JSON text; of a list the first two items. */
function* places(
  value: unknown,
  at: readonly Key[],
): Generator<{ at: readonly Key[]; path: string; value: unknown }> {
  yield { at, path: at.map(key => (typeof key === 'number' ? '*' : key)).join('.'), value };
  if (Array.isArray(value))
    for (const [n, item] of value.slice(0, 2).entries()) yield* places(item, [...at, n]);
  else if (isRecord(value))
    for (const [key, item] of Object.entries(value)) yield* places(item, [...at, key]);
}

function replaced(root: unknown, [first, ...rest]: readonly Key[], next: unknown): unknown {
  if (first === undefined) return next;
  if (Array.isArray(root))
    return root.map((item: unknown, n) => (n === first ? replaced(item, rest, next) : item));
  assert.ok(isRecord(root));
  return { ...root, [first]: replaced(root[first], rest, next) };
}

/** Keeps the last answer, or gives another one in its place. */
class Replay {
  body = '';
  instead: string | undefined;
  readonly transport: Transport;

  constructor() {
    const real = fetchTransport((input, init) => globalThis.fetch(input, init));
    this.transport = {
      concurrency: real.concurrency,
      request: async request => {
        if (this.instead !== undefined) return this.#answer(this.instead);
        const response = await real.request(request);
        assert.equal(response.status, 200);
        const pieces: Uint8Array[] = [];
        for await (const piece of response.body) pieces.push(piece);
        this.body = Buffer.concat(pieces).toString();
        return this.#answer(this.body);
      },
    };
  }

  #answer(text: string): Awaited<ReturnType<Transport['request']>> {
    const type =
      text.startsWith('{') || text.startsWith('[') ? 'application/json' : 'text/event-stream';
    return {
      status: 200,
      headers: new Headers({ 'content-type': type }),
      body: new Blob([text]).stream(),
      cancel: () => undefined,
    };
  }
}

describe('an answer that is not quite as documented', () => {
  let standIn: StandIn;
  before(async () => {
    standIn = await startStandIn({ apiKey, merge: (_, update) => update });
    const { client } = testClient(standIn.url);
    const batch = await upload(client);
    batchId = batch.id;
    standIn.clock.advance(3_600_000);
  });
  after(() => standIn.close());

  for (const [name, { call, essential }] of Object.entries(contracts))
    it(`${name}: fails for no change but to what it is about`, async () => {
      const replay = new Replay();
      const { client } = testClient(standIn.url, {
        transport: async () => replay.transport,
        random: () => 0,
      });
      await call(client, standIn);
      const answer: unknown = JSON.parse(replay.body);
      const wrong: string[] = [];
      let count = 0;
      for (const { what, path, apply } of mutations(answer)) {
        count++;
        replay.instead = JSON.stringify(apply(answer));
        try {
          await call(client, standIn);
        } catch (error) {
          const isFair =
            error instanceof ServiceError &&
            ['protocol', 'truncated'].includes(error.kind) &&
            essential.includes(path) &&
            what !== 'a new field';
          if (!isFair) wrong.push(`${path || 'the answer'} ${what}: ${String(error)}`);
        }
      }
      assert.deepEqual(wrong, []);
      assert.ok(count > 3);
    });

  for (const [name, stream] of Object.entries({
    apply: (client: ServiceClient) =>
      client.apply({ original: 'a\n', update: 'b\n' }, { ...options, stream: true }),
    chat: (client: ServiceClient) =>
      client.chat(
        {
          model: 'svc-glm53flash',
          tools: [tool],
          reasoning: { effort: 'low' },
          messages: [user('use tool lookup with {"q": 1}')],
        },
        { ...options, stream: true },
      ),
    messages: (client: ServiceClient) =>
      client.messages(
        {
          model: 'svc-glm53flash',
          maxTokens: 100,
          messages: [user('hi')],
          thinking: { budgetTokens: 4000 },
        },
        { ...options, stream: true },
      ),
  }))
    it(`${name} as a stream: no event fails it, unless the text is gone`, async () => {
      const replay = new Replay();
      const { client } = testClient(standIn.url, {
        transport: async () => replay.transport,
        random: () => 0,
      });
      await stream(client);
      const events = replay.body.split(/\n\n/);
      const wrong: string[] = [];
      let count = 0;
      for (const [at, event] of events.entries()) {
        const data = /^data: (\{.*)$/m.exec(event)?.[1];
        if (data === undefined) continue;
        const value: unknown = JSON.parse(data);
        for (const { what, path, apply } of mutations(value)) {
          count++;
          const changed = event.replace(data, () => JSON.stringify(apply(value)));
          replay.instead = events.with(at, changed).join('\n\n');
          try {
            await stream(client);
          } catch (error) {
            // Without its text there is no merged file, and without its end no answer is complete.
            const isFair =
              (name === 'apply' || /"(?:finish|stop)_reason":"/.test(event)) &&
              error instanceof ServiceError &&
              error.kind === 'truncated';
            if (!isFair || what === 'a new field')
              wrong.push(`${path || 'event'} ${what}: ${String(error)}`);
          }
        }
      }
      assert.deepEqual(wrong, []);
      assert.ok(count > 20);
    });
});
