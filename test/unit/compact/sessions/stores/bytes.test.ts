import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { UnsupportedHistory } from '../../../../../src/compact/sessions';
import { decompressedHead, historyText } from '../../../../../src/compact/sessions/stores/bytes';

describe('the bytes of a session', () => {
  it('are text', async () => {
    assert.equal(await historyText('a.jsonl', Buffer.from('{"a":"ä"}'), 10), '{"a":"ä"}');
    await assert.rejects(historyText('a.jsonl', Buffer.from([0xff]), 10), UnsupportedHistory);
  });

  it('are refused by name when they are compressed and damaged, or nothing here reads them', async () => {
    await assert.rejects(historyText('a.jsonl.zst', Buffer.from('x'), 10), UnsupportedHistory);
  });

  if (typeof zlib.zstdCompressSync === 'function') {
    it('may be compressed, up to a size', async () => {
      const bytes = zlib.zstdCompressSync(Buffer.alloc(5000, 65));
      assert.equal((await historyText('a.jsonl.zst', bytes, 5000)).length, 5000);
      await assert.rejects(historyText('a.jsonl.zst', bytes, 4999), /too large/);
    });

    it('may be compressed and read no further than wanted', async () => {
      const text = randomBytes(600_000).toString('hex');
      const bytes = zlib.zstdCompressSync(text);
      let given = 0;
      const source = Readable.from(
        (function* () {
          for (; given < bytes.length; given += 10_000) yield bytes.subarray(given, given + 10_000);
        })(),
      );
      const { head, read } = await decompressedHead('Codex', source, 100_000);
      assert.equal(Buffer.from(head).toString(), text.slice(0, head.length));
      assert.ok(head.length >= 100_000 && head.length < 500_000, String(head.length));
      assert.ok(read <= given && given < bytes.length, `${read} of ${given}`);
      // It ends with an error: nobody wants the rest.
      if (!source.closed) await once(source, 'close').catch(() => undefined);
      assert.ok(source.destroyed);
      const all = await decompressedHead('Codex', Readable.from([bytes]), 1e9);
      assert.deepEqual([all.head.length, all.read], [text.length, bytes.length]);
      for (const damaged of [bytes.subarray(0, 3000), Buffer.from('x')]) {
        await assert.rejects(
          decompressedHead('Codex', Readable.from([damaged]), 1e9),
          UnsupportedHistory,
        );
      }
    });
  }
});
