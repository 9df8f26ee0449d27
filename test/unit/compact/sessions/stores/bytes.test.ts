import assert from 'node:assert/strict';
import zlib from 'node:zlib';
import { UnsupportedHistory } from '../../../../../src/compact/sessions';
import { historyText } from '../../../../../src/compact/sessions/stores/bytes';

describe('the bytes of a session', () => {
  it('are text', () => {
    assert.equal(historyText('a.jsonl', Buffer.from('{"a":"ä"}'), 10), '{"a":"ä"}');
    assert.throws(() => historyText('a.jsonl', Buffer.from([0xff]), 10), UnsupportedHistory);
  });

  it('are refused by name when they are compressed and damaged, or nothing here reads them', () => {
    assert.throws(() => historyText('a.jsonl.zst', Buffer.from('x'), 10), UnsupportedHistory);
  });

  if (typeof zlib.zstdCompressSync === 'function') {
    it('may be compressed, up to a size', () => {
      const bytes = zlib.zstdCompressSync(Buffer.alloc(5000, 65));
      assert.equal(historyText('a.jsonl.zst', bytes, 5000).length, 5000);
      assert.throws(() => historyText('a.jsonl.zst', bytes, 4999), /too large/);
    });
  }
});
