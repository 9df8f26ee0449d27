import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ServiceClient } from '../../../src/service/client';
import { chunk, done, sse } from '../../service/wire';
import { failureOf, never } from './helpers';

const mb = 1 << 20;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Answers with `count` reads made one by one, and looks at the memory in use at some of them. */
function watching(count: number, status: number, type: string, readAt: (at: number) => Uint8Array) {
  collect();
  const startMb = process.memoryUsage().heapUsed / mb;
  const watch = { mostMb: 0, bytes: 0 };
  async function* body(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < count; at++) {
      if (at % Math.ceil(count / 8) === count >> 4) {
        collect();
        const usedMb = process.memoryUsage().heapUsed / mb - startMb;
        watch.mostMb = Math.max(watch.mostMb, usedMb);
      }
      const read = readAt(at);
      watch.bytes += read.length;
      yield read;
    }
  }
  const client = new ServiceClient({
    baseUrl: () => 'https://service.test',
    apiKey: async () => 'sk-memory',
    transport: async () => ({
      concurrency: 1,
      request: async () => ({
        status,
        headers: new Headers({ 'content-type': type }),
        body: body(),
        cancel: () => undefined,
      }),
    }),
  });
  return { client, watch };
}

const ask = { model: 'svc-glm52-744b', messages: [{ role: 'user', content: 'go' }] } as const;

describe('memory', () => {
  it('holds a stream of 200 MB in small deltas', async () => {
    // One read of 64 KB, sent again and again: what is measured is the reader.
    const event = sse({ ...chunk('word by word'), padding: 'x'.repeat(60) });
    const perRead = Math.floor((64 << 10) / event.length);
    const read = Buffer.from(event.repeat(perRead));
    const count = Math.ceil((200 * mb) / read.length);
    const { client, watch } = watching(count + 1, 200, 'text/event-stream', at =>
      at < count ? read : Buffer.from(sse(chunk(undefined, 'stop')) + done),
    );
    let shown = 0;
    const { text } = await client.chat(ask, {
      signal: never(),
      stream: true,
      onDelta: delta => (shown += delta.text.length),
    });
    assert.equal(text.length, count * perRead * 'word by word'.length);
    assert.equal(shown, text.length);
    assert.ok(watch.bytes >= 200 * mb);
    // 64 MB are allowed; text that is not joined takes 50, and the answer itself 10.
    assert.ok(watch.mostMb < 32, `${watch.mostMb} MB`);
  });

  it('reads no more of an error of 16 MB than it uses', async () => {
    const read = new Uint8Array(mb).fill(120);
    const { client, watch } = watching(16, 400, 'text/plain', () => read);
    assert.equal((await failureOf(client.chat(ask, { signal: never() }))).kind, 'badRequest');
    assert.ok(watch.bytes <= 2 * mb, `${watch.bytes} bytes`);
  });

  it('holds a body that comes in many small pieces', async () => {
    const pieces = 400_000;
    const [first, piece] = [Buffer.from('{tiny,'), Buffer.from('"tiny"')];
    let reads = 0;
    const { client, watch } = watching(pieces, 200, 'application/json', () =>
      reads++ === 0 ? first : piece,
    );
    assert.equal((await failureOf(client.chat(ask, { signal: never() }))).kind, 'protocol');
    assert.equal(watch.bytes, pieces * piece.length);
    // 56 bytes for each piece that is not joined with others.
    assert.ok(watch.mostMb < 8, `${watch.mostMb} MB`);
  });
});
