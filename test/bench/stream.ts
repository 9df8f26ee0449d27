// How fast a streamed answer is read: against parsing alone, and against a widely used SDK.
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { ServiceClient } from '../../src/service/client';
import type { Transport } from '../../src/service/transport/transport';
import { bulkCorpus, type Corpus, hostileCorpus, liveCorpus } from './streamCorpus';

const rounds = 5;
/** Ours on the bulk corpus, in CPU time: at least this many times the SDK's speed, … */
const leastOverSdk = 2.5;
/** … and at most this many times the floor's time. */
const mostOverFloor = 2;

/** What a reader got out of a corpus; all must agree. */
interface Read {
  text: number;
  reasoning: number;
  arguments: number;
}

type Reader = (corpus: Corpus) => Read | Promise<Read>;

const readers: Record<string, Reader> = {
  'JSON.parse alone': ({ events, size }) => {
    let seen = 0;
    for (const event of events) if (typeof JSON.parse(event) === 'object') seen++;
    assert.equal(seen, events.length);
    return size;
  },
  'chat()': async corpus => {
    const shown: Read = { text: 0, reasoning: 0, arguments: 0 };
    const client = new ServiceClient({
      baseUrl: () => 'https://service.test',
      apiKey: async () => 'sk-bench',
      transport: async () => replaying(corpus),
    });
    const { text, reasoning, toolCalls } = await client.chat(
      { model: 'svc-glm52-744b', messages: [{ role: 'user', content: 'go' }] },
      {
        signal: new AbortController().signal,
        stream: true,
        onDelta: delta => {
          shown.text += delta.text.length;
          shown.reasoning += delta.reasoning.length;
          for (const piece of delta.toolCalls) shown.arguments += piece.arguments.length;
        },
      },
    );
    const read = {
      text: text.length,
      reasoning: reasoning.length,
      arguments: toolCalls.reduce((sum, call) => sum + call.arguments.length, 0),
    };
    assert.deepEqual(shown, read);
    return read;
  },
  'SDK stream': async corpus => {
    const sdk = new OpenAI({
      apiKey: 'sk-bench',
      baseURL: 'https://service.test/v1',
      fetch: async () =>
        new Response(bodyOf(corpus), { headers: { 'content-type': 'text/event-stream' } }),
    });
    const read: Read = { text: 0, reasoning: 0, arguments: 0 };
    const stream = await sdk.chat.completions.create({
      model: 'svc-glm52-744b',
      messages: [{ role: 'user', content: 'go' }],
      stream: true,
    });
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta;
      if (!delta) continue;
      read.text += delta.content?.length ?? 0;
      if ('reasoning_content' in delta) read.reasoning += String(delta.reasoning_content).length;
      for (const call of delta.tool_calls ?? [])
        read.arguments += call.function?.arguments?.length ?? 0;
    }
    return read;
  },
};

function bodyOf({ reads }: Corpus): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      const read = reads[at++];
      if (read) controller.enqueue(read);
      else controller.close();
    },
  });
}

function replaying(corpus: Corpus): Transport {
  return {
    concurrency: 1,
    request: async () => ({
      status: 200,
      headers: new Headers({ 'content-type': 'text/event-stream' }),
      body: bodyOf(corpus),
      cancel: () => undefined,
    }),
  };
}

interface Cost {
  cpuMs: number;
  wallMs: number;
}

/** Best of all rounds, in which the readers take turns. */
async function measure(corpus: Corpus): Promise<Record<string, Cost>> {
  const best: Record<string, Cost> = {};
  for (let round = 0; round < rounds; round++)
    for (const [name, read] of Object.entries(readers)) {
      globalThis.gc?.();
      const wallAt = performance.now();
      const cpuAt = process.cpuUsage();
      const got = await read(corpus);
      const { user, system } = process.cpuUsage(cpuAt);
      const wallMs = performance.now() - wallAt;
      const cpuMs = (user + system) / 1000;
      assert.deepEqual(got, corpus.size, `${name} read another answer`);
      const known = (best[name] ??= { cpuMs, wallMs });
      known.cpuMs = Math.min(known.cpuMs, cpuMs);
      known.wallMs = Math.min(known.wallMs, wallMs);
    }
  return best;
}

let isGood = true;
for (const corpusOf of [liveCorpus, bulkCorpus, hostileCorpus]) {
  const corpus = corpusOf();
  const { name, bytes, events, reads } = corpus;
  const mb = bytes / 1e6;
  console.log(
    `${name}: ${mb.toFixed(1)} MB, ${events.length} events, ${reads.length} reads; best of ${rounds}`,
  );
  const costs = await measure(corpus);
  for (const [reader, { cpuMs, wallMs }] of Object.entries(costs))
    console.log(
      `  ${reader.padEnd(18)}${(mb / (cpuMs / 1000)).toFixed(0).padStart(6)} MB/s CPU` +
        `${(mb / (wallMs / 1000)).toFixed(0).padStart(6)} MB/s wall` +
        `${((cpuMs * 1000) / events.length).toFixed(2).padStart(8)} µs per event`,
    );
  const cpuOf = (reader: string): number => costs[reader]?.cpuMs ?? Number.NaN;
  const overSdk = cpuOf('SDK stream') / cpuOf('chat()');
  const overFloor = cpuOf('chat()') / cpuOf('JSON.parse alone');
  console.log(
    `  chat() is ${overSdk.toFixed(2)} x the SDK's speed and takes ${overFloor.toFixed(2)} x the floor's time`,
  );
  if (name === 'bulk' && !(overSdk >= leastOverSdk && overFloor <= mostOverFloor)) isGood = false;
}
if (!isGood) {
  console.error(
    `bulk: wanted at least ${leastOverSdk} x the SDK and at most ${mostOverFloor} x the floor`,
  );
  process.exitCode = 1;
}
