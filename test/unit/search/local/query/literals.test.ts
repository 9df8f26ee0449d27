import assert from 'node:assert/strict';
import { literalsOf } from '../../../../../src/search/local/query/literals';

const texts = (query: string): string[] => literalsOf(query).map(({ text }) => text);
const worth = (query: string): number => literalsOf(query)[0]?.worth ?? 0;

describe('the words of a query with signs in them', () => {
  it('are flags, keys, routes and members, without the signs around them', () => {
    for (const [query, text] of [
      ['--max-count', 'max-count'],
      ['`editor.tabSize`', 'editor.tabSize'],
      ['GET /v1/models?', 'v1/models'],
      ['.btn-primary', 'btn-primary'],
      ['@scope/queue', 'scope/queue'],
      ['(std::fs::read)', 'std::fs::read'],
      ['what does queue.drain() do', 'queue.drain'],
      ['Content-Type:', 'Content-Type'],
    ] as const) {
      assert.deepEqual(texts(query), [text], query);
    }
  });

  it('are no words, names, versions or data', () => {
    for (const query of [
      'drain the queue.',
      'DrainQueue',
      'drain_queue',
      'since v1.2.3 and 10.5',
      'a/b',
      `x/${'y'.repeat(120)}`,
      Array.from({ length: 9 }, (_, at) => `key.of${at}`).join(' '),
    ]) {
      assert.deepEqual(texts(query), [], query);
    }
  });

  it('are worth more alone than in a sentence', () => {
    assert.equal(worth('--max-count'), worth(' `--max-count` '));
    assert.ok(worth('--max-count') > worth('why is --max-count ignored'));
    assert.ok(worth('why is --max-count ignored') > 0);
  });
});
